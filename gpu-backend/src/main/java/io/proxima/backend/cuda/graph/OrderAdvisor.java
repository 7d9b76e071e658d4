// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import java.util.List;
import java.util.function.Consumer;

/** Chooses the order of a graph on a device, and improves it in the background. Thread-safe. */
public interface OrderAdvisor {

    /**
     * Chooses and computes the order for the first run.
     *
     * @param wanted the requested order
     * @param searches number of sources of the run
     * @param overSliceSets whether the run can use only the kernels over BVSS
     */
    SlotOrder first(Csc graph, VertexOrder wanted, long searches, boolean overSliceSets, RunControl control);

    /** The saved orders that 'auto' may use, the best first. Their computation is already paid for. */
    List<VertexOrder> suitable(Csc graph, boolean overSliceSets, RunControl control);

    /** Offers a graph that is used repeatedly under 'auto' for improvement in the background. */
    void improve(ResidentGraph graph);

    /**
     * Queues other work on a graph for the background and returns at once. It replaces earlier work that still waits. Its stop is
     * requested when the graph has no handle any more.
     *
     * @param heapBytes peak heap of the work, 0 if negligible; the work is dropped if that heap is not free when it is
     *     to begin
     */
    void offer(ResidentGraph graph, long heapBytes, Consumer<Stop> work);

    /** Drops the queued work on a graph that has no handle any more: it would keep the graph on the heap, uncounted. */
    void forget(ResidentGraph graph);

    /** The folder of saved graphs, null if there is none. */
    SavedGraphs savedGraphs();
}
