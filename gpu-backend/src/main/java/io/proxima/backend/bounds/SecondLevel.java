// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;

/**
 * How many vertices a search can have in its second level at most, from the neighbours of the source only. A vertex is
 * counted once for each neighbour of the source whose list has it, and each class of degrees has only so many vertices.
 * The vertices of the classes that would be counted most often, those of high degrees, are the fewest; a vertex of
 * degree 1 is counted once.
 */
final class SecondLevel {

    /** The degrees from 1 to 4, up to 8, 16 and 32, and all higher ones. */
    private static final int CLASSES = 8;

    private static final int SINGLE_DEGREES = 4;

    /** Words of the counts of a vertex, of two classes each. */
    private static final int WORDS = CLASSES / 2;

    private static final int GRAIN = 1 << 10;

    private final Csc reversed;
    private final Csc lists;
    private final byte[] classes;
    private final int[] sizes = new int[CLASSES];

    /** Word {@code vertex * WORDS + c / 2}, half {@code c % 2}: the vertices of class c in the list of the vertex. */
    private final long[] counts;

    /**
     * Counts the vertices in each list by class.
     *
     * @param reversed the graph with every edge reversed: its degrees are the numbers of lists that have a vertex
     * @param lists the graph along whose lists the search goes; it {@link #fits}
     */
    SecondLevel(Csc reversed, Csc lists, int concurrency, Stop stop) {
        this.reversed = reversed;
        this.lists = lists;
        int n = lists.vertexCount();
        classes = new byte[n];
        counts = new long[n * WORDS];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < n; vertex++) {
            int degree = reversed.degree(vertex);
            classes[vertex] = (byte) classOf(degree);
            sizes[classes[vertex]] += degree > 0 ? 1 : 0;
            paced.worked(1);
        }
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            PacedStop pacedWorker = new PacedStop(stop);
            for (int vertex = (int) from; vertex < to; vertex++) {
                IntPages rows = lists.rowIndices();
                for (long e = lists.columnStart(vertex); e < lists.columnEnd(vertex); e++) {
                    int number = classes[rows.get(e)];
                    counts[vertex * WORDS + number / 2] += number % 2 == 0 ? 1 : 1L << Integer.SIZE;
                    pacedWorker.worked(1);
                }
            }
        });
    }

    /** Whether the counts fit an array, and their sums half a word: no sum has an edge twice. */
    static boolean fits(Csc graph) {
        return graph.vertexCount() <= Csc.MAX_VERTICES / WORDS && graph.entryCount() >>> Integer.SIZE == 0;
    }

    /** Heap of the counts. */
    static long bytes(int vertexCount) {
        return (1L + WORDS * Long.BYTES) * Math.min(vertexCount, Csc.MAX_VERTICES / WORDS);
    }

    private static int classOf(int degree) {
        if (degree <= SINGLE_DEGREES) {
            return Math.max(0, degree - 1);
        }
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros((degree - 1) / SINGLE_DEGREES);
        return Math.min(CLASSES - 1, SINGLE_DEGREES - 1 + doublings);
    }

    /** The most vertices of the second level of a search from a vertex. */
    long mostOf(int source, PacedStop paced) {
        int[] left = sizes.clone();
        left[classes[source]] -= reversed.degree(source) > 0 ? 1 : 0;
        long first = 0;
        long second = 0;
        long third = 0;
        long fourth = 0;
        IntPages rows = lists.rowIndices();
        for (long e = lists.columnStart(source); e < lists.columnEnd(source); e++) {
            int neighbour = rows.get(e);
            left[classes[neighbour]]--;
            int word = neighbour * WORDS;
            first += counts[word];
            second += counts[word + 1];
            third += counts[word + 2];
            fourth += counts[word + 3];
            paced.worked(1);
        }
        long[] counted = {first, second, third, fourth};
        // the lists of its neighbours have the source
        long own = reversed == lists ? lists.degree(source) : 0;
        counted[classes[source] / 2] -= classes[source] % 2 == 0 ? own : own << Integer.SIZE;
        long most = 0;
        for (int word = 0; word < WORDS; word++) {
            most += Math.min(counted[word] & 0xffff_ffffL, left[2 * word]);
            most += Math.min(counted[word] >>> Integer.SIZE, left[2 * word + 1]);
        }
        return most;
    }
}
