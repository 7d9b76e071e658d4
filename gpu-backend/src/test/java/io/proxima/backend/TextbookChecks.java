// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.backend.result.NextHops;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Compares what a loaded graph finds with what the algorithms of textbooks find: equal, not near, but for scores. */
public final class TextbookChecks {

    private TextbookChecks() {}

    /** Checks one search; without targets it ends at the maximum depth, -1 for none. */
    public static void checkLevels(
            Csc csc, LoadedGraph graph, int source, int maxDepth, RunContext control, int... targets) {
        checkLevels(TextbookBfs.levels(csc, -1, source), graph, source, maxDepth, control, targets);
    }

    /** The same, with the levels of the textbook's search that does not end early. */
    public static void checkLevels(
            int[] all, LoadedGraph graph, int source, int maxDepth, RunContext control, int... targets) {
        int last = IntStream.concat(
                        IntStream.of(maxDepth), IntStream.of(targets).map(target -> all[target]))
                .filter(level -> level >= 0)
                .min()
                .orElse(Integer.MAX_VALUE);
        int[] expected =
                IntStream.of(all).map(level -> level > last ? -1 : level).toArray();
        int depth = Arrays.stream(expected).max().orElse(0);
        long[] sizes = new long[depth + 1];
        IntStream.of(expected).filter(level -> level >= 0).forEach(level -> sizes[level]++);

        Levels found = graph.bfs(source, maxDepth, targets, control);
        assertThat(found.levels())
                .as(
                        "%s from %d to %d or %s, %d vertices",
                        control.options(), source, maxDepth, Arrays.toString(targets), all.length)
                .isEqualTo(expected);
        assertThat(found.frontierSizes()).isEqualTo(sizes);
        assertThat(found.depth()).isEqualTo(depth);
        assertThat(found.reached()).isEqualTo(Arrays.stream(sizes).sum());
    }

    /** Checks the levels between two sets of vertices for each maximum depth, and that they lead to the first path. */
    public static void checkLevelsTo(
            Csc csc, LoadedGraph graph, int[] sources, int[] targets, RunContext control, int... maxDepths) {
        Csc reversed = csc.transposed(1, Stop.NEVER);
        int[] ahead = TextbookBfs.levels(csc, -1, sources);
        int[] behind = TextbookBfs.levels(reversed, -1, targets);
        int least = IntStream.of(targets)
                .map(target -> ahead[target])
                .filter(level -> level >= 0)
                .min()
                .orElse(Integer.MAX_VALUE);
        for (int maxDepth : maxDepths) {
            IntUnaryOperator found = graph.levelsTo(sources, targets, maxDepth, control.again());
            if (least == Integer.MAX_VALUE || (maxDepth >= 0 && least > maxDepth)) {
                assertThat(IntStream.of(targets).map(found)).allMatch(level -> level < 0);
                continue;
            }
            for (int v = 0; v < csc.vertexCount(); v++) {
                if (ahead[v] >= 0 && behind[v] >= 0 && ahead[v] + behind[v] == least) {
                    assertThat(found.applyAsInt(v)).as("vertex %d on a path", v).isEqualTo(ahead[v]);
                } else if (found.applyAsInt(v) >= 0) {
                    assertThat(found.applyAsInt(v)).as("vertex %d beside", v).isGreaterThanOrEqualTo(ahead[v]);
                }
            }
            if (sources.length == 1 && targets.length == 1) {
                int[] path = ShortestPathDag.ofLevels(reversed, found, Stop.NEVER)
                        .paths(targets[0])
                        .next();
                NextHops hops = NextHops.to(targets[0], reversed, sources, maxDepth, Stop.NEVER);
                assertThat(hops.reachFrom(sources[0])).isTrue();
                assertThat(hops.path(sources[0], Stop.NEVER)).isEqualTo(path);
                assertThat(hops.paths(sources[0], csc, reversed, Stop.NEVER)
                                .paths(targets[0])
                                .next())
                        .isEqualTo(path);
                assertThat(path).startsWith(sources).endsWith(targets).hasSize(least + 1);
            }
        }
    }

