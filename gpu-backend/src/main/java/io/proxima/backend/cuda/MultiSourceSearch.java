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
package io.proxima.backend.cuda;

import io.proxima.backend.DeviceMemoryException;

/** Many searches at once, Algorithm 5, a batch a turn. Batches get smaller where memory is short. For one thread. */
final class MultiSourceSearch {

    private static final String MODULE = "msbfs_bvss";
    private static final long NULL = 0;

    /**
     * Where a batch adds its sums: device addresses, 0 for what is not wanted.
     *
     * @param levelCounts counts a level and vertex, from {@code firstLevel} on, {@code levelCapacity} levels
     */
    record Sums(long farness, long reach, long levelCounts, int levelCapacity, int firstLevel) {

        /** No sums. */
        static final Sums NONE = new Sums(NULL, NULL, NULL, 0, 1);
    }

    private final CudaDevice device;
    private final ResidentGraph.View graph;
    private final LaunchPolicy.MultiSourceKernel kernel;
    private int most;

    MultiSourceSearch(CudaDevice device, ResidentGraph.View graph) {
        this(device, graph, device.policy().multiSourceKernel());
    }

    MultiSourceSearch(CudaDevice device, ResidentGraph.View graph, LaunchPolicy.MultiSourceKernel kernel) {
        this.device = device;
        this.graph = graph;
        this.kernel = kernel;
        this.most = device.policy().batchSources();
    }

    /** The most sources of a batch now. */
    int mostSources() {
        return most;
    }

    /** A batch did not fit: the next is smaller. Throws the failure on if none is smaller. */
    void shrink(DeviceMemoryException failure) {
        if (most == kernel.smallestWidth) {
            throw failure;
        }
        most /= 2;
    }

    MemoryPlan.MultiSource plan(int count, int levelBytes) {
        return MemoryPlan.MultiSource.of(
                graph.vertexCount(), graph.virtualSliceSets(), width(count), count, levelBytes);
    }

    /**
     * Runs one batch.
     *
     * @param at device address of a workspace with this plan
     * @param levelBytes bytes of a distance: 1, 2 or 4; 0 if distances are not wanted
     * @param sums what is added up; none with distances, since a batch of too narrow distances is run again
     */
    DeviceTurn.Outcome launch(
            DeviceTurn turn,
            MemoryPlan.MultiSource plan,
            long at,
            int[] sources,
            int first,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        turn.upload(at + plan.sources(), sources, first, count);
        return turn.launch(
                MODULE,
                kernel.entry(width(count)),
                graph.vertexCount(),
                graph.virtualSliceSets(),
                at + plan.control(),
                graph.realPtrs(),
                graph.virtualToReal(),
                graph.rowIds(),
                graph.masks(),
                at + plan.sources(),
                device.stopFlagAddress(),
                levelBytes == 0 ? NULL : at + plan.levels(),
                sums.farness(),
                sums.reach(),
                sums.levelCounts(),
                at + plan.frontier(),
                at + plan.visited(),
                at + plan.next(),
                at + plan.activeSets(),
                at + plan.dirtySets(),
                at + plan.queueA(),
                at + plan.queueB(),
                at + plan.control(),
                graph.vertexCount(),
                graph.sliceSets(),
                count,
                maxDepth,
                levelBytes == 0 ? 1 : levelBytes,
                sums.levelCapacity(),
                sums.firstLevel());
    }

    private int width(int count) {
        return kernel.width(count, most);
    }
}
