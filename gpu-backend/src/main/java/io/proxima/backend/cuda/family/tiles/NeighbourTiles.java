// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.KAPPA;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_TILE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_COLUMNS;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_POSITIONS;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.backend.order.NestedBalls;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tiles of a graph. The host computes an order in which neighbours are near each other. For each tile of 32
 * positions, the device then builds the neighbours of all of them, next to each other, and the tiles that they lead to:
 * tiles_build.cu.
 */
public final class NeighbourTiles implements DeviceStructure<NeighbourTiles.Tiles> {

    /** The one instance. */
    static final NeighbourTiles TILES = new NeighbourTiles();

    /** The number of columns of all tiles. */
    static final GraphSizes.Figure COLUMNS = new GraphSizes.Figure() {
        @Override
        public long least(GraphSizes graph) {
            return Math.min(1, graph.entryCount());
        }

        @Override
        public long most(GraphSizes graph) {
            return Math.min((long) TILE_COLUMNS * tiles(graph.vertexCount()), graph.entryCount());
        }
    };

    /** The number of near tiles of all tiles. */
    static final GraphSizes.Figure NEAR =
            GraphSizes.Figure.upTo(graph -> tiles(graph.vertexCount()) > 1 ? graph.entryCount() : 0);

    private static final long NULL = 0;

    private NeighbourTiles() {}

    /**
     * Tiles. The order and the tiles are two allocations, because the size of the second is measured with the first.
     *
     * @param order laid out by {@link OrderLayout}
     * @param array laid out by {@link Layout} for these counts
     * @param columnCount number of columns of all tiles
     * @param nearCount number of near tiles of all tiles
     */
    record Tiles(DeviceArray order, DeviceArray array, long columnCount, long nearCount) implements Arrays {

