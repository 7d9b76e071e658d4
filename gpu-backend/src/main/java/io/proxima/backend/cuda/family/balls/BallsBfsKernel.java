// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.HUB;
import static io.proxima.backend.cuda.driver.KernelConstants.HUB_EDGE_BITS;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_RADIUS;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One BFS on a deep graph whose levels have few edges: bfs_balls.cu. The grid synchronizes once per window of several
 * levels, in which every warp continues on its own from the vertices that it has reached.
 *
 * @param records whether ball records are read, or else padded rows
 */
public record BallsBfsKernel(boolean records) implements BfsKernel {

    private static final Kernel BALLS =
            Kernel.ofOneSearch("balls", "BFS over padded rows, with several levels between two synchronizations.");

    private static final Kernel BALL_RECORDS =
            Kernel.ofOneSearch("ball-records", "BFS over ball records on deep graphs, and over padded rows on others.");

    /** The family of kernels over padded rows and over ball records. */
    public static final KernelFamily FAMILY = new KernelFamily(
            List.of(BALLS, BALL_RECORDS),
            graph -> canSearch(graph.entryCount()),
            (device, kernel, operation) -> new ShapedBfsKernel(kernel.equals(BALL_RECORDS)));

    /**
     * A block on each multiprocessor, because a frontier may be of any width, and a large grid does not synchronize
     * more slowly.
     */
    static final Grid WHOLE_DEVICE = Grid.cooperative(Integer.MAX_VALUE).withMostBlocks(1);

    /** Levels of a window over padded rows. On an H200, eight made a road network 2.3 times as fast as one. */
    private static final int ROW_HOPS = 8;

    /** A window over padded rows has several levels while the frontier has at most this many vertices per warp. */
    private static final int NARROW_BY_ROWS = 1;

    /** The same for ball records, whose long windows cause little duplicate work. */
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
        return (int) Math.min(MOST_RADIUS, ((1L << HUB_EDGE_BITS) - 1) / Math.max(1, entryCount));
    }

    @Override
    public String name() {
        return name(records);
    }

    public static String name(boolean records) {
        return (records ? BALL_RECORDS : BALLS).keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return structures(records);
    }

    static Set<DeviceStructure<?>> structures(boolean records) {
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>();
        structures.add(Csr.OUT);
        structures.add(records ? BallRecords.RECORDS : PaddedNeighbours.ROWS);
        return structures;
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        int n = graph.vertexCount();
        long mostHubs = graph.entryCount() / HUB + 1;
        workspace
                .add("queue", n, Integer.BYTES)
                .add("queueAt", records ? n : 0, Integer.BYTES)
                .add("spillA", n, Integer.BYTES)
                .add("spillB", n, Integer.BYTES)
                .add("hubs", mostHubs, Integer.BYTES)
                .add("hubEdges", mostHubs, Long.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        return new Search(
                WHOLE_DEVICE,
                structures(records ? "bfs_balls_records_grid" : "bfs_balls_rows_grid", graph, records)
                        .set("hops", Math.min(window(graph, records, ROW_HOPS), mostHops(graph.entryCount())))
                        .set("narrow", records ? NARROW_BY_RECORDS : NARROW_BY_ROWS));
    }

    /** The levels of a window: the radius of the ball records, or {@code rowHops} over padded rows. */
    static int window(GraphView graph, boolean records, int rowHops) {
        return records ? graph.structure(BallRecords.RECORDS).radius() : rowHops;
    }

    /** A kernel with the structures that it reads. */
    static KernelArguments structures(String entry, GraphView graph, boolean records) {
        Lists lists = graph.structure(Csr.OUT);
        PaddedNeighbours.Rows rows = records ? null : graph.structure(PaddedNeighbours.ROWS);
        BallRecords.Records balls = records ? graph.structure(BallRecords.RECORDS) : null;
        return ShippedKernels.arguments(entry)
                .set("ptrs", lists.pointers())
                .set("idx", lists.indices())
                .set("rows", records ? NULL : rows.rows())
                .set("rowBits", records ? 0 : rows.rowBits())
                .set("recordAt", records ? balls.recordAt() : NULL)
                .set("records", records ? balls.records() : NULL);
    }
}
