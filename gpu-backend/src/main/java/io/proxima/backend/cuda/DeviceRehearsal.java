/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The device memory of a run, found by going through its allocations in the order of {@link ResidentGraph},
 * {@link KernelDispatch}, {@link CudaGraph} and {@link FarnessSums}, with what they do where memory is short; parts and
 * kernels know their own. Nothing is allocated. For one run.
 */
final class DeviceRehearsal {

    /**
     * What decides on a run's memory beside the work itself and its kernels.
     *
     * @param vertexCount of the graph
     * @param entryCount of the graph
     * @param symmetric whether it is known to be
     * @param figures what the making of its parts tells
     * @param ordered whether its vertices lie in another order than projected
     * @param saved whether its BVSS was saved and need not be built
     * @param deepest the level up to which the searches go
     */
    record Scenario(
            int vertexCount,
            long entryCount,
            boolean symmetric,
            Map<Figure, Long> figures,
            boolean ordered,
            boolean saved,
            long deepest)
            implements GraphSizes {

        /** The same with these figures. */
        Scenario with(Map<Figure, Long> others) {
            return new Scenario(vertexCount, entryCount, symmetric, others, ordered, saved, deepest);
        }

        @Override
        public long figure(Figure figure) {
            Long value = figures.get(figure);
            if (value == null) {
                throw new IllegalStateException("a scenario must have the figures of all parts: " + figure);
            }
            return value;
        }
    }

    private final LaunchPolicy policy;
    private final int mostBlocks;
    private final Scenario scenario;
    private final long available;
    private final boolean frugal;

    // the parts that are there, with their bytes
    private final Map<GraphPart<?>, Long> parts = new LinkedHashMap<>();
    private final Set<GraphPart<?>> wanted = new LinkedHashSet<>();
    private final List<GraphPart<?>> onTheWay = new ArrayList<>();
    private long used;
    private long workspace;
    private long peak;
    private boolean refused;

    /**
     * A rehearsal.
     *
     * @param there what lies on the device already
     * @param available bytes that the run may have, with what is there
     * @param frugal whether to take the least in everything, as a run does that finds little memory
     */
    DeviceRehearsal(
            LaunchPolicy policy,
            int multiprocessors,
            Scenario scenario,
            Set<GraphPart<?>> there,
            long available,
            boolean frugal) {
        this.policy = policy;
        this.mostBlocks = policy.mostBlocks(multiprocessors);
        this.scenario = scenario;
        this.available = frugal ? Long.MAX_VALUE : available;
        this.frugal = frugal;
        there.forEach(part -> parts.put(part, part.bytes(scenario)));
        used = partBytes();
        peak = used;
    }

    /** Goes through a run; null if it cannot be done in the memory. */
    MemoryTree run(Workload work, KernelDispatch.Course course) {
        if (!prepare(course)) {
            return null;
        }
        long making = peak;
        peak = used;
        if (!search(work, course.taken())) {
            return null;
        }
        long run = Math.max(peak, partBytes()) - partBytes();
        Map<String, Long> byLabel = new LinkedHashMap<>();
        parts.forEach((part, bytes) -> byLabel.merge(part.label(), bytes, Long::sum));
        List<MemoryTree> together = new ArrayList<>();
        byLabel.forEach((label, bytes) -> together.add(MemoryTree.exactly(label, bytes)));
        together.add(MemoryTree.exactly("search", run));
        return MemoryTree.oneByOne(
                "graph and run",
                MemoryTree.exactly("making the graph", making),
                MemoryTree.together("graph and search", together.toArray(MemoryTree[]::new)));
    }

    /** Whether something was refused, so that a smaller or a slower way was taken. */
    boolean wasRefused() {
        return refused;
    }

    // what parts ask

    /** The graph. */
    GraphSizes graph() {
        return scenario;
    }

    /** Whether its vertices lie in another order than projected. */
    boolean ordered() {
        return scenario.ordered();
    }

    /** Whether its BVSS was saved and need not be built. */
    boolean saved() {
        return scenario.saved();
    }

    /** Whether the least is to be taken, as where memory is short. */
    boolean frugal() {
        return frugal;
    }

    /** The most blocks that a grid has on the device. */
    int mostBlocks() {
        return mostBlocks;
    }

    /** Another part, made if it is not there; whether it fits. As {@link GraphPart.Making#part}. */
    boolean part(GraphPart<?> asked) {
        GraphPart<?> part = asked.sharedBy(scenario.symmetric());
        if (parts.containsKey(part)) {
            return true;
        }
        if (!part.rehearse(this)) {
            return false;
        }
        parts.put(part, part.bytes(scenario));
        if (!wanted.contains(part)) {
            onTheWay.add(part);
        }
        return true;
    }

    /** As {@link GraphPart.Making#startOver}. */
    void dropPartsMadeOnTheWay() {
        onTheWay.forEach(part -> used -= parts.remove(part));
        onTheWay.clear();
    }

    /** Takes memory if there is so much. */
    boolean take(long bytes) {
        if (bytes > available - used - workspace) {
            // moved out, for no search uses it now
            workspace = 0;
        }
        if (bytes > available - used) {
            refused = true;
            return false;
        }
        used += bytes;
        peak = Math.max(peak, used + workspace);
        return true;
    }

