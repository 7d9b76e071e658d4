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
package io.proxima.projection;

import io.proxima.memory.MemoryTree;
import java.util.List;

/**
 * A graph as its runs will see it, told before it is made.
 *
 * @param vertexCount number of vertices
 * @param relationshipCount directed edges over all types, at most
 * @param leastEntries edges of the graph that runs see, at least: where types share edges it has fewer than they together
 * @param mostEntries the same at most
 * @param symmetric whether it has, with every edge, its reverse for certain
 * @param graph the graph itself if it is there already, else null
 * @param making heap that making it takes at its peak, what is made included
 * @param made heap of what is made
 */
public record GraphPlan(
        int vertexCount,
        long relationshipCount,
        long leastEntries,
        long mostEntries,
        boolean symmetric,
        Csc graph,
        MemoryTree making,
        MemoryTree made) {

    /** A graph whose runs need nothing made before. */
    static GraphPlan ready(Csc graph, long relationshipCount) {
        return new GraphPlan(
                graph.vertexCount(),
                relationshipCount,
                graph.entryCount(),
                graph.entryCount(),
                graph.isSymmetric(),
                graph,
                MemoryTree.NONE,
                MemoryTree.NONE);
    }

    /**
     * A graph that is made of other ones, by joining them if they are several.
     *
     * @param entries most edges of each
     * @param exact whether each has that many, or maybe fewer
     * @param before heap that making them takes at its peak
     * @param held heap of them
     */
    static GraphPlan joining(
            int vertexCount,
            long relationshipCount,
            List<Long> entries,
            boolean exact,
            boolean symmetric,
            MemoryTree before,
            MemoryTree held) {
        long most = entries.stream().mapToLong(Long::longValue).sum();
        long largest = entries.stream().mapToLong(Long::longValue).max().orElse(0);
        MemoryTree join = MemoryTree.NONE;
        MemoryTree all = MemoryTree.NONE;
        if (entries.size() > 1) {
            join = CscOperations.unionMemory(vertexCount, most, exact ? largest : 0);
            all = MemoryTree.between(
                    "graph of all types", Csc.bytes(vertexCount, exact ? largest : 0), Csc.bytes(vertexCount, most));
        } else if (entries.isEmpty()) {
            all = MemoryTree.exactly("graph of no type", Csc.bytes(vertexCount, 0));
            join = all;
        }
        return new GraphPlan(
                vertexCount,
                relationshipCount,
                exact ? largest : 0,
                most,
                symmetric,
                null,
                MemoryTree.oneByOne("make graph", before, MemoryTree.together("join types", held, join)),
                MemoryTree.together("graph", held, all));
    }
}
