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
package io.proxima.backend.cuda.run;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;

/** One BFS, from one or several sources, with its levels on the heap. */
public final class LevelSearch {

    private static final int GRAIN = 1 << 16;

    private final int[] levels;
    private final DeviceLease.Outcome outcome;

    private LevelSearch(int[] levels, DeviceLease.Outcome outcome) {
        this.levels = levels;
        this.outcome = outcome;
    }

    /**
     * Searches.
     *
     * @param kernels the kernels; the caller has required their structures
     * @param graph pinned by the caller
     * @param sources distinct vertices, at least one
     * @param stopTargets vertices
     * @throws io.proxima.backend.DeviceMemoryException if the workspace does not fit
     */
    public static LevelSearch run(
            CudaDevice device,
            LevelKernels kernels,
            GraphView graph,
            int[] sources,
            int maxDepth,
            int[] stopTargets,
            RunControl control) {
        control.progress().beginTask(BackendTask.BFS, graph.vertexCount());
        int[] sourceSlots = graph.order().toSlots(sources);
        int[] targetSlots = graph.order().toSlots(stopTargets);
        try (DeviceLease lease = device.lease(control.stop())) {
            LevelKernels.Plan plan = kernels.plan(graph, sources.length, stopTargets.length);
            long at = lease.workspace(plan.bytes());
            DeviceLease.Outcome outcome = kernels.launch(lease, graph, at, sourceSlots, maxDepth, targetSlots);
            int[] levels = new int[graph.vertexCount()];
            lease.download(graph.inVertexOrder(at + plan.levels(), Integer.BYTES), levels, control.concurrency());
            control.progress().advance(graph.vertexCount());
            return new LevelSearch(levels, outcome);
        }
    }

    /** The levels: {@code int[vertexCount]}, {@link LoadedGraph#UNREACHED} if unreached; vertex id space. */
    public int[] levels() {
        return levels;
    }

    /** The outcome that the kernel reported. */
    public DeviceLease.Outcome outcome() {
        return outcome;
    }

    /** The number of vertices of each level, from 0 to the deepest. */
    long[] frontierSizes(RunControl control) {
        int depth = outcome.level();
        long[][] counts = new long[control.concurrency()][];
        Workers.forRanges(control.concurrency(), levels.length, GRAIN, control.stop(), (worker, from, to) -> {
            if (counts[worker] == null) {
                counts[worker] = new long[depth + 1];
            }
            long[] own = counts[worker];
            for (int v = (int) from; v < to; v++) {
                if (levels[v] >= 0) {
                    own[levels[v]]++;
                }
            }
        });
        long[] sizes = new long[depth + 1];
        for (long[] own : counts) {
            for (int level = 0; own != null && level <= depth; level++) {
                sizes[level] += own[level];
            }
        }
        return sizes;
    }

    /** The reached vertices, level by level. */
    int[] order(long[] frontierSizes, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] next = new int[frontierSizes.length];
        for (int level = 1; level < next.length; level++) {
            next[level] = next[level - 1] + (int) frontierSizes[level - 1];
        }
        int[] order = new int[levels.length];
        for (int v = 0; v < levels.length; v++) {
            paced.worked(1);
            if (levels[v] >= 0) {
                order[next[levels[v]]++] = v;
            }
        }
        return order;
    }
}
