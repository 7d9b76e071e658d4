// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The connected components of two or more nodes, by ascending lowest vertex, found by {@link Afforest}; the result does not
 * depend on the order of work.
 */
final class Components {

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int GRAIN = 1 << 14;

    private final int[] starts;
    private final int[] lowest;

    private Components(int[] starts, int[] lowest) {
        this.starts = starts;
        this.lowest = lowest;
    }

    int count() {
        return lowest.length;
    }

    /** Number of nodes of the components before this one; for {@link #count} of all. */
    int start(int component) {
        return starts[component];
    }

    int size(int component) {
        return starts[component + 1] - starts[component];
    }

    /** The lowest vertex of a component. */
    int lowestVertex(int component) {
        return lowest[component];
    }

    static Components of(SearchGraph graph, int concurrency, Stop stop) {
        int[] parent = Afforest.of(graph.lists(), graph.lists(), concurrency, stop, Progress.NONE);
        int n = graph.nodeCount();
        int[] sizes = new int[n];
        int[] lowestOfRoot = new int[n];
        Arrays.fill(lowestOfRoot, Integer.MAX_VALUE);
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            int node = (int) from;
            while (node < to) {
                int root = parent[node];
                int first = node;
                int low = Integer.MAX_VALUE;
                for (; node < to && parent[node] == root; node++) {
                    low = Math.min(low, graph.vertex(node));
                }
                INTS.getAndAdd(sizes, root, node - first);
                AtomicMinimum.lower(lowestOfRoot, root, low, Integer.MAX_VALUE);
            }
        });
        int ranges = (int) (((long) n + GRAIN - 1) / GRAIN);
        int[][] found = new int[ranges][];
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            int[] firsts = new int[(int) (to - from)];
            int count = 0;
            for (int vertex = (int) from; vertex < to; vertex++) {
                int root = parent[graph.node(vertex)];
                if (lowestOfRoot[root] == vertex && sizes[root] > 1) {
                    firsts[count++] = vertex;
                }
            }
            found[(int) (from / GRAIN)] = Arrays.copyOf(firsts, count);
        });
        int[] lowest = Arrays.stream(found).flatMapToInt(Arrays::stream).toArray();
        int[] starts = new int[lowest.length + 1];
        PacedStop paced = new PacedStop(stop);
        for (int component = 0; component < lowest.length; component++) {
            paced.worked(3);
            starts[component + 1] = starts[component] + sizes[parent[graph.node(lowest[component])]];
        }
        return new Components(starts, lowest);
    }
}
