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

/**
 * The keys of runs from several sources.
 *
 * @param sourceIds neo4jIds in the order given, repeats kept
 * @param maxDepth last level to visit
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
record SourceConfig(long[] sourceIds, int maxDepth) {

    static SourceConfig read(Caller caller, ConfigReader reader) {
        return new SourceConfig(
                reader.readNodes("sourceNodes", true, caller.nodes()),
                reader.readInt("maxDepth", LoadedGraph.NO_MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH, Integer.MAX_VALUE));
    }

    GraphRun open(Caller caller, String graphName, ConfigReader reader, String task) {
        RunConfig config = RunConfig.read(caller, reader);
        return GraphRun.open(caller, graphName, config, reader.finish(), task);
    }

    Sources sources(GraphRun run) {
        return Sources.of(run.vertices("sourceNodes", sourceIds), run.vertexCount());
    }
}
