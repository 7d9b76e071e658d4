// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.RadixSort;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The symmetric structure of a graph: u and v are neighbours if there is an edge either way. Each list ascends by
 * degree, ties by vertex.
 *
 * @param pointers {@code long[vertexCount + 1]}: index into {@code neighbours} of each vertex's first neighbour, and
 *     behind the last; host
 * @param neighbours list after list; host, vertex id space
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NeighboursByDegree(long[] pointers, IntPages neighbours) {

    private static final int COLUMNS_AT_ONCE = 1 << 10;

    /** Neighbours that a worker sorts in room of its own at least, unless all lists are shorter. */
    private static final int LEAST_ROOM = 1 << 8;

    /** Two arrays in which a list is sorted, each as long as the list. */
    private record Room(long[] keys, long[] spare) {
        Room(int most) {
            this(new long[most], new long[most]);
        }
    }

    /** Lists the neighbours; a directed graph is transposed first, which it keeps. */
    static NeighboursByDegree of(Csc graph, int concurrency, Stop stop) {
        Csc reversed = graph.transposed(concurrency, stop);
        int n = graph.vertexCount();
        int[] degrees = new int[n];
        Workers.forRanges(concurrency, n, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                degrees[vertex] = graph == reversed ? graph.degree(vertex) : unionSize(graph, reversed, vertex);
            }
        });
        long[] pointers = new long[n + 1];
        int longest = 0;
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < n; vertex++) {
            paced.worked(1);
            pointers[vertex + 1] = pointers[vertex] + degrees[vertex];
            longest = Math.max(longest, degrees[vertex]);
        }
        IntPages neighbours = IntPages.allocate(pointers[n], IntPages.DEFAULT_PAGE_SHIFT);
        // long lists are sorted in turn, so that their room does not grow with the number of workers
        int own = (int) Math.min(longest, Math.max(LEAST_ROOM, n / (4L * concurrency)));
        Room common = longest > own ? new Room(longest) : null;
        ReentrantLock turn = new ReentrantLock();
        Room[] rooms = new Room[concurrency];
        Workers.forRanges(concurrency, n, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop pacedWorker = new PacedStop(stop);
            rooms[worker] = rooms[worker] == null ? new Room(own) : rooms[worker];
            for (int vertex = (int) from; vertex < to; vertex++) {
                boolean inTurn = degrees[vertex] > own;
                if (inTurn) {
                    stop.lock(turn);
                }
                try {
                    Room room = inTurn ? common : rooms[worker];
                    pacedWorker.worked(degrees[vertex]);
                    listNeighbours(graph, reversed, vertex, room.keys);
                    long[] sorted = sortedByDegree(room.keys, room.spare, degrees[vertex], degrees, stop);
                    for (int i = 0; i < degrees[vertex]; i++) {
                        neighbours.set(pointers[vertex] + i, (int) sorted[i]);
                    }
                } finally {
                    if (inTurn) {
                        turn.unlock();
                    }
                }
            }
        });
        return new NeighboursByDegree(pointers, neighbours);
    }

    private static int unionSize(Csc graph, Csc reversed, int vertex) {
        long out = graph.columnStart(vertex);
        long outEnd = graph.columnEnd(vertex);
        long in = reversed.columnStart(vertex);
        long inEnd = reversed.columnEnd(vertex);
        int size = 0;
        while (out < outEnd && in < inEnd) {
            int a = graph.rowIndices().get(out);
            int b = reversed.rowIndices().get(in);
            out += a <= b ? 1 : 0;
            in += b <= a ? 1 : 0;
            size++;
        }
        return size + (int) (outEnd - out) + (int) (inEnd - in);
    }

    /** Writes the vertices that a vertex has an edge from or to, ascending. */
    private static void listNeighbours(Csc graph, Csc reversed, int vertex, long[] list) {
        IntPages targets = graph.rowIndices();
        IntPages sources = reversed.rowIndices();
        long out = graph.columnStart(vertex);
        long outEnd = graph.columnEnd(vertex);
        long in = graph == reversed ? 0 : reversed.columnStart(vertex);
        long inEnd = graph == reversed ? 0 : reversed.columnEnd(vertex);
        int next = 0;
        while (out < outEnd && in < inEnd) {
            int a = targets.get(out);
            int b = sources.get(in);
            list[next++] = Math.min(a, b);
            out += a <= b ? 1 : 0;
            in += b <= a ? 1 : 0;
        }
        while (out < outEnd) {
            list[next++] = targets.get(out++);
        }
        while (in < inEnd) {
            list[next++] = sources.get(in++);
        }
    }

    /** The list by ascending degree, ties by vertex, with the degrees in the high halves; in one of the two arrays. */
    private static long[] sortedByDegree(long[] list, long[] spare, int count, int[] degrees, Stop stop) {
        for (int i = 0; i < count; i++) {
            list[i] |= (long) degrees[(int) list[i]] << Integer.SIZE;
        }
        if (count > 16) {
            return RadixSort.sort(list, spare, count, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        }
        for (int i = 1; i < count; i++) {
            long key = list[i];
            int place = i;
            while (place > 0 && list[place - 1] > key) {
                list[place] = list[place - 1];
                place--;
            }
            list[place] = key;
        }
        return list;
    }

    int vertexCount() {
        return pointers.length - 1;
    }

    int degree(int vertex) {
        return (int) (pointers[vertex + 1] - pointers[vertex]);
    }

    /** Index into {@link #neighbours} of a vertex's first neighbour; that of the next vertex is after its last. */
    long start(int vertex) {
        return pointers[vertex];
    }
}
