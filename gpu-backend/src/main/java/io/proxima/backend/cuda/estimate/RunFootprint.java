// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.estimate;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.Workspace;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.Recipe;
import io.proxima.backend.cuda.graph.VertexSlots;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BetweennessKernels;
import io.proxima.backend.cuda.kernel.ComponentKernels;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.backend.cuda.run.VertexSums;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An upper bound of the device memory of one run. It follows the recipes of the structures and the plans of the kernels
 * in the order of their allocation. It allocates nothing, and assumes that nothing is evicted. For one run.
 */
public final class RunFootprint {

    /**
     * Everything besides the work and its kernels that determines the memory of a run.
     *
     * @param vertexCount number of vertices
     * @param entryCount number of entries
     * @param symmetric whether the graph is known to be symmetric
     * @param mapped whether the lists of neighbours lie in mapped host memory
     * @param figures the sizes found while structures are built
     * @param ordered whether the graph is reordered
     * @param saved whether BVSS is read from a saved graph
     * @param deepest the deepest level of the searches
     */
    record Scenario(
            int vertexCount,
            long entryCount,
            boolean symmetric,
            boolean mapped,
            Map<Figure, Long> figures,
            boolean ordered,
            boolean saved,
            long deepest)
            implements GraphSizes {

        /** A copy with other sizes. */
        Scenario with(Map<Figure, Long> others) {
            return new Scenario(vertexCount, entryCount, symmetric, mapped, others, ordered, saved, deepest);
        }

        @Override
        public long figure(Figure figure) {
            Long value = figures.get(figure);
            if (value == null) {
                throw new IllegalStateException("a scenario must have the figures of all structures: " + figure);
            }
            return value;
        }
    }

    private static final long MORE_THAN_ANY_DEVICE = 1L << 48;

    private final LaunchPolicy policy;
    private final Recipe.Circumstances circumstances;
    private final Scenario scenario;
    private final boolean scarce;

    // resident structures and their bytes
    private final Map<DeviceStructure<?>, Long> structures = new LinkedHashMap<>();
    private long scratch;
    private long peak;

    /**
     * A footprint.
     *
     * @param there the resident structures
     * @param scarce whether memory is short, so that everything is done in the way that takes the least memory
     */
    RunFootprint(CudaDevice device, Scenario scenario, Set<DeviceStructure<?>> there, boolean scarce) {
        this.policy = device.policy();
        this.circumstances = new Recipe.Circumstances(
                policy.mostBlocks(device.facts().multiprocessors()), scenario.ordered(), scenario.saved());
        this.scenario = scenario;
        this.scarce = scarce;
        there.forEach(structure -> structures.put(structure, structure.bytes(scenario)));
        peak = partBytes();
    }

    /** The footprint of a run. */
    MemoryTree of(Workload work, DeviceKernels kernels) {
        require(kernels.structures());
        long making = peak;
        long run = search(work, kernels);
        Map<String, Long> byLabel = new LinkedHashMap<>();
        structures.forEach((structure, bytes) -> byLabel.merge(structure.label(), bytes, Long::sum));
        List<MemoryTree> together = new ArrayList<>();
        byLabel.forEach((label, bytes) -> together.add(MemoryTree.exactly(label, bytes)));
        // trees that hang from a graph are not searched by betweenness, and a graph may consist of them
        together.add(MemoryTree.between("search", work.run() == Run.BETWEENNESS ? 0 : run, run));
        return MemoryTree.oneByOne(
                "graph and run",
                MemoryTree.exactly("building the graph", making),
                MemoryTree.together("graph and search", together.toArray(MemoryTree[]::new)));
    }

    /** Mapped memory of the structures that the run has needed, after {@link #of}. */
    long mappedBytes() {
        return structures.keySet().stream()
                .mapToLong(structure -> structure.mappedBytes(scenario))
                .sum();
    }

    // the graph

    /** Adds structures. Intermediate structures are freed when all are built. */
    private void require(Set<DeviceStructure<?>> asked) {
        Set<DeviceStructure<?>> kept = new LinkedHashSet<>(structures.keySet());
        asked.forEach(structure -> kept.add(shared(structure)));
        if (scenario.ordered()) {
            kept.add(VertexSlots.SLOTS);
        }
        List.copyOf(kept).forEach(this::make);
        structures.keySet().retainAll(kept);
    }

