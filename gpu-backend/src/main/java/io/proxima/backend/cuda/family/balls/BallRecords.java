// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.MOST_BALL;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_RADIUS;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORDS_ROOM_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_HEADER;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_UNIT;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The ball records of a graph: for each slot its ball, ordered by hops, so that a search advances several levels
 * between two synchronizations. They are built within {@link LaunchPolicy#recordBytes} of the free memory.
 */
final class BallRecords implements DeviceStructure<BallRecords.Records> {

    /**
     * The mean bytes of a record beyond which larger balls cost more than the levels that they save: on an H200, 882
     * still gained (rgg20, five hops instead of four), 999 lost (rgg22).
     */
    static final int LONGEST_RECORD_BYTES = 900;

    /**
     * The number of vertices whose balls one launch measures or writes: about 10 ms, after which the stop is checked.
     */
    static final int BALLS_A_LAUNCH = 1 << 16;

    /** The one instance. */
    static final BallRecords RECORDS = new BallRecords();

    static final int UNIT_BYTES = RECORD_UNIT * Integer.BYTES;

    /** The smallest radius: records of one hop equal the lists, which rows store in less memory. */
    private static final int LEAST_RADIUS = 2;

    private static final long NULL = 0;

    /** The number of units of 32 bytes of all records. */
    static final GraphSizes.Figure UNITS = new GraphSizes.Figure(
            graph -> graph.vertexCount() + graph.entryCount() / RECORD_UNIT,
            graph -> (long) graph.vertexCount() * ((RECORD_HEADER + MOST_BALL) / RECORD_UNIT + 1)
                    + graph.entryCount() / RECORD_UNIT);

    /** The radius from which a graph's levels have few edges. */
    private static final int RADIUS_OF_FEW_EDGES = 8;

    /** 1 if the levels of the graph have few edges, else 0. */
    static final GraphSizes.Figure FEW_EDGES = BallsBfsKernel.fewEdges(true);

    private BallRecords() {}

    /**
     * Records.
     *
     * @param recordAt device address of {@code int[vertexCount + 1]}, unsigned: the first unit of each record; slot id
     *     space
     * @param records device address of the records, in units of 32 bytes; bfs_balls.cu defines the format
     * @param units number of units of all records
     * @param radius radius of the records, in hops
     */
    record Records(DeviceArray array, long recordAt, long records, long units, int radius) implements Arrays {
        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(UNITS, units, FEW_EDGES, radius >= RADIUS_OF_FEW_EDGES ? 1L : 0L);
        }
    }

    @Override
    public String label() {
        return "records of balls";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return layout(graph.vertexCount(), graph.figure(UNITS)).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(Csr.OUT), scratch(graph.mostBlocks()).bytes());
    }

    /**
     * {@inheritDoc}
     *
     * @throws DeviceMemoryException also if records of two hops exceed their share of the free memory or are too long
     */
    @Override
    public Records build(BuildContext context) {
        Device device = context.device();
        long budget = device.policy().recordBytes(device.memory().availableBytes());
        if (budget == 0) {
            throw tooLittle(device, budget);
        }
        Lists lists = context.structure(Csr.OUT);
        int n = context.graph().vertexCount();
        ArrayLayout scratchPlan = scratch(device.mostBlocks());
        context.progress().beginTask(BackendTask.BUILD_RECORDS.with("on " + device.name()), 3L * n);
        try (DeviceArray scratch = allocate(context, scratchPlan.bytes())) {
            long[] totals = totals(context, lists, scratch.address() + scratchPlan.at("totals"));
            int radius = radius(totals, n, budget);
            if (radius < LEAST_RADIUS) {
                throw tooLittle(device, budget);
            }
            long units = totals[radius - 1];
            ArrayLayout plan = layout(n, units);
            DeviceArray array;
            try (DeviceLease lease = device.lease(context.stop())) {
                array = context.allocate(lease, "the records of the graph", plan.bytes());
                // gaps between records and behind them are read but not used
                lease.fill(array.address() + plan.at("records"), 0, plan.bytes() - plan.at("records"));
                lease.await();
            }
            long recordAt = array.address() + plan.at("recordAt");
            long records = array.address() + plan.at("records");
            measure(context, lists, recordAt, NULL, radius);
            try (DeviceLease lease = device.lease(context.stop())) {
                lease.launchThreads(
                        n,
                        ShippedKernels.arguments("balls_places_grid")
                                .set("recordAt", recordAt)
                                .set("blockSums", scratch.address() + scratchPlan.at("blockSums"))
                                .set("n", n));
                lease.await();
            }
            inLaunches(context, (first, last) -> ShippedKernels.arguments("balls_write_warp")
                    .set("ptrs", lists.pointers())
                    .set("idx", lists.indices())
                    .set("recordAt", recordAt)
                    .set("records", records)
                    .set("first", first)
                    .set("last", last)
                    .set("radius", radius));
            return new Records(array, recordAt, records, units, radius);
        }
    }

    private static DeviceArray allocate(BuildContext context, long bytes) {
        try (DeviceLease lease = context.device().lease(context.stop())) {
            return context.allocate(lease, "building the records of the graph", bytes);
        }
    }

    /** {@code long[MOST_RADIUS]}: the units of all records for radius 1, 2, ... */
    private static long[] totals(BuildContext context, Lists lists, long at) {
        try (DeviceLease lease = context.device().lease(context.stop())) {
            lease.fill(at, 0, (long) MOST_RADIUS * Long.BYTES);
            lease.await();
        }
        measure(context, lists, NULL, at, MOST_RADIUS);
        long[] totals = new long[MOST_RADIUS];
        try (DeviceLease lease = context.device().lease(context.stop())) {
            lease.download(at, totals);
        }
        return totals;
    }

    private static void measure(BuildContext context, Lists lists, long units, long totals, int radius) {
        inLaunches(context, (first, last) -> ShippedKernels.arguments("balls_measure_warp")
                .set("ptrs", lists.pointers())
                .set("idx", lists.indices())
                .set("units", units)
                .set("totals", totals)
                .set("first", first)
                .set("last", last)
                .set("radius", radius));
    }

    /**
     * Runs a kernel with one warp per vertex, in launches with a lease each, so that other runs and stops do not wait
     * long.
     */
    private static void inLaunches(BuildContext context, BiFunction<Integer, Integer, KernelArguments> arguments) {
        int n = context.graph().vertexCount();
        for (long first = 0; first < n; first += BALLS_A_LAUNCH) {
            int last = (int) Math.min(n, first + BALLS_A_LAUNCH);
            try (DeviceLease lease = context.device().lease(context.stop())) {
                lease.launchThreads((last - first) * KernelConstants.WARP_SIZE, arguments.apply((int) first, last));
                lease.await();
            }
            context.progress().advance(last - first);
        }
    }

    /**
     * The best radius: the largest whose records fit, are not too large on average, and go farther than those of a
     * smaller radius; 0 if none fits.
     *
     * @param totals units of all records for radius 1, 2, ...
     */
    static int radius(long[] totals, int vertexCount, long budget) {
        int best = 0;
        for (int radius = 1; radius <= totals.length; radius++) {
            long units = totals[radius - 1];
            boolean fits = layout(vertexCount, units).bytes() <= budget && units < 1L << Integer.SIZE;
            boolean pays = units * UNIT_BYTES <= (long) vertexCount * LONGEST_RECORD_BYTES;
            if (fits && pays && (radius == 1 || units > totals[radius - 2])) {
                best = radius;
            }
        }
        return best;
    }

    private static DeviceMemoryException tooLittle(Device device, long budget) {
        return new DeviceMemoryException(String.format(
                Locale.ROOT,
                "Device %s cannot hold the ball records of this graph: records of two hops must fit %,d bytes, the share"
                        + " server.proxima.device_records_share (outside Neo4j -D%s) of the free device memory, and have at"
                        + " most %d bytes a node. Raise the share, or use kernel: 'balls', which needs no records.",
                device.name(),
                budget,
                BackendSettings.RECORDS_SHARE,
                LONGEST_RECORD_BYTES));
    }

    /** The first unit of each record and the records, including the bytes that are read beyond the last. */
    static ArrayLayout layout(int vertexCount, long units) {
        long room = Math.multiplyExact(units, (long) UNIT_BYTES) + RECORDS_ROOM_BYTES;
        return new ArrayLayout()
                .add("recordAt", vertexCount + 1L, Integer.BYTES)
                .add("records", room, Byte.BYTES);
    }

    /** The scratch memory: one total per radius, and one word per block. */
    private static ArrayLayout scratch(int mostBlocks) {
        return new ArrayLayout().add("totals", MOST_RADIUS, Long.BYTES).add("blockSums", mostBlocks, Long.BYTES);
    }
}
