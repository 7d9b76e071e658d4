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
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.backend.order.NestedBalls;
import java.util.List;
import java.util.Map;

/**
 * The tiles of a graph. The host computes an order in which neighbours are near each other. For each tile of 32
 * positions, the device then builds the neighbours of all of them, next to each other, and the tiles that they lead to:
 * tiles_build.cu.
 */
final class NeighbourTiles implements DeviceStructure<NeighbourTiles.Tiles> {

    /** The one instance. */
    static final NeighbourTiles TILES = new NeighbourTiles();

    /** The number of columns of all tiles. */
    static final GraphSizes.Figure COLUMNS = new GraphSizes.Figure(
            graph -> Math.min(1, graph.entryCount()),
            graph -> Math.min((long) TILE_COLUMNS * tiles(graph.vertexCount()), graph.entryCount()));

    /** The number of near tiles of all tiles. */
    static final GraphSizes.Figure NEAR =
            new GraphSizes.Figure(graph -> 0, graph -> tiles(graph.vertexCount()) > 1 ? graph.entryCount() : 0);

    private NeighbourTiles() {}

    /**
     * Tiles. The order and the tiles are two allocations, because the size of the second is measured with the first.
     *
     * @param vertexCount of the graph
     * @param columnCount number of columns of all tiles
     * @param nearCount number of near tiles of all tiles
     */
    record Tiles(int vertexCount, DeviceArray order, DeviceArray array, long columnCount, long nearCount)
            implements Arrays {

        /** Sets the arrays that a kernel takes. */
        KernelArguments set(KernelArguments arguments) {
            return arguments
                    .set(orderLayout(vertexCount), order.address())
                    .set(tileLayout(columnCount, nearCount), array.address());
        }

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
    static int tiles(int vertexCount) {
        return (int) ((vertexCount + (TILE_POSITIONS - 1L)) / TILE_POSITIONS);
    }

    @Override
    public String label() {
        return "tiles of neighbours";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return orderLayout(graph.vertexCount()).bytes() + tileBytes(graph);
    }

    private static long tileBytes(GraphSizes graph) {
        return tileLayout(graph.figure(COLUMNS), graph.figure(NEAR)).bytes();
    }

    @Override
    public long orderingHeapBytes(GraphSizes graph, int concurrency) {
        return NestedBalls.mostBytes(graph.vertexCount(), graph.entryCount(), concurrency);
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT, Csr.IN),
                scratch(graph.vertexCount(), graph.mostBlocks()).bytes());
    }

    @Override
    public Tiles build(BuildContext context) {
        Device device = context.device();
        int n = context.graph().vertexCount();
        int tiles = tiles(n);
        Lists out = context.structure(Csr.OUT);
        Lists in = context.structure(Csr.IN);
        int[] slotAt = NestedBalls.of(
                context.graph(),
                context.order().permutation(),
                n,
                KAPPA,
                TILE_POSITIONS,
                context.concurrency(),
                context.stop());
        ArrayLayout plan = scratch(n, device.mostBlocks());
        ArrayLayout orderPlan = orderLayout(n);
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray scratch = context.allocate(lease, "building the tiles of the graph", plan.bytes())) {
            DeviceArray order = context.allocate(lease, "the order of the tiles", orderPlan.bytes());
            long orderAt = order.address();
            long at = scratch.address();
            long control = at + plan.at("control");
            lease.upload(orderAt + orderPlan.at("slotAt"), slotAt, 0, n);
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments("tiles_build_positions_thread")
                            .set(orderPlan, orderAt)
                            .set("n", n));
            lease.fill(at + plan.at("nearCounts"), 0, (long) tiles * Integer.BYTES);
            lease.fill(control, 0, CONTROL_BYTES);
            lease.launch(
                    warps(tiles),
                    control,
                    ShippedKernels.arguments("tiles_build_measure_warp")
                            .set(orderPlan, orderAt)
                            .set(plan, at)
                            .set("inPtrs", in.pointers())
                            .set("outPtrs", out.pointers())
                            .set("outIdx", out.indices())
                            .set("n", n)
                            .set("tiles", tiles));
            lease.launchThreads(
                    tiles,
                    ShippedKernels.arguments("tiles_build_pointers_grid")
                            .set(orderPlan, orderAt)
                            .set(plan, at)
                            .set("tiles", tiles));
            long last = (long) tiles * Long.BYTES;
            long columnCount = lease.readLong(orderAt + orderPlan.at("columnPtrs") + last);
            long nearCount = lease.readLong(orderAt + orderPlan.at("nearPtrs") + last);
            DeviceArray array = context.allocate(
                    lease,
                    "the tiles of the graph",
                    tileLayout(columnCount, nearCount).bytes());
            Tiles built = new Tiles(n, order, array, columnCount, nearCount);
            lease.launchThreads(
                    (long) tiles * TILE_POSITIONS,
                    built.set(ShippedKernels.arguments("tiles_build_columns_thread"))
                            .set("inPtrs", in.pointers())
                            .set("inIdx", in.indices())
                            .set("n", n)
                            .set("tiles", tiles));
            lease.launch(
                    warps(tiles),
                    control,
                    built.set(ShippedKernels.arguments("tiles_build_near_warp"))
                            .set("outPtrs", out.pointers())
                            .set("outIdx", out.indices())
                            .set("n", n)
                            .set("tiles", tiles));
            return built;
        }
    }

    private static Grid warps(int tiles) {
        return Grid.cooperative((long) tiles * TILE_POSITIONS).independent();
    }

    /** The slots by position and positions by slot, and the pointers to columns and to near tiles. */
    private static ArrayLayout orderLayout(int vertexCount) {
        long pointers = tiles(vertexCount) + 1L;
        return new ArrayLayout()
                .add("slotAt", vertexCount, Integer.BYTES)
                .add("positionOf", vertexCount, Integer.BYTES)
                .add("columnPtrs", pointers, Long.BYTES)
                .add("nearPtrs", pointers, Long.BYTES);
    }

    /** The columns, one int per position, and the near tiles, two ints each. There is room for at least one of each. */
    private static ArrayLayout tileLayout(long columnCount, long nearCount) {
        return new ArrayLayout()
                .add("columns", Math.max(1, columnCount), TILE_POSITIONS * Integer.BYTES)
                .add("near", Math.max(1, nearCount), NEAR_TILE_BYTES);
    }

    /** The scratch memory: a control block, counts of columns and of near tiles, and one word per block. */
    private static ArrayLayout scratch(int vertexCount, int mostBlocks) {
        int tiles = tiles(vertexCount);
        return new ArrayLayout()
                .add("control", CONTROL_BYTES, 1)
                .add("columnCounts", tiles, Integer.BYTES)
                .add("nearCounts", tiles, Integer.BYTES)
                .add("blockSums", mostBlocks, Long.BYTES);
    }
}
