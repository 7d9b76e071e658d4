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
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The connected components of two or more nodes, by ascending lowest vertex. Found by linking roots with compare-and-set,
 * the most frequent component left out once it is known (Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity
 * Computation via Subgraph Sampling, IPDPS 2018); the result does not depend on the order of work.
 */
final class Components {

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private static final int GRAIN = 1 << 14;
    private static final int FIRST_NEIGHBOURS = 2;
    private static final int SAMPLES = 1 << 10;

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
        int[] parent = roots(graph, concurrency, stop);
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
                lower(lowestOfRoot, root, low);
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
        for (int component = 0; component < lowest.length; component++) {
            starts[component + 1] = starts[component] + sizes[parent[graph.node(lowest[component])]];
        }
        return new Components(starts, lowest);
    }

    /** By node: a node of its component, the same for all of it. */
    private static int[] roots(SearchGraph graph, int concurrency, Stop stop) {
        int n = graph.nodeCount();
        int[] parent = new int[n];
        Arrays.setAll(parent, node -> node);
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            for (int node = (int) from; node < to; node++) {
                link(graph, parent, node, 0, FIRST_NEIGHBOURS);
            }
        });
        flatten(parent, concurrency, stop);
        int largest = mostFrequent(parent);
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            for (int node = (int) from; node < to; node++) {
                if ((int) INTS.getOpaque(parent, node) != largest) {
                    link(graph, parent, node, FIRST_NEIGHBOURS, Integer.MAX_VALUE);
                }
            }
        });
        flatten(parent, concurrency, stop);
        return parent;
    }

    private static void link(SearchGraph graph, int[] parent, int node, int firstNeighbour, int endNeighbour) {
        IntPages neighbours = graph.neighbours();
        long start = graph.start(node);
        int end = Math.min(endNeighbour, graph.degree(node));
        for (int i = firstNeighbour; i < end; i++) {
            link(parent, node, neighbours.get(start + i));
        }
    }

    /** Hangs the higher of two roots under the lower, which keeps the forest free of cycles. */
    private static void link(int[] parent, int a, int b) {
        int low = (int) INTS.getOpaque(parent, a);
        int high = (int) INTS.getOpaque(parent, b);
        while (low != high) {
            if (low > high) {
                int lower = high;
                high = low;
                low = lower;
            }
            int above = (int) INTS.getOpaque(parent, high);
            if (above == low || (above == high && INTS.compareAndSet(parent, high, high, low))) {
                return;
            }
            high = (int) INTS.getOpaque(parent, (int) INTS.getOpaque(parent, high));
            low = (int) INTS.getOpaque(parent, low);
        }
    }

    private static void flatten(int[] parent, int concurrency, Stop stop) {
        Workers.forRanges(concurrency, parent.length, GRAIN, stop, (worker, from, to) -> {
            for (int node = (int) from; node < to; node++) {
                int root = node;
                for (int above = (int) INTS.getOpaque(parent, root);
                        above != root;
                        above = (int) INTS.getOpaque(parent, root)) {
                    root = above;
                }
                INTS.setOpaque(parent, node, root);
            }
        });
    }

    private static int mostFrequent(int[] parent) {
        int[] sample = new int[Math.min(SAMPLES, parent.length)];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = parent[(int) ((long) i * parent.length / sample.length)];
        }
        Arrays.sort(sample);
        int best = -1;
        int most = 0;
        int run = 0;
        for (int i = 0; i < sample.length; i++) {
            run = i > 0 && sample[i] == sample[i - 1] ? run + 1 : 1;
            if (run > most) {
                most = run;
                best = sample[i];
            }
        }
        return best;
    }

    private static void lower(int[] values, int index, int value) {
        int there = (int) INTS.getOpaque(values, index);
        while (value < there) {
            int seen = (int) INTS.compareAndExchange(values, index, there, value);
            if (seen == there) {
                return;
            }
            there = seen;
        }
    }
}
