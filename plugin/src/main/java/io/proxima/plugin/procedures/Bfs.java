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

import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.config.ConfigReader;

/** A breadth-first search from one node. */
final class Bfs extends Algorithm {

    private long source;
    private int maxDepth;
    private long[] targets;

    Bfs(Caller caller, Mode mode) {
        super(caller, mode);
    }

    @Override
    void readKeys(ConfigReader reader) {
        source = reader.readNode("sourceNode", caller().nodes());
        targets = reader.readNodes("targetNodes", false, caller().nodes());
        maxDepth = reader.readInt("maxDepth", LoadedGraph.NO_MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH, Integer.MAX_VALUE);
    }

    @Override
    String task() {
        return "BFS";
    }

    @Override
    Run kind() {
        return Run.BFS;
    }

    @Override
    Workload work(int vertexCount, int wholeVertexCount) {
        Workload search = new Workload(kind(), 1, maxDepth).stoppingAt(targets.length);
        MemoryTree column = MemoryTree.between(
                "hopDistribution", 0, mode() == Mode.STREAM ? 0 : (search.deepest(vertexCount) + 1) * Long.BYTES);
        MemoryTree property = mode() == Mode.MUTATE
                ? GraphRun.propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES)
                : MemoryTree.NONE;
        return search.keeping(MemoryTree.NONE, MemoryTree.together("rows", column, property));
    }

    Levels compute(GraphRun run) {
        int vertex = run.vertex("sourceNode", source);
        int[] targetVertices = run.vertices("targetNodes", targets);
        LoadedGraph graph = load(run);
        return timed(() -> graph.bfs(vertex, maxDepth, targetVertices, run.control()));
    }
}
