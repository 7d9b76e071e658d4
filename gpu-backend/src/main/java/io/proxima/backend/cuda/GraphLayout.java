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

import io.proxima.backend.RunOptions.Kernel;
import io.proxima.backend.saved.OrderedGraph;
import io.proxima.projection.Csc;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A graph in one order, with the parts that lie on the device now. It is moved out as a whole and comes back part by part;
 * the order stays on the heap. Its state is guarded by the monitor of the device's memory.
 */
final class GraphLayout implements DeviceMemory.Tenant {

    private final Csc graph;
    private final boolean symmetric;
    private final DeviceMemory memory;

    // guarded by memory
    private final Map<GraphPart<?>, GraphPart.Arrays> parts = new LinkedHashMap<>();
    private int runs;
    private boolean retired;
    private SlotOrder order;
    private OrderedGraph saved;
    private SearchTrial.Decision decision;
    private SearchTrial.Decision withRecords;
    private Tuning decidedUnder;
    // how many runs have asked for each of the spare parts
    private final Map<GraphPart<?>, Integer> spareUses = new HashMap<>();
    // how much memory was free when there was too little for a spare part
    private final Map<GraphPart<?>, Long> shortOf = new HashMap<>();
    private Boolean deep;
    private Kernel sums;
    // what the parts told when they were made, also of those that were moved out
    private final Map<GraphSizes.Figure, Long> figures = new HashMap<>();

    GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory) {
        this.graph = graph;
        // a graph may be found to be symmetric later, and a part must not change its place
        this.symmetric = graph.isSymmetric();
        this.order = order;
        this.memory = memory;
    }

    /** A layout that was saved: its slice sets need not be built the first time. */
    GraphLayout(Csc graph, OrderedGraph saved, DeviceMemory memory) {
        this(graph, new SlotOrder(saved.order(), saved.permutation(), "It was saved by an earlier run."), memory);
        this.saved = saved;
        this.figures.put(BvssPart.VIRTUAL_SLICE_SETS, (long) saved.bvss().virtualSliceSetCount());
    }

    Csc graph() {
        return graph;
    }

    /** What was saved, once: the host need not hold what the device does. Null if nothing was. */
    OrderedGraph takeSaved() {
        synchronized (memory) {
            OrderedGraph taken = saved;
            saved = null;
            return taken;
        }
    }

    boolean symmetric() {
        return symmetric;
    }

    SlotOrder order() {
        synchronized (memory) {
            return order;
        }
    }

    /** Gives the order another reason. */
    void explain(String reason) {
        synchronized (memory) {
            order = new SlotOrder(order.order(), order.permutation(), reason);
        }
    }

    /** Which kernels suit the graph in this order with these numbers; null if that is not known. */
    SearchTrial.Decision decision(Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            return decision;
        }
    }

    /** The same with records of balls, which may not be there; null if that is not known, or they gain nothing. */
    SearchTrial.Decision withRecords(Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            return withRecords;
        }
    }

    void decideWithRecords(SearchTrial.Decision made, Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            withRecords = made;
        }
    }

    void decide(SearchTrial.Decision made, Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            decision = made;
        }
    }

    private void forgetUnlessUnder(Tuning tuning) {
        if (!tuning.equals(decidedUnder)) {
            decision = null;
            withRecords = null;
            sums = null;
            decidedUnder = tuning;
        }
    }

    /** Whether a trial of many searches found the graph deep; null if there was none. */
    Boolean isDeep() {
        synchronized (memory) {
            return deep;
        }
    }

    void foundDeep(boolean found) {
        synchronized (memory) {
            deep = found;
        }
    }

    /** The kernels that a trial of sums found fastest with these numbers; null if there was none. */
    Kernel sums(Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            return sums;
        }
    }

    void foundSums(Kernel found, Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            sums = found;
        }
    }

    /** The parts that are there now. */
    Set<GraphPart<?>> parts() {
        synchronized (memory) {
            return new LinkedHashSet<>(parts.keySet());
        }
    }

    /** Keeps what is there, and will be, until {@link #release}. */
    void pin() {
        synchronized (memory) {
            runs++;
        }
    }

    /** Ends what {@link #pin} began. */
    void release() {
        synchronized (memory) {
            runs--;
            freeIfUnused();
        }
    }

    /** Keeps a spare part, if it is there or once it is, until {@link #releaseSpare}. */
    void pinSpare(GraphPart<?> part) {
        synchronized (memory) {
            spareUses.merge(part, 1, Integer::sum);
        }
    }

    /** Ends what {@link #pinSpare} began. */
    void releaseSpare(GraphPart<?> part) {
        synchronized (memory) {
            spareUses.computeIfPresent(part, (key, uses) -> uses == 1 ? null : uses - 1);
        }
    }

    /** Keeps in mind that there is too little memory for a spare part. */
    void refuse(GraphPart<?> part) {
        synchronized (memory) {
            shortOf.put(part, memory.freeBytes());
        }
    }

    /** Whether there was too little memory for a spare part, and there is no more now. */
    boolean isRefused(GraphPart<?> part) {
        synchronized (memory) {
            return !parts.containsKey(part) && memory.freeBytes() <= shortOf.getOrDefault(part, -1L);
        }
    }

    /** Frees everything as soon as no run holds it. */
    void retire() {
        synchronized (memory) {
            retired = true;
            freeIfUnused();
        }
    }

    boolean has(Set<GraphPart<?>> wanted) {
        synchronized (memory) {
            return wanted.stream().allMatch(part -> parts.containsKey(part.sharedBy(symmetric)));
        }
    }

    /** The arrays of a part, null if it is not there. */
    @SuppressWarnings("unchecked") // put() keeps a part's arrays under the part
    <A extends GraphPart.Arrays> A get(GraphPart<A> part) {
        synchronized (memory) {
            return (A) parts.get(part.sharedBy(symmetric));
        }
    }

    <A extends GraphPart.Arrays> void put(GraphPart<A> part, A arrays) {
        synchronized (memory) {
            parts.put(part, arrays);
            figures.putAll(arrays.figures());
            memory.use(this);
        }
    }

    /** What the making of a part has told. */
    long figure(GraphSizes.Figure figure) {
        synchronized (memory) {
            Long value = figures.get(figure);
            if (value == null) {
                throw new IllegalStateException("a run must ask for the parts that it reads the sizes of: " + figure);
            }
            return value;
        }
    }

    /** Frees one part; the caller knows that no run has asked for it. */
    void drop(GraphPart<?> part) {
        synchronized (memory) {
            GraphPart.Arrays arrays = parts.remove(part);
            if (arrays != null) {
                arrays.close();
            }
        }
    }

    /** Frees all parts but these, unless more than one run holds the layout: another may have asked for any. */
    void keepOnly(Set<GraphPart<?>> kept) {
        synchronized (memory) {
            if (runs == 1) {
                Set<GraphPart<?>> shared = new LinkedHashSet<>();
                kept.forEach(part -> shared.add(part.sharedBy(symmetric)));
                parts().stream().filter(part -> !shared.contains(part)).forEach(this::drop);
            }
        }
    }

    /** Makes it the one used last. */
    void use() {
        synchronized (memory) {
            memory.use(this);
        }
    }

    /** What is known of it now, for a run with these numbers. */
    ResidentGraph.Lying lying(Tuning tuning) {
        synchronized (memory) {
            forgetUnlessUnder(tuning);
            return new ResidentGraph.Lying(
                    true,
                    !order.isNatural(),
                    symmetric,
                    saved != null,
                    Map.copyOf(figures),
                    kernels(),
                    deep,
                    sums,
                    parts(),
                    isRefused(RecordsPart.RECORDS),
                    runs > 0 ? bytes() - spareBytes() : 0);
        }
    }

    /** What a search now takes under 'auto'; null if that is not known. */
    private LevelKernels kernels() {
        if (withRecords != null && has(withRecords.kernels().parts())) {
            return withRecords.kernels();
        }
        return decision == null ? null : decision.kernels();
    }

    /** Bytes on the device now. */
    long bytes() {
        synchronized (memory) {
            return parts.values().stream().mapToLong(GraphPart.Arrays::bytes).sum();
        }
    }

    @Override
    public long idleBytes() {
        return runs > 0 ? 0 : bytes();
    }

    @Override
    public void moveOut() {
        parts.values().forEach(GraphPart.Arrays::close);
        parts.clear();
    }

    @Override
    public long spareBytes() {
        return spares().mapToLong(part -> parts.get(part).bytes()).sum();
    }

    @Override
    public void moveOutSpare() {
        spares().toList().forEach(part -> parts.remove(part).close());
    }

    private Stream<GraphPart<?>> spares() {
        return parts.keySet().stream().filter(part -> part.isSpare() && !spareUses.containsKey(part));
    }

    private void freeIfUnused() {
        if (retired && runs == 0) {
            memory.remove(this);
            moveOut();
        }
    }
}
