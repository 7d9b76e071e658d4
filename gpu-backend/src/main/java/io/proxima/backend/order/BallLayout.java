// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A quick layout in which neighbours are near each other in memory: workers grow balls of about a thousand vertices
 * concurrently, and each vertex belongs to the ball that claims it first. The layout differs from run to run, so results
 * must not depend on it. A search over a mesh with shuffled vertices misses the cache at every step, and over this layout
 * at few steps.
 */
final class BallLayout {

    private static final VarHandle CLAIMS = MethodHandles.arrayElementVarHandle(byte[].class);

    private static final int BALL = 1 << 10;
    private static final int SEEDS_KEPT = 1 << 12;

    /** Below this everything lies in a core's cache. */
    private static final int LEAST_VERTICES = 1 << 16;

    /** With more neighbours than this, balls of a thousand are hardly more than one neighbourhood. */
    private static final int MOST_DEGREE = 16;

    private static final int SAMPLES = 1 << 12;

    /** Neighbours this near share the cache. */
    private static final int NEAR = 1 << 13;

    private final Csc graph;
    private final Csc reversed;
    private final Stop stop;
    private final byte[] claimed;
    private final int[] vertexOfNode;
    private final AtomicInteger nextNode = new AtomicInteger();
    private final AtomicInteger nextSeed = new AtomicInteger();

    private BallLayout(Csc graph, Csc reversed, Stop stop) {
        this.graph = graph;
        this.reversed = reversed;
        this.stop = stop;
        claimed = new byte[graph.vertexCount()];
        vertexOfNode = new int[graph.vertexCount()];
    }

    /** The layout, or the identity where balls would not help. */
    static Permutation of(Csc graph, Csc reversed, int concurrency, Stop stop) {
        int n = graph.vertexCount();
        if (n < LEAST_VERTICES || graph.entryCount() > (long) n * MOST_DEGREE || isLocal(graph)) {
            return Permutation.identity(n);
        }
        BallLayout layout = new BallLayout(graph, reversed, stop);
        Workers.run(concurrency, stop, (worker, shared) -> layout.growBalls());
        return Permutation.ofVertices(layout.vertexOfNode, concurrency, stop);
    }

    private static boolean isLocal(Csc graph) {
        int near = 0;
        int seen = 0;
        long entries = graph.entryCount();
        int step = Math.max(1, graph.vertexCount() / SAMPLES);
        for (int vertex = 0; vertex < graph.vertexCount() - step && entries > 0; vertex += step) {
            if (graph.degree(vertex) > 0) {
                seen++;
                near += Math.abs(graph.rowIndices().get(graph.columnStart(vertex)) - vertex) < NEAR ? 1 : 0;
            }
        }
        return 2 * near >= seen;
    }

    private void growBalls() {
        int[] ball = new int[BALL];
        int[] seeds = new int[SEEDS_KEPT];
        int head = 0;
        int tail = 0;
        while (true) {
            stop.check();
            int seed = head < tail ? seeds[head++ & (SEEDS_KEPT - 1)] : unclaimedSeed();
            if (seed < 0) {
                return;
            }
            if (!claim(seed)) {
                continue;
            }
            int count = 0;
            ball[count++] = seed;
            for (int i = 0; i < count; i++) {
                for (Csc lists = graph; lists != null; lists = lists == reversed ? null : reversed) {
                    IntPages rows = lists.rowIndices();
                    for (long at = lists.columnStart(ball[i]), end = lists.columnEnd(ball[i]); at < end; at++) {
                        int neighbour = rows.get(at);
                        if (claimed[neighbour] != 0) {
                            continue;
                        }
                        if (count == BALL) {
                            // the oldest seed gives way: its vertex is found by unclaimedSeed in the end
                            seeds[tail++ & (SEEDS_KEPT - 1)] = neighbour;
                            head = Math.max(head, tail - SEEDS_KEPT);
                            break;
                        }
                        if (claim(neighbour)) {
                            ball[count++] = neighbour;
                        }
                    }
                }
            }
            System.arraycopy(ball, 0, vertexOfNode, nextNode.getAndAdd(count), count);
        }
    }

    private int unclaimedSeed() {
        int n = claimed.length;
        while (true) {
            int from = nextSeed.getAndUpdate(seed -> seed >= n ? n : seed + 1);
            if (from >= n) {
                return -1;
            }
            if (claimed[from] == 0) {
                return from;
            }
        }
    }

    private boolean claim(int vertex) {
        return claimed[vertex] == 0 && CLAIMS.compareAndSet(claimed, vertex, (byte) 0, (byte) 1);
    }
}
