// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.ResidentStructures;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Prepares graphs for repeated use in the background, one graph at a time. A deep graph that is searched gets records
 * first, in the order that it has. If another order suits the graph, a second set of the same structures is built in
 * that order, and swapped for the first. Runs continue meanwhile. Nothing is evicted for it.
 */
public final class GraphPreparer implements ResidentGraph.Preparer, AutoCloseable {

    private final KernelFamilies families;
    private final Runnable afterEach;
    private final Consumer<Throwable> failures;
    private final HeapBudget heap;

    // guarded by this
    private final Set<ResidentGraph> waiting = new LinkedHashSet<>();
    private Workers.Background worker;
    private boolean closed;

    /**
     * A preparer without work.
     *
     * @param afterEach runs after each graph
     * @param failures receives the failure of the work on a graph; the work on other graphs continues
     * @param heap the budget from which work reserves heap
     */
    public GraphPreparer(KernelFamilies families, Runnable afterEach, Consumer<Throwable> failures, HeapBudget heap) {
        this.families = families;
        this.afterEach = afterEach;
        this.failures = failures;
        this.heap = heap;
    }

    @Override
    public synchronized void prepare(ResidentGraph graph) {
        // a graph without vertices has only one order
        if (closed || graph.isAbandoned() || graph.graph().vertexCount() == 0) {
            return;
        }
        waiting.add(graph);
        if (worker == null) {
            try {
                worker = Workers.inBackground(this::work);
            } catch (RuntimeException | Error e) {
                // no thread can be created: the graphs stay as they are until they are used more often
                waiting.clear();
                report(e);
            }
        }
    }

    @Override
    public synchronized void forget(ResidentGraph graph) {
        waiting.remove(graph);
    }

    private void work(Stop stop) {
        for (ResidentGraph graph = next(); graph != null; graph = next()) {
            ResidentGraph current = graph;
            Stop unwanted = () -> stop.requested() || current.isAbandoned() || current.bytes() == 0;
            try {
                HeapBudget.Reservation reserved = heap.reserve(heapBytes(graph.graph()));
                try (reserved) {
                    graph.device().memory().withoutEvicting(() -> prepare(current, unwanted));
                } finally {
                    afterEach.run();
                }
            } catch (DeviceMemoryException | StoppedException | DeviceFailureException e) {
                // the graph stays as it is; if the device has failed, the next run reports it
            } catch (RuntimeException | Error e) {
                // no caller waits for this work, and the failure of one graph must not end the work on the others
                report(e);
            }
        }
    }

    private synchronized ResidentGraph next() {
        Iterator<ResidentGraph> first = waiting.iterator();
        if (closed || !first.hasNext()) {
            worker = null;
            return null;
        }
        ResidentGraph graph = first.next();
        first.remove();
        return graph;
    }

    private void report(Throwable failure) {
        try {
            failures.accept(failure);
        } catch (RuntimeException | Error e) {
            // the failure cannot be reported
        }
    }

    /** The maximum heap of a preparation: a permutation, and the workspace of ordering or lists built on the host. */
    private static long heapBytes(Csc graph) {
        int n = graph.vertexCount();
        long entries = graph.entryCount();
        int threads = backgroundThreads();
        long ordering = OrderPolicy.heapBytes(VertexOrder.AUTO, GraphShape.of(graph), true, true, threads);
        long reversed = graph.isSymmetric()
                ? 0
                : Csc.transposingMemory(n, entries, threads).maxBytes();
        return 2L * Integer.BYTES * n + Math.max(ordering, Csc.bytes(n, entries) + reversed);
    }

    /** The maximum number of threads of work in the background. */
    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private void prepare(ResidentGraph graph, Stop stop) {
        RunContext control = new RunContext(backgroundThreads(), stop, Progress.NONE);
        ResidentStructures before = graph.structures();
        // a second set does not fit beside lists that do not fit
        if (before == null || graph.mappedBytes() > 0) {
            return;
        }
        // most of what a deep graph gains comes from records, and an order takes far longer
        addRecords(graph, before, control);
        boolean overSliceSets = graph.device().policy().asksForSliceSets(RunOptions.AUTO);
        OrderPolicy suiting = OrderPolicy.repeated(graph.graph(), overSliceSets, control.concurrency(), stop);
        if (suiting.order() == before.order().order()) {
            return;
        }
        ResidentStructures next = graph.newStructures(SlotOrder.of(graph.graph(), suiting, control));
        boolean swapped = false;
        try (HeldGraph held = graph.hold(next, control)) {
            held.require(before.structures());
            swapped = graph.swap(before, next);
        } finally {
            if (!swapped) {
                next.retire();
            }
        }
    }

    private void addRecords(ResidentGraph graph, ResidentStructures to, RunContext control) {
        try (HeldGraph held = graph.hold(to, control)) {
            if (held.depth() == GraphDepth.DEEP) {
                held.require(new KernelChoice(graph.device(), families).records(held));
            }
        } catch (DeviceMemoryException e) {
            // searches go on without them
        }
    }

    /** Waits until all work is done. */
    public void awaitIdle() {
        Workers.Background running;
        while ((running = running()) != null) {
            running.await();
        }
    }

    private synchronized Workers.Background running() {
        return worker;
    }

    /** Stops the work and waits until it has ended. */
    @Override
    public void close() {
        Workers.Background running;
        synchronized (this) {
            closed = true;
            waiting.clear();
            running = worker;
        }
        if (running != null) {
            running.cancel();
            running.await();
        }
    }
}
