// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.RunControl;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;

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
    default long leastWorkspace(GraphSizes graph) {
        return workspace(graph, 1, 0).bytes();
    }

    /** The workspace of a search, with {@code levels: int[vertexCount]}, -1 for unreached. */
    default ArrayLayout workspace(GraphSizes graph, int sources, int stopTargets) {
        ArrayLayout workspace = new ArrayLayout()
                .add("sources", sources, Integer.BYTES)
                .add("stopTargets", stopTargets, Integer.BYTES)
                .add("levels", graph.vertexCount(), Integer.BYTES);
        addArrays(workspace, graph, sources);
        return workspace;
    }

    /**
     * Runs a search to its end. The levels remain on the device.
     *
     * @param at device address of a {@link #workspace} for these sources and targets
     * @param sources slots without repeats, at least one
     * @param maxDepth the last level to visit, -1 for all
     * @param stopTargets slots; the search ends with the first level that contains one of them
     */
    default DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        ArrayLayout workspace = workspace(graph, sources.length, stopTargets.length);
        lease.upload(at + workspace.at("stopTargets"), stopTargets, 0, stopTargets.length);
        Search search = search(graph);
        return lease.launch(
                search.grid(),
                search.arguments()
                        .set(workspace, at)
                        .set("sources", lease.give(at + workspace.at("sources"), sources))
                        .set("n", graph.vertexCount())
                        .set("sourceCount", sources.length)
                        .set("onlySource", sources[0])
                        .set("stopTargetCount", stopTargets.length)
                        .set("maxDepth", maxDepth));
    }

    /**
     * Searches from vertices, and copies the levels to the heap.
     *
     * @param graph held by the caller, with the structures of these kernels
     * @param sources distinct vertices, at least one
     * @param stopTargets vertices
     * @throws io.proxima.backend.DeviceMemoryException if the state does not fit
     */
    default Levels run(
            Device device, GraphView graph, int[] sources, int maxDepth, int[] stopTargets, RunControl control) {
        control.progress().beginTask(BackendTask.BFS, graph.vertexCount());
        int[] sourceSlots = graph.order().toSlots(sources);
        int[] targetSlots = graph.order().toSlots(stopTargets);
        try (DeviceLease lease = device.lease(control.stop())) {
            ArrayLayout workspace = workspace(graph, sources.length, stopTargets.length);
            long at = lease.workspace(workspace.bytes());
            int deepest =
                    launch(lease, graph, at, sourceSlots, maxDepth, targetSlots).level();
            Levels levels = new LevelDownload(graph.vertexCount(), deepest, control.concurrency())
                    .run(lease, graph.inVertexOrder(at + workspace.at("levels"), Integer.BYTES));
            control.progress().advance(graph.vertexCount());
            return levels;
        }
    }
}
