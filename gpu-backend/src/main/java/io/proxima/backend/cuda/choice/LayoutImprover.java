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
import java.util.Locale;
import java.util.Set;

/**
 * Improves the layout of a graph that is used repeatedly, in the background: with a better order and with spare
 * structures. Runs continue meanwhile. Nothing is evicted for it.
 */
final class LayoutImprover {

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

    /** The maximum heap of {@link #improve}: a permutation, and the workspace of ordering or the relabelled graph. */
    long improvingBytes() {
        long making = OrderChooser.makingBytes(
                VertexOrder.AUTO, GraphShape.of(graph, true), false, overSliceSets, backgroundThreads());
        return 2L * Integer.BYTES * graph.vertexCount()
                + Math.max(making, Csc.bytes(graph.vertexCount(), graph.entryCount()));
    }

    /** Reorders the graph if that makes its searches faster, and builds spare structures. */
    void improve(Stop stop) {
        device.memory().withoutEvicting(() -> improveAll(stop));
    }

    private void improveAll(Stop stop) {
        RunControl control = control(stop);
        try {
            if (improveOrder(control)) {
                resident.improved();
            }
        } catch (DeviceMemoryException e) {
            // the graph keeps its order until it is offered again
        } catch (StoppedException | DeviceFailureException e) {
            // the graph stays as it is; if the device has failed, the next run reports it
            return;
        }
        makeSpares(stop);
    }

    /** Builds spare structures if they make searches faster. */
    void makeSpares(Stop stop) {
        device.memory().withoutEvicting(() -> tryAndMakeSpares(stop));
    }

    private void tryAndMakeSpares(Stop stop) {
        resident.takeOffer();
        GraphLayout layout = resident.layout();
        if (layout == null || layout.structures().mappedBytes() > 0) {
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
            // searches continue without spare structures; if the device has failed, the next run reports it
        }
    }

    /** The maximum number of threads of work in the background. */
    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private RunControl control(Stop stop) {
        Stop unwanted = () -> stop.requested() || resident.isAbandoned() || resident.bytes() == 0;
        return new RunControl(backgroundThreads(), unwanted, Progress.NONE);
    }

    /** Reorders the graph if that makes its searches faster. Returns whether that is known now. */
    private boolean improveOrder(RunControl control) {
        GraphLayout before = resident.layout();
        if (before == null || before.structures().mappedBytes() > 0) {
            return false;
        }
        OrderAdvice advice = OrderChooser.best(graph, overSliceSets, hasFewLargeLevels(before, control), control);
        if (advice.order() == before.order().order() || advice.order() == VertexOrder.NATURAL) {
            return true;
        }
        SlotOrder order = OrderChooser.make(graph, advice.order(), advice.reason(), control);
        return exchange(before, new GraphLayout(graph, order, device.memory()), control);
    }

    /** Whether a run's trial has found that; false if there was none. */
    private boolean hasFewLargeLevels(GraphLayout layout, RunControl control) {
        HeldGraph held = resident.holdBeside(layout, layout, control);
        if (held == null) {
            return false;
        }
        try (held) {
            SearchTrial.Decision decision = held.found(SearchTrial.DECISION);
            return decision != null && decision.millis() > 0 && !decision.isOfManySmallLevels();
        }
    }

    /** Replaces the layout if the searches of the same trial are not slower. Returns whether that is known. */
    private boolean exchange(GraphLayout before, GraphLayout next, RunControl control) {
        boolean exchanged = false;
        try (HeldGraph old = resident.holdBeside(before, before, control);
                HeldGraph improved = resident.holdBeside(before, next, control)) {
            if (old == null || improved == null) {
                return false;
            }
            improved.require(neededStructures(before));
            SearchTrial.Decision was = trial.decide(old, control);
            SearchTrial.Decision is = trial.decide(improved, control);
            // a trial for which there is too little memory has no time
            boolean measured = is.millis() > 0 || was.millis() == 0;
            if (!measured || is.millis() > was.millis()) {
                return measured;
            }
            improved.keep(SearchTrial.DECISION, is, is.shortage());
            next.explain(String.format(
                    Locale.ROOT,
                    "Reordered from '%s' in the background, which changed the time of the trial's searches from %.3f to %.3f ms. %s",
                    before.order().name(),
                    was.millis(),
                    is.millis(),
                    next.order().reason()));
            exchanged = resident.exchange(before, next);
            return exchanged;
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
