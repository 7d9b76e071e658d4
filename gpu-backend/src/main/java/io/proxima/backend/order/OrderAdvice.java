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
 * What {@code order: 'auto'} does: of the orders that suit the class of a graph the one that saves most over the runs
 * expected, its own time taken off; none if none saves anything. For scale-free-like graphs that is JaccardWithWindows, as
 * section 4 of Elbek and Kaya, arXiv:2606.05081, has it, or descending degree, which saves nearly as much and takes next to
 * nothing; for the others reverse Cuthill-McKee. The figures were measured on an H200 with 16 cores:
 * docs/benchmarks/h200-orders.md.
 *
 * @param order never {@link VertexOrder#AUTO}
 * @param orderSeconds what the order is expected to take, relabelling included; 0 for {@link VertexOrder#NATURAL}
 * @param reason one sentence for the log
 */
public record OrderAdvice(VertexOrder order, double orderSeconds, String reason) {

    // processor time an entry; relabelling on the device, and slice sets of an order that take longer to build, with
    // degree
    private static final double DEGREE_NANOS_AN_ENTRY = 3;
    private static final double JACCARD_NANOS_AN_ENTRY = 200;
    private static final double BFS_NANOS_AN_ENTRY = 80;
    // by one thread for the most part, and by the vertex more than by the entry: a road network has few entries a
    // vertex
    private static final double RCM_NANOS_AN_ENTRY = 90;

    // an entry and a search, as one of a batch of many
    private static final double DEGREE_SAVES_NANOS = 0.0004;
    private static final double JACCARD_SAVES_NANOS = 0.0005;
    private static final double RCM_SAVES_NANOS = 0.1;

    /**
     * Weighs orders against what they save.
     *
     * @param graphClass of the graph
     * @param entryCount directed edges
     * @param expectedRuns sources that are expected to be searched from in all
     * @param cores threads that would order
     */
    public static OrderAdvice of(GraphClass graphClass, long entryCount, long expectedRuns, int cores) {
        VertexOrder[] candidates = graphClass.scaleFreeLike()
                ? new VertexOrder[] {VertexOrder.DEGREE, VertexOrder.JACCARD}
                : new VertexOrder[] {VertexOrder.RCM};
        VertexOrder best = VertexOrder.NATURAL;
        double gain = 0;
        for (VertexOrder candidate : candidates) {
            double gainOfCandidate = saved(candidate, entryCount, expectedRuns) - seconds(candidate, entryCount, cores);
            if (gainOfCandidate > gain) {
                best = candidate;
                gain = gainOfCandidate;
            }
        }
        String kind = graphClass.scaleFreeLike() ? "is scale-free-like" : "is not scale-free-like";
        double seconds = seconds(best, entryCount, cores);
        String reason = best == VertexOrder.NATURAL
                ? String.format(
                        Locale.ROOT,
                        "The graph %s, but order '%s' would take about %.3f s and %d searches would save %.3f s.",
                        kind,
                        candidates[0].key(),
                        seconds(candidates[0], entryCount, cores),
                        expectedRuns,
                        saved(candidates[0], entryCount, expectedRuns))
                : String.format(
                        Locale.ROOT,
                        "The graph %s; order '%s' takes about %.3f s and %d searches save %.3f s.",
                        kind,
                        best.key(),
                        seconds,
                        expectedRuns,
                        saved(best, entryCount, expectedRuns));
        return new OrderAdvice(best, seconds, reason);
    }

    private static double saved(VertexOrder order, long entryCount, long runs) {
        double nanos =
                switch (order) {
                    case AUTO, NATURAL, HUBS, BFS -> 0;
                    case DEGREE -> DEGREE_SAVES_NANOS;
                    case JACCARD -> JACCARD_SAVES_NANOS;
                    case RCM -> RCM_SAVES_NANOS;
                };
        return nanos * entryCount * runs / 1e9;
    }

    /** What an order is expected to take, relabelling included. */
    public static double seconds(VertexOrder order, long entryCount, int cores) {
        return switch (order) {
            case AUTO, NATURAL -> 0;
            case DEGREE, HUBS -> DEGREE_NANOS_AN_ENTRY * entryCount / 1e9 / cores;
            case BFS -> BFS_NANOS_AN_ENTRY * entryCount / 1e9 / cores;
            case RCM -> RCM_NANOS_AN_ENTRY * entryCount / 1e9;
            case JACCARD -> JACCARD_NANOS_AN_ENTRY * entryCount / 1e9 / cores;
        };
    }
}
