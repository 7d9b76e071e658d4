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
package io.proxima.backend.cpu;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.projection.Csc;

/** Traversal on the host's cores; always available. */
public final class CpuBackend implements TraversalBackend {

    /** Name of this backend in lists and configurations. */
    public static final String NAME = "cpu";

    @Override
    public BackendInfo info() {
        Runtime runtime = Runtime.getRuntime();
        long total = runtime.maxMemory();
        long free = total - runtime.totalMemory() + runtime.freeMemory();
        String device = runtime.availableProcessors() + " cores, " + System.getProperty("os.arch");
        return new BackendInfo(NAME, true, "", device, "", total, free, "");
    }

    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return MemoryEstimate.onHeap(CpuMemory.of(graph, work, concurrency));
    }

    @Override
    public LoadedGraph load(Csc graph) {
        return new CpuGraph(graph);
    }

    @Override
    public void close() {
        // holds nothing
    }
}
