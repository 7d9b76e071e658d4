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
package io.proxima.plugin.procedures;

import io.proxima.backend.LoadedGraph;
import io.proxima.plugin.config.ConfigReader;

/** An algorithm that searches from several nodes. */
abstract class SourcesAlgorithm extends Algorithm {

    private Sources sources = Sources.NONE;
    private int maxDepth;

    SourcesAlgorithm(Caller caller, Mode mode) {
        super(caller, mode);
    }

    @Override
    void readKeys(ConfigReader reader) {
        sources = Sources.of(reader.readNodes("sourceNodes", true, caller().nodes()), caller().stop());
        maxDepth = reader.readInt("maxDepth", LoadedGraph.NO_MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH, Integer.MAX_VALUE);
    }

    final int maxDepth() {
        return maxDepth;
    }

    /** Number of distinct sources. */
    final int sourceCount() {
        return sources.distinct().length;
    }

    /** The sources as they were requested. */
    final Sources sources() {
        return sources;
    }

    /** The distinct sources as vertices of the run's graph, in the order of their first occurrence. */
    final int[] sources(GraphRun run) {
        return run.vertices("sourceNodes", sources.distinct());
    }
}
