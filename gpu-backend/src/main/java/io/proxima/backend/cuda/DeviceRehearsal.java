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
import java.util.Set;

/**
 * The device memory of a run, found by going through its allocations in the order of {@link BvssMaker}, {@link ListsMaker},
 * {@link KernelDispatch}, {@link CudaGraph} and {@link FarnessSums}, with what they do where memory is short. Nothing is
 * allocated. For one run.
 */
final class DeviceRehearsal {

    /**
     * What decides on a run's memory beside the work itself.
     *
     * @param vertexCount of the graph
     * @param entryCount of the graph
     * @param symmetric whether it is known to be
     * @param virtualSliceSets of its BVSS
     * @param ordered whether its slots lie on the device
     * @param saved whether its BVSS was saved and need not be built
     * @param kernels what the search needs
     * @param deepest the level up to which the searches go
     */
    record Scenario(
            int vertexCount,
            long entryCount,
            boolean symmetric,
            long virtualSliceSets,
            boolean ordered,
            boolean saved,
            Kernels kernels,
            long deepest) {

        /** The same with so many virtual slice sets. */
        Scenario withSliceSets(long count) {
            return new Scenario(vertexCount, entryCount, symmetric, count, ordered, saved, kernels, deepest);
        }
    }

    /**
     * What is known of the kernels.
     *
     * @param inLists whether one search reads the lists of in-neighbours
     * @param decided whether that is known before the BVSS is there
     * @param trial whether a trial decides
     * @param many of many searches
     */
    record Kernels(boolean inLists, boolean decided, boolean trial, LaunchPolicy.MultiSourceKernel many) {}

    /** The parts of a graph that lie on the device. */
    record Parts(boolean sliceSets, boolean slots, boolean out, boolean in) {
        static final Parts NONE = new Parts(false, false, false, false);
    }

    private final LaunchPolicy policy;
    private final Scenario scenario;
    private final long available;
    private final boolean frugal;
    private final long build;
    private final long reorder;
    private final long lists;
    private final long sortBuffer;
    private final long sliceSets;
    private final long slots;

