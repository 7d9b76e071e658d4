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
 * the time it takes.
 *
 * @param order never {@link VertexOrder#AUTO}
 * @param orderSeconds what the order is expected to take, relabelling included; 0 for {@link VertexOrder#NATURAL}
 * @param reason one sentence for the log
 */
public record OrderAdvice(VertexOrder order, double orderSeconds, String reason) {

    private static final double JACCARD_NANOS_AN_ENTRY = 100;
    private static final double RCM_NANOS_AN_ENTRY = 150;
    private static final double SAVED_NANOS_AN_ENTRY = 0.01;

    /**
     * Weighs an order against what it saves.
     *
     * @param graphClass of the graph
     * @param entryCount directed edges
     * @param expectedRuns sources that are expected to be searched from in all
     * @param cores threads that would order
     */
    public static OrderAdvice of(GraphClass graphClass, long entryCount, long expectedRuns, int cores) {
        VertexOrder best = graphClass.scaleFreeLike() ? VertexOrder.JACCARD : VertexOrder.RCM;
        double seconds = seconds(best, entryCount, cores);
        double saved = expectedRuns * SAVED_NANOS_AN_ENTRY * entryCount / 1e9;
        String kind = graphClass.scaleFreeLike() ? "is scale-free-like" : "is not scale-free-like";
        if (saved < seconds) {
            return new OrderAdvice(
                    VertexOrder.NATURAL,
                    0,
                    String.format(
                            Locale.ROOT,
                            "The graph %s, but order '%s' would take about %.3f s and %d runs would save %.3f s.",
                            kind,
                            best.key(),
                            seconds,
                            expectedRuns,
                            saved));
        }
        return new OrderAdvice(
                best,
                seconds,
                String.format(
                        Locale.ROOT,
                        "The graph %s; order '%s' takes about %.3f s and %d runs save %.3f s.",
                        kind,
                        best.key(),
                        seconds,
                        expectedRuns,
                        saved));
    }

    /** What an order is expected to take, relabelling included. */
    public static double seconds(VertexOrder order, long entryCount, int cores) {
        return switch (order) {
            case AUTO, NATURAL -> 0;
            case DEGREE, HUBS, BFS -> 20 * entryCount / 1e9 / cores;
            case RCM -> RCM_NANOS_AN_ENTRY * entryCount / 1e9;
            case JACCARD -> JACCARD_NANOS_AN_ENTRY * entryCount / 1e9 / cores;
        };
    }
}
