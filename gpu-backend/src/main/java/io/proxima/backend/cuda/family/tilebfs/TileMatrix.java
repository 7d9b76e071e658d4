// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

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
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A matrix of bitmask tiles and the rest of its entries, in slot id space: the format of tile_matrix.cuh, built on the device
 * from lists by tile_matrix_build.cu. The page "The format of bitmask tiles" of the manual specifies it.
 */
public final class TileMatrix implements DeviceStructure<TileMatrix.Tiles> {

    /** Columns are the out-edges of a slot. */
    static final TileMatrix OUT = new TileMatrix(Csr.OUT);

    /** Columns are the in-edges of a slot; of a symmetric graph, its out-edges. */
    static final TileMatrix IN = new TileMatrix(Csr.IN);

    /** The number of tiles, equal in both directions, because the tiles of one are transposed in the other. */
    static final GraphSizes.Figure TILES =
            GraphSizes.Figure.upTo(graph -> graph.entryCount() / Layout.leastEntries(graph.vertexCount()));

    /** The number of entries outside tiles, equal in both directions. */
    static final GraphSizes.Figure REST = GraphSizes.Figure.upTo(GraphSizes::entryCount);

    private static final long NULL = 0;

    private final Csr lists;

    private TileMatrix(Csr lists) {
        this.lists = lists;
    }

    /**
     * Tiles. Pointers and entries are two allocations, because the size of the second is measured with the first.
     *
     * @param pointers laid out by {@link Pointers}
     * @param array laid out by {@link Layout} for these counts
     * @param tileCount number of tiles
     * @param restCount number of entries outside tiles
     * @param columnsWithEntries number of columns that have an entry
     */
    record Tiles(DeviceArray pointers, DeviceArray array, long tileCount, long restCount, int columnsWithEntries)
            implements Arrays {

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
        return Pointers.of(n).bytes()
                + Layout.of(n, graph.figure(TILES), graph.figure(REST)).bytes();
    }

