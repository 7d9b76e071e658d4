// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/**
 * The kernels 'balls' and 'ball-records' for deep graphs: several levels between two synchronizations of the grid.
 * bfs_balls.cu and bfs_windows.cu.
 */
public final class BallsFamily implements KernelFamily {

    /** Over padded rows. */
    static final Kernel BALLS = new Kernel(
            "balls",
            "BFS over padded rows, with several levels between two synchronizations.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    /** Over ball records. */
    static final Kernel BALL_RECORDS = new Kernel(
            "ball-records",
            "BFS over ball records on deep graphs, and over padded rows on others.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    @Override
    public List<Kernel> kernels() {
        return List.of(BALLS, BALL_RECORDS);
    }

    @Override
    public boolean canSearch(GraphSizes graph) {
        return BallsBfsKernel.canSearch(graph.entryCount());
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new ShapedBfsKernel(kernel.equals(BALL_RECORDS));
    }
}
