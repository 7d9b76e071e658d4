// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.UpdateDivergence;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.OrderedGraph;
import io.proxima.backend.saved.OrderedGraphFile;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.backend.saved.SavedOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The saved orders of one graph, and BVSS in these orders. Only one thread at a time may look for a saved order; saving
 * is safe at the same time.
 */
public final class SavedLayouts {

    private final ResidentGraph resident;
    private final Csc graph;
    private final OrderAdvisor advisor;

    // null until the first search for a saved order
    private volatile GraphFingerprint fingerprint;

    SavedLayouts(ResidentGraph resident, OrderAdvisor advisor) {
        this.resident = resident;
        this.graph = resident.graph();
        this.advisor = advisor;
    }

    /** Whether layouts of this graph are saved: there is a folder, and the graph is large enough. */
    boolean areKept() {
        return folder() != null;
    }

    private SavedGraphs folder() {
        return graph.entryCount() < LaunchPolicy.SMALLEST_TO_ORDER ? null : advisor.savedGraphs();
    }

    /** An order that an earlier run has saved; null if there is none that the run may use. */
    SavedOrder find(VertexOrder wanted, boolean overSliceSets, RunControl control) {
        SavedGraphs folder = folder();
        if (folder == null || wanted == VertexOrder.NATURAL) {
            return null;
        }
        if (fingerprint == null) {
            fingerprint = folder.fingerprint(graph, control.concurrency(), control.stop());
        }
        List<VertexOrder> orders =
                wanted == VertexOrder.AUTO ? advisor.suitable(graph, overSliceSets, control) : List.of(wanted);
        for (VertexOrder order : orders) {
            Optional<SavedOrder> found = folder.loadOrder(fingerprint, order, control.concurrency(), control.stop());
            if (found.isPresent()) {
                return found.get();
            }
        }
        return null;
    }

    /**
     * The saved graph of a layout, including BVSS. If the file is missing or contains another permutation, the layout
     * is saved again in the background.
     */
    Optional<OrderedGraph> read(GraphLayout of, RunControl control) {
        SavedOrder known = of.saved();
        SavedGraphs folder = advisor.savedGraphs();
        if (known == null || folder == null) {
            return Optional.empty();
        }
        Optional<OrderedGraph> found = folder.load(
                        known.fingerprint(), known.order(), control.concurrency(), control.stop())
                .filter(saved -> Arrays.equals(
                        saved.permutation().vertices(), known.permutation().vertices()));
        if (found.isEmpty()) {
            of.forgetSaved();
            saveInBackground(of.order());
        }
        return found;
    }

    /** Saves an order, including BVSS, in the background, unless the graph is too small for that. */
    void saveInBackground(SlotOrder order) {
        if (!order.isNatural() && areKept()) {
            advisor.offer(resident, savingBytes(graph), stop -> save(order, stop));
        }
    }

    /** Builds BVSS on the host, because it may have been evicted from the device, and saves it. For the background. */
    public void save(SlotOrder order, Stop stop) {
        SavedGraphs folder = folder();
        if (folder == null) {
            return;
        }
        int threads = backgroundThreads();
        try {
            GraphFingerprint known = fingerprint;
            GraphFingerprint ofGraph = known == null ? folder.fingerprint(graph, threads, stop) : known;
            long least = OrderedGraphFile.leastBytes(graph.vertexCount(), graph.entryCount());
            if (folder.has(ofGraph, order.order()) || !folder.mayHold(ofGraph, least)) {
                return;
            }
            Csc ordered = order.permutation().apply(graph, threads, stop);
            Bvss bvss = BvssBuilder.build(ordered, threads, stop, Progress.NONE);
            double divergence = UpdateDivergence.of(bvss, threads, stop);
            folder.save(new OrderedGraph(ofGraph, order.order(), order.permutation(), bvss, divergence), stop);
        } catch (StoppedException e) {
            // the graph was dropped, or the devices are being released: the next run orders the graph again
        }
    }

    /** The maximum heap of {@link #save}: the relabelled graph and its BVSS. */
    public static long savingBytes(Csc graph) {
        return Csc.bytes(graph.vertexCount(), graph.entryCount())
                + BvssLayout.mostBytes(graph.vertexCount(), graph.entryCount());
    }

    /** The maximum number of threads of work in the background. */
    public static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
