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
package io.proxima.backend.cuda;

import io.proxima.backend.RunControl;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A graph on a device, in one order at a time. Runs hold it; the order may be exchanged between runs: those that have begun
 * go on with the layout they hold, which is freed when the last of them ends. Thread-safe.
 */
final class ResidentGraph {

    private static final long LOCK_POLL_MILLIS = 20;

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final ReentrantLock making = new ReentrantLock();

    // guarded by memory
    private GraphLayout layout;
    private int holders;
    private int runs;

    ResidentGraph(Csc graph, CudaDevice device) {
        this.graph = graph;
        this.device = device;
        this.memory = device.memory();
    }

    Csc graph() {
        return graph;
    }

    /** Takes one more holder in: a loaded graph that is not closed. */
    void hold() {
        synchronized (memory) {
            holders++;
        }
    }

    /**
     * Lets a holder go; the last one frees the device memory, or the last run does if some still go on.
     *
     * @return whether it was the last
     */
    boolean letGo() {
        synchronized (memory) {
            holders--;
            freeIfUnused();
            return holders == 0;
        }
    }

    /**
     * Takes the graph for a run, in the order that the run asks for. Its parts come with {@link Held#require}.
     *
     * @throws StoppedException if the stop was requested
     */
    Held acquire(RunControl control) {
        GraphLayout held;
        synchronized (memory) {
            runs++;
            if (layout == null) {
                layout = new GraphLayout(graph, SlotOrder.natural("The order of the projection."), memory);
            }
            held = layout;
            held.pin();
        }
        return new Held(held, control);
    }

    /** Bytes on the device now. */
    long bytes() {
        synchronized (memory) {
            return layout == null ? 0 : layout.bytes();
        }
    }

    private void freeIfUnused() {
        if (holders == 0 && runs == 0 && layout != null) {
            layout.retire();
            layout = null;
        }
    }

    /** The graph as one run holds it. */
    final class Held implements GraphView {

        private final GraphLayout held;
        private final RunControl control;

        private Held(GraphLayout held, RunControl control) {
            this.held = held;
            this.control = control;
        }

        /**
         * Sees to it that parts lie on the device until this is closed.
         *
         * @throws io.proxima.backend.DeviceMemoryException if they do not fit
         * @throws StoppedException if the stop was requested
         */
        Held require(Set<GraphPart<?>> parts) {
            Set<GraphPart<?>> wanted = new LinkedHashSet<>(parts);
            if (!held.order().isNatural()) {
                wanted.add(SlotsPart.SLOTS);
            }
            if (!held.has(wanted)) {
                lock(making, control.stop());
                try (Makings makings = new Makings(held, wanted, control)) {
                    wanted.forEach(makings::part);
                } finally {
                    making.unlock();
                }
            }
            held.use();
            return this;
        }

        @Override
        public int vertexCount() {
            return graph.vertexCount();
        }

        @Override
        public long entryCount() {
            return graph.entryCount();
        }

        @Override
        public SlotOrder order() {
            return held.order();
        }

        @Override
        public <A extends GraphPart.Arrays> A part(GraphPart<A> part) {
            A arrays = held.get(part);
            if (arrays == null) {
                throw new IllegalStateException("a run must ask for the parts it reads: " + part);
            }
            return arrays;
        }

        @Override
        public long slotOfVertex() {
            return held.order().isNatural() ? 0 : part(SlotsPart.SLOTS).slotOfVertex();
        }

        @Override
        public void close() {
            synchronized (memory) {
                held.release();
                runs--;
                freeIfUnused();
            }
        }
    }

    /** The making of parts of one layout, by whoever has the lock. Parts made on the way, which no run wants, are freed. */
    private final class Makings implements GraphPart.Making, AutoCloseable {

        private final GraphLayout target;
        private final Set<GraphPart<?>> wanted = new LinkedHashSet<>();
        private final RunControl control;
        private final List<GraphPart<?>> onTheWay = new ArrayList<>();
        private final List<DeviceArray> allocated = new ArrayList<>();
        private Csc inSlots;

        Makings(GraphLayout target, Set<GraphPart<?>> wanted, RunControl control) {
            this.target = target;
            this.control = control;
            wanted.forEach(part -> this.wanted.add(part.sharedBy(target.symmetric())));
        }

        @Override
        public CudaDevice device() {
            return device;
        }

        @Override
        public Csc graph() {
            return graph;
        }

        @Override
        public SlotOrder order() {
            return target.order();
        }

        @Override
        public Csc graphInSlots() {
            if (inSlots == null) {
                inSlots = order().isNatural()
                        ? graph
                        : order().permutation().apply(graph, control.concurrency(), control.stop());
            }
            return inSlots;
        }

        @Override
        public <A extends GraphPart.Arrays> A part(GraphPart<A> asked) {
            return part(asked, asked.sharedBy(target.symmetric())::make);
        }

        @Override
        public <A extends GraphPart.Arrays> A part(GraphPart<A> asked, Function<GraphPart.Making, A> how) {
            GraphPart<A> part = asked.sharedBy(target.symmetric());
            A known = target.get(part);
            if (known != null) {
                return known;
            }
            int before = allocated.size();
            boolean made = false;
            try {
                A arrays = how.apply(this);
                target.put(part, arrays);
                made = true;
                if (!wanted.contains(part)) {
                    onTheWay.add(part);
                }
                return arrays;
            } finally {
                List<DeviceArray> own = allocated.subList(before, allocated.size());
                if (!made) {
                    own.forEach(DeviceArray::close);
                }
                own.clear();
            }
        }

        @Override
        public DeviceArray allocate(String what, long bytes) {
            DeviceArray array = memory.allocate(what, bytes);
            allocated.add(array);
            return array;
        }

        @Override
        public int concurrency() {
            return control.concurrency();
        }

        @Override
        public Stop stop() {
            return control.stop();
        }

        @Override
        public Progress progress() {
            return control.progress();
        }

        @Override
        public void dropPartsMadeOnTheWay() {
            onTheWay.forEach(target::drop);
            onTheWay.clear();
        }

        @Override
        public void close() {
            dropPartsMadeOnTheWay();
        }
    }

    private static void lock(ReentrantLock lock, Stop stop) {
        try {
            while (!lock.tryLock(LOCK_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}
