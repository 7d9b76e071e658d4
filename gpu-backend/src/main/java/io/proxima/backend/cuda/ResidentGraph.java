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

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.RunControl;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.order.GraphClass;
import io.proxima.backend.order.OrderAdvice;
import io.proxima.backend.order.UpdateDivergence;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.GraphFingerprint;
import io.proxima.backend.saved.OrderedGraph;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

    /** Sources of a trial. */
    static final int TRIALS = 3;

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final OrderImprover improver;
    private final ReentrantLock making = new ReentrantLock();

    // guarded by making; null until a saved graph is looked for
    private GraphFingerprint fingerprint;

    // guarded by memory
    private GraphLayout layout;
    private int holders;
    private int runs;
    private int automaticRuns;
    private boolean recordsOffered;

    /** A graph that is not on the device yet; {@code improver} is offered it when it is used again. */
    ResidentGraph(Csc graph, CudaDevice device, OrderImprover improver) {
        this.improver = improver;
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
     * Takes the graph for a run, in the order that the run asks for: an order that has to be made is made first. Its parts
     * come with {@link Held#require}.
     *
     * @param searches sources that the run will search from
     * @throws StoppedException if the stop was requested
     */
    Held acquire(RunControl control, long searches) {
        VertexOrder wanted = device.policy().order(control.options());
        GraphLayout held = pinned(wanted);
        if (held == null) {
            lock(making, control.stop());
            try {
                held = pinned(wanted);
                if (held == null) {
                    held = install(firstLayout(wanted, searches, control));
                }
            } finally {
                making.unlock();
            }
        }
        return new Held(held, control, wanted == VertexOrder.AUTO);
    }

    /**
     * What is known of a graph on a device before a run.
     *
     * @param isThere whether it has a layout that the run would take
     * @param ordered whether that is not the projection's order
     * @param symmetric whether it was known to be when the layout was made
     * @param mayBeSaved whether slice sets that were saved may be copied rather than built
     * @param figures what the making of its parts has told
     * @param kernels that one search would take; null if that is not known
     * @param isDeep whether many searches found it deep; null if that is not known
     * @param parts that lie on the device
     * @param recordsRefused whether there was too little memory for records of balls, and is no more now
     * @param bytesInUse bytes of them that no other run could have now
     */
    record Lying(
            boolean isThere,
            boolean ordered,
            boolean symmetric,
            boolean mayBeSaved,
            Map<GraphSizes.Figure, Long> figures,
            LevelKernels kernels,
            Boolean isDeep,
            Set<GraphPart<?>> parts,
            boolean recordsRefused,
            long bytesInUse) {

        /** Of a graph that was never there. */
        static Lying nowhere(boolean symmetric, boolean mayBeSaved) {
            return new Lying(false, false, symmetric, mayBeSaved, Map.of(), null, null, Set.of(), false, 0);
        }
    }

    /** What is known for a run that asks for an order. */
    Lying lying(VertexOrder wanted) {
        boolean mayBeSaved = wanted != VertexOrder.NATURAL && savedGraphs() != null;
        synchronized (memory) {
            return suits(wanted) ? layout.lying(device.tuning()) : Lying.nowhere(graph.isSymmetric(), mayBeSaved);
        }
    }

    private boolean suits(VertexOrder wanted) {
        return layout != null
                && (wanted == VertexOrder.AUTO || layout.order().order() == wanted || graph.vertexCount() == 0);
    }

    private GraphLayout firstLayout(VertexOrder wanted, long searches, RunControl control) {
        OrderedGraph saved = saved(wanted, control);
        if (saved != null) {
            return new GraphLayout(graph, saved, memory);
        }
        SlotOrder order = OrderChooser.first(
                graph, wanted, searches, device.policy().asksForSliceSets(control.options()), control);
        if (!order.isNatural() && savedGraphs() != null) {
            GraphFingerprint ofGraph = fingerprint;
            improver.offer(stop -> save(order, ofGraph, stop));
        }
        return new GraphLayout(graph, order, memory);
    }

    /** The folder of saved graphs; null if there is none, or the graph is too small to be worth a file. */
    private SavedGraphs savedGraphs() {
        return graph.entryCount() < LaunchPolicy.SMALLEST_TO_ORDER ? null : improver.savedGraphs();
    }

    /** What an earlier run has saved; null if there is nothing. */
    private OrderedGraph saved(VertexOrder wanted, RunControl control) {
        SavedGraphs folder = savedGraphs();
        if (folder == null || wanted == VertexOrder.NATURAL) {
            return null;
        }
        if (fingerprint == null) {
            fingerprint = GraphFingerprint.of(graph, control.concurrency(), control.stop());
        }
        List<VertexOrder> orders = wanted == VertexOrder.AUTO ? suitable(control) : List.of(wanted);
        for (VertexOrder order : orders) {
            Optional<OrderedGraph> found = folder.load(fingerprint, order, control.concurrency(), control.stop());
            if (found.isPresent()) {
                return found.get();
            }
        }
        return null;
    }

    /** What 'auto' may take of what was saved, the best first: orders that suit the graph, whatever they once cost. */
    private List<VertexOrder> suitable(RunControl control) {
        if (!GraphClass.of(graph, control.concurrency(), control.stop()).scaleFreeLike()) {
            return List.of(VertexOrder.RCM);
        }
        return device.policy().asksForSliceSets(control.options())
                ? List.of(VertexOrder.JACCARD, VertexOrder.DEGREE)
                : List.of(VertexOrder.DEGREE);
    }

    /** Builds on the host what the device holds, for there it may be gone by now, and saves it. For the background. */
    private void save(SlotOrder order, GraphFingerprint known, Stop stop) {
        SavedGraphs folder = savedGraphs();
        if (folder == null) {
            return;
        }
        int threads = backgroundThreads();
        try {
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

    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private GraphLayout pinned(VertexOrder wanted) {
        synchronized (memory) {
            return suits(wanted) ? pinned(layout) : null;
        }
    }

    private GraphLayout install(GraphLayout next) {
        synchronized (memory) {
            GraphLayout before = layout;
            layout = next;
            if (before != null) {
                before.retire();
            }
            return pinned(next);
        }
    }

    private GraphLayout pinned(GraphLayout held) {
        runs++;
        held.pin();
        return held;
    }

    private void offerIfUsedAgain() {
        synchronized (memory) {
            automaticRuns++;
            if (automaticRuns != device.policy().runsBeforeImproving()) {
                return;
            }
        }
        improver.offer(this::improve);
    }

    /**
     * Puts the graph into a better order if there is one that makes its searches faster; runs go on meanwhile. Nothing of
     * the device that is in use or may be used again is moved out for it. For the background.
     */
    void improve(Stop stop) {
        RunControl control = new RunControl(backgroundThreads(), unwanted(stop), Progress.NONE);
        try {
            improveOrder(control, stop);
        } catch (DeviceMemoryException e) {
            // the graph stays in its order
        } catch (StoppedException | DeviceFailureException e) {
            // the graph stays as it is; a device that has failed tells the next run
            return;
        }
        makeRecords(stop);
    }

    private void improveOrder(RunControl control, Stop stop) {
        OrderAdvice advice = OrderChooser.best(graph, device.policy().asksForSliceSets(control.options()), control);
        GraphLayout before;
        synchronized (memory) {
            before = layout;
        }
        if (before == null || advice.order() == before.order().order() || advice.order() == VertexOrder.NATURAL) {
            return;
        }
        SlotOrder order = OrderChooser.make(graph, advice.order(), advice.reason(), control);
        exchange(before, new GraphLayout(graph, order, memory), control);
        if (order.name().equals(order())) {
            save(order, null, stop);
        }
    }

    /** Makes records of balls if they make searches of the graph as it lies faster. For the background. */
    private void makeRecords(Stop stop) {
        Tuning under = device.tuning();
        GraphLayout target;
        SearchTrial.Decision decision;
        synchronized (memory) {
            target = layout;
            decision = target == null ? null : target.decision(under);
            recordsOffered = false;
            if (decision == null || holders == 0) {
                return;
            }
            pinned(target);
        }
        RunControl control = new RunControl(backgroundThreads(), unwanted(stop), Progress.NONE);
        try (Held held = new Held(target, control, false)) {
            Set<GraphPart<?>> before = held.parts();
            SearchTrial.Decision withRecords = new SearchTrial(device).tryRecords(held, decision, control);
            target.decideWithRecords(withRecords, under);
            if (withRecords == null) {
                held.keepOnly(before);
            }
        } catch (StoppedException | DeviceFailureException e) {
            // searches go on without; a device that has failed tells the next run
        }
    }

    /** The background makes records anew that were moved out, once there is room for them. */
    private void offerRecords() {
        synchronized (memory) {
            if (recordsOffered) {
                return;
            }
            recordsOffered = true;
        }
        improver.offer(this::makeRecords);
    }

    private Stop unwanted(Stop stop) {
        return () -> {
            synchronized (memory) {
                return stop.requested() || holders == 0 || bytes() == 0;
            }
        };
    }

    private void exchange(GraphLayout before, GraphLayout next, RunControl control) {
        synchronized (memory) {
            if (layout != before || holders == 0) {
                return;
            }
            pinned(before);
            pinned(next);
        }
        boolean better = false;
        try (Held old = new Held(before, control, false);
                Held improved = new Held(next, control, false)) {
            memory.withoutMovingOut(() -> improved.require(neededParts(before)));
            SearchTrial trial = new SearchTrial(device);
            SearchTrial.Decision was = trial.decide(old, control);
            SearchTrial.Decision is = trial.decide(improved, control);
            better = is.millis() <= was.millis();
            if (better) {
                improved.decide(is);
            }
            synchronized (memory) {
                better &= layout == before;
                if (better) {
                    next.explain(String.format(
                            Locale.ROOT,
                            "Improved in the background from order '%s': searches of a trial took %.3f ms and take %.3f ms. %s",
                            before.order().name(),
                            was.millis(),
                            is.millis(),
                            next.order().reason()));
                    layout = next;
                    before.retire();
                }
            }
        } finally {
            if (!better) {
                next.retire();
            }
        }
    }

    private static Set<GraphPart<?>> neededParts(GraphLayout of) {
        Set<GraphPart<?>> parts = of.parts();
        parts.removeIf(GraphPart::isSpare);
        return parts;
    }

    /** The order in which the graph lies, in words of the configuration key {@code order}; empty before the first run. */
    String order() {
        synchronized (memory) {
            return layout == null ? "" : layout.order().name();
        }
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
        private final boolean anyOrder;
        private final Set<GraphPart<?>> spares = new LinkedHashSet<>();

        // a decision that is made meanwhile counts for these numbers only
        private final Tuning tuning = device.tuning();

        private Held(GraphLayout held, RunControl control, boolean anyOrder) {
            this.held = held;
            this.control = control;
            this.anyOrder = anyOrder;
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
            pinSpares(wanted);
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

        private void pinSpares(Set<GraphPart<?>> parts) {
            for (GraphPart<?> part : parts) {
                if (part.isSpare() && spares.add(part)) {
                    held.pinSpare(part);
                }
            }
        }

        /**
         * What to search with while records are there, if they are: they then stay until this is closed. Null if they are not,
         * or gain nothing; if there is room for those that were moved out, they are made again in the background.
         */
        SearchTrial.Decision takeWithRecords() {
            SearchTrial.Decision decision = held.withRecords(device.tuning());
            if (decision == null) {
                return null;
            }
            Set<GraphPart<?>> parts = decision.kernels().parts();
            pinSpares(parts);
            if (held.has(parts)) {
                return decision;
            }
            if (device.policy().recordBytes(memory.freeBytes()) >= RecordsPart.RECORDS.bytes(this)) {
                offerRecords();
            }
            return null;
        }

        /** Keeps in mind that there is too little memory for a spare part. */
        void refuse(GraphPart<?> part) {
            held.refuse(part);
        }

        /** Whether there was too little memory for a spare part, and there is no more now. */
        boolean isRefused(GraphPart<?> part) {
            return held.isRefused(part);
        }

        /** The parts that are there now. */
        Set<GraphPart<?>> parts() {
            return held.parts();
        }

        /** Frees all parts but these and the slots, unless another run holds the graph too. */
        void keepOnly(Set<GraphPart<?>> parts) {
            Set<GraphPart<?>> kept = new LinkedHashSet<>(parts);
            kept.add(SlotsPart.SLOTS);
            held.keepOnly(kept);
        }

        /** Frees what a trial needed beside those that were there before it and those of the kernels that it chose. */
        void keepOnly(Set<GraphPart<?>> before, Kernels chosen) {
            Set<GraphPart<?>> kept = new LinkedHashSet<>(before);
            kept.addAll(chosen.parts());
            keepOnly(kept);
        }

        /** Which kernels suit the graph in this order; null if that is not known. */
        SearchTrial.Decision decision() {
            return held.decision(device.tuning());
        }

        /** Keeps it. */
        void decide(SearchTrial.Decision decision) {
            if (tuning.equals(device.tuning())) {
                held.decide(decision, tuning);
            }
        }

        /** Whether a trial of many searches found the graph deep; null if there was none. */
        Boolean isDeep() {
            return held.isDeep();
        }

        /** Keeps it. */
        void foundDeep(boolean deep) {
            held.foundDeep(deep);
        }

        /**
         * Three vertices to search from for a trial, the same for the same graph: in each third of the vertices the first
         * with at least the average number of edges.
         */
        int[] trialSources() {
            int n = graph.vertexCount();
            int[] sources = new int[TRIALS];
            for (int i = 0; i < TRIALS; i++) {
                int vertex = (int) ((long) n * i / TRIALS);
                while (vertex < n - 1 && (long) graph.degree(vertex) * n < graph.entryCount()) {
                    vertex++;
                }
                sources[i] = vertex;
            }
            return sources;
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
        public boolean symmetric() {
            return held.symmetric();
        }

        @Override
        public long figure(Figure figure) {
            return held.figure(figure);
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
                spares.forEach(held::releaseSpare);
                held.release();
                runs--;
                freeIfUnused();
            }
            if (anyOrder) {
                // only now, or the run would wait for its own improvement
                offerIfUsedAgain();
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
        public OrderedGraph takeSaved() {
            return target.takeSaved();
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