        @Override
        public List<DeviceArray> allocations() {
            return List.of(order, array);
        }

        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(COLUMNS, columnCount, NEAR, nearCount);
        }
    }

    /** The number of tiles of this number of slots. */
    public static int tiles(int vertexCount) {
        return (int) ((vertexCount + (TILE_POSITIONS - 1L)) / TILE_POSITIONS);
    }

    @Override
    public String label() {
        return "tiles of neighbours";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return OrderLayout.of(graph.vertexCount()).bytes() + tileBytes(graph);
    }

    private static long tileBytes(GraphSizes graph) {
        return Layout.of(graph.figure(COLUMNS), graph.figure(NEAR)).bytes();
    }

    @Override
    public Set<GraphSizes.Figure> figures() {
        return Set.of(COLUMNS, NEAR);
    }

    @Override
    public long orderingHeapBytes(GraphSizes graph, int concurrency) {
        return NestedBalls.mostBytes(graph.vertexCount(), graph.entryCount(), concurrency);
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT, Csr.IN),
                Scratch.of(graph.vertexCount(), graph.mostBlocks()).bytes());
    }

    @Override
    public Tiles build(BuildContext context) {
        Device device = context.device();
        int n = context.graph().vertexCount();
        int tiles = tiles(n);
        Csr.Lists out = context.structure(Csr.OUT);
        Csr.Lists in = context.structure(Csr.IN);
        int[] slotAt = NestedBalls.of(
                context.graph(),
                context.order().permutation(),
                KAPPA,
                TILE_POSITIONS,
                context.concurrency(),
                context.stop());
        Scratch plan = Scratch.of(n, device.policy().mostBlocks(device.facts().multiprocessors()));
        OrderLayout orderPlan = OrderLayout.of(n);
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray scratch = context.allocate(lease, "building the tiles of the graph", plan.bytes())) {
            DeviceArray order = context.allocate(lease, "the order of the tiles", orderPlan.bytes());
            long slots = order.address() + orderPlan.slotAt();
            long positions = order.address() + orderPlan.positionOf();
            long columnPointers = order.address() + orderPlan.columnPointers();
            long nearPointers = order.address() + orderPlan.nearPointers();
            long columnCounts = scratch.address() + plan.columnCounts();
            long nearCounts = scratch.address() + plan.nearCounts();
            long control = scratch.address() + plan.control();
            lease.upload(slots, slotAt, 0, n);
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments("tiles_build_positions_thread")
                            .set("slotAt", slots)
                            .set("positionOf", positions)
                            .set("n", n));
            lease.fill(nearCounts, 0, (long) tiles * Integer.BYTES);
            lease.fill(control, 0, CONTROL_BYTES);
            lease.launch(
                    warps(tiles),
                    control,
                    ShippedKernels.arguments("tiles_build_measure_warp")
                            .set("inPtrs", in.pointers())
                            .set("outPtrs", out.pointers())
                            .set("outIdx", out.indices())
                            .set("slotAt", slots)
                            .set("positionOf", positions)
                            .set("columnCounts", columnCounts)
                            .set("nearCounts", nearCounts)
                            .set("n", n)
                            .set("tiles", tiles));
            lease.launchThreads(
                    tiles,
                    ShippedKernels.arguments("tiles_build_pointers_grid")
                            .set("columnCounts", columnCounts)
                            .set("nearCounts", nearCounts)
                            .set("columnPtrs", columnPointers)
                            .set("nearPtrs", nearPointers)
                            .set("blockSums", scratch.address() + plan.blockSums())
                            .set("tiles", tiles));
            long columnCount = last(lease, columnPointers, tiles);
            long nearCount = last(lease, nearPointers, tiles);
            Layout tilesPlan = Layout.of(columnCount, nearCount);
            DeviceArray array = context.allocate(lease, "the tiles of the graph", tilesPlan.bytes());
            lease.launchThreads(
                    (long) tiles * TILE_POSITIONS,
                    ShippedKernels.arguments("tiles_build_columns_thread")
                            .set("inPtrs", in.pointers())
                            .set("inIdx", in.indices())
                            .set("slotAt", slots)
                            .set("positionOf", positions)
                            .set("columnPtrs", columnPointers)
                            .set("columns", array.address() + tilesPlan.columns())
                            .set("n", n)
                            .set("tiles", tiles));
            lease.launch(
                    warps(tiles),
                    control,
                    ShippedKernels.arguments("tiles_build_near_warp")
                            .set("outPtrs", out.pointers())
                            .set("outIdx", out.indices())
                            .set("slotAt", slots)
                            .set("positionOf", positions)
                            .set("nearPtrs", nearPointers)
                            .set("near", array.address() + tilesPlan.near())
                            .set("n", n)
                            .set("tiles", tiles));
            return new Tiles(order, array, columnCount, nearCount);
        }
    }

    private static Grid warps(int tiles) {
        return Grid.cooperative((long) tiles * TILE_POSITIONS).independent();
    }

    private static long last(DeviceLease lease, long pointers, int tiles) {
        long[] last = new long[1];
        lease.download(
                new VertexOrderedArray(pointers + (long) tiles * Long.BYTES, Long.BYTES, last.length, NULL), last, 1);
        return last[0];
    }

    /**
     * The layout of the order of msbfs_tiles.cu: offsets of {@code int[vertexCount]} slots by position and positions by
     * slot, and of {@code long[tiles + 1]} pointers to columns and to near tiles.
     *
     * @param bytes of all
     */
    record OrderLayout(long slotAt, long positionOf, long columnPointers, long nearPointers, long bytes) {

        static OrderLayout of(int vertexCount) {
            ArrayLayout plan = new ArrayLayout();
            long pointers = NeighbourTiles.tiles(vertexCount) + 1L;
            return new OrderLayout(
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(pointers, Long.BYTES),
                    plan.add(pointers, Long.BYTES),
                    plan.bytes());
        }
    }

    /**
     * The layout of the tiles: offsets of the columns, one int per position, and of the near tiles, two ints each.
     * There is room for at least one of each.
     *
     * @param bytes of both
     */
    public record Layout(long columns, long near, long bytes) {

        public static Layout of(long columnCount, long nearCount) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(
                    plan.add(Math.max(1, columnCount), TILE_POSITIONS * Integer.BYTES),
                    plan.add(Math.max(1, nearCount), NEAR_TILE_BYTES),
                    plan.bytes());
        }
    }

    /**
     * The layout of the scratch memory of building tiles: offsets of {@code int[tiles]} counts of columns and of near
     * tiles, and of one word per block.
     *
     * @param bytes of all
     */
    record Scratch(long control, long columnCounts, long nearCounts, long blockSums, long bytes) {

        static Scratch of(int vertexCount, int mostBlocks) {
            ArrayLayout plan = new ArrayLayout();
            int tiles = NeighbourTiles.tiles(vertexCount);
            return new Scratch(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.bytes());
        }
    }
}
