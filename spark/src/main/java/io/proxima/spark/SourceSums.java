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
package io.proxima.spark;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.FarnessOfSources;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.projection.Csc;
import java.util.Set;

/**
 * The sums of distances to chosen vertices of a graph, over the vertices that reach them along its edges: those of {@link
 * LoadedGraph#farness}, harmonic sums bit by bit. Thread-safe.
 */
final class SourceSums implements AutoCloseable {

    private final LoadedGraph reversed;

    private SourceSums(LoadedGraph reversed) {
        this.reversed = reversed;
    }

    /**
     * Loads a graph. Reverses it if necessary.
     *
     * @param control concurrency and stop of reversing
     */
    static SourceSums of(TraversalBackend backend, Csc graph, RunControl control) {
        return new SourceSums(backend.load(graph.transposed(control.concurrency(), control.stop())));
    }

    /**
     * Searches from sources.
     *
     * @param sources vertices, without repeats
     * @param measures the optional measures
     * @return the sums in the order of the sources; hops over all of them
     */
    Farness of(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        FarnessOfSources sums = new FarnessOfSources(sources.length, reversed.vertexCount(), measures, control);
        reversed.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, sums, control);
        return sums.farness();
    }

    @Override
    public void close() {
        reversed.close();
    }
}
