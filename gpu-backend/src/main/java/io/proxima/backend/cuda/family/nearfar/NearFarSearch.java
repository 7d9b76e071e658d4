// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import io.proxima.backend.BackendTask;
import io.proxima.backend.RunControl;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.WeightedCsc;
import java.nio.ByteBuffer;

/**
 * The costs of the shortest paths from one source, by near_far.cu.
 *
 * @param costs {@code double[vertexCount]}: the cost of each vertex, {@link ShortestPaths#UNREACHED} if there is no path; host,
 *     vertex id space
 * @param outcome what the kernel reported: the level is the number of steps, the work that of queued edges
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NearFarSearch(double[] costs, DeviceLease.Outcome outcome) {

    /** NEAR_FAR_THREADS of near_far.cuh. */
    public static final int THREADS = 768;

    /** NEAR_FAR_STATE_BYTES of near_far.cuh. */
    public static final int STATE_BYTES = 136;

    /** Shared memory of a block with costs of 32 bits: NEAR_FAR_SHARED_BYTES. */
    public static final int SHARED_BYTES = 36_864;

    /** The same with costs of 64 bits. */
    public static final int WIDE_SHARED_BYTES = 49_152;

    private static final String MODULE = "near_far";

    private static final int GRAIN = 1 << 15;

    /** The greatest width of a bucket of costs of 32 bits. */
    private static final double WIDEST = 0xffffffffL;

    /** Of the mean weight divided by the mean degree, the multiple that is the delta of graphs of high degree. */
    private static final double DENSE_SHARE = 4;

    /** The degree at which that multiple would be 1 if it were that of graphs of low degree. */
    private static final double DEEP_DEGREE = 16;

    /**
     * A delta for weights of unknown distribution. It is wider than that of the CPU, because more vertices of a bucket occupy a
     * device, and their repeated work is cheap.
     */
    public static double delta(WeightedCsc graph, WeightedCsc.Lengths lengths) {
        double degree = Math.max(1, (double) graph.entryCount() / Math.max(1, graph.vertexCount()));
        double ratio = DEEP_DEGREE / degree;
        double delta = Math.max(DENSE_SHARE, ratio * ratio) * lengths.mean() / degree;
        return delta > 0 && delta <= Double.MAX_VALUE ? delta : 1;
    }

    /**
     * Searches.
     *
     * @param lists of the graph, pinned by the caller
     * @param source vertex
     * @param delta the least width of a bucket, above 0
     * @throws io.proxima.backend.DeviceMemoryException if the state does not fit
     */
    public static NearFarSearch run(
            CudaDevice device,
            WeightedLists.Lists lists,
            int vertexCount,
            int source,
            double delta,
            RunControl control) {
        control.progress().beginTask(BackendTask.SHORTEST_PATHS, vertexCount);
        WeightedLists.Form form = lists.form();
        boolean wide = form.costBytes() == Double.BYTES;
        State plan = State.of(vertexCount, form.costBytes());
        try (DeviceLease lease = device.lease(control.stop())) {
            long at = lease.workspace(plan.bytes());
            lease.fill(at + plan.state(), 0, STATE_BYTES);
            KernelArguments arguments = new KernelArguments()
                    .pointer("ptrs", lists.pointers())
                    .pointer("idx", lists.indices())
                    .pointer("weights", lists.weights())
                    .pointer("costs", at + plan.costs())
                    .pointer("nearA", at + plan.nearA())
                    .pointer("nearB", at + plan.nearB())
                    .pointer("edgesA", at + plan.edgesA())
                    .pointer("edgesB", at + plan.edgesB())
                    .pointer("farA", at + plan.farA())
                    .pointer("farB", at + plan.farB())
                    .pointer("nearBitsA", at + plan.nearBitsA())
                    .pointer("nearBitsB", at + plan.nearBitsB())
                    .pointer("farBits", at + plan.farBits())
                    .pointer("state", at + plan.state())
                    .pointer("stopFlag", device.stopFlagAddress())
                    .pointer("control", lease.control())
                    .pointer("report", lease.report())
                    .int64(
                            "width",
                            wide ? Double.doubleToRawLongBits(delta) : (long) Math.max(1, Math.min(delta, WIDEST)))
                    .int32("n", vertexCount)
                    .int32("source", source);
            DeviceLease.Launch launch = lease.beginLaunch(
                    MODULE,
                    switch (form) {
                        case ONES, INTEGERS -> "near_far_u32_u32_grid";
                        case FLOATS -> "near_far_f64_f32_grid";
                        case DOUBLES -> "near_far_f64_f64_grid";
                    },
                    Grid.cooperative(THREADS, Math.max(vertexCount, lists.entryCount()))
                            .withMostBlocks(1)
                            .withSharedBytes(wide ? WIDE_SHARED_BYTES : SHARED_BYTES),
                    arguments);
            // during the search, because zeroing takes as long as a short one
            double[] costs = new double[vertexCount];
            DeviceLease.Outcome outcome = launch.end();
            VertexOrderedArray found = new VertexOrderedArray(at + plan.costs(), form.costBytes(), vertexCount, 0);
            if (wide) {
                lease.download(found, costs, control.concurrency());
            } else {
                lease.download(found, 1, (from, offset, bytes) -> {
                    int first = (int) (offset / Integer.BYTES);
                    Workers.forRanges(
                            control.concurrency(),
                            bytes / Integer.BYTES,
                            GRAIN,
                            Stop.NEVER,
                            (worker, begin, end) -> widen(from, (int) begin, (int) end, costs, first));
                });
            }
            control.progress().advance(vertexCount);
            return new NearFarSearch(costs, outcome);
        }
    }

    private static void widen(ByteBuffer from, int begin, int end, double[] to, int first) {
        for (int i = begin; i < end; i++) {
            int cost = from.getInt(i * Integer.BYTES);
            to[first + i] = cost == -1 ? ShortestPaths.UNREACHED : Integer.toUnsignedLong(cost);
        }
    }

    /** The bytes of the workspace of a search with costs of so many bytes. */
    static long workspace(int vertexCount, int costBytes) {
        return State.of(vertexCount, costBytes).bytes();
    }

    /** The layout of the workspace. */
    private record State(
            long state,
            long costs,
            long nearA,
            long nearB,
            long edgesA,
            long edgesB,
            long farA,
            long farB,
            long nearBitsA,
            long nearBitsB,
            long farBits,
            long bytes) {

        static State of(int vertexCount, int costBytes) {
            ArrayLayout plan = new ArrayLayout();
            int words = ArrayLayout.bitWords(vertexCount);
            return new State(
                    plan.add(STATE_BYTES, 1),
                    plan.add(vertexCount, costBytes),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.bytes());
        }
    }
}
