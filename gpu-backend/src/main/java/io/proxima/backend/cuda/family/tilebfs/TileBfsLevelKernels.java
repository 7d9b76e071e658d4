// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.LevelKernels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** BFS over bitmask tiles, by Push-CSC, Push-CSR or Pull-CSC for each level: bfs_tile.cu. */
public record TileBfsLevelKernels(CudaDevice device) implements LevelKernels {

    /** TILE_THREADS of bfs_tile.cu. */
    public static final int THREADS = 512;

    private static final String MODULE = "bfs_tile";
    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public String name() {
        return TileBfsFamily.TILE.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(TileMatrix.OUT, TileMatrix.IN));
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private static State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(
                graph.vertexCount(),
                graph.figure(TileMatrix.TILES),
                graph.figure(TileMatrix.REST),
                sources,
                stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = of(graph, sources.length, stopTargets.length);
        int n = graph.vertexCount();
        TileMatrix.Tiles out = graph.structure(TileMatrix.OUT);
        TileMatrix.Tiles in = graph.structure(TileMatrix.IN);
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        KernelArguments arguments = new KernelArguments();
        add(arguments, "out", out, n);
        add(arguments, "in", in, n);
        return lease.launch(
                MODULE,
                TileMatrix.Layout.isWide(n) ? "bfs_tile_nt64_grid" : "bfs_tile_nt32_grid",
                Grid.cooperative(THREADS, Math.max(n, graph.entryCount())).withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                arguments
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("mask", at + plan.mask())
                        .pointer("frontierA", at + plan.frontierA())
                        .pointer("frontierB", at + plan.frontierB())
                        .pointer("listA", at + plan.listA())
                        .pointer("listB", at + plan.listB())
                        .pointer("longParts", at + plan.longParts())
                        .pointer("longLists", at + plan.longLists())
                        .pointer("longEdges", at + plan.longEdges())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", n)
                        .int32("reachable", in.columnsWithEntries())
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    private static void add(KernelArguments arguments, String direction, TileMatrix.Tiles tiles, int n) {
        TileMatrix.Pointers pointers = TileMatrix.Pointers.of(n);
        TileMatrix.Layout entries = TileMatrix.Layout.of(n, tiles.tileCount(), tiles.restCount());
        long array = tiles.array().address();
        arguments
                .pointer(direction + "TilePtrs", tiles.pointers().address() + pointers.tiles())
                .pointer(direction + "TileRows", array + entries.tileRows())
                .pointer(direction + "Words", array + entries.words())
                .pointer(direction + "RestPtrs", tiles.pointers().address() + pointers.rest())
                .pointer(direction + "RestRows", array + entries.restRows());
    }

    /**
     * The layout of the workspace of bfs_tile.cu. Vectors have a word per column of tiles.
     *
     * @param mask vector of what is visited
     * @param frontierA vector
     * @param listA the sparse form of a frontier
     * @param longParts rows and columns of tiles that the whole grid multiplies
     * @param longLists slots whose entries outside tiles it does
     * @param longEdges 64-bit numbers of entries before these
     */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long mask,
            long frontierA,
            long frontierB,
            long listA,
            long listB,
            long longParts,
            long longLists,
            long longEdges,
            long bytes) {

        /** LONG_TILES of bfs_tile.cu. */
        public static final int LONG_TILES = 256;

        /** LONG_REST of bfs_tile.cu. */
        public static final int LONG_REST = 1 << 8;

        public static State of(int vertexCount, long tileCount, long restCount, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            int words = TileMatrix.Layout.columns(vertexCount);
            int wordBytes = TileMatrix.Layout.side(vertexCount) / Byte.SIZE;
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, wordBytes),
                    plan.add(words, wordBytes),
                    plan.add(words, wordBytes),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(tileCount / LONG_TILES, Integer.BYTES),
                    plan.add(restCount / LONG_REST, Integer.BYTES),
                    plan.add(restCount / LONG_REST, Long.BYTES),
                    plan.bytes());
        }
    }
}
