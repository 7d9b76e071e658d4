// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import java.util.List;
import java.util.Locale;

/**
 * The order that {@code order: 'auto'} chooses: of the orders that suit the class of a graph, the one that saves the most
 * time over the expected runs, minus its own time; NATURAL if no order saves time. The candidate for a scale-free-like graph
 * is {@link VertexOrder#DEGREE}, which takes little time, and for searches over slice sets {@link VertexOrder#JACCARD} too,
 * as in section 4 of Elbek and Kaya, arXiv:2606.05081. For any other graph it is {@link VertexOrder#RCM}.
 *
 * @param order one of NATURAL, DEGREE, JACCARD and RCM
 * @param orderSeconds expected time of the order, including relabelling; 0 for NATURAL
 * @param reason one sentence for the log
 */
public record OrderAdvice(VertexOrder order, double orderSeconds, String reason) {

    // an entry and a search of a batch of 256, on an H200: kron20, kron22 and a road lattice in
    // docs/benchmarks/h200-orders.md
    private static final double DEGREE_SAVES_NANOS = 0.0004;
    private static final double JACCARD_SAVES_NANOS = 0.0005;
    private static final double RCM_SAVES_NANOS = 0.1;

    /** On the device, in the time of 16 cores, with slice sets that take longer to build. */
    private static final double RELABEL_NANOS = 3;

    // of one core, measured with OrderBenchmark; see docs/benchmarks
    private static final double DEGREE_NANOS = 2;
    private static final double RCM_NANOS = 250;
    private static final double JACCARD_NANOS = 370;

    /** The part of a mesh's breadth-first search that cannot be shared. */
    private static final double SEQUENTIAL_NANOS = 40;

    /**
     * Weighs the time of an order against the time that it saves.
     *
     * @param graphClass of the graph
     * @param vertexCount number of vertices
     * @param entryCount directed edges
     * @param expectedRuns expected number of sources of all searches together
     * @param overSliceSets whether the searches are over slice sets, for which common neighbours save work
     * @param cores threads that would order
     */
    public static OrderAdvice of(
            GraphClass graphClass,
            int vertexCount,
            long entryCount,
            long expectedRuns,
            boolean overSliceSets,
            int cores) {
        boolean scaleFreeLike = graphClass.scaleFreeLike();
        List<VertexOrder> candidates = List.of(VertexOrder.RCM);
        if (scaleFreeLike) {
            candidates = overSliceSets ? List.of(VertexOrder.DEGREE, VertexOrder.JACCARD) : List.of(VertexOrder.DEGREE);
        }
        VertexOrder best = candidates.get(0);
        for (VertexOrder candidate : candidates) {
            if (gain(candidate, vertexCount, entryCount, expectedRuns, cores)
                    > gain(best, vertexCount, entryCount, expectedRuns, cores)) {
                best = candidate;
            }
        }
        double seconds = seconds(best, vertexCount, entryCount, cores);
        boolean pays = gain(best, vertexCount, entryCount, expectedRuns, cores) >= 0;
        String reason = String.format(
                Locale.ROOT,
                "The graph is %sscale-free-like, and the number of searches is %d; order '%s' takes about %.3f s and saves"
                        + " about %.3f s.",
                scaleFreeLike ? "" : "not ",
                expectedRuns,
                best.key(),
                seconds,
                saved(best, entryCount, expectedRuns));
        return pays ? new OrderAdvice(best, seconds, reason) : new OrderAdvice(VertexOrder.NATURAL, 0, reason);
    }

    private static double gain(VertexOrder order, int vertexCount, long entryCount, long runs, int cores) {
        return saved(order, entryCount, runs) - seconds(order, vertexCount, entryCount, cores);
    }

    private static double saved(VertexOrder order, long entryCount, long runs) {
        double nanos =
                switch (order) {
                    case AUTO, NATURAL -> 0;
                    case DEGREE -> DEGREE_SAVES_NANOS;
                    case JACCARD -> JACCARD_SAVES_NANOS;
                    case RCM -> RCM_SAVES_NANOS;
                };
        return nanos * entryCount * runs / 1e9;
    }

    /**
     * The expected time of an order, including relabelling.
     *
     * @param vertexCount number of vertices
     * @param entryCount directed edges
     * @param cores threads that would order
     */
    public static double seconds(VertexOrder order, int vertexCount, long entryCount, int cores) {
        double nanos =
                switch (order) {
                    case AUTO -> throw new IllegalArgumentException("order must not be auto: order=" + order);
                    case NATURAL -> 0;
                    case DEGREE -> (DEGREE_NANOS + RELABEL_NANOS) / cores;
                    case RCM -> (RCM_NANOS + RELABEL_NANOS) / cores + SEQUENTIAL_NANOS;
                    case JACCARD -> JACCARD_NANOS / Math.min(cores, windows(vertexCount)) + RELABEL_NANOS / cores;
                };
        return nanos * entryCount / 1e9;
    }

    private static int windows(int vertexCount) {
        return 1 + vertexCount / JaccardWithWindows.DEFAULT_WINDOW;
    }
}
