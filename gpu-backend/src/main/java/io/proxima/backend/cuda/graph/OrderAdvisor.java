// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.projection.Csc;

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

    /** Offers a graph that is used repeatedly under 'auto' for improvement in the background. */
    void improve(ResidentGraph graph);

    /** Drops the queued work on a graph that has no handle any more: it would keep the graph on the heap, uncounted. */
    void forget(ResidentGraph graph);
}
