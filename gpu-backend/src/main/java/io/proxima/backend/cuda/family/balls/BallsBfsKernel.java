// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.HUB;
import static io.proxima.backend.cuda.driver.KernelConstants.HUB_EDGE_BITS;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_RADIUS;
import static io.proxima.backend.cuda.driver.KernelConstants.OWNER_WORDS;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.KernelConstants;
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
import java.util.function.ToLongFunction;

/**
 * One BFS on a deep graph. If its levels have few edges, bfs_balls.cu searches: the grid synchronizes once per window
 * of several levels, in which every warp continues on its own from the vertices that it has reached. Otherwise
 * bfs_windows.cu does, which reads the same structures and stores frontiers as bits.
 *
 * @param records whether ball records are read, or else padded rows
 */
public record BallsBfsKernel(String name, boolean records) implements BfsKernel {

    private static final Kernel BALLS = Kernel.ofOneSearch("balls");

    private static final Kernel BALL_RECORDS = Kernel.ofOneSearch("ball-records");

    /** The family of kernels over padded rows and over ball records. */
    public static final KernelFamily FAMILY = new KernelFamily(
            List.of(BALLS, BALL_RECORDS),
            graph -> mostHops(graph.entryCount()) >= 1,
            (device, kernel, operation) -> new BallsBfsKernel(kernel.keyword(), kernel.equals(BALL_RECORDS)));

    /**
     * A block on each multiprocessor, because a frontier may be of any width, and a large grid does not synchronize
     * more slowly.
     */
    private static final Grid WHOLE_DEVICE = Grid.cooperative(Integer.MAX_VALUE).withMostBlocks(1);

    /**
     * Levels of a window of bfs_balls.cu over padded rows. On an H200, eight made a road network 2.3 times as fast as
     * one.
     */
    private static final int ROW_HOPS = 8;

    /** The same for bfs_windows.cu. */
    private static final int ONE_HOP = 1;

    /** A window over padded rows has several levels while the frontier has at most this many vertices per warp. */
    private static final int NARROW_BY_ROWS = 1;

    /** The same for ball records, whose long windows cause little duplicate work. */
    private static final int NARROW_BY_RECORDS = 1 << 20;

    private static final long NULL = 0;

    /**
     * The maximum hops of a window. A vertex is expanded once per level of its window at most, so this multiplies the
     * edges of the hubs of a step.
     */
    private static int mostHops(long entryCount) {
        return (int) Math.min(MOST_RADIUS, ((1L << HUB_EDGE_BITS) - 1) / Math.max(1, entryCount));
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, records ? BallRecords.RECORDS : PaddedNeighbours.ROWS));
    }

    /**
     * Whether the levels of a graph have few edges, judged by the radius of its ball records or the length of its
     * padded rows. On an H200, bfs_balls.cu is then 1.6 times as fast as bfs_windows.cu (a road network), and otherwise
     * half as fast (random geometric graphs).
     */
    private boolean hasFewEdges(GraphSizes graph) {
        return graph.figure(records ? BallRecords.FEW_EDGES : PaddedNeighbours.FEW_EDGES) > 0;
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        addFrontiers(workspace, graph.vertexCount(), records, hasFewEdges(graph));
        long mostHubs = graph.entryCount() / HUB + 1;
        workspace.add("hubs", mostHubs, Integer.BYTES).add("hubEdges", mostHubs, Long.BYTES);
    }

    private static ArrayLayout addFrontiers(ArrayLayout workspace, int n, boolean records, boolean fewEdges) {
        if (fewEdges) {
            return workspace
                    .add("queue", n, Integer.BYTES)
                    .add("queueAt", records ? n : 0, Integer.BYTES)
                    .add("spillA", n, Integer.BYTES)
                    .add("spillB", n, Integer.BYTES);
        }
        long words = words(n);
        return workspace
                .add("bits", 2L * (records ? MOST_RADIUS : ONE_HOP) * words, Integer.BYTES)
                .add("visited", words, Integer.BYTES);
    }

    /** Whether the levels of a graph have few edges, 1 or 0: the maximum is what takes more memory. */
    static GraphSizes.Figure fewEdges(boolean records) {
        ToLongFunction<GraphSizes> larger = graph -> {
            int n = graph.vertexCount();
            long few = addFrontiers(new ArrayLayout(), n, records, true).bytes();
            return few > addFrontiers(new ArrayLayout(), n, records, false).bytes() ? 1 : 0;
        };
        return new GraphSizes.Figure(graph -> 1 - larger.applyAsLong(graph), larger);
    }

    /** Words of a plane of bits, in whole rounds of {@link KernelConstants#OWNER_WORDS}. */
    private static long words(int vertexCount) {
        long vertices = (long) OWNER_WORDS * Integer.SIZE;
        return (vertexCount + vertices - 1) / vertices * OWNER_WORDS;
    }

    @Override
    public Search search(GraphView graph) {
        KernelArguments arguments = hasFewEdges(graph)
                ? arguments(records ? "bfs_balls_records_grid" : "bfs_balls_rows_grid", graph)
                        .set("hops", Math.min(window(graph, ROW_HOPS), mostHops(graph.entryCount())))
                        .set("narrow", records ? NARROW_BY_RECORDS : NARROW_BY_ROWS)
                : arguments(records ? "bfs_windows_records_grid" : "bfs_windows_rows_grid", graph)
                        .set("hops", window(graph, ONE_HOP));
        return new Search(WHOLE_DEVICE, arguments);
    }

    /** The levels of a window: the radius of the ball records, or {@code rowHops} over padded rows. */
    private int window(GraphView graph, int rowHops) {
        return records ? graph.structure(BallRecords.RECORDS).radius() : rowHops;
    }

    /** A kernel with the structures that it reads. */
    private KernelArguments arguments(String entry, GraphView graph) {
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
