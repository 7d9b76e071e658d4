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

import java.util.Locale;

/**
 * What {@code order: 'auto'} does: the order of section 4 of Elbek and Kaya, arXiv:2606.05081, if the runs expected repay
 * the time it takes, else none. {@link VertexOrder#JACCARD} for a scale-free-like graph, {@link VertexOrder#RCM} for any
 * other.
 *
 * @param order one of NATURAL, JACCARD and RCM
 * @param orderSeconds what the order is expected to take, relabelling included; 0 for NATURAL
 * @param reason one sentence for the log
 */
public record OrderAdvice(VertexOrder order, double orderSeconds, String reason) {

    /**
     * What a run saves an entry. Measured for the paper's kernels with Algorithm 1 on kron22 against the natural order:
     * 0.4 ms of 128 million entries.
     */
    private static final double SAVED_NANOS_AN_ENTRY = 0.003;

    /** Of one core, measured with OrderBenchmark; see docs/benchmarks. */
    private static final double RELABEL_NANOS = 25;

    private static final double DEGREE_NANOS = 2;
    private static final double BFS_NANOS = 80;
    private static final double RCM_NANOS = 200;
    private static final double JACCARD_NANOS = 300;

    /** The part of a mesh's breadth-first search that cannot be shared. */
    private static final double SEQUENTIAL_NANOS = 40;

    /**
     * Weighs an order against what it saves.
     *
     * @param graphClass of the graph
     * @param vertexCount number of vertices
     * @param entryCount directed edges
     * @param expectedRuns sources that are expected to be searched from in all
     * @param cores threads that would order
     */
    public static OrderAdvice of(
            GraphClass graphClass, int vertexCount, long entryCount, long expectedRuns, int cores) {
        boolean scaleFreeLike = graphClass.scaleFreeLike();
        VertexOrder best = scaleFreeLike ? VertexOrder.JACCARD : VertexOrder.RCM;
        double seconds = seconds(best, vertexCount, entryCount, cores);
        double saved = expectedRuns * SAVED_NANOS_AN_ENTRY * entryCount / 1e9;
        boolean pays = saved >= seconds;
        String reason = String.format(
                Locale.ROOT,
                "The graph is %sscale-free-like; order '%s' takes about %.3f s, which %d searches %s (%.3f s).",
                scaleFreeLike ? "" : "not ",
                best.key(),
                seconds,
                expectedRuns,
                pays ? "save" : "do not save",
                saved);
        return pays ? new OrderAdvice(best, seconds, reason) : new OrderAdvice(VertexOrder.NATURAL, 0, reason);
    }

    /**
     * What an order is expected to take, relabelling included.
     *
     * @param vertexCount number of vertices
     * @param entryCount directed edges
     * @param cores threads that would order
     */
    public static double seconds(VertexOrder order, int vertexCount, long entryCount, int cores) {
        double nanos =
                switch (order) {
                    case AUTO -> throw new IllegalArgumentException("no order takes a time: order=" + order);
                    case NATURAL -> 0;
                    case DEGREE, HUBS -> (DEGREE_NANOS + RELABEL_NANOS) / cores;
                    case BFS -> (BFS_NANOS + RELABEL_NANOS) / cores + SEQUENTIAL_NANOS;
                    case RCM -> (RCM_NANOS + RELABEL_NANOS) / cores + SEQUENTIAL_NANOS;
                    case JACCARD -> JACCARD_NANOS / Math.min(cores, windows(vertexCount)) + RELABEL_NANOS / cores;
                };
        return nanos * entryCount / 1e9;
    }

    private static int windows(int vertexCount) {
        return 1 + vertexCount / JaccardWithWindows.DEFAULT_WINDOW;
    }
}
