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
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import java.util.List;
import java.util.function.Consumer;

/** Decides in which order a graph lies on a device, and betters that in the background. Thread-safe. */
public interface OrderAdvisor {

    /**
     * The order for the first run, made.
     *
     * @param wanted what was asked for
     * @param searches sources that the run will search from
     * @param overSliceSets whether the run is left no other kernels than those over slice sets
     */
    SlotOrder first(Csc graph, VertexOrder wanted, long searches, boolean overSliceSets, RunControl control);

    /** What 'auto' may take of the orders that were saved, the best first: those that suit the graph, whatever they once cost. */
    List<VertexOrder> suitable(Csc graph, boolean overSliceSets, RunControl control);

    /** A graph is used again and again under 'auto': it may be put into a better order, in the background. */
    void improve(ResidentGraph graph);

    /** Spare structures of a graph were evicted and have room again: they may be made anew, in the background. */
    void makeSpares(ResidentGraph graph);

    /**
     * Takes other work on a graph in, for the background; returns at once.
     *
     * @param heapBytes what it takes at its peak, 0 if next to nothing; if that is not free when the work is to begin, the work
     *     is left out
     */
    void offer(long heapBytes, Consumer<Stop> work);

    /** The folder of saved graphs, null if there is none. */
    SavedGraphs savedGraphs();
}
