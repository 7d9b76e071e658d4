// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.graph.OrderAdvisor;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.Csc;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Improves the layouts of graphs in the background, one graph at a time. */
public final class OrderImprover implements OrderAdvisor, AutoCloseable {

    private final KernelFamilies families;
    private final Runnable afterEach;
    private final Consumer<Throwable> failures;
    private final Supplier<HeapBudget> heap;

    // guarded by this
    private final ArrayDeque<Work> waiting = new ArrayDeque<>();
    private Workers.Background worker;
    private boolean closed;

    /**
     * An idle improver.
     *
     * @param families the families whose kernels are tried in another order
     * @param afterEach runs after each graph
     * @param failures receives the failure of the work on a graph; the work on other graphs continues
     * @param heap supplies the current budget from which work reserves heap
     */
    public OrderImprover(
            KernelFamilies families, Runnable afterEach, Consumer<Throwable> failures, Supplier<HeapBudget> heap) {
        this.families = families;
        this.afterEach = afterEach;
        this.failures = failures;
        this.heap = heap;
    }

    /** What work on a graph is for. */
    enum Kind {
        /** A better order. */
        ORDER,
        /** Spare structures. */
        SPARES
    }

    private record Work(ResidentGraph graph, Kind kind, long heapBytes, Consumer<Stop> what) {

        private void accept(Stop stop) {
            what.accept(() -> stop.requested() || graph.isAbandoned());
        }
    }

    @Override
    public SlotOrder first(Csc graph, VertexOrder wanted, long searches, boolean overSliceSets, RunControl control) {
        return OrderChooser.first(graph, wanted, searches, overSliceSets, control);
    }

    @Override
    public void improve(ResidentGraph graph) {
        LayoutImprover improver = new LayoutImprover(graph, families);
        offer(graph, Kind.ORDER, improver.improvingBytes(), improver::improve);
    }

    @Override
    public synchronized void forget(ResidentGraph graph) {
        waiting.removeIf(work -> work.graph == graph);
    }

    /**
     * Queues work on a graph and returns at once. It replaces earlier work of the same kind that still waits. Its stop is
     * requested when the graph has no handle any more.
     *
     * @param heapBytes peak heap of the work, 0 if negligible; the work is dropped if that heap is not free when it is
     *     to begin
     */
    synchronized void offer(ResidentGraph graph, Kind kind, long heapBytes, Consumer<Stop> work) {
        if (closed || graph.isAbandoned()) {
            return;
        }
        waiting.removeIf(earlier -> earlier.graph == graph && earlier.kind == kind);
        waiting.add(new Work(graph, kind, heapBytes, work));
        if (worker == null) {
            try {
                worker = Workers.inBackground(this::work);
            } catch (RuntimeException | Error e) {
                // no thread can be created: the graphs keep their layouts until they are offered again
                waiting.clear();
                report(e);
            }
        }
    }

    private void work(Stop stop) {
        Work graphWork = next();
        while (graphWork != null) {
            try {
                doWithHeap(graphWork, stop);
            } catch (StoppedException e) {
                // the graph stays as it is
            } catch (RuntimeException | Error e) {
                // no caller waits for this work, and the failure of one graph must not end the work on the others
                report(e);
            }
            graphWork = next();
        }
    }

    private void doWithHeap(Work graphWork, Stop stop) {
        HeapBudget.Reservation reserved = reserve(graphWork.heapBytes);
        try {
            graphWork.accept(stop);
        } finally {
            reserved.close();
            afterEach.run();
        }
    }

    private HeapBudget.Reservation reserve(long bytes) {
        return bytes == 0 ? HeapBudget.Reservation.UNLIMITED : heap.get().reserve(bytes);
    }

    private void report(Throwable failure) {
        try {
            failures.accept(failure);
        } catch (RuntimeException | Error e) {
            // the failure cannot be reported
        }
    }

    private synchronized Work next() {
        Work graphWork = closed ? null : waiting.poll();
        if (graphWork == null) {
            worker = null;
        }
        return graphWork;
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
