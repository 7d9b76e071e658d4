// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.LevelKernels;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One BFS on a deep graph whose levels have few edges: bfs_balls.cu. The grid synchronizes once per window of several
 * levels, in which every warp continues on its own from the vertices that it has reached.
 *
 * @param records whether ball records are read, or else padded rows
 */
public record BallsLevelKernels(CudaDevice device, boolean records) implements LevelKernels {

    /** Threads per block of bfs_balls.cu: BALLS_THREADS there. */
    public static final int BALLS_THREADS = 768;

    /** The number of out-neighbours from which the whole grid processes a vertex: HUB of bfs_balls.cu. */
    public static final int HUB = 1024;

    /** Bits for edges in the counter of the hubs that a step meets: 64 - HUB_COUNT_BITS of bfs_balls.cu. */
    public static final int HUB_EDGE_BITS = 33;

    /**
     * More threads than any device has, because a frontier may be of any width, and a large grid does not synchronize
     * more slowly.
     */
    static final long WHOLE_DEVICE = Integer.MAX_VALUE;

    private static final String MODULE = "bfs_balls";

    /** Levels of a window over padded rows. On an H200, eight made a road network 2.3 times as fast as one. */
    private static final int ROW_HOPS = 8;

    /** Vertices per warp in a level up to which a window over padded rows has several levels. */
    private static final int NARROW_BY_ROWS = 1;

    /** The same for ball records, with which little work is done twice. */
    private static final int NARROW_BY_RECORDS = 1 << 20;

    private static final long NULL = 0;

    /** Whether a graph can be searched with these kernels. */
    public static boolean canSearch(long entryCount) {
        return mostHops(entryCount) >= 1;
    }

    /**
     * The maximum hops of a window. A vertex is expanded once per level of its window at most, so this multiplies the
     * edges of the hubs of a step.
     */
    private static int mostHops(long entryCount) {
        return (int) Math.min(BallRecords.MOST_RADIUS, ((1L << HUB_EDGE_BITS) - 1) / Math.max(1, entryCount));
    }

    @Override
    public String name() {
        return name(records);
    }

    public static String name(boolean records) {
        return (records ? BallsFamily.BALL_RECORDS : BallsFamily.BALLS).keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return structures(records);
    }

    static Set<DeviceStructure<?>> structures(boolean records) {
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>();
        structures.add(Csr.OUT);
        structures.add(records ? BallRecords.RECORDS : NeighbourRows.ROWS);
        return structures;
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(graph.vertexCount(), graph.entryCount(), records, sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        int n = graph.vertexCount();
        State plan = of(graph, sources.length, stopTargets.length);
        Csr.Lists lists = graph.structure(Csr.OUT);
        NeighbourRows.Rows rows = records ? null : graph.structure(NeighbourRows.ROWS);
        BallRecords.Records balls = records ? graph.structure(BallRecords.RECORDS) : null;
        int window = records ? balls.radius() : ROW_HOPS;
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                records ? "bfs_balls_records_grid" : "bfs_balls_rows_grid",
                Grid.cooperative(BALLS_THREADS, WHOLE_DEVICE).withMostBlocks(1),
                new KernelArguments()
                        .pointer("ptrs", lists.pointers())
                        .pointer("idx", lists.indices())
                        .pointer("rows", records ? NULL : rows.rows())
                        .pointer("recordAt", records ? balls.recordAt() : NULL)
                        .pointer("records", records ? balls.records() : NULL)
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("queue", at + plan.queue())
                        .pointer("queueAt", records ? at + plan.queueAt() : NULL)
                        .pointer("spillA", at + plan.spillA())
                        .pointer("spillB", at + plan.spillB())
                        .pointer("hubs", at + plan.hubs())
                        .pointer("hubEdges", at + plan.hubEdges())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", n)
                        .int32("rowBits", records ? 0 : rows.rowBits())
                        .int32("hops", Math.min(window, mostHops(graph.entryCount())))
                        .int32("narrow", records ? NARROW_BY_RECORDS : NARROW_BY_ROWS)
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    /** The layout of the workspace; with padded rows, {@code queueAt} is empty. */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long queue,
            long queueAt,
            long spillA,
            long spillB,
            long hubs,
            long hubEdges,
            long bytes) {

        public static State of(int vertexCount, long entryCount, boolean records, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            long mostHubs = entryCount / BallsLevelKernels.HUB + 1;
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(records ? vertexCount : 0, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(mostHubs, Integer.BYTES),
                    plan.add(mostHubs, Long.BYTES),
                    plan.bytes());
        }
    }
}