    /** Gives back what was taken. */
    void giveBack(long bytes) {
        used -= bytes;
    }

    /** Takes memory while there are two arrays more, taken before it in this order. */
    boolean takeBeside(long bytes, long one, long other) {
        if (!take(one)) {
            return false;
        }
        boolean taken = false;
        if (take(other)) {
            taken = take(bytes);
            giveBack(other);
        }
        giveBack(one);
        return taken;
    }

    // the graph

    private long partBytes() {
        return parts.values().stream().mapToLong(Long::longValue).sum();
    }

    private boolean prepare(KernelDispatch.Course course) {
        Set<GraphPart<?>> kept = new LinkedHashSet<>(parts.keySet());
        kept.add(SlotsPart.SLOTS);
        for (TriedKernels tried : course.tried()) {
            if (!require(tried.parts()) || !requireWorkspace(tried.trialBytes(scenario))) {
                return false;
            }
        }
        course.taken().parts().forEach(part -> kept.add(part.sharedBy(scenario.symmetric())));
        parts.keySet().removeIf(part -> !kept.contains(part));
        used = partBytes();
        return require(course.taken().parts());
    }

    private boolean require(Set<GraphPart<?>> asked) {
        asked.forEach(part -> wanted.add(part.sharedBy(scenario.symmetric())));
        if (scenario.ordered()) {
            wanted.add(SlotsPart.SLOTS);
        }
        boolean done = true;
        for (GraphPart<?> part : wanted) {
            done = done && part(part);
        }
        dropPartsMadeOnTheWay();
        wanted.clear();
        return done;
    }

    // the searches

    private boolean search(Workload work, Kernels kernels) {
        int n = scenario.vertexCount();
        return switch (work.run()) {
            case BFS -> levels((LevelKernels) kernels, 1, work.stopTargets());
            case NEAREST_SOURCE -> work.sources() == 0 || levels((LevelKernels) kernels, work.sources(), 0);
            case MULTI_SOURCE_BFS -> work.sources() == 0 || distances((BatchKernels) kernels, work.sources());
            case FARNESS -> n == 0 || sums((SumKernels) kernels, work.measures());
        };
    }

    private boolean levels(LevelKernels kernels, int sources, int stopTargets) {
        return requireWorkspace(kernels.plan(scenario, sources, stopTargets).bytes());
    }

    private boolean distances(BatchKernels kernels, int sources) {
        BatchSize size = size(kernels.mostDistances(), kernels.leastSources());
        int last = MemoryPlan.levelBytes(scenario.deepest());
        boolean done = true;
        for (int width = Byte.BYTES; width <= last && done; width *= 2) {
            int levelBytes = width;
            done = batch(size, sources, (most, count) -> kernels.plan(scenario, most, count, levelBytes)
                    .bytes());
        }
        return done;
    }

    private boolean sums(SumKernels kernels, Set<DistanceMeasure> measures) {
        int n = scenario.vertexCount();
        if (!take(MemoryPlan.Sums.of(n, measures).bytes())) {
            return false;
        }
        if (!measures.contains(DistanceMeasure.HARMONIC)) {
            return batch(kernels);
        }
        int capacity = frugal ? 1 : Math.min(kernels.levelCapacity(policy.levelCapacity()), n);
        long reached = 0;
        while (true) {
            long counts = MemoryPlan.levelCountBytes(n, capacity);
            while (!take(counts)) {
                if (capacity == 1) {
                    return false;
                }
                capacity = Math.max(1, capacity / LaunchPolicy.LEVEL_CAPACITY_GROWTH);
                counts = MemoryPlan.levelCountBytes(n, capacity);
            }
            boolean done = batch(kernels);
            giveBack(counts);
            reached += capacity;
            if (!done || frugal || reached >= scenario.deepest()) {
                return done;
            }
            capacity = (int) Math.min(n, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private boolean batch(SumKernels kernels) {
        // without entries there is no search
        return scenario.entryCount() == 0
                || batch(
                        size(kernels.mostSources(), kernels.leastSources()),
                        scenario.vertexCount(),
                        (most, count) -> kernels.bytes(scenario, most, count));
    }

    private BatchSize size(int most, int least) {
        return new BatchSize(frugal ? least : most, least);
    }

    /** The state of a batch of {@code count} sources where batches are limited to {@code most}. */
    @FunctionalInterface
    private interface BatchBytes {
        long of(int most, int count);
    }

    /** Takes the first batch; whether even the smallest fits. */
    private boolean batch(BatchSize size, int sources, BatchBytes bytes) {
        while (!requireWorkspace(bytes.of(size.most(), Math.min(size.most(), sources)))) {
            if (!size.shrink()) {
                return false;
            }
        }
        return true;
    }

    private boolean requireWorkspace(long bytes) {
        if (workspace >= bytes) {
            return true;
        }
        workspace = 0;
        if (!take(bytes)) {
            return false;
        }
        used -= bytes;
        workspace = bytes;
        return true;
    }
}
