// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.LEAST_ROW_BITS;

import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import java.util.Set;

/**
 * One BFS by balls or by windows, depending on the shape of the graph, which its rows or records reveal: balls if
 * levels have few edges, otherwise windows of bits.
 *
 * @param records whether ball records are read, or else padded rows
 */
record ShapedBfsKernel(boolean records) implements BfsKernel {

    /** The radius of ball records from which a graph's levels have few edges. */
    private static final int RADIUS_OF_FEW_EDGES = 8;

    @Override
    public String name() {
        return BallsBfsKernel.name(records);
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return BallsBfsKernel.structures(records);
    }

    private BfsKernel suiting(GraphSizes graph) {
        boolean fewEdges = records
                ? hasFewEdgesByRecords(KernelConstants.MOST_RADIUS - graph.figure(BallRecords.MISSING_HOPS))
                : hasFewEdgesByRows(graph.figure(PaddedNeighbours.ROW_BITS));
        return fewEdges ? new BallsBfsKernel(records) : new WindowsBfsKernel(records);
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        suiting(graph).addArrays(workspace, graph, sources);
    }

    @Override
    public Search search(GraphView graph) {
        return suiting(graph).search(graph);
    }

    /**
     * Whether the levels of a graph have few edges, judged by its padded rows. On an H200, bfs_balls.cu is then 1.6
     * times as fast as bfs_windows.cu (a road network), and otherwise half as fast (random geometric graphs).
     */
    static boolean hasFewEdgesByRows(long rowBits) {
        return rowBits == LEAST_ROW_BITS;
    }

    /** Whether the levels of a graph have few edges, judged by the radius of its ball records. */
    static boolean hasFewEdgesByRecords(long radius) {
        return radius >= RADIUS_OF_FEW_EDGES;
    }
}
