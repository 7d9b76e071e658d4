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
import io.proxima.backend.saved.SavedOrder;
import io.proxima.projection.Csc;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A graph in one order: its resident parts, and what runs have found out about it. The order stays on the heap when the parts
 * are evicted. The findings are guarded by the monitor of the device's memory.
 */
final class GraphLayout {

    private final Csc graph;
    private final boolean symmetric;
    private final DeviceMemory memory;
    private final ResidentParts parts;

    // guarded by memory
    private SlotOrder order;
    private SavedOrder saved;
    private SearchTrial.Decision decision;
    private SearchTrial.Decision withRecords;
    private Tuning decidedUnder;
    // how much memory was free when there was too little for a spare part
    private final Map<GraphPart<?>, Long> shortOf = new HashMap<>();
    private Boolean deep;
    private Kernel sums;

    GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory) {
        this.graph = graph;
        // a graph may be found to be symmetric later, and a part must not change its place
        this.symmetric = graph.isSymmetric();
        this.order = order;
        this.memory = memory;
        this.parts = new ResidentParts(memory, symmetric);
    }

    /** A layout that was saved: its slice sets are in a file and need not be built. */
    GraphLayout(Csc graph, SavedOrder saved, DeviceMemory memory) {
        this(graph, new SlotOrder(saved.order(), saved.permutation(), "It was saved by an earlier run."), memory);
        this.saved = saved;
        parts.know(BvssPart.VIRTUAL_SLICE_SETS, saved.virtualSliceSetCount());
    }

    Csc graph() {
        return graph;
    }

    /** What of it is resident. */
    ResidentParts parts() {
        return parts;
    }

    /** The file that has its slice sets; null if none has. */
    SavedOrder saved() {
        synchronized (memory) {
            return saved;
        }
    }

    /** The file cannot be used any more. */
    void forgetSaved() {
        synchronized (memory) {
            saved = null;
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

    /** Keeps in mind that there is too little memory for a spare part. */
    void refuse(GraphPart<?> part) {
        synchronized (memory) {
            shortOf.put(part, memory.freeBytes());
        }
    }

    /** Whether there was too little memory for a spare part, and there is no more now. */
    boolean isRefused(GraphPart<?> part) {
        synchronized (memory) {
            return !parts.has(Set.of(part)) && memory.freeBytes() <= shortOf.getOrDefault(part, -1L);
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
                    parts.figures(),
                    kernels(),
                    deep,
                    sums,
                    parts.parts(),
                    isRefused(RecordsPart.RECORDS),
                    parts.isLeased() ? parts.bytes() - parts.spareBytes() : 0);
        }
    }

    /** What a search now takes under 'auto'; null if that is not known. */
    private LevelKernels kernels() {
        if (withRecords != null && parts.has(withRecords.kernels().parts())) {
            return withRecords.kernels();
        }
        return decision == null ? null : decision.kernels();
    }
}
