// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.tilebfs;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.LEAST_TILE_ENTRIES_32;
import static io.proxima.backend.cuda.driver.KernelConstants.LEAST_TILE_ENTRIES_64;
import static io.proxima.backend.cuda.driver.KernelConstants.WIDE_TILES_FROM;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.List;
import java.util.Map;

/**
 * A matrix of bitmask tiles and the rest of its entries, in slot id space: the format of tile_matrix.cuh, built on the
 * device from lists by tile_matrix_build.cu. The page "The format of bitmask tiles" of the manual specifies it.
 */
public final class TileMatrix implements DeviceStructure<TileMatrix.Tiles> {

    /** Columns are the out-edges of a slot. */
    static final TileMatrix OUT = new TileMatrix(Csr.OUT);

    /** Columns are the in-edges of a slot; of a symmetric graph, its out-edges. */
    static final TileMatrix IN = new TileMatrix(Csr.IN);

    /** The number of tiles, equal in both directions, because the tiles of one are transposed in the other. */
    static final GraphSizes.Figure TILES =
            new GraphSizes.Figure(graph -> 0, graph -> graph.entryCount() / leastEntries(graph.vertexCount()));

    /** The number of entries outside tiles, equal in both directions. */
    static final GraphSizes.Figure REST = new GraphSizes.Figure(graph -> 0, GraphSizes::entryCount);

    private final Csr lists;

    private TileMatrix(Csr lists) {
        this.lists = lists;
    }

