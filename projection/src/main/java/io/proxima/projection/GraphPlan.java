// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscOperations;
import java.util.List;

/**
 * The expected properties of a graph that a run will see, before it is built.
 *
 * @param vertexCount number of vertices
 * @param relationshipCount maximum number of directed edges over all types
 * @param leastEntries minimum number of edges of the graph that runs see; it is smaller than the sum if types share
 *     edges
 * @param mostEntries maximum number of edges of the graph that runs see
 * @param symmetric whether it certainly contains the reverse of every edge
 * @param graph the graph itself if it exists already, otherwise null
 * @param peak maximum heap while it is built, including the result
 * @param held heap of the result
 */
public record GraphPlan(
        int vertexCount,
        long relationshipCount,
        long leastEntries,
        long mostEntries,
        boolean symmetric,
        Csc graph,
        MemoryTree peak,
        MemoryTree held) {

    /** A graph that exists already. */
    static GraphPlan ready(Csc graph, long relationshipCount) {
        return new GraphPlan(
                graph.vertexCount(),
                relationshipCount,
                graph.entryCount(),
                graph.entryCount(),
                graph.isSymmetric(),
                graph,
                MemoryTree.NONE,
                MemoryTree.NONE);
    }

    /**
     * A graph that is built from other graphs, as their union if there are several.
     *
     * @param entries maximum number of edges of each graph
     * @param exact whether {@code entries} are exact rather than maximums
     * @param before peak heap of building the other graphs
     * @param held heap of the other graphs
     */
    static GraphPlan joining(
            int vertexCount,
            long relationshipCount,
            List<Long> entries,
            boolean exact,
            boolean symmetric,
            MemoryTree before,
            MemoryTree held) {
        long most = entries.stream().mapToLong(Long::longValue).sum();
        long largest = entries.stream().mapToLong(Long::longValue).max().orElse(0);
        MemoryTree join = MemoryTree.NONE;
        MemoryTree all = MemoryTree.NONE;
        if (entries.size() > 1) {
            join = CscOperations.unionMemory(vertexCount, most, exact ? largest : 0);
            all = MemoryTree.between(
                    "graph of all types", Csc.bytes(vertexCount, exact ? largest : 0), Csc.bytes(vertexCount, most));
        } else if (entries.isEmpty()) {
            all = MemoryTree.exactly("graph of no type", Csc.bytes(vertexCount, 0));
            join = all;
        }
        return new GraphPlan(
                vertexCount,
                relationshipCount,
                exact ? largest : 0,
                most,
                symmetric,
                null,
                MemoryTree.oneByOne("make graph", before, MemoryTree.together("join types", held, join)),
                MemoryTree.together("graph", held, all));
    }
}
