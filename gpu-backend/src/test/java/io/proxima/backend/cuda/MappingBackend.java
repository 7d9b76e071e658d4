// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.projection.Csc;

/** A device on which the lists of every graph lie in mapped host memory from the first run on, however small it is. */
record MappingBackend(CudaBackend device) implements TraversalBackend {

    @Override
    public BackendInfo info() {
        return device.info();
    }

    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return device.estimate(graph, work, concurrency);
    }

    @Override
    public LoadedGraph load(Csc graph) {
        LoadedGraph loaded = device.load(graph);
        device.resident(graph).map(0);
        return loaded;
    }

    /** The device is closed by its owner. */
    @Override
    public void close() {}
}
