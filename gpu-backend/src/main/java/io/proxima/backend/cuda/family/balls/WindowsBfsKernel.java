// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.HUB;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_RADIUS;
import static io.proxima.backend.cuda.driver.KernelConstants.OWNER_WORDS;

import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import java.util.Set;

/**
 * One BFS on a deep graph whose levels have many edges: bfs_windows.cu. It reads the same structures as {@link
 * BallsBfsKernel}, and stores frontiers as bits.
 *
 * @param records whether ball records are read, or else padded rows
 */
public record WindowsBfsKernel(boolean records) implements BfsKernel {

    private static final int ONE_HOP = 1;

    @Override
    public String name() {
        return BallsBfsKernel.name(records);
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return BallsBfsKernel.structures(records);
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        long words = words(graph.vertexCount());
        long mostHubs = graph.entryCount() / HUB + 1;
        workspace
                .add("bits", 2L * (records ? MOST_RADIUS : ONE_HOP) * words, Integer.BYTES)
                .add("visited", words, Integer.BYTES)
                .add("hubs", mostHubs, Integer.BYTES)
                .add("hubEdges", mostHubs, Long.BYTES);
    }

    /** Words of a plane, in whole rounds of {@link KernelConstants#OWNER_WORDS}. */
    static long words(int vertexCount) {
        long vertices = (long) OWNER_WORDS * Integer.SIZE;
        return (vertexCount + vertices - 1) / vertices * OWNER_WORDS;
    }

    @Override
    public Search search(GraphView graph) {
        return new Search(
                BallsBfsKernel.WHOLE_DEVICE,
                BallsBfsKernel.structures(
                                records ? "bfs_windows_records_grid" : "bfs_windows_rows_grid", graph, records)
                        .set("hops", BallsBfsKernel.window(graph, records, ONE_HOP)));
    }
}
