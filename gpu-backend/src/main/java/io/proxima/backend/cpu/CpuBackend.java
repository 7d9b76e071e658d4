// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.projection.csc.Csc;

/** Traversal on the host's cores; always available. */
public class CpuBackend implements TraversalBackend {

    @Override
    public BackendInfo info() {
        Runtime runtime = Runtime.getRuntime();
        long total = runtime.maxMemory();
        long free = total - runtime.totalMemory() + runtime.freeMemory();
        String device = runtime.availableProcessors() + " cores, " + System.getProperty("os.arch");
        return new BackendInfo(BackendInfo.CPU, true, "", device, "", total, free, "");
    }

    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return work.runs().stream()
                .map(run -> MemoryEstimate.onHeap(way(graph, run, concurrency).heap(graph, run, concurrency)))
                .reduce(MemoryEstimate::either)
                .orElseThrow();
    }

    /** The way of a run, for its estimate and for the run itself. */
    HostWay way(GraphShape graph, Workload work, int concurrency) {
        return HostWay.of(graph, work, concurrency);
    }

    @Override
    public LoadedGraph load(Csc graph) {
        return new CpuGraph(this, graph);
    }

    @Override
    public void close() {
        // holds nothing
    }
}
