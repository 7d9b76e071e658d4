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
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.UpdateDivergence;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.GraphFingerprint;
import io.proxima.backend.saved.OrderedGraph;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.backend.saved.SavedOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the folder of saved graphs has of one graph: orders, and slice sets in them. The caller sees to it that one thread at a
 * time looks for a saved order; saving is safe beside that.
 */
public final class SavedLayouts {

    private final Csc graph;
    private final OrderAdvisor advisor;

    // null until a saved order is looked for
    private volatile GraphFingerprint fingerprint;

    SavedLayouts(Csc graph, OrderAdvisor advisor) {
        this.graph = graph;
        this.advisor = advisor;
    }

    /** Whether anything of this graph is saved or looked for: there is a folder, and the graph is worth a file. */
    boolean areKept() {
        return folder() != null;
    }

    private SavedGraphs folder() {
        return graph.entryCount() < LaunchPolicy.SMALLEST_TO_ORDER ? null : advisor.savedGraphs();
    }

    /** An order that an earlier run has saved; null if there is none that the run may take. */
    SavedOrder find(VertexOrder wanted, boolean overSliceSets, RunControl control) {
        SavedGraphs folder = folder();
        if (folder == null || wanted == VertexOrder.NATURAL) {
            return null;
        }
        if (fingerprint == null) {
            fingerprint = GraphFingerprint.of(graph, control.concurrency(), control.stop());
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
     * What was saved of a layout, slice sets included. If the file is gone, or holds another permutation by now, the layout is
     * saved anew in the background.
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

    /** Saves an order, with the slice sets in it, unless that is not worth it. */
    void saveInBackground(SlotOrder order) {
        if (!order.isNatural() && areKept()) {
            advisor.offer(savingBytes(graph), stop -> save(order, stop));
        }
    }

    /** Builds on the host what the device holds, for there it may be gone by now, and saves it. For the background. */
    public void save(SlotOrder order, Stop stop) {
        SavedGraphs folder = folder();
        if (folder == null) {
            return;
        }
        int threads = backgroundThreads();
        try {
            GraphFingerprint known = fingerprint;
            GraphFingerprint ofGraph = known == null ? GraphFingerprint.of(graph, threads, stop) : known;
            if (folder.has(ofGraph, order.order())) {
                return;
            }
            Csc ordered = order.permutation().apply(graph, threads, stop);
            Bvss bvss = BvssBuilder.build(ordered, threads, stop, Progress.NONE);
            double divergence = UpdateDivergence.of(bvss, threads, stop);
            folder.save(new OrderedGraph(ofGraph, order.order(), order.permutation(), bvss, divergence), stop);
        } catch (StoppedException e) {
            // the devices are given back; the next run orders the graph again
        }
    }

    /** Heap that {@link #save} takes at most: the graph relabelled, and its slice sets. */
    public static long savingBytes(Csc graph) {
        return Csc.bytes(graph.vertexCount(), graph.entryCount())
                + BvssLayout.mostBytes(graph.vertexCount(), graph.entryCount());
    }

    /** Threads that work in the background may take. */
    public static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
