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

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;

/** Copies the components of a graph from the device, as vertices. */
public final class DeviceComponents {

    private DeviceComponents() {}

    /**
     * The lowest vertex of each vertex's component: {@code int[vertexCount]}, vertex id space.
     *
     * @param graph held by the caller, with its components
     */
    static int[] download(CudaDevice device, GraphView graph, RunControl control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        WeakComponents.Components components = graph.structure(WeakComponents.COMPONENTS);
        int[] lowest = new int[graph.vertexCount()];
        try (DeviceLease lease = device.lease(control.stop())) {
            lease.download(graph.inVertexOrder(components.lowest(), Integer.BYTES), lowest, control.concurrency());
        }
        if (!graph.order().isNatural()) {
            toVertices(lowest, control.stop());
        }
        control.progress().advance(graph.entryCount());
        return lowest;
    }

    /** Replaces the lowest slot of each component by its lowest vertex. */
    private static void toVertices(int[] lowest, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        // one more than the vertex, 0 for none yet
        int[] firstOfSlot = new int[lowest.length];
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            paced.worked(2);
            int slot = lowest[vertex];
            if (firstOfSlot[slot] == 0) {
                firstOfSlot[slot] = vertex + 1;
            }
            lowest[vertex] = firstOfSlot[slot] - 1;
        }
    }

    /**
     * Heap of {@link #download} besides the result.
     *
     * @param isOrdered whether the graph is in another order than that of its vertices
     * @param mayBeOrdered whether it may be in another order
     */
    public static MemoryTree memory(int vertexCount, boolean isOrdered, boolean mayBeOrdered) {
        long ints = (long) vertexCount * Integer.BYTES;
        return MemoryTree.between("lowest nodes", isOrdered ? ints : 0, mayBeOrdered ? ints : 0);
    }
}
