// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sums of multi-source BFS from neighbouring sources over tiles, for deep graphs: msbfs_tiles.cu. Sources are numbered
 * by their positions in the tiles. A launch begins new batches for {@link #NANOS_OF_SUMS}, and ends when the batches in
 * progress are done.
 */
public record TilesSumKernels(CudaDevice device) implements SumKernels {

    /** How long a launch begins new batches: long enough to hide the latency of the host. */
    static final long NANOS_OF_SUMS = 3_000_000_000L;

    /** Sources per batch. */
    public static final int KAPPA = 128;

    private static final String MODULE = "msbfs_tiles";

    /** The number of simultaneous batches that was best on graphs whose levels have hundreds of tiles. */
    private static final int GROUPS = 16;

    /**
     * Slots that are processed at the same time. If levels have few tiles, groups mostly wait, so small graphs are
     * searched by more groups.
     */
    private static final int SLOTS_AT_ONCE = 1 << 22;

    private static final long NULL = 0;

    private static final int MOST_SOURCES = 1 << 20;
    private static final int ROUNDS_OF_A_SHARE = 4;
    private static final int MORE_LEVELS = 16;

    @Override
    public String name() {
        return TilesFamily.TILES.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.IN, NeighbourTiles.TILES));
    }

    @Override
    public int mostSources() {
        return MOST_SOURCES;
    }

    @Override
    public int leastSources() {
        return MOST_SOURCES / GROUPS;
    }

    /** The number of simultaneous batches: fewer if memory is short. */
    private int groups(GraphSizes graph, int most, int count) {
        int wanted = Math.max(GROUPS, SLOTS_AT_ONCE / Math.max(1, graph.vertexCount()));
        int affordable = Math.max(1, (int) ((long) wanted * most / MOST_SOURCES));
        return Math.min(Math.min(affordable, device.facts().multiprocessors()), batches(count));
    }

    private static int batches(int sources) {
        return (int) ((sources + KAPPA - 1L) / KAPPA);
    }

    private State plan(GraphSizes graph, int most, int count) {
        return State.of(graph.vertexCount(), groups(graph, most, count));
    }

    @Override
    public long bytes(GraphSizes graph, int most, int count) {
        return plan(graph, most, count).bytes();
    }

    @Override
    public int sourceMultiple() {
        return KAPPA;
    }

    @Override
    public int levelCapacity(int usual) {
        return usual * MORE_LEVELS;
    }

    /** Several batches per group, because in a single round all groups would wait for the slowest. */
    @Override
    public int leastShare(GraphSizes graph) {
        int n = graph.vertexCount();
        return (int) Math.min(n, (long) ROUNDS_OF_A_SHARE * KAPPA * groups(graph, MOST_SOURCES, n));
    }

    /** All vertices, including those that reach nothing, unless no vertex reaches anything. */
    @Override
    public int sourceCount(GraphView graph) {
        return graph.entryCount() == 0 ? 0 : graph.vertexCount();
    }

    @Override
    public boolean mayEndEarly() {
        return true;
    }

    @Override
    public Adding begin(
            DeviceLease lease, GraphView graph, int most, long at, int first, int count, BatchKernels.Sums sums) {
        int n = graph.vertexCount();
        int last = first + count;
        if (first % KAPPA != 0 || (last % KAPPA != 0 && last != n)) {
            throw new IllegalArgumentException(
                    "sources must be whole batches of " + KAPPA + ": first=" + first + ", count=" + count);
        }
        int groups = groups(graph, most, count);
        int tileCount = NeighbourTiles.tiles(n);
        State plan = State.of(n, groups);
        NeighbourTiles.OrderLayout orderPlan = NeighbourTiles.OrderLayout.of(n);
        NeighbourTiles.Tiles tiles = graph.structure(NeighbourTiles.TILES);
        NeighbourTiles.Layout tilesPlan = NeighbourTiles.Layout.of(tiles.columnCount(), tiles.nearCount());
        Csr.Lists in = graph.structure(Csr.IN);
        long far = sums.farness() == NULL ? NULL : at + plan.far();
        long reach = sums.reach() == NULL ? NULL : at + plan.reach();
        int[] nextBatch = {first / KAPPA};
        int threads = device.policy().blockThreads();
        lease.fill(at, 0, plan.queueA());
        lease.upload(at + plan.nextBatch(), nextBatch, 0, nextBatch.length);
        DeviceLease.Launch launch = lease.beginLaunch(
                MODULE,
                "msbfs_tiles_k" + KAPPA + "_grid", // at least one block per group
                Grid.cooperative(threads, groups * Math.max(threads, (long) tileCount * NeighbourTiles.POSITIONS)),
                new KernelArguments()
                        .pointer("columnPtrs", tiles.order().address() + orderPlan.columnPointers())
                        .pointer("columns", tiles.array().address() + tilesPlan.columns())
                        .pointer("nearPtrs", tiles.order().address() + orderPlan.nearPointers())
                        .pointer("near", tiles.array().address() + tilesPlan.near())
                        .pointer("inPtrs", in.pointers())
                        .pointer("inIdx", in.indices())
                        .pointer("slotAt", tiles.order().address() + orderPlan.slotAt())
                        .pointer("positionOf", tiles.order().address() + orderPlan.positionOf())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("far", far)
                        .pointer("reach", reach)
                        .pointer("levelCounts", sums.levelCounts())
                        .pointer("depths", sums.depths())
                        .pointer("pairs", sums.pairs())
                        .pointer("bitsA", at + plan.bitsA())
                        .pointer("bitsB", at + plan.bitsB())
                        .pointer("marks", at + plan.marks())
                        .pointer("full", at + plan.full())
                        .pointer("queueA", at + plan.queueA())
                        .pointer("queueB", at + plan.queueB())
                        .pointer("groupWords", at + plan.groupWords())
                        .pointer("barriers", at + plan.barriers())
                        .pointer("nextBatch", at + plan.nextBatch())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int64("nanos", NANOS_OF_SUMS)
                        .int32("n", n)
                        .int32("tiles", tileCount)
                        .int32("groups", groups)
                        .int32("lastBatch", first / KAPPA + batches(count))
                        .int32("levelCapacity", sums.levelCapacity())
                        .int32("firstLevel", sums.firstLevel()));
        return () -> {
            DeviceLease.Outcome outcome = launch.end();
            lease.launchThreads(
                    MODULE,
                    "msbfs_tiles_add_thread",
                    n,
                    new KernelArguments()
                            .pointer("slotAt", tiles.order().address() + orderPlan.slotAt())
                            .pointer("far", far)
                            .pointer("reach", reach)
                            .pointer("farOfSlots", sums.farness())
                            .pointer("reachOfSlots", sums.reach())
                            .int32("n", n));
            lease.download(at + plan.nextBatch(), nextBatch, 1);
            return new Added(outcome, (int) Math.min(count, (long) nextBatch[0] * KAPPA - first));
        };
    }

    /**
     * The layout of the workspace and of the sums by position, with the names of msbfs_tiles.cu. The part before {@code queueA}
     * is zeroed before a launch.
     *
     * @param bytes of all
     */
    public record State(
            long bitsA,
            long bitsB,
            long marks,
            long full,
            long barriers,
            long far,
            long reach,
            long queueA,
            long queueB,
            long groupWords,
            long nextBatch,
            long bytes) {

        /** GROUP_WORDS of msbfs_tiles.cu. */
        public static final int GROUP_WORDS = 16;

        /** Bytes of the bits of a tile: a warp reads 16 per lane. */
        public static final int TILE_BYTES = 512;

        public static State of(int vertexCount, int groups) {
            ArrayLayout plan = new ArrayLayout();
            long tiles = (long) NeighbourTiles.tiles(vertexCount) * groups;
            return new State(
                    plan.add(tiles, TILE_BYTES),
                    plan.add(tiles, TILE_BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Byte.BYTES),
                    plan.add(groups, Integer.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add((long) groups * GROUP_WORDS, Integer.BYTES),
                    plan.add(1, Integer.BYTES),
                    plan.bytes());
        }
    }
}