    private void make(DeviceStructure<?> asked) {
        DeviceStructure<?> structure = shared(asked);
        if (structures.containsKey(structure)) {
            return;
        }
        Recipe recipe =
                scarce ? structure.scarceRecipe(scenario, circumstances) : structure.recipe(scenario, circumstances);
        scratch += recipe.scratchBytes();
        recipe.from().forEach(this::make);
        long own = structure.bytes(scenario);
        reach(own);
        structures.put(structure, own);
        scratch -= recipe.scratchBytes();
    }

    private DeviceStructure<?> shared(DeviceStructure<?> structure) {
        return structure.sharedBy(scenario.symmetric());
    }

    private void reach(long further) {
        peak = Math.max(peak, partBytes() + scratch + further);
    }

    private long partBytes() {
        return structures.values().stream().mapToLong(Long::longValue).sum();
    }

    // the searches

    /** Bytes of the searches, without the structures. */
    private long search(Workload work, DeviceKernels kernels) {
        int n = scenario.vertexCount();
        return switch (work.run()) {
            case BFS -> levels((LevelKernels) kernels, 1, work.stopTargets());
            case NEAREST_SOURCE -> work.sources() == 0 ? 0 : levels((LevelKernels) kernels, work.sources(), 0);
            case FARNESS_OF_SOURCES ->
                work.sources() == 0 || scenario.entryCount() == 0
                        ? 0
                        : rows((RowKernels) kernels, work.sources(), work.measures());
            case MULTI_SOURCE_BFS -> work.sources() == 0 ? 0 : distances((BatchKernels) kernels, work.sources());
            case FARNESS -> n == 0 ? 0 : sums((SumKernels) kernels, work.measures());
            case COMPONENTS ->
                Workspace.bytesFor(
                        ((ComponentKernels) kernels).bytes(scenario, scenario.ordered()));
            case BETWEENNESS ->
                ((BetweennessKernels) kernels).bytes(n, scenario.entryCount(), scenario.symmetric(), scarce);
            case SHORTEST_PATHS -> throw new IllegalStateException("has no search here: " + work.run());
        };
    }

    private long levels(LevelKernels kernels, int sources, int stopTargets) {
        return Workspace.bytesFor(
                kernels.plan(scenario, sources, stopTargets).bytes());
    }

    private long distances(BatchKernels kernels, int sources) {
        int most = scarce ? kernels.leastSources() : kernels.mostDistances();
        int width = BatchKernels.levelBytes(scenario.deepest());
        return Workspace.bytesFor(
                kernels.plan(scenario, most, Math.min(most, sources), width).bytes());
    }

    private long rows(RowKernels kernels, int sources, Set<DistanceMeasure> measures) {
        int most = scarce ? kernels.leastSources() : kernels.mostSources();
        long batch = kernels.bytes(scenario, Math.min(most, Math.min(sources, scenario.vertexCount())));
        return RowKernels.RowsLayout.of(sources, scenario.vertexCount(), measures)
                        .bytes()
                + Workspace.bytesFor(batch);
    }

    private long sums(SumKernels kernels, Set<DistanceMeasure> measures) {
        int n = scenario.vertexCount();
        long sums = SumsLayout.of(n, n, measures).bytes();
        if (scenario.entryCount() == 0) {
            // there is no search
            return sums;
        }
        int most = scarce ? kernels.leastSources() : kernels.mostSources();
        long batch = kernels.bytes(scenario, most, Math.min(most, n));
        long counts = measures.contains(DistanceMeasure.HARMONIC) ? levelCounts(kernels) : 0;
        return sums + counts + Workspace.bytesFor(batch);
    }

    /**
     * Bytes of the last window of level counts, which is the largest. A window that exceeds every device is never
     * allocated.
     */
    private long levelCounts(SumKernels kernels) {
        int n = scenario.vertexCount();
        int capacity = Math.min(kernels.levelCapacity(policy.levelCapacity()), n);
        if (scarce) {
            // later windows depend on the depth, which only the first pass finds
            return SumsLayout.levelCountBytes(n, VertexSums.leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES));
        }
        long reached = capacity;
        while (reached < scenario.deepest() && SumsLayout.levelCountBytes(n, capacity) < MORE_THAN_ANY_DEVICE) {
            capacity = (int) Math.min(n, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            reached += capacity;
        }
        return SumsLayout.levelCountBytes(n, capacity);
    }
}
