/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;

/** Kernels of weakly connected components. Immutable. */
public interface ComponentKernels extends DeviceKernels {

    /**
     * The exact bytes of the workspace of a run; 0 if it has none.
     *
     * @param ordered whether the graph is in another order than that of its vertices
     */
    long bytes(GraphSizes graph, boolean ordered);

    /**
     * The lowest vertex of each vertex's component: {@code int[vertexCount]}, on the host, in vertex id space.
     *
     * @param graph held by the caller, with the structures of these kernels
     */
    int[] run(GraphView graph, RunControl control);
}
