// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The CPU backend keeps the contract. */
class CpuBackendTest extends TraversalBackendContract {

    private final TraversalBackend backend = new CpuBackend();

    @Override
    protected TraversalBackend backend() {
        return backend;
    }

    @Test
    void shouldEndWithTheLevelOfTheFirstOfManyTargets() {
        Csc graph = TestGraphs.rmat(12, 8, 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Csc path = TestGraphs.path(5_000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        for (Csc csc : List.of(graph, path)) {
            try (LoadedGraph loaded = backend.load(csc)) {
                Levels all = loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], RunContext.of(2));
                for (int level = 0; level <= Math.min(all.depth(), 300); level++) {
                    int least = level;
                    int[] targets = IntStream.range(0, csc.vertexCount())
                            .filter(vertex -> all.level(vertex) == LoadedGraph.UNREACHED || all.level(vertex) >= least)
                            .toArray();
                    Levels found = loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, targets, RunContext.of(2));
                    assertThat(found.depth())
                            .as("targets from level %d on", least)
                            .isEqualTo(least);
                }
            }
        }
    }

    @Test
    void shouldNotLookAtAllTargetsInEachLevel() {
        int levels = 2_000;
        int targets = 100_000;
        EdgeList edges = new EdgeList(levels + targets);
        for (int vertex = 1; vertex < levels; vertex++) {
            edges.add(vertex - 1, vertex);
        }
        int[] unreached = IntStream.range(levels, levels + targets).toArray();
        AtomicInteger looks = new AtomicInteger();
        Stop counting = () -> {
            looks.incrementAndGet();
            return false;
        };
        try (LoadedGraph loaded = backend.load(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
            loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, unreached, new RunContext(1, counting, Progress.NONE));
        }
        // the stop is checked in each level, and between the looks at so many vertices
        assertThat(looks).hasValueLessThan(2 * levels);
    }

    /** Frontiers of few vertices with many edges, between which each pair is looked for. */
    @Test
    void shouldMeetBetweenHubs() {
        int hubs = 8;
        int leaves = 150;
        Random random = new Random(57);
        for (int graph = 0; graph < 60; graph++) {
            EdgeList edges = new EdgeList(2 + hubs + hubs * leaves);
            for (int hub = 0; hub < hubs; hub++) {
                // the first half behind the source, the others before the target
                edges.add(hub < hubs / 2 ? 0 : 2 + hub, hub < hubs / 2 ? 2 + hub : 1);
                for (int leaf = 0; leaf < leaves; leaf++) {
                    int at = 2 + hubs + hub * leaves + leaf;
                    edges.add(hub < hubs / 2 ? 2 + hub : at, hub < hubs / 2 ? at : 2 + hub);
                }
            }
            for (int edge = 0; edge < graph % 7; edge++) {
                edges.add(2 + random.nextInt(hubs), 2 + random.nextInt(hubs));
            }
            Csc csc = edges.toCsc(graph % 2 == 0 ? Orientation.NATURAL : Orientation.UNDIRECTED, 1, Stop.NEVER);
            try (LoadedGraph loaded = backend.load(csc)) {
                int[] source = {0};
                int[] target = {1};
                TextbookChecks.checkLevelsTo(
                        csc, loaded, source, target, RunContext.of(1), LoadedGraph.NO_MAX_DEPTH, 1, 2, 3, 4);
            }
        }
    }
}
