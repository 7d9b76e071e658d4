// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookBfs;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTiesTest {

    @ParameterizedTest
    @CsvSource({"1, 1, -1", "3, 64, -1", "3, 65, -1", "2, 200, 2", "4, 1000, 1"})
    void shouldCountAsATextbookDoes(int threads, int sourceCount, int maxDepth) {
        Csc graph = TestGraphs.uniform(3000, 9000, 7, true).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        int[] sources = new Random(3)
                .ints(0, graph.vertexCount())
                .distinct()
                .limit(sourceCount)
                .toArray();
        int[] distances = TextbookBfs.levels(graph, maxDepth, sources);
        int[] expected = new int[graph.vertexCount()];
        for (int source : sources) {
            int[] own = TextbookBfs.levels(graph, maxDepth, source);
            for (int vertex = 0; vertex < expected.length; vertex++) {
                expected[vertex] += own[vertex] >= 0 && own[vertex] == distances[vertex] ? 1 : 0;
            }
        }
        assertThat(NearestTies.count(graph, sources, distances, RunContext.of(threads)))
                .isEqualTo(expected);
    }

    @Test
    void shouldCountAcrossFrontiersOfManyThreads() {
        // every leaf is equally near to both hubs
        int leaves = 20_000;
        EdgeList edges = new EdgeList(leaves + 2);
        for (int leaf = 0; leaf < leaves; leaf++) {
            edges.add(leaf, leaves);
            edges.add(leaf, leaves + 1);
        }
        Csc graph = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] hubs = {leaves, leaves + 1};
        int[] ties = NearestTies.count(graph, hubs, TextbookBfs.levels(graph, -1, hubs), RunContext.of(4));
        assertThat(ties).startsWith(2, 2).endsWith(2, 1, 1).hasSize(leaves + 2);
    }

    @Test
    void shouldEndWhenStopped() {
        Csc graph = TestGraphs.path(10).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        int[] sources = {0};
        int[] distances = TextbookBfs.levels(graph, -1, sources);
        RunContext stopped = new RunContext(1, () -> true, Progress.NONE);
        assertThatThrownBy(() -> NearestTies.count(graph, sources, distances, stopped))
                .isInstanceOf(StoppedException.class);
    }
}
