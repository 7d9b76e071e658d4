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

import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;

/** A way to do one search on a device. Immutable. Everything here is in slot id space. */
public interface LevelKernels extends TrialKernels {

    @Override
    default long trialBytes(GraphSizes graph) {
        return plan(graph, 1, 0).bytes();
    }

    /** The state of a search of so many sources and targets; exact. */
    Plan plan(GraphSizes graph, int sources, int stopTargets);

    /**
     * Searches to the end and leaves the levels on the device.
     *
     * @param at device address of a workspace with the plan of these sources and targets
     * @param sources slots without repeats, at least one
     * @param maxDepth the last level to visit, -1 for all
     * @param stopTargets slots; the search ends with the level in which the first of them lies
     */
    DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets);

    /**
     * The state of a search.
     *
     * @param bytes of all
     * @param levels offset of the levels: {@code int[vertexCount]}, slot id space, -1 if not reached
     */
    record Plan(long bytes, long levels) {}
}
