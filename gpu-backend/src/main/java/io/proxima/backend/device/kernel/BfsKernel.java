// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import io.proxima.projection.csc.GraphDepth;
import java.util.List;

/** Kernels of one BFS, from one or several sources. Immutable. All arrays are in slot id space. */
public interface BfsKernel extends DeviceKernels {

    /**
     * A kernel that is ready for its search.
     *
     * @param arguments the arguments of this kernel, except the head that all single searches share
     */
    record Search(Grid grid, KernelArguments arguments) {}

    /** Adds the arrays of this kernel to those that all single searches share. */
    void addArrays(ArrayLayout workspace, GraphSizes graph, int sources);

    /** The kernel for a graph. */
    Search search(GraphView graph);

    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        int sources = work.operation() == Operation.BFS ? 1 : work.sources();
        return List.of(Way.within(workspace(graph, sources, work.targets()).bytes()));
    }

    /** The workspace of a search, with {@code levels: int[vertexCount]}, -1 for unreached. */
    default ArrayLayout workspace(GraphSizes graph, int sources, int stopTargets) {
        ArrayLayout workspace = new ArrayLayout()
                .add("sources", sources, Integer.BYTES)
                .add("stopTargets", stopTargets, Integer.BYTES)
                .add("levels", graph.vertexCount(), Integer.BYTES)
                .add("frontierSizes", DeviceLease.LEVELS_OF_A_BYTE, Integer.BYTES);
        addArrays(workspace, graph, sources);
        return workspace;
    }

    /**
     * Searches from vertices, and copies the levels to the heap.
     *
     * @param graph held by the caller, with the structures of these kernels
     * @param sources distinct vertices, at least one
     * @param maxDepth the last level to visit, -1 for all
     * @param stopTargets vertices; the search ends with the first level that contains one of them
     * @throws io.proxima.backend.DeviceMemoryException if the state does not fit
     */
    default Levels run(GraphView graph, int[] sources, int maxDepth, int[] stopTargets, RunContext control) {
        int n = graph.vertexCount();
        control.progress().beginTask(BackendTask.BFS, n);
        int[] sourceSlots = graph.order().toSlots(sources, control.stop());
        int[] targetSlots = graph.order().toSlots(stopTargets, control.stop());
        ArrayLayout workspace = workspace(graph, sources.length, stopTargets.length);
        Search search = search(graph);
        boolean many = graph.depth() == GraphDepth.DEEP && (maxDepth < 0 || maxDepth > Byte.MAX_VALUE);
        int width = many ? Short.BYTES : Byte.BYTES;
        try (DeviceLease lease = graph.device().lease(control.stop())) {
            long at = graph.placed().workspace(lease, workspace.bytes());
            long counts = at + workspace.at("frontierSizes");
            VertexOrderedArray found = graph.inVertexOrder(at + workspace.at("levels"), Integer.BYTES);
            lease.upload(at + workspace.at("stopTargets"), targetSlots, 0, targetSlots.length);
            lease.loadLevels(width);
            DeviceLease.Launch launch = lease.beginLaunch(
                    search.grid(),
                    search.arguments()
                            .set(workspace, at)
                            .set("sources", lease.give(at + workspace.at("sources"), sourceSlots))
                            .set("n", n)
                            .set("sourceCount", sources.length)
                            .set("onlySource", sourceSlots[0])
                            .set("stopTargetCount", stopTargets.length)
                            .set("maxDepth", maxDepth));
            LevelDownload download = new LevelDownload(lease, found, width, counts, control.concurrency());
            Levels levels = download.end(launch.end());
            control.progress().advance(n);
            return levels;
        }
    }
}
