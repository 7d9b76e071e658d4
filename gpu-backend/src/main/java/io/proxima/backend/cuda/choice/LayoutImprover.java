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
package io.proxima.backend.cuda.choice;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphLayout;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.graph.SavedLayouts;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.order.OrderAdvice;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.Locale;
import java.util.Set;

/**
 * Betters the layout of one graph that is used again and again: another order, and spare structures. Runs go on meanwhile. Nothing
 * of the device that is in use or may be used again is evicted for it. For the background.
 */
public final class LayoutImprover {

    private final ResidentGraph resident;
    private final CudaDevice device;
    private final Csc graph;
    private final SearchTrial trial;
    private final boolean overSliceSets;

    LayoutImprover(ResidentGraph resident, KernelFamilies families) {
        this.resident = resident;
        this.device = resident.device();
        this.graph = resident.graph();
        this.trial = new SearchTrial(device, families);
        this.overSliceSets = device.policy().asksForSliceSets(RunOptions.AUTO);
    }

    /** Heap that {@link #improve} takes at most: a permutation, its making, and what is relabelled or saved after it. */
    long improvingBytes() {
        long making = OrderChooser.makingBytes(
                VertexOrder.AUTO, GraphShape.of(graph, true), false, overSliceSets, SavedLayouts.backgroundThreads());
        return 2L * Integer.BYTES * graph.vertexCount() + Math.max(making, SavedLayouts.savingBytes(graph));
    }

    /** Puts the graph into a better order if there is one that makes its searches faster, and makes spare structures. */
    void improve(Stop stop) {
        RunControl control = control(stop);
        try {
            improveOrder(control, stop);
        } catch (DeviceMemoryException e) {
            // the graph stays in its order
        } catch (StoppedException | DeviceFailureException e) {
            // the graph stays as it is; a device that has failed tells the next run
            return;
        }
        makeSpares(stop);
    }

    /** Makes spare structures if they make searches of the graph as it lies faster. */
    void makeSpares(Stop stop) {
        resident.takeOffer();
        GraphLayout layout = resident.layout();
        if (layout == null) {
            return;
        }
        RunControl control = control(stop);
        HeldGraph held = resident.holdBeside(layout, layout, control);
        if (held == null) {
            return;
        }
        try (held) {
            SearchTrial.Decision decision = held.found(SearchTrial.DECISION);
            if (decision != null) {
                held.keep(SearchTrial.WITH_SPARES, trial.trySpares(held, decision, control));
            }
        } catch (StoppedException | DeviceFailureException e) {
            // searches go on without; a device that has failed tells the next run
        }
    }

    private RunControl control(Stop stop) {
        Stop unwanted = () -> stop.requested() || resident.isAbandoned() || resident.bytes() == 0;
        return new RunControl(SavedLayouts.backgroundThreads(), unwanted, Progress.NONE);
    }

    private void improveOrder(RunControl control, Stop stop) {
        OrderAdvice advice = OrderChooser.best(graph, overSliceSets, control);
        GraphLayout before = resident.layout();
        if (before == null || advice.order() == before.order().order() || advice.order() == VertexOrder.NATURAL) {
            return;
        }
        SlotOrder order = OrderChooser.make(graph, advice.order(), advice.reason(), control);
        exchange(before, new GraphLayout(graph, order, device.memory()), control);
        if (order.name().equals(resident.order())) {
            resident.savedLayouts().save(order, stop);
        }
    }

    /** Takes the next layout if searches of the same trial are not slower there. */
    private void exchange(GraphLayout before, GraphLayout next, RunControl control) {
        boolean exchanged = false;
        try (HeldGraph old = resident.holdBeside(before, before, control);
                HeldGraph improved = resident.holdBeside(before, next, control)) {
            if (old == null || improved == null) {
                return;
            }
            device.memory().withoutEvicting(() -> improved.require(neededStructures(before)));
            SearchTrial.Decision was = trial.decide(old, control);
            SearchTrial.Decision is = trial.decide(improved, control);
            if (is.millis() > was.millis()) {
                return;
            }
            improved.keep(SearchTrial.DECISION, is);
            next.explain(String.format(
                    Locale.ROOT,
                    "Reordered from '%s' in the background, which changed the time of the trial's searches from %.3f to %.3f ms. %s",
                    before.order().name(),
                    was.millis(),
                    is.millis(),
                    next.order().reason()));
            exchanged = resident.exchange(before, next);
        } finally {
            if (!exchanged) {
                next.structures().retire();
            }
        }
    }

    private static Set<DeviceStructure<?>> neededStructures(GraphLayout of) {
        Set<DeviceStructure<?>> structures = of.structures().structures();
        structures.removeIf(DeviceStructure::isSpare);
        return structures;
    }
}
