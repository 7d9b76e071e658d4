// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.order.OrderAdvice;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphDepth;
import java.util.Set;

/**
 * Improves the layout of a graph that is used repeatedly, in the background: with a better order and with spare
 * structures. Runs continue meanwhile. Nothing is evicted for it.
 */
public final class LayoutImprover {

    private final ResidentGraph resident;
    private final CudaDevice device;
    private final Csc graph;
    private final KernelChoice choice;
    private final boolean overSliceSets;

    LayoutImprover(ResidentGraph resident, KernelFamilies families) {
        this.resident = resident;
        this.device = resident.device();
        this.graph = resident.graph();
        this.choice = new KernelChoice(device, families);
        this.overSliceSets = device.policy().asksForSliceSets(RunOptions.AUTO);
    }

    /** The maximum heap of {@link #improve}: a permutation, and the workspace of ordering or the relabelled graph. */
    long improvingBytes() {
        long making = OrderChooser.makingBytes(
                VertexOrder.AUTO, GraphShape.of(graph, true), false, overSliceSets, backgroundThreads());
        return 2L * Integer.BYTES * graph.vertexCount()
                + Math.max(making, Csc.bytes(graph.vertexCount(), graph.entryCount()));
    }

    /** Orders the graph in the way that suits many searches, and builds spare structures. */
    void improve(Stop stop) {
        device.memory().withoutEvicting(() -> improveAll(stop));
    }

    private void improveAll(Stop stop) {
        Stop unwanted = () -> stop.requested() || resident.isAbandoned() || resident.bytes() == 0;
        RunControl control = new RunControl(backgroundThreads(), unwanted, Progress.NONE);
        try {
            improveOrder(control);
            makeSpares(control);
        } catch (DeviceMemoryException | StoppedException | DeviceFailureException e) {
            // the graph stays as it is; if the device has failed, the next run reports it
        }
    }

    private void makeSpares(RunControl control) {
        GraphLayout layout = resident.layout();
        HeldGraph held = layout == null ? null : resident.holdBeside(layout, layout, control);
        if (held == null) {
            return;
        }
        try (held) {
            if (held.depth() == GraphDepth.DEEP) {
                held.require(choice.records(held));
            }
        }
    }

    /** The maximum number of threads of work in the background. */
    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private void improveOrder(RunControl control) {
        GraphLayout before = resident.layout();
        if (before == null || before.structures().mappedBytes() > 0) {
            return;
        }
        OrderAdvice advice = OrderChooser.best(graph, overSliceSets, control);
        if (advice.order() != before.order().order() && advice.order() != VertexOrder.NATURAL) {
            SlotOrder order = OrderChooser.make(graph, advice.order(), advice.reason(), control);
            exchange(before, new GraphLayout(graph, order, device.memory()), control);
        }
    }

    private void exchange(GraphLayout before, GraphLayout next, RunControl control) {
        boolean exchanged = false;
        try (HeldGraph improved = resident.holdBeside(before, next, control)) {
            if (improved != null) {
                improved.require(neededStructures(before));
                exchanged = resident.exchange(before, next);
            }
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
