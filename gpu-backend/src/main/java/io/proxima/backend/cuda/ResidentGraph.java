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
import io.proxima.backend.RunOptions;
import io.proxima.backend.RunOptions.Kernel;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.order.GraphClass;
import io.proxima.backend.order.OrderAdvice;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

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

    /** Where it is resident, or will be. */
    CudaDevice device() {
        return device;
    }

    /** The same graph for the same holders on another device, where nothing of it is resident yet. */
    ResidentGraph on(CudaDevice other) {
        ResidentGraph moved = new ResidentGraph(graph, other, improver);
        synchronized (memory) {
            moved.holders = holders;
        }
        return moved;
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
        Held held = held(wanted, control);
        if (held == null) {
            lock(making, control.stop());
            try {
                held = held(wanted, control);
                if (held == null) {
                    held = install(firstLayout(wanted, searches, control), wanted, control);
                }
            } finally {
                making.unlock();
            }
        }
        return held;
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
     * @param sums what a trial of sums found fastest; null if that is not known
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
            Kernel sums,
            Set<GraphPart<?>> parts,
            boolean recordsRefused,
            long bytesInUse) {

        /** Of a graph that was never there. */
        static Lying nowhere(boolean symmetric, boolean mayBeSaved) {
            return new Lying(false, false, symmetric, mayBeSaved, Map.of(), null, null, null, Set.of(), false, 0);
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
        SavedOrder saved = saved(wanted, control);
        if (saved != null) {
            return new GraphLayout(graph, saved, memory);
        }
        SlotOrder order = OrderChooser.first(
                graph, wanted, searches, device.policy().asksForSliceSets(control.options()), control);
        if (!order.isNatural() && savedGraphs() != null) {
            GraphFingerprint ofGraph = fingerprint;
            improver.offer(savingBytes(), stop -> save(order, ofGraph, stop));
        }
        return new GraphLayout(graph, order, memory);
    }

    /** The folder of saved graphs; null if there is none, or the graph is too small to be worth a file. */
    private SavedGraphs savedGraphs() {
        return graph.entryCount() < LaunchPolicy.SMALLEST_TO_ORDER ? null : improver.savedGraphs();
    }

    /** What an earlier run has saved; null if there is nothing. */
    private SavedOrder saved(VertexOrder wanted, RunControl control) {
        SavedGraphs folder = savedGraphs();
        if (folder == null || wanted == VertexOrder.NATURAL) {
            return null;
        }
        if (fingerprint == null) {
            fingerprint = GraphFingerprint.of(graph, control.concurrency(), control.stop());
        }
        List<VertexOrder> orders = wanted == VertexOrder.AUTO ? suitable(control) : List.of(wanted);
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
    Optional<OrderedGraph> readSaved(GraphLayout of, RunControl control) {
        SavedOrder known = of.saved();
        SavedGraphs folder = improver.savedGraphs();
        if (known == null || folder == null) {
            return Optional.empty();
        }
        Optional<OrderedGraph> found = folder.load(
                        known.fingerprint(), known.order(), control.concurrency(), control.stop())
                .filter(saved -> Arrays.equals(
                        saved.permutation().vertices(), known.permutation().vertices()));
        if (found.isEmpty()) {
            of.forgetSaved();
            SlotOrder order = of.order();
            improver.offer(savingBytes(), stop -> save(order, known.fingerprint(), stop));
        }
        return found;
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

    /** Heap that {@link #save} takes at most: the graph relabelled, and its slice sets. */
    private long savingBytes() {
        int n = graph.vertexCount();
        long entries = graph.entryCount();
        long most = BvssPart.Layout.mostVirtualSliceSets(n, entries);
        return Csc.bytes(n, entries) + BvssPart.Layout.of(n, most).bytes();
    }

    /** Heap that {@link #improve} takes at most: a permutation, its making, and what is relabelled or saved after it. */
    private long improvingBytes() {
        long making = OrderChooser.makingBytes(
                VertexOrder.AUTO,
                GraphShape.of(graph, true),
                false,
                device.policy().asksForSliceSets(RunOptions.AUTO),
                backgroundThreads());
        return 2L * Integer.BYTES * graph.vertexCount() + Math.max(making, savingBytes());
    }

    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private Held held(VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            return suits(wanted) ? new Held(layout, control, wanted == VertexOrder.AUTO) : null;
        }
    }

    private Held install(GraphLayout next, VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            GraphLayout before = layout;
            layout = next;
            if (before != null) {
                before.parts().retire();
            }
            return new Held(next, control, wanted == VertexOrder.AUTO);
        }
    }

    private void offerIfUsedAgain() {
        synchronized (memory) {
            automaticRuns++;
            if (automaticRuns != device.policy().runsBeforeImproving()) {
                return;
            }
        }
        improver.offer(improvingBytes(), this::improve);
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
        RunControl control = new RunControl(backgroundThreads(), unwanted(stop), Progress.NONE);
        SearchTrial.Decision decision;
        Held held;
        synchronized (memory) {
            recordsOffered = false;
            decision = layout == null ? null : layout.decision(under);
            if (decision == null || holders == 0) {
                return;
            }
            held = new Held(layout, control, false);
        }
        try (held) {
            SearchTrial.Decision withRecords = new SearchTrial(device).tryRecords(held, decision, control);
            held.held.decideWithRecords(withRecords, under);
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
        improver.offer(0, this::makeRecords);
    }

    private Stop unwanted(Stop stop) {
        return () -> {
            synchronized (memory) {
                return stop.requested() || holders == 0 || bytes() == 0;
            }
        };
    }

    private void exchange(GraphLayout before, GraphLayout next, RunControl control) {
        Held old;
        Held improved;
        synchronized (memory) {
            if (layout != before || holders == 0) {
                return;
            }
            old = new Held(before, control, false);
            improved = new Held(next, control, false);
        }
        boolean better = false;
        try (old;
                improved) {
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
                    before.parts().retire();
                }
            }
        } finally {
            if (!better) {
                next.parts().retire();
            }
        }
    }

    private static Set<GraphPart<?>> neededParts(GraphLayout of) {
        Set<GraphPart<?>> parts = of.parts().parts();
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
            return layout == null ? 0 : layout.parts().bytes();
        }
    }

    private void freeIfUnused() {
        if (holders == 0 && runs == 0 && layout != null) {
            layout.parts().retire();
            layout = null;
        }
    }

    /** The graph as one run holds it. */
    final class Held implements GraphView {

        private final GraphLayout held;
        private final ResidentParts.Lease lease;
        private final RunControl control;
        private final boolean anyOrder;
        private final Set<GraphPart<?>> required = new LinkedHashSet<>();

        // a decision that is made meanwhile counts for these numbers only
        private final Tuning tuning = device.tuning();

        private Held(GraphLayout held, RunControl control, boolean anyOrder) {
            this.held = held;
            this.control = control;
            this.anyOrder = anyOrder;
            synchronized (memory) {
                this.lease = held.parts().lease();
                runs++;
            }
        }

        /**
         * Sees to it that parts lie on the device until this is closed, and longer if memory allows.
         *
         * @throws io.proxima.backend.DeviceMemoryException if they do not fit
         * @throws StoppedException if the stop was requested
         */
        Held require(Set<GraphPart<?>> parts) {
            make(parts);
            required.addAll(parts);
            lease.want(parts);
            return this;
        }

        /**
         * Sees to it that parts lie on the device until {@link #endTrial}.
         *
         * @throws io.proxima.backend.DeviceMemoryException if they do not fit
         * @throws StoppedException if the stop was requested
         */
        void tryOut(Set<GraphPart<?>> parts) {
            make(parts);
        }

        /** Frees what was tried out, unless it was there before, other runs use it, or these kernels need it. */
        void endTrial(Set<GraphPart<?>> chosen) {
            Set<GraphPart<?>> kept = new LinkedHashSet<>(required);
            for (GraphPart<?> part : chosen) {
                if (lease.take(part)) {
                    lease.want(Set.of(part));
                    kept.add(part);
                }
            }
            lease.keepOnly(kept);
        }

        private void make(Set<GraphPart<?>> parts) {
            Set<GraphPart<?>> wanted = new LinkedHashSet<>(parts);
            if (!held.order().isNatural()) {
                wanted.add(SlotsPart.SLOTS);
                required.add(SlotsPart.SLOTS);
            }
            if (!lease.takeAll(wanted)) {
                lock(making, control.stop());
                try (PartMaking parting = new PartMaking(ResidentGraph.this, held, lease, wanted, control)) {
                    wanted.forEach(parting::part);
                } finally {
                    making.unlock();
                }
            }
            if (required.contains(SlotsPart.SLOTS)) {
                lease.want(Set.of(SlotsPart.SLOTS));
            }
        }

        /**
         * What to search with while records are resident, if they are: they then stay until this is closed. Null if they are
         * not, or gain nothing; if there is room for those that were evicted, they are made again in the background.
         */
        SearchTrial.Decision takeWithRecords() {
            SearchTrial.Decision decision = held.withRecords(device.tuning());
            if (decision == null) {
                return null;
            }
            if (lease.takeAll(decision.kernels().parts())) {
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

        /** The resident parts. */
        Set<GraphPart<?>> parts() {
            return held.parts().parts();
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

        /** The kernels that a trial of sums found fastest; null if there was none. */
        Kernel sums() {
            return held.sums(device.tuning());
        }

        /** Keeps it. */
        void foundSums(Kernel kernel) {
            if (tuning.equals(device.tuning())) {
                held.foundSums(kernel, tuning);
            }
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
            return lease.figure(figure);
        }

        @Override
        public SlotOrder order() {
            return held.order();
        }

        @Override
        public <A extends GraphPart.Arrays> A part(GraphPart<A> part) {
            return lease.get(part);
        }

        @Override
        public long slotOfVertex() {
            return order().isNatural() ? 0 : part(SlotsPart.SLOTS).slotOfVertex();
        }

        @Override
        public void close() {
            synchronized (memory) {
                lease.close();
                runs--;
                freeIfUnused();
            }
            if (anyOrder) {
                // only now, or the run would wait for its own improvement
                offerIfUsedAgain();
            }
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
