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
import java.util.Set;

/**
 * One BFS on a deep graph whose levels have many edges: bfs_windows.cu. It reads the same structures as {@link
 * BallsLevelKernels}, and stores frontiers as bits.
 *
 * @param records whether ball records are read, or else padded rows
 */
public record WindowsLevelKernels(CudaDevice device, boolean records) implements LevelKernels {

    /**
     * Threads per block of bfs_windows.cu with padded rows and with ball records: WINDOW_ROWS_THREADS and
     * WINDOW_RECORDS_THREADS there.
     */
    public static final int WINDOW_ROWS_THREADS = 512;

    public static final int WINDOW_RECORDS_THREADS = 1024;

    private static final String MODULE = "bfs_windows";
    private static final long NULL = 0;
    private static final int ONE_HOP = 1;

    @Override
    public String name() {
        return BallsLevelKernels.name(records);
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return BallsLevelKernels.structures(records);
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private State of(GraphSizes graph, int sources, int stopTargets) {
        int mostHops = records ? BallRecords.MOST_RADIUS : ONE_HOP;
        return State.of(graph.vertexCount(), graph.entryCount(), mostHops, sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        int n = graph.vertexCount();
        State plan = of(graph, sources.length, stopTargets.length);
        Csr.Lists lists = graph.structure(Csr.OUT);
        NeighbourRows.Rows rows = records ? null : graph.structure(NeighbourRows.ROWS);
        BallRecords.Records balls = records ? graph.structure(BallRecords.RECORDS) : null;
        int threads = records ? WINDOW_RECORDS_THREADS : WINDOW_ROWS_THREADS;
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                records ? "bfs_windows_records_grid" : "bfs_windows_rows_grid",
                Grid.cooperative(threads, BallsLevelKernels.WHOLE_DEVICE).withMostBlocks(1),
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
                        .pointer("bits", at + plan.bits())
                        .pointer("visited", at + plan.visited())
                        .pointer("hubs", at + plan.hubs())
                        .pointer("hubEdges", at + plan.hubEdges())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", n)
                        .int32("rowBits", records ? 0 : rows.rowBits())
                        .int32("hops", records ? balls.radius() : ONE_HOP)
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    /** The layout of the workspace. */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long bits,
            long visited,
            long hubs,
            long hubEdges,
            long bytes) {

        /** The number of words that bfs_windows.cu assigns to its owners in one round: OWNERS there, 32 each. */
        public static final int OWNER_WORDS = 1 << 15;

        /** Words of a plane, in whole rounds of {@link #OWNER_WORDS}. */
        public static long words(int vertexCount) {
            int vertices = OWNER_WORDS * Integer.SIZE;
            return ((long) vertexCount + vertices - 1) / vertices * OWNER_WORDS;
        }

        public static State of(int vertexCount, long entryCount, int mostHops, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            long mostHubs = entryCount / BallsLevelKernels.HUB + 1;
            long words = words(vertexCount);
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(2L * mostHops * words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(mostHubs, Integer.BYTES),
                    plan.add(mostHubs, Long.BYTES),
                    plan.bytes());
        }
    }
}
