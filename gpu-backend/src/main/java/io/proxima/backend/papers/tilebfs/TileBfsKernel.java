// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.tilebfs;

import static io.proxima.backend.cuda.driver.KernelConstants.LONG_REST;
import static io.proxima.backend.cuda.driver.KernelConstants.LONG_TILES;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** BFS over bitmask tiles, by Push-CSC, Push-CSR or Pull-CSC for each level: bfs_tile.cu. */
public record TileBfsKernel(String name) implements BfsKernel {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = new KernelFamily(
            List.of(Kernel.ofOneSearch("tile-bfs")),
            graph -> KernelLayouts.countsLongLists(graph.entryCount()),
            (device, kernel, operation) -> new TileBfsKernel(kernel.keyword()));

    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(TileMatrix.OUT, TileMatrix.IN));
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        int words = TileMatrix.columns(graph.vertexCount());
        int wordBytes = TileMatrix.side(graph.vertexCount()) / Byte.SIZE;
        long longLists = graph.figure(TileMatrix.REST) / LONG_REST;
        workspace
                .add("mask", words, wordBytes)
                .add("frontierA", words, wordBytes)
                .add("frontierB", words, wordBytes)
                .add("listA", words, Integer.BYTES)
                .add("listB", words, Integer.BYTES)
                .add("longParts", graph.figure(TileMatrix.TILES) / LONG_TILES, Integer.BYTES)
                .add("longLists", longLists, Integer.BYTES)
                .add("longEdges", longLists, Long.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        int n = graph.vertexCount();
        TileMatrix.Tiles in = graph.structure(TileMatrix.IN);
        KernelArguments arguments =
                ShippedKernels.arguments(TileMatrix.isWide(n) ? "bfs_tile_nt64_grid" : "bfs_tile_nt32_grid");
        set(arguments, "out", graph.structure(TileMatrix.OUT));
        set(arguments, "in", in);
        return new Search(
                Grid.cooperative(Math.max(n, graph.entryCount())).withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                arguments.set("reachable", in.columnsWithEntries()));
    }

    private static void set(KernelArguments arguments, String direction, TileMatrix.Tiles tiles) {
        for (String array : List.of("TilePtrs", "TileRows", "Words", "RestPtrs", "RestRows")) {
            arguments.set(direction + array, tiles.at(Character.toLowerCase(array.charAt(0)) + array.substring(1)));
        }
    }
}