    /**
     * Tiles. Pointers and entries are two allocations, because the size of the second is measured with the first.
     *
     * @param vertexCount of the graph
     * @param tileCount number of tiles
     * @param restCount number of entries outside tiles
     * @param columnsWithEntries number of columns that have an entry
     */
    record Tiles(
            int vertexCount,
            DeviceArray pointers,
            DeviceArray array,
            long tileCount,
            long restCount,
            int columnsWithEntries)
            implements Arrays {

        /** The device address of an array. */
        long at(String name) {
            return name.endsWith("Ptrs")
                    ? TileMatrix.pointers(vertexCount).addressOf(name, pointers.address())
                    : entries(vertexCount, tileCount, restCount).addressOf(name, array.address());
        }

        @Override
        public List<DeviceArray> allocations() {
            return List.of(pointers, array);
        }

        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(TILES, tileCount, REST, restCount);
        }
    }

    @Override
    public DeviceStructure<Tiles> sharedBy(boolean symmetric) {
        return symmetric ? OUT : this;
    }

    @Override
    public String label() {
        return "bitmask tiles";
    }

    @Override
    public long bytes(GraphSizes graph) {
        int n = graph.vertexCount();
        return pointers(n).bytes()
                + entries(n, graph.figure(TILES), graph.figure(REST)).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT, Csr.IN),
                scratch(graph.vertexCount(), graph.mostBlocks()).bytes());
    }

    @Override
    public Tiles build(BuildContext context) {
        ArrayLayout plan =
                scratch(context.graph().vertexCount(), context.device().mostBlocks());
        // before the lists, as the recipe counts it; lists of both directions, which the other matrix is built from
        try (DeviceArray scratch = allocate(context, plan)) {
            context.structure(Csr.OUT);
            context.structure(Csr.IN);
            return build(context, context.structure(lists), scratch, plan);
        }
    }

    private static DeviceArray allocate(BuildContext context, ArrayLayout plan) {
        try (DeviceLease lease = context.device().lease(context.stop())) {
            return context.allocate(lease, "building the bitmask tiles of the graph", plan.bytes());
        }
    }

    private static Tiles build(BuildContext context, Lists from, DeviceArray scratch, ArrayLayout plan) {
        Device device = context.device();
        int n = context.graph().vertexCount();
        ArrayLayout pointersPlan = pointers(n);
        boolean wide = isWide(n);
        try (DeviceLease lease = device.lease(context.stop())) {
            DeviceArray pointers = context.allocate(lease, "the graph", pointersPlan.bytes());
            long to = pointers.address();
            long at = scratch.address();
            long control = at + plan.at("control");
            long total = at + plan.at("columnsWithEntries");
            lease.fill(control, 0, CONTROL_BYTES);
            lease.fill(total, 0, Long.BYTES);
            lease.launch(
                    warps(n),
                    control,
                    ShippedKernels.arguments(wide ? "tile_matrix_count_nt64_warp" : "tile_matrix_count_nt32_warp")
                            .set(plan, at)
                            .set("ptrs", from.pointers())
                            .set("idx", from.indices())
                            .set("n", n));
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments(wide ? "tile_matrix_pointers_nt64_grid" : "tile_matrix_pointers_nt32_grid")
                            .set(plan, at)
                            .set(pointersPlan, to)
                            .set("n", n));
            long tileCount = lease.readLong(to + pointersPlan.at("tilePtrs") + (long) columns(n) * Long.BYTES);
            long restCount = lease.readLong(to + pointersPlan.at("restPtrs") + (long) n * Long.BYTES);
            ArrayLayout entries = entries(n, tileCount, restCount);
            DeviceArray array = context.allocate(lease, "the graph", entries.bytes());
            lease.launch(
                    warps(n),
                    control,
                    ShippedKernels.arguments(wide ? "tile_matrix_write_nt64_warp" : "tile_matrix_write_nt32_warp")
                            .set(pointersPlan, to)
                            .set(entries, array.address())
                            .set("ptrs", from.pointers())
                            .set("idx", from.indices())
                            .set("n", n));
            return new Tiles(n, pointers, array, tileCount, restCount, (int) lease.readLong(total));
        }
    }

    private static Grid warps(int n) {
        return Grid.cooperative(columns(n) * 32L).independent();
    }

    /** Whether tiles have 64 rows and columns. */
    static boolean isWide(int vertexCount) {
        return vertexCount >= WIDE_TILES_FROM;
    }

    /** Rows and columns of a tile, and bits of a word: NT of the paper. */
    public static int side(int vertexCount) {
        return isWide(vertexCount) ? Long.SIZE : Integer.SIZE;
    }

    /** Columns of tiles, and words of a vector. */
    public static int columns(int vertexCount) {
        int side = side(vertexCount);
        return (int) (((long) vertexCount + side - 1) / side);
    }

    /** The minimum number of entries of a tile; entries of sparser tiles belong to the rest. */
    public static int leastEntries(int vertexCount) {
        return isWide(vertexCount) ? LEAST_TILE_ENTRIES_64 : LEAST_TILE_ENTRIES_32;
    }

    /** Pointers to tiles, one for each column of tiles and one more, and to entries of the rest. */
    private static ArrayLayout pointers(int vertexCount) {
        return new ArrayLayout()
                .add("tilePtrs", columns(vertexCount) + 1L, Long.BYTES)
                .add("restPtrs", vertexCount + 1L, Long.BYTES);
    }

    /**
     * The rows of the tiles, their words of {@link #side} bits, and the rows of the rest. There is room for at least
     * one of each.
     */
    static ArrayLayout entries(int vertexCount, long tileCount, long restCount) {
        long tiles = Math.max(1, tileCount);
        int side = side(vertexCount);
        return new ArrayLayout()
                .add("tileRows", tiles, Integer.BYTES)
                .add("words", tiles, side * side / Byte.SIZE)
                .add("restRows", Math.max(1, restCount), Integer.BYTES);
    }

    /**
     * The scratch memory: a control block, a total, counts for each column of tiles and each slot, and one word per
     * block.
     */
    private static ArrayLayout scratch(int vertexCount, int mostBlocks) {
        return new ArrayLayout()
                .add("control", CONTROL_BYTES, 1)
                .add("columnsWithEntries", 1, Long.BYTES)
                .add("tileCounts", columns(vertexCount), Integer.BYTES)
                .add("restCounts", vertexCount, Integer.BYTES)
                .add("blockSums", mostBlocks, Long.BYTES);
    }
}
