// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.GraphShape;
import io.proxima.backend.order.Afforest;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;

/**
 * The strongly connected components of a graph, and how many vertices each of them reaches. An edge between two
 * components leads to the one with the lower number.
 *
 * <p>The components are found by one depth-first search, in linear time (Pearce, Inf. Process. Lett. 116, 2016, a
 * variant of Tarjan's algorithm). Those of a symmetric graph are its weakly connected ones. The numbers of reached
 * vertices come from sweeps over the condensation, each for up to 512 components at once: a bit of each row stands for
 * one of them.
 */
final class StrongComponents {

    private static final int WORDS = 8;
    private static final int VERTICES_AT_ONCE = 1 << 12;

    private final Csc graph;
    private final int[] component;
    private final int[] sizes;

    private StrongComponents(Csc graph, int[] component, int[] sizes) {
        this.graph = graph;
        this.component = component;
        this.sizes = sizes;
    }

    /**
     * Finds the components.
     *
     * @param graph vertex id space
     * @param concurrency threads for a symmetric graph; the search of another one has one
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    static StrongComponents of(Csc graph, int concurrency, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] component;
        int count = 0;
        if (graph.isSymmetric()) {
            component = Afforest.of(graph, concurrency, stop, Progress.NONE);
            for (int vertex = 0; vertex < component.length; vertex++) {
                // the lowest vertex of the component has its number already
                component[vertex] = component[vertex] == vertex ? count++ : component[component[vertex]];
                paced.worked(1);
            }
        } else {
            component = new int[graph.vertexCount()];
            count = new Search(graph, component, stop).run();
        }
        int[] sizes = new int[count];
        for (int number : component) {
            sizes[number]++;
            paced.worked(1);
        }
        return new StrongComponents(graph, component, sizes);
    }

    /** Peak heap of the components and of {@link #reached}, with its result. */
    static MemoryTree memory(GraphShape graph, int concurrency) {
        int vertices = graph.vertexCount();
        long ints = (long) vertices * Integer.BYTES;
        MemoryTree components = MemoryTree.together(
                "components",
                MemoryTree.exactly("component by node", ints),
                MemoryTree.between("nodes by component", 0, ints));
        long between = graph.symmetric() ? 0 : graph.entryCount();
        MemoryTree building = CscBuilder.memory(vertices, Orientation.NATURAL, concurrency, between, 0)
                .built();
        int words = words(vertices);
        long width = (long) words * Long.SIZE;
        int sweeps = (int) Math.min(concurrency, (vertices + width - 1) / width);
        long sweep = graph.symmetric() ? 0 : ints + (long) vertices * words * Long.BYTES;
        return MemoryTree.oneByOne(
                "strongly connected components",
                MemoryTree.together(
                        "search", components, MemoryTree.exactly("path", graph.symmetric() ? 0 : 2 * ints + vertices)),
                MemoryTree.together(
                        "condense the graph", components, MemoryTree.between("edges", 0, building.maxBytes())),
                MemoryTree.together(
                        "count reached nodes",
                        components,
                        MemoryTree.between("edges", 0, Csc.bytes(vertices, between)),
                        MemoryTree.between("reached nodes", 0, ints),
                        MemoryTree.between("sweep of a thread", 0, sweep).times(sweeps)));
    }

    /** Number of components. */
    int count() {
        return sizes.length;
    }

    /** The component of a vertex, from 0 to {@link #count} - 1. */
    int of(int vertex) {
        return component[vertex];
    }

    /** Number of vertices of a component. */
    int size(int number) {
        return sizes[number];
    }