    private boolean hasSliceSets;
    private boolean hasSlots;
    private boolean hasOut;
    private boolean hasIn;
    private boolean outOnTheWay;
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
            LaunchPolicy policy, int multiprocessors, Scenario scenario, Parts there, long available, boolean frugal) {
        this.policy = policy;
        this.scenario = scenario;
        this.available = frugal ? Long.MAX_VALUE : available;
        this.frugal = frugal;
        int n = scenario.vertexCount();
        long entries = scenario.entryCount();
        int mostBlocks = policy.mostBlocks(multiprocessors);
        build = MemoryPlan.Build.of(entries, mostBlocks).bytes();
        reorder = MemoryPlan.Reorder.of(n, entries, mostBlocks).bytes();
        lists = MemoryPlan.Lists.of(n, entries).bytes();
        sortBuffer = MemoryPlan.entryBytes(entries);
        sliceSets = MemoryPlan.Bvss.of(n, scenario.virtualSliceSets()).bytes();
        slots = MemoryPlan.slotBytes(n);
        hasSliceSets = there.sliceSets();
        hasSlots = there.slots();
        hasOut = there.out();
        hasIn = there.in();
        used = partBytes();
        peak = used;
    }

    /** Goes through a run; null if it cannot be done in the memory. */
    MemoryTree run(Workload work) {
        boolean single = work.run().isSingleSearch();
        if (!(single ? prepareSearch() : require(false))) {
            return null;
        }
        long making = peak;
        peak = used;
        if (!search(work)) {
            return null;
        }
        long run = Math.max(peak, partBytes()) - partBytes();
        return MemoryTree.oneByOne(
                "graph and run",
                MemoryTree.exactly("making the graph", making),
                MemoryTree.together(
                        "graph and search",
                        MemoryTree.exactly("slice sets", hasSliceSets ? sliceSets : 0),
                        MemoryTree.exactly("slots", hasSlots ? slots : 0),
                        MemoryTree.exactly("lists of neighbours", (hasOut ? lists : 0) + (hasIn ? lists : 0)),
                        MemoryTree.exactly("search", run)));
    }

    /** Whether something was refused, so that a smaller or a slower way was taken. */
    boolean wasRefused() {
        return refused;
    }

    private long partBytes() {
        return (hasSliceSets ? sliceSets : 0) + (hasSlots ? slots : 0) + (hasOut ? lists : 0) + (hasIn ? lists : 0);
    }

    // the graph

    private boolean prepareSearch() {
        Kernels kernels = scenario.kernels();
        if (kernels.decided()) {
            return require(kernels.inLists());
        }
        if (!require(false)) {
            return false;
        }
        if (kernels.trial() && !requireWorkspace(searchBytes(1, 0))) {
            return false;
        }
        return require(kernels.inLists());
    }

    private boolean require(boolean inLists) {
        boolean outWanted = inLists && scenario.symmetric();
        boolean inWanted = inLists && !scenario.symmetric();
        boolean done = (hasSliceSets || makeSliceSets(outWanted))
                && (!outWanted || hasOut || makeOut(true))
                && (!inWanted || hasIn || makeIn())
                && (!scenario.ordered() || hasSlots || makeSlots());
        dropPartsMadeOnTheWay();
        return done;
    }

    private boolean makeSliceSets(boolean outWanted) {
        if (!frugal && !scenario.saved()) {
            if (take(build)) {
                boolean made = (hasOut || makeOut(outWanted)) && take(sliceSets);
                used -= build;
                if (made) {
                    hasSliceSets = true;
                    return true;
                }
            }
            dropPartsMadeOnTheWay();
        }
        hasSliceSets = take(sliceSets);
        return hasSliceSets;
    }

    private boolean makeSlots() {
        hasSlots = take(slots);
        return hasSlots;
    }

    private boolean makeOut(boolean wanted) {
        boolean ordered = scenario.ordered() && !frugal;
        hasOut = ordered ? relabel() || take(lists) : take(lists);
        outOnTheWay = hasOut && !wanted;
        return hasOut;
    }

    private boolean relabel() {
        return (hasSlots || makeSlots()) && withScratch(reorder, lists);
    }

    private boolean makeIn() {
        boolean made = !frugal && (hasOut || makeOut(false)) && withScratch(reorder, sortBuffer);
        if (!made) {
            dropPartsMadeOnTheWay();
            made = take(lists);
        }
        hasIn = made;
        return made;
    }

    /** Takes lists while there are two arrays more. */
    private boolean withScratch(long one, long other) {
        if (!take(one)) {
            return false;
        }
        boolean made = false;
        if (take(other)) {
            made = take(lists);
            used -= other;
        }
        used -= one;
        return made;
    }

    private void dropPartsMadeOnTheWay() {
        if (outOnTheWay) {
            outOnTheWay = false;
            hasOut = false;
            used -= lists;
        }
    }

    // the searches

    private boolean search(Workload work) {
        int n = scenario.vertexCount();
        return switch (work.run()) {
            case BFS -> requireWorkspace(searchBytes(1, work.stopTargets()));
            case NEAREST_SOURCE -> work.sources() == 0 || requireWorkspace(searchBytes(work.sources(), 0));
            case MULTI_SOURCE_BFS -> work.sources() == 0 || distances(work.sources());
            case FARNESS -> n == 0 || sums(work.measures());
        };
    }

    private long searchBytes(int sources, int stopTargets) {
        return MemoryPlan.Search.of(scenario.vertexCount(), scenario.virtualSliceSets(), sources, stopTargets)
                .bytes();
    }

    private boolean distances(int sources) {
        int most = mostSources();
        int last = MemoryPlan.levelBytes(scenario.deepest());
        for (int width = Byte.BYTES; width <= last && most > 0; width *= 2) {
            most = batch(sources, most, width);
        }
        return most > 0;
    }

    private boolean sums(Set<DistanceMeasure> measures) {
        int n = scenario.vertexCount();
        if (!take(MemoryPlan.Sums.of(n, measures).bytes())) {
            return false;
        }
        if (!measures.contains(DistanceMeasure.HARMONIC)) {
            return batch(n, mostSources(), 0) > 0;
        }
        int capacity = frugal ? 1 : Math.min(policy.levelCapacity(), n);
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
            boolean done = batch(n, mostSources(), 0) > 0;
            used -= counts;
            reached += capacity;
            if (!done || frugal || reached >= scenario.deepest()) {
                return done;
            }
            capacity = (int) Math.min(n, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private int mostSources() {
        return frugal ? scenario.kernels().many().smallestWidth : policy.batchSources();
    }

    /** The most sources that a batch then takes, 0 if not even the smallest fits. */
    private int batch(int sources, int wanted, int levelBytes) {
        LaunchPolicy.MultiSourceKernel kernel = scenario.kernels().many();
        int most = wanted;
        while (true) {
            int count = Math.min(most, sources);
            long bytes = MemoryPlan.MultiSource.of(
                            scenario.vertexCount(),
                            scenario.virtualSliceSets(),
                            kernel.width(count, most),
                            count,
                            levelBytes)
                    .bytes();
            if (requireWorkspace(bytes)) {
                return most;
            }
            if (most <= kernel.smallestWidth) {
                return 0;
            }
            most /= 2;
        }
    }

    // the memory

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

    private boolean take(long bytes) {
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
}