    /** Checks the distances from the sources, which the caller's thread receives once each, in their order. */
    public static void checkDistances(Csc csc, LoadedGraph graph, int[] sources, int maxDepth, RunContext control) {
        Thread caller = Thread.currentThread();
        int[] next = {0};
        graph.multiSourceBfs(
                sources,
                maxDepth,
                batch -> {
                    assertThat(Thread.currentThread()).isSameAs(caller);
                    assertThat(batch.firstSource()).isEqualTo(next[0]);
                    assertThat(batch.sourceCount()).isBetween(1, graph.multiSourceBatchSize());
                    int deepest = 0;
                    for (int s = 0; s < batch.sourceCount(); s++) {
                        int source = s;
                        int[] expected = TextbookBfs.levels(csc, maxDepth, sources[batch.firstSource() + s]);
                        int[] found = IntStream.range(0, csc.vertexCount())
                                .map(vertex -> batch.distance(source, vertex))
                                .toArray();
                        assertThat(found)
                                .as("from the source %d", batch.firstSource() + s)
                                .isEqualTo(expected);
                        deepest =
                                Math.max(deepest, Arrays.stream(expected).max().orElse(0));
                    }
                    assertThat(batch.depth()).isEqualTo(deepest);
                    next[0] += batch.sourceCount();
                },
                control);
        assertThat(next[0]).isEqualTo(sources.length);
    }

    /** Checks the nearest of the sources; of equally near ones the first is it. */
    public static void checkNearest(Csc csc, LoadedGraph graph, int[] sources, int maxDepth, RunContext control) {
        int[] distances = TextbookBfs.levels(csc, maxDepth, sources);
        int[] nearest = new int[csc.vertexCount()];
        Arrays.fill(nearest, -1);
        for (int s = sources.length - 1; s >= 0; s--) {
            int[] levels = TextbookBfs.levels(csc, maxDepth, sources[s]);
            for (int v = 0; v < levels.length; v++) {
                nearest[v] = levels[v] >= 0 && levels[v] == distances[v] ? s : nearest[v];
            }
        }
        NearestSources found = graph.nearestSource(sources, maxDepth, control);
        assertThat(found.distances()).isEqualTo(distances);
        assertThat(found.sources()).isEqualTo(nearest);
    }

    /** Checks that each vertex has the lowest vertex of its component. */
    public static void checkComponents(Csc csc, LoadedGraph graph, RunContext control) {
        assertThat(graph.components(control)).isEqualTo(TextbookComponents.of(csc));
    }

    /** Checks the scores of searches from these sources, null for all, and returns them. */
    public static double[] checkBetweenness(Csc csc, LoadedGraph graph, int[] sources, RunContext control) {
        double[] expected = sources == null ? TextbookBrandes.scores(csc) : TextbookBrandes.scores(csc, sources);
        double[] found = graph.betweenness(sources, control);
        checkScores(found, expected);
        return found;
    }

    /** Checks scores, whose sums may have been added in another order. */
    public static void checkScores(double[] found, double[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int vertex = 0; vertex < expected.length; vertex++) {
            assertThat(found[vertex])
                    .as("betweenness of vertex %d", vertex)
                    .isEqualTo(expected[vertex], within(1e-9 * expected[vertex]));
        }
    }

    /** Checks the costs of the cheapest paths from a source over edges that cost 1 each. */
    public static void checkShortestPaths(Csc csc, LoadedGraph graph, int source, RunContext control) {
        WeightedCsc ones = WeightedCsc.ofOnes(csc);
        ShortestPaths found = graph.shortestPaths(source, ones, LoadedGraph.ANY_DELTA, false, control);
        assertThat(found.costs()).isEqualTo(TextbookDijkstra.costs(ones, source));
        assertThat(found.predecessors()).as("left out").isNull();
    }

    /** Sums over costs are right to the last bit. */
    public static void checkCostSums(
            WeightedCsc weights, LoadedGraph graph, int[] sources, boolean reciprocals, RunContext control) {
        CostSums found = graph.costSums(sources, weights, reciprocals, control);
        for (int i = 0; i < sources.length; i++) {
            double[] costs = TextbookDijkstra.costs(weights, sources[i]);
            costs[sources[i]] = Double.POSITIVE_INFINITY;
            double[] others = Arrays.stream(costs)
                    .filter(cost -> cost < Double.POSITIVE_INFINITY)
                    .sorted()
                    .toArray();
            assertThat(found.reach()[i]).isEqualTo(others.length);
            double greatest = others.length == 0 ? 0 : others[others.length - 1];
            assertThat(found.greatest()[i]).isEqualTo(greatest);
            assertThat(found.sums()[i]).isEqualTo(sum(others, greatest));
            if (reciprocals) {
                double[] inverted = Arrays.stream(others).map(cost -> 1 / cost).toArray();
                assertThat(found.reciprocals()[i]).isEqualTo(sum(inverted, others.length == 0 ? 0 : inverted[0]));
            }
        }
    }

    private static double sum(double[] numbers, double greatest) {
        FixedSum sum = new FixedSum(greatest);
        Arrays.stream(numbers).forEach(sum::add);
        return sum.value();
    }
}
