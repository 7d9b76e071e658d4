// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import java.util.List;

/** Kernels of weakly connected components. Immutable. */
public interface ComponentKernels extends DeviceKernels {

    /** The exact bytes of the workspace of a run; 0 if it has none. */
    long workspace(GraphSizes graph);

    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        return List.of(Way.within(workspace(graph)));
    }

    /**
     * The lowest vertex of each vertex's component: {@code int[vertexCount]}, on the host, in vertex id space.
     *
     * @param graph held by the caller, with the structures of these kernels
     */
    int[] run(GraphView graph, RunContext control);
}