    /**
     * Counts for each component the vertices that a search from it finds, its own included.
     *
     * @param along whether searches follow the edges; otherwise they go against them
     * @param concurrency threads that sweep
     * @return {@code int[count()]}
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    int[] reached(boolean along, int concurrency, Stop stop) {
        if (graph.isSymmetric()) {
            return sizes.clone();
        }
        Csc condensation = condensation(concurrency, stop);
        int[] reached = new int[count()];
        int width = words(count()) * Long.SIZE;
        int slices = (count() - 1) / width + 1;
        int threads = Math.min(concurrency, slices);
        Workers.run(threads, stop, (worker, shared) -> {
            Sweep sweep = new Sweep(condensation, width / Long.SIZE, shared);
            for (int slice = worker; slice < slices; slice += threads) {
                int first = slice * width;
                sweep.run(along, first, (int) Math.min(count(), (long) first + width));
            }
            synchronized (reached) {
                for (int number = 0; number < reached.length; number++) {
                    reached[number] += sweep.reached[number];
                }
            }
        });
        return reached;
    }

    /** The edges between components. */
    private Csc condensation(int concurrency, Stop stop) {
        CscBuilder edges = new CscBuilder(count(), Orientation.NATURAL, concurrency, count());
        Workers.forRanges(concurrency, component.length, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop each = new PacedStop(stop);
            for (int vertex = (int) from; vertex < to; vertex++) {
                each.worked(graph.degree(vertex));
                for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                    int target = component[graph.rowIndices().get(i)];
                    if (target != component[vertex]) {
                        edges.buffer(worker).add(component[vertex], target);
                    }
                }
            }
        });
        return edges.build(concurrency, stop);
    }

    /** Words of a row: as many as an array of all rows has room for. */
    private static int words(int rows) {
        return Math.min(WORDS, Csc.MAX_VERTICES / Math.max(1, rows));
    }

    /** Sweeps of one thread. The bits of a row stand for the components of the slice that its component reaches. */
    private final class Sweep {
        private final Csc condensation;
        private final int words;
        private final long[] bits;
        private final int[] reached = new int[count()];

        /** The components of the slice that have several vertices. */
        private final long[] large;

        private final PacedStop paced;

        Sweep(Csc condensation, int words, Stop stop) {
            this.condensation = condensation;
            this.words = words;
            bits = new long[count() * words];
            large = new long[words];
            paced = new PacedStop(stop);
        }

        /** Counts the vertices of the components {@code first} to {@code end - 1} for all that reach them. */
        void run(boolean along, int first, int end) {
            // rows that precede the slice along the edges stay as they are, and are not read
            Arrays.fill(bits, along ? first * words : 0, along ? bits.length : end * words, 0);
            Arrays.fill(large, 0);
            for (int number = first; number < end; number++) {
                large[(number - first) / Long.SIZE] |= sizes[number] > 1 ? 1L << (number - first) : 0;
            }
            int last = along ? count() - 1 : 0;
            int step = along ? 1 : -1;
            for (int number = along ? first : end - 1; number != last + step; number += step) {
                if (number >= first && number < end) {
                    bits[number * words + (number - first) / Long.SIZE] |= 1L << (number - first);
                }
                // along the edges, a row takes the bits of those after it; against them, it passes its bits on to them
                if (along) {
                    take(number, first);
                } else {
                    pass(number);
                }
                reached[number] += size(number, first);
                paced.worked(1);
            }
        }

        private void take(int number, int first) {
            for (long i = condensation.columnStart(number); i < condensation.columnEnd(number); i++) {
                int other = condensation.rowIndices().get(i);
                if (other >= first) {
                    or(other * words, number * words);
                }
            }
        }

        private void pass(int number) {
            long any = 0;
            for (int word = number * words; word < (number + 1) * words; word++) {
                any |= bits[word];
            }
            for (long i = condensation.columnStart(number); any != 0 && i < condensation.columnEnd(number); i++) {
                or(number * words, condensation.rowIndices().get(i) * words);
            }
        }

        private void or(int from, int to) {
            for (int word = 0; word < words; word++) {
                bits[to + word] |= bits[from + word];
            }
            paced.worked(1);
        }

        /** Number of vertices of the components whose bits are set. */
        private int size(int number, int first) {
            int size = 0;
            for (int word = 0; word < words; word++) {
                long row = bits[number * words + word];
                size += Long.bitCount(row);
                for (long rest = row & large[word]; rest != 0; rest &= rest - 1) {
                    size += sizes[first + word * Long.SIZE + Long.numberOfTrailingZeros(rest)] - 1;
                    paced.worked(1);
                }
            }
            return size;
        }
    }

    /** The depth-first search. */
    private static final class Search {
        private final Csc graph;

        /**
         * For a vertex of the path or of the open ones: the least index that it is known to reach, from 1 on. 0 for one
         * that was not found yet, and above all indices for those of finished components.
         */
        private final int[] least;

        /** The path from the root grows from the left end, and the open vertices that have left it from the right. */
        private final int[] path;

        /** For each vertex the number of its edges that were followed. */
        private final int[] followed;

        private final boolean[] reachesBack;
        private final PacedStop paced;

        private int pathEnd;
        private int openStart;
        private int index = 1;
        private int components;

        /** A search that leaves the numbers of the components in {@code least}. */
        Search(Csc graph, int[] least, Stop stop) {
            this.graph = graph;
            this.least = least;
            path = new int[least.length];
            followed = new int[least.length];
            reachesBack = new boolean[least.length];
            paced = new PacedStop(stop);
            openStart = least.length;
        }

        /** Returns the number of components. */
        int run() {
            for (int root = 0; root < least.length; root++) {
                if (least[root] == 0) {
                    enter(root);
                    while (pathEnd > 0) {
                        step(path[pathEnd - 1]);
                    }
                }
                paced.worked(1);
            }
            for (int vertex = 0; vertex < least.length; vertex++) {
                least[vertex] = least.length - least[vertex];
                paced.worked(1);
            }
            return components;
        }

        private void enter(int vertex) {
            least[vertex] = index++;
            path[pathEnd++] = vertex;
        }

        /** Follows the edges of the last vertex of the path up to one that was not found yet, or leaves the vertex. */
        private void step(int vertex) {
            int degree = graph.degree(vertex);
            for (int edge = followed[vertex]; edge < degree; edge++) {
                paced.worked(1);
                int target = graph.rowIndices().get(graph.columnStart(vertex) + edge);
                if (least[target] == 0) {
                    // the edge is followed again when the target has left the path
                    followed[vertex] = edge;
                    enter(target);
                    return;
                }
                if (least[target] < least[vertex]) {
                    least[vertex] = least[target];
                    reachesBack[vertex] = true;
                }
            }
            pathEnd--;
            if (reachesBack[vertex]) {
                path[--openStart] = vertex;
                return;
            }
            int number = least.length - components++;
            int root = least[vertex];
            while (openStart < path.length && least[path[openStart]] >= root) {
                least[path[openStart++]] = number;
                index--;
            }
            least[vertex] = number;
            index--;
        }
    }
}
