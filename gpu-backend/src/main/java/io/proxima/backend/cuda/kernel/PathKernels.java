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
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.WeightedCsc;
import java.util.Set;

/**
 * Kernels of weighted shortest paths from one source. Immutable. They read {@link WeightedLists} of the property of the run,
 * which the caller makes resident.
 */
public interface PathKernels extends DeviceKernels {

    @Override
    default Set<DeviceStructure<?>> structures() {
        return Set.of();
    }

    /**
     * Whether the kernels can search lists of this size.
     *
     * @param entryCount number of entries, parallel ones included
     */
    boolean canSearch(int vertexCount, long entryCount);

    /** Device memory of a run beside the lists of the graph. */
    MemoryTree memory(int vertexCount);

    /** The width of a bucket if the caller leaves it open, above 0. */
    double delta(WeightedCsc graph, WeightedCsc.Lengths lengths);

    /**
     * The costs of the shortest paths from a vertex: {@code double[vertexCount]}, {@link
     * io.proxima.backend.ShortestPaths#UNREACHED} if there is no path; on the host, in vertex id space.
     *
     * @param lists pinned by the caller
     * @param delta the width of a bucket, above 0
     */
    double[] run(WeightedLists.Lists lists, int vertexCount, int source, double delta, RunControl control);
}