    @Override
    public Set<GraphSizes.Figure> figures() {
        return Set.of(TILES, REST);
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT, Csr.IN),
                Scratch.of(graph.vertexCount(), graph.mostBlocks()).bytes());
    }

    @Override
    public Tiles build(BuildContext context) {
        Scratch plan = Scratch.of(
                context.graph().vertexCount(),
                context.device().policy().mostBlocks(context.device().facts().multiprocessors()));
        // before the lists, as the recipe counts it; lists of both directions, which the other matrix is built from
        try (DeviceArray scratch = scratch(context, plan)) {
            context.structure(Csr.OUT);
            context.structure(Csr.IN);
            return build(context, context.structure(lists), scratch, plan);
        }
    }

    private static DeviceArray scratch(BuildContext context, Scratch plan) {
        try (DeviceLease lease = context.device().lease(context.stop())) {
            return context.allocate(lease, "building the bitmask tiles of the graph", plan.bytes());
        }
    }

    private static Tiles build(BuildContext context, Csr.Lists from, DeviceArray scratch, Scratch plan) {
        Device device = context.device();
        int n = context.graph().vertexCount();
        Pointers pointersPlan = Pointers.of(n);
        boolean wide = Layout.isWide(n);
        try (DeviceLease lease = device.lease(context.stop())) {
            DeviceArray pointers = context.allocate(lease, "the graph", pointersPlan.bytes());
            long tilePointers = pointers.address() + pointersPlan.tiles();
            long restPointers = pointers.address() + pointersPlan.rest();
            long control = scratch.address() + plan.control();
            long total = scratch.address() + plan.total();
            long tileCounts = scratch.address() + plan.tileCounts();
            long restCounts = scratch.address() + plan.restCounts();
            lease.fill(control, 0, CONTROL_BYTES);
            lease.fill(total, 0, Long.BYTES);
            lease.launch(
                    warps(n),
                    control,
                    ShippedKernels.arguments(wide ? "tile_matrix_count_nt64_warp" : "tile_matrix_count_nt32_warp")
                            .set("ptrs", from.pointers())
                            .set("idx", from.indices())
                            .set("tileCounts", tileCounts)
                            .set("restCounts", restCounts)
                            .set("columnsWithEntries", total)
                            .set("n", n));
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments(wide ? "tile_matrix_pointers_nt64_grid" : "tile_matrix_pointers_nt32_grid")
                            .set("tileCounts", tileCounts)
                            .set("restCounts", restCounts)
                            .set("tilePtrs", tilePointers)
                            .set("restPtrs", restPointers)
                            .set("blockSums", scratch.address() + plan.blockSums())
                            .set("n", n));
            long tileCount = number(lease, tilePointers + (long) Layout.columns(n) * Long.BYTES);
            long restCount = number(lease, restPointers + (long) n * Long.BYTES);
            Layout layout = Layout.of(n, tileCount, restCount);
            DeviceArray array = context.allocate(lease, "the graph", layout.bytes());
            lease.launch(
                    warps(n),
                    control,
                    ShippedKernels.arguments(wide ? "tile_matrix_write_nt64_warp" : "tile_matrix_write_nt32_warp")
                            .set("ptrs", from.pointers())
                            .set("idx", from.indices())
                            .set("tilePtrs", tilePointers)
                            .set("restPtrs", restPointers)
                            .set("tileRows", array.address() + layout.tileRows())
                            .set("words", array.address() + layout.words())
                            .set("restRows", array.address() + layout.restRows())
                            .set("n", n));
            return new Tiles(pointers, array, tileCount, restCount, (int) number(lease, total));
        }
    }

    private static Grid warps(int n) {
        return Grid.cooperative(Layout.columns(n) * 32L).independent();
    }

    private static long number(DeviceLease lease, long at) {
        long[] number = new long[1];
        lease.download(new VertexOrderedArray(at, Long.BYTES, number.length, NULL), number, 1);
        return number[0];
    }

    /**
     * The layout of the pointers of tile_matrix.cuh: offsets of {@code long[columns of tiles + 1]} to tiles, and of
     * {@code long[vertexCount + 1]} to entries of the rest.
     *
     * @param bytes of both
     */
    record Pointers(long tiles, long rest, long bytes) {

        static Pointers of(int vertexCount) {
            ArrayLayout plan = new ArrayLayout();
            return new Pointers(
                    plan.add(TileMatrix.Layout.columns(vertexCount) + 1L, Long.BYTES),
                    plan.add(vertexCount + 1L, Long.BYTES),
                    plan.bytes());
        }
    }

    /**
     * The layout of the entries of tile_matrix.cuh: offsets of {@code int[tiles]} rows of tiles, of the words of
     * {@link #side} bits, and of {@code int[rest]} rows. There is room for at least one of each.
     *
     * @param bytes of all
     */
    public record Layout(long tileRows, long words, long restRows, long bytes) {

        public static Layout of(int vertexCount, long tileCount, long restCount) {
            ArrayLayout plan = new ArrayLayout();
            long tiles = Math.max(1, tileCount);
            int side = side(vertexCount);
            return new Layout(
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, side * side / Byte.SIZE),
                    plan.add(Math.max(1, restCount), Integer.BYTES),
                    plan.bytes());
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
    }

    /**
     * The layout of the scratch memory of building: offsets of the control block, of a 64-bit total, of
     * {@code int[columns of tiles]} and {@code int[vertexCount]} counts, and of one word per block.
     *
     * @param bytes of all
     */
    record Scratch(long control, long total, long tileCounts, long restCounts, long blockSums, long bytes) {

        static Scratch of(int vertexCount, int mostBlocks) {
            ArrayLayout plan = new ArrayLayout();
            return new Scratch(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(1, Long.BYTES),
                    plan.add(Layout.columns(vertexCount), Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.bytes());
        }
    }
}
