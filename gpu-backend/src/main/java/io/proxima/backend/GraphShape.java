// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;

/**
 * The properties of a graph that an estimate depends on.
 *
 * @param vertexCount number of vertices
 * @param entryCount number of directed edges
 * @param symmetric whether every edge has its reverse
 * @param transposed whether the transposed graph exists already
 * @param searched whether the graph was searched before
 */
public record GraphShape(int vertexCount, long entryCount, boolean symmetric, boolean transposed, boolean searched) {
    /** A graph that is not transposed or searched yet. */
    public GraphShape(int vertexCount, long entryCount, boolean symmetric) {
        this(vertexCount, entryCount, symmetric, symmetric, false);
    }

    /** The shape of a CSC that was not searched yet. */
    public static GraphShape of(Csc graph) {
        return of(graph, false);
    }

    /** Heap of a run that needs the transposed graph, which is made first unless it exists. */
    public MemoryTree afterTransposing(MemoryTree run, int concurrency) {
        if (transposed) {
            return run;
        }
        MemoryTree built = Csc.transposingMemory(vertexCount, entryCount, concurrency);
        MemoryTree reversed = MemoryTree.exactly("reversed graph", Csc.bytes(vertexCount, entryCount));
        return MemoryTree.oneByOne(
                "reversing and run",
                built.named("reversing the graph"),
                MemoryTree.together("run with the reversed graph", reversed, run));
    }

    /** The shape of a CSC. */
    public static GraphShape of(Csc graph, boolean searched) {
        return new GraphShape(
                graph.vertexCount(), graph.entryCount(), graph.isSymmetric(), graph.hasTransposed(), searched);
    }
}
