// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_STATE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_WIDE_SHARED_BYTES;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.WeightedCsc;
import java.nio.ByteBuffer;

/** The costs of the shortest paths from one source, by near_far.cu. */
public record NearFarKernels(String name, Device device) implements PathKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("near-far", Operation.SHORTEST_PATHS),
            (device, kernel, operation) -> new NearFarKernels(kernel.keyword(), device));

    private static final int GRAIN = 1 << 15;

    /** The greatest width of a bucket of costs of 32 bits. */
    private static final double WIDEST = 0xffffffffL;

    /** The delta of graphs of high degree, as a multiple of the light weight. */
    private static final double DENSE_SHARE = 4;

    /** At lower degrees, the multiple is the square of this divided by the degree, if that is greater. */
    private static final double DEEP_DEGREE = 16;

    /**
     * {@inheritDoc} It is wider than that of the CPU, because more vertices of a bucket occupy a device, and their
     * repeated work is cheap.
     */
    @Override
    public double delta(WeightedCsc.Lengths lengths) {
        return ShortestPaths.delta(lengths, DENSE_SHARE, DEEP_DEGREE);
    }

    @Override
    public boolean canSearch(int vertexCount, long entryCount) {
        return KernelLayouts.countsInOneWord(vertexCount, entryCount);
    }

    @Override
    public double[] run(GraphView graph, WeightedLists.Lists lists, int source, double delta, RunContext control) {
        int vertexCount = graph.vertexCount();
        control.progress().beginTask(BackendTask.SHORTEST_PATHS, vertexCount);
        WeightedLists.Form form = lists.form();
        boolean wide = form.costBytes() == Double.BYTES;
        ArrayLayout plan = layout(vertexCount, form.costBytes());
        try (DeviceLease lease = device.lease(control.stop())) {
            long at = graph.placed().workspace(lease, plan.bytes());
            lease.fill(at + plan.at("state"), 0, NEAR_FAR_STATE_BYTES);
            KernelArguments arguments = ShippedKernels.arguments(
                            switch (form) {
                                case ONES, INTEGERS -> "near_far_u32_u32_grid";
                                case FLOATS -> "near_far_f64_f32_grid";
                                case DOUBLES -> "near_far_f64_f64_grid";
                            })
                    .set("ptrs", lists.pointers())
                    .set("idx", lists.indices())
                    .set("weights", lists.weights())
                    .set(
                            "width",
                            wide ? Double.doubleToRawLongBits(delta) : (long) Math.max(1, Math.min(delta, WIDEST)))
                    .set("n", vertexCount)
                    .set("source", source);
            arguments.set(plan, at);
            DeviceLease.Launch launch = lease.beginLaunch(
                    Grid.cooperative(Math.max(vertexCount, lists.entryCount()))
                            .withMostBlocks(1)
                            .withSharedBytes(wide ? NEAR_FAR_WIDE_SHARED_BYTES : NEAR_FAR_SHARED_BYTES),
                    arguments);
            // during the search, because zeroing takes as long as a short one
            double[] costs = new double[vertexCount];
            launch.end();
            VertexOrderedArray found = new VertexOrderedArray(at + plan.at("costs"), form.costBytes(), vertexCount, 0);
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
            return costs;
        }
    }

    private static void widen(ByteBuffer from, int begin, int end, double[] to, int first) {
        for (int i = begin; i < end; i++) {
            int cost = from.getInt(i * Integer.BYTES);
            to[first + i] = cost == -1 ? ShortestPaths.UNREACHED : Integer.toUnsignedLong(cost);
        }
    }

    @Override
    public long workspace(int vertexCount, int costBytes) {
        return layout(vertexCount, costBytes).bytes();
    }

    private static ArrayLayout layout(int vertexCount, int costBytes) {
        int words = KernelLayouts.bitWords(vertexCount);
        return new ArrayLayout()
                .add("state", NEAR_FAR_STATE_BYTES, 1)
                .add("costs", vertexCount, costBytes)
                .add("nearA", vertexCount, Integer.BYTES)
                .add("nearB", vertexCount, Integer.BYTES)
                .add("edgesA", vertexCount, Long.BYTES)
                .add("edgesB", vertexCount, Long.BYTES)
                .add("farA", vertexCount, Integer.BYTES)
                .add("farB", vertexCount, Integer.BYTES)
                .add("nearBitsA", words, Integer.BYTES)
                .add("nearBitsB", words, Integer.BYTES)
                .add("farBits", words, Integer.BYTES);
    }
}
