// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * The sums of closeness of an undirected graph, over all sources or some, with checks that need no second run. For a
 * vertex v of a component with k sources: reach(v) = k, or k - 1 if v is a source.
 */
final class ClosenessSums {

    /** Vertices that a thread checks at once. */
    static final int CHUNK = 1 << 14;

    private static final int[] NO_TARGETS = {};

    private final Csc csc;
    private final int concurrency;
    private final int[] component;

    /** By vertex: the number of sources of the component of which it is the lowest vertex. */
    private final int[] sourcesOfComponent;

    private final boolean[] isSource;
    private final long[] farness;
    private final long[] reach;
    private boolean isReachRight = true;

    /**
     * Derives from the reach which vertices are sources.
     *
     * @param component by vertex: the lowest vertex of its component, see {@link LoadedGraph#components}
     */
    ClosenessSums(Csc csc, int[] component, long[] farness, long[] reach, int concurrency) {
        this.csc = csc;
        this.component = component;
        this.farness = farness;
        this.reach = reach;
        this.concurrency = concurrency;
        int n = csc.vertexCount();
        sourcesOfComponent = new int[n];
        isSource = new boolean[n];
        findSources();
    }

    private void findSources() {
        int n = csc.vertexCount();
        int[] size = new int[n];
        int[] most = new int[n];
        for (int v = 0; v < n; v++) {
            size[component[v]]++;
            most[component[v]] = (int) Math.max(most[component[v]], reach[v]);
        }
        int[] ofMost = new int[n];
        int[] belowMost = new int[n];
        for (int v = 0; v < n; v++) {
            if (reach[v] == most[component[v]]) {
                ofMost[component[v]]++;
            } else if (reach[v] == most[component[v]] - 1L) {
                belowMost[component[v]]++;
            }
        }
        for (int lowest = 0; lowest < n; lowest++) {
            boolean isAlike = ofMost[lowest] == size[lowest];
            if (isAlike && (most[lowest] == 0 || most[lowest] == size[lowest] - 1)) {
                sourcesOfComponent[lowest] = most[lowest] == 0 ? 0 : size[lowest];
            } else {
                sourcesOfComponent[lowest] = most[lowest];
                isReachRight &= most[lowest] > 0
                        && belowMost[lowest] == most[lowest]
                        && ofMost[lowest] == size[lowest] - belowMost[lowest];
            }
        }
        for (int v = 0; v < n; v++) {
            isSource[v] = reach[v] < sourcesOfComponent[component[v]];
        }
    }

    /**
     * Whether the reach of every vertex is that of some set of sources.
     *
     * @param sources the number of sources
     * @param unlinked the number of vertices without edges that may be among them
     */
    boolean isReachRight(long sources, long unlinked) {
        long found = IntStream.of(sourcesOfComponent).asLongStream().sum();
        return isReachRight && found <= sources && found >= sources - unlinked;
    }

    /**
     * Whether the sums of neighbours differ by no more than the number of sources, and the sum of a vertex with a
     * single edge is as far above that of its neighbour as it must be.
     */
    boolean areNeighboursRight() {
        AtomicBoolean right = new AtomicBoolean(true);
        Workers.forRanges(concurrency, csc.vertexCount(), CHUNK, Stop.NEVER, (worker, from, to) -> {
            for (int v = (int) from; v < to; v++) {
                int k = sourcesOfComponent[component[v]];
                for (long i = csc.columnStart(v); i < csc.columnEnd(v); i++) {
                    if (Math.abs(farness[csc.rowIndices().get(i)] - farness[v]) > k) {
                        right.set(false);
                    }
                }
                if (csc.degree(v) == 1) {
                    int neighbour = csc.rowIndices().get(csc.columnStart(v));
                    long more = isSource[v] ? reach[v] - 1 : reach[v];
                    if (farness[v] != farness[neighbour] + more) {
                        right.set(false);
                    }
                }
            }
        });
        return right.get();
    }

    /** Whether the sums of some vertices are those of a search from each of them. */
    boolean equalSearches(LoadedGraph graph, int[] vertices) {
        AtomicBoolean right = new AtomicBoolean(true);
        // each by one thread: the levels of a deep graph are too small for many
        Workers.forRanges(concurrency, vertices.length, 1, Stop.NEVER, (worker, from, to) -> {
            int vertex = vertices[(int) from];
            int[] levels = graph.bfs(vertex, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunContext.of(1))
                    .levels();
            long sum = 0;
            long count = 0;
            for (int v = 0; v < levels.length; v++) {
                if (isSource[v] && levels[v] > 0) {
                    sum += levels[v];
                    count++;
                }
            }
            if (sum != farness[vertex] || count != reach[vertex]) {
                right.set(false);
            }
        });
        return right.get();
    }

    /** Whether sums over all sources equal those of some vertices that were counted at the vertex. */
    boolean equal(int[] vertices, Farness counted) {
        return IntStream.range(0, vertices.length)
                .allMatch(
                        i -> counted.farness()[i] == farness[vertices[i]] && counted.reach()[i] == reach[vertices[i]]);
    }

    /** Whether the distances from the sources here to those of another part add up to the same as back. */
    boolean isSymmetricTo(ClosenessSums other) {
        return sumAtSourcesOf(other) == other.sumAtSourcesOf(this);
    }

    private long sumAtSourcesOf(ClosenessSums other) {
        long sum = 0;
        for (int v = 0; v < farness.length; v++) {
            if (other.isSource[v]) {
                sum = Math.addExact(sum, farness[v]);
            }
        }
        return sum;
    }

    long[] farness() {
        return farness;
    }

    long[] reach() {
        return reach;
    }
}
