// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TextbookBrandes;
import io.proxima.backend.TextbookChecks;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is special about betweenness on the CPU; the rest is in the contract of all backends. */
class BetweennessTest {

    @Provide
    Arbitrary<SmallGraph> smallGraphs() {
        return SmallGraph.arbitrary(60, 200);
    }

    /** The forms of a search that memory or the number of paths select. */
    @Property(tries = 200)
    void shouldAgreeOneByOneAndWithScaledCounts(
            @ForAll("smallGraphs") SmallGraph graph, @ForAll Orientation orientation) {
        Csc csc = graph.toEdgeList().toCsc(orientation, 1, Stop.NEVER);
        int n = csc.vertexCount();
        Csc reversed = csc.transposed(1, Stop.NEVER);
        BrandesSearch narrow = new BrandesSearch(csc, reversed, null, n, false, Stop.NEVER);
        ScaledBrandesSearch scaled = new ScaledBrandesSearch(csc, null, n, Stop.NEVER);
        narrow.enter(0, n);
        double[] found = new double[n];
        double[] ofScaled = new double[n];
        for (int source = 0; source < n; source++) {
            narrow.run(new int[] {source}, 0, 1, null);
            narrow.takeScores(found);
            scaled.run(source, 0, (v, dependency) -> ofScaled[v] += dependency);
        }
        TextbookChecks.checkScores(found, TextbookBrandes.scores(csc));
        TextbookChecks.checkScores(ofScaled, found);
    }

    /** Each vertex of a small graph becomes several, connected or not, from which trees hang. */
    @Property(tries = 1000)
    void shouldScoreTwins(
            @ForAll("seeds") SmallGraph seed,
            @ForAll @IntRange(min = 1, max = 4) int most,
            @ForAll @IntRange(max = 5) int trees,
            @ForAll long randomSeed,
            @ForAll boolean sampled) {
        Random random = new Random(randomSeed);
        Csc pattern = seed.toEdgeList().toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] starts = new int[pattern.vertexCount() + 1];
        for (int v = 0; v < pattern.vertexCount(); v++) {
            starts[v + 1] = starts[v] + 1 + random.nextInt(most);
        }
        int core = Math.max(1, starts[pattern.vertexCount()]);
        EdgeList edges = new EdgeList(core + trees);
        for (int v = 0; v < pattern.vertexCount(); v++) {
            boolean connected = random.nextBoolean();
            for (int copy = starts[v]; copy < starts[v + 1]; copy++) {
                for (int other = connected ? starts[v] : copy; other < copy; other++) {
                    edges.add(other, copy);
                }
                for (long i = pattern.columnStart(v); i < pattern.columnEnd(v); i++) {
                    int u = pattern.rowIndices().get(i);
                    for (int other = starts[u]; other < starts[u + 1]; other++) {
                        edges.add(copy, other);
                    }
                }
            }
        }
        for (int leaf = 0; leaf < trees; leaf++) {
            edges.add(random.nextInt(core + leaf), core + leaf);
        }
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] sources = IntStream.range(0, csc.vertexCount())
                .filter(v -> !sampled || random.nextBoolean())
                .toArray();
        double[] one = scores(csc, sources, 1);
        TextbookChecks.checkScores(one, TextbookBrandes.scores(csc, sources));
        assertThat(scores(csc, sources, 3)).isEqualTo(one);
    }

    @Provide
    Arbitrary<SmallGraph> seeds() {
        return SmallGraph.arbitrary(12, 20);
    }

    /** Undirected, it is a tree; directed, each search is as deep as the graph. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldScoreALongChainFromASample(Orientation orientation) {
        int n = 100_000;
        Csc csc = TestGraphs.path(n).toCsc(orientation, 2, Stop.NEVER);
        int[] sources = {0, 5, 60_000, n - 1};
        double[] scores;
        try (LoadedGraph graph = new CpuBackend().load(csc)) {
            scores = graph.betweenness(sources, RunContext.of(2));
        }
        for (int vertex = 0; vertex < n; vertex += 7) {
            double expected = 0;
            for (int source : sources) {
                boolean forward = source < vertex && orientation != Orientation.REVERSE;
                boolean backward = source > vertex && orientation != Orientation.NATURAL;
                expected += forward ? n - 1 - vertex : backward ? vertex : 0;
            }
            assertThat(scores[vertex]).as("vertex %d", vertex).isEqualTo(expected);
        }
    }

    private static double[] scores(Csc csc, int[] sources, int concurrency) {
        try (LoadedGraph graph = new CpuBackend().load(csc)) {
            return graph.betweenness(sources, RunContext.of(concurrency));
        }
    }
}
