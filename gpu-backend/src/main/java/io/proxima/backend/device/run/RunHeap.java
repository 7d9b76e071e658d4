// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.GraphShape;
import io.proxima.backend.Predecessors;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.LevelDownload;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The heap of a run on a device: the order of the graph, structures that are built on the host, and the search.
 *
 * @param missing the structures that are not resident
 * @param sizes their sizes, at the bound of what is unknown
 */
record RunHeap(
        LaunchPolicy policy,
        GraphShape graph,
        Workload work,
        RunOrder order,
        Set<DeviceStructure<?>> missing,
        GraphSizes sizes,
        int concurrency) {

    static MemoryTree ofBetweenness(GraphShape graph, Workload work, BetweennessKernels kernels, int concurrency) {
        return graph.afterTransposing(
                work.around(graph.vertexCount(), BetweennessRun.memory(graph, concurrency, kernels.memory(graph))),
                concurrency);
    }

    /**
     * The heap.
     *
     * @param device the name of the device
     * @param onHost whether structures are built on the host, because they do not fit the device meanwhile
     * @param isShort whether batches may be smaller, because the device is short of memory
     */
    MemoryTree of(String device, boolean onHost, boolean isShort) {
        MemoryTree ordering = MemoryTree.NONE;
        MemoryTree slots = MemoryTree.NONE;
        if (order.isMade()) {
            boolean overSliceSets = policy.asksForSliceSets(work.options());
            long permutation = 2L * graph.vertexCount() * Integer.BYTES;
            ordering = MemoryTree.between(
                    "ordering the nodes",
                    0,
                    OrderPolicy.heapBytes(
                            policy.order(work.options()),
                            graph,
                            work.operation().mayBeManySearches(),
                            overSliceSets,
                            concurrency));
            slots = MemoryTree.between("slots of the nodes", order.isSure() ? permutation : 0, permutation);
        }
        MemoryTree run = MemoryTree.together(
                "run on " + device,
                slots,
                upTo("order of tiles", sum(missing, structure -> structure.orderingHeapBytes(sizes, concurrency))),
                upTo("graph built on the heap", builtOnHost(onHost)),
                search(isShort));
        return work.around(graph.vertexCount(), MemoryTree.together("order", slots, ordering), run);
    }

    private static MemoryTree upTo(String name, long bytes) {
        return bytes == 0 ? MemoryTree.NONE : MemoryTree.between(name, 0, bytes);
    }

    private static long sum(Set<DeviceStructure<?>> of, ToLongFunction<DeviceStructure<?>> bytes) {
        return of.stream().mapToLong(bytes).sum();
    }

    private long builtOnHost(boolean all) {
        if (graph.transposed() && !order.mayBeOrdered()) {
            return 0;
        }
        // some backends have no kernels that build structures
        Set<DeviceStructure<?>> onHost = missing.stream()
                .filter(structure -> all || structure.recipe(sizes).equals(Recipe.COPY))
                .collect(Collectors.toSet());
        long built = sum(onHost, structure -> structure.heapBytes(sizes, concurrency));
        // lists, and what is built from them, are copied from a graph in the order of the device
        boolean relabels = order.mayBeOrdered() && built + sum(onHost, structure -> structure.mappableBytes(sizes)) > 0;
        return relabels ? built + Csc.bytes(graph.vertexCount(), graph.entryCount()) : built;
    }

    private MemoryTree search(boolean isShort) {
        int n = graph.vertexCount();
        long deepest = work.deepest(n);
        MemoryTree levels = LevelDownload.memory(n, deepest, concurrency);
        return switch (work.operation()) {
            case BFS -> levels;
            case NEAREST_SOURCE ->
                MemoryTree.together(
                        "nearest sources", levels, MemoryTree.exactly("nodes by distance", (long) n * Integer.BYTES));
            case FARNESS_OF_SOURCES -> SumSources.memory(work.sources());
            case FARNESS -> {
                // ordering may find that a graph is symmetric
                boolean mayBeSymmetric = graph.symmetric() || (order.isMade() && !graph.transposed());
                yield SumSources.memoryOfAll(n, FarnessSums.cutsTrees(mayBeSymmetric, work.measures()));
            }
            case MULTI_SOURCE_BFS -> {
                int most = Math.min(work.sources(), policy.batchSources());
                int least = isShort ? Math.min(work.sources(), LaunchPolicy.SMALLEST_BATCH) : most;
                yield MemoryTree.between(
                        "distances of " + most + " sources",
                        DeviceDistances.bytes(n, least, Byte.BYTES),
                        DeviceDistances.bytes(n, most, BatchKernels.levelBytes(deepest)));
            }
            case COMPONENTS -> MemoryTree.NONE;
            case SHORTEST_PATHS -> Predecessors.memory(n);
            case COST_SUMS -> PathKernels.memoryOfSums(work.sources());
            case BETWEENNESS, WEIGHTED_SEARCHES ->
                throw new IllegalStateException("has another heap: " + work.operation());
        };
    }
}
