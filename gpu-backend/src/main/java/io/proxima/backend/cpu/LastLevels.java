// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/** The last level at which a source newly reaches each vertex, over one or several searches. */
final class LastLevels {

    private final AtomicIntegerArray levels;

    LastLevels(int vertexCount) {
        levels = new AtomicIntegerArray(vertexCount);
    }

    /** Receives the levels of one search; several searches may run at the same time. */
    BitParallelSearch.Visitor visitor() {
        return new BitParallelSearch.Visitor() {
            private int current;

            @Override
            public void levelBegins(int level) {
                current = level;
            }

            @Override
            public void reached(int vertex, long[] sources, int base) {
                if (levels.getPlain(vertex) < current) {
                    levels.accumulateAndGet(vertex, current, Math::max);
                }
            }

            @Override
            public void levelDone(int level) {}
        };
    }

    /**
     * The levels.
     *
     * @param slotOf the index of a vertex in the searches
     * @return {@code int[vertexCount]}: 0 where no source reaches the vertex
     */
    int[] inOrder(int vertexCount, IntUnaryOperator slotOf, Stop stop) {
        int[] found = new int[vertexCount];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            found[vertex] = levels.getPlain(slotOf.applyAsInt(vertex));
            paced.worked(2);
        }
        return found;
    }
}
