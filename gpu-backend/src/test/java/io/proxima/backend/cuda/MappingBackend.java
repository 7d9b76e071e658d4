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
