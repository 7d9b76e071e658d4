// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.graphs.EdgeList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Components, betweenness and weighted shortest paths of {@link PeerBenchmark}, on one graph.
 *
 * <p>Betweenness is exact if the options say so, or if that is expected to take the library less than about a minute. For
 * larger graphs, both sides search from a sample. Proxima draws it uniformly; the library prefers nodes of high degree, so
 * no node without relationships takes part. Proxima's sample is larger by the share of such nodes, so that about as many
 * searches are made. The scores of different samples are not compared.
 *
 * <p>Shortest paths begin at the nodes at which the searches of {@link PeerBenchmark} begin, once with integers from 1 to
 * 255 as weights and once with doubles. A delta of {@code default} is the default of each side, any other is used by
 * both.
 */
final class PeerAlgorithms {

    /** Sources times directed relationships of an exact betweenness. On two cores, the library takes 8 ns for each. */
    private static final double MOST_EXACT_WORK = 8e9;

    private static final double SCORE_TOLERANCE = 1e-6;
    private static final double COST_TOLERANCE = 1e-9;

    private final PeerBenchmark benchmark;
    private final Cypher cypher;
    private final BenchmarkGraph graph;
    private final EdgeList edges;

    PeerAlgorithms(PeerBenchmark benchmark, BenchmarkGraph graph) {
        this.benchmark = benchmark;
        this.cypher = benchmark.cypher();
        this.graph = graph;
        this.edges = graph.edges();
    }

    void components() {
        UnaryOperator<String> query =
                side -> "CALL " + side + ".wcc.stats('g', {" + benchmark.key("concurrency") + "}) YIELD componentCount";
        requireEqual("components", 0, query);
        benchmark.alternate("wcc stats", query);
    }

    void betweenness(String sampling) {
        // the library counts each of several parallel relationships as a path
        benchmark.projections("project SINGLE", ", aggregation: 'SINGLE'");
        boolean exact = sampling.equals("all") || (double) graph.entryCount() * edges.nodeCount() <= MOST_EXACT_WORK;
        int samplingSize = exact ? 0 : Integer.parseInt(sampling);
        Map<String, Long> sizes = Map.of(
                PeerBenchmark.OURS,
                Math.round((double) samplingSize * edges.nodeCount() / connectedNodeCount()),
                PeerBenchmark.THEIRS,
                (long) samplingSize);
        UnaryOperator<String> call = side -> "CALL " + side + ".betweenness.stream('g', {"
                + (exact
                        ? benchmark.key("concurrency")
                        : "samplingSize: " + sizes.get(side) + benchmark.andKey("concurrency"))
                + "}) YIELD nodeId, score ";
        UnaryOperator<String> greatest = side -> call.apply(side) + "RETURN max(score)";
        if (exact) {
            requireEqual(
                    "betweenness",
                    SCORE_TOLERANCE,
                    side -> call.apply(side) + "WITH score ORDER BY nodeId RETURN collect(score)");
        } else {
            PeerBenchmark.turn(0).forEach(side -> cypher.rows(greatest.apply(side)));
        }
        benchmark.alternate(exact ? "betweenness" : "betweenness " + samplingSize + " sources", greatest);
    }

    private int connectedNodeCount() {
        BitSet connected = new BitSet(edges.nodeCount());
        for (int edge = 0; edge < edges.edgeCount(); edge++) {
            connected.set(edges.source(edge));
            connected.set(edges.target(edge));
        }
        return connected.cardinality();
    }

    void paths(List<String> deltas) {
        benchmark.projections("project two properties", ", properties: ['weight', 'cost']");
        List<Object> sources = graph.sources(cypher, PeerBenchmark.SOURCES);
        for (String property : List.of("weight", "cost")) {
            for (String delta : deltas) {
                paths(sources, property, delta);
            }
        }
    }

    private void paths(List<Object> sources, String property, String delta) {
        boolean byDefault = delta.equals("default");
        String configuration = "'g', {sourceNode: $source, relationshipWeightProperty: '" + property + "'"
                + (byDefault ? "" : ", delta: " + delta) + benchmark.andKey("concurrency") + "}) ";
        UnaryOperator<String> stream = side ->
                "CALL " + side + ".allShortestPaths.delta.stream(" + configuration + "YIELD targetNode, totalCost ";
        for (Object source : sources) {
            requireEqual(
                    "costs of paths by " + property,
                    COST_TOLERANCE,
                    side -> stream.apply(side) + "WITH totalCost ORDER BY targetNode RETURN collect(totalCost)",
                    "source",
                    source);
        }
        String step = "paths by " + property + (byDefault ? "" : " delta " + delta);
        for (Object source : sources) {
            benchmark.alternate(
                    step + " stats",
                    side -> "CALL " + side + ".allShortestPaths.delta.stats(" + configuration + "YIELD computeMillis",
                    "source",
                    source);
            benchmark.alternate(
                    step + " stream and sum", side -> stream.apply(side) + "RETURN sum(totalCost)", "source", source);
        }
    }

    /**
     * Compares what both sides return, which also warms them up.
     *
     * @param query the query of a side; it returns a number or a list of numbers
     * @throws IllegalStateException if two numbers differ by more than the tolerance, relative to that of the library
     */
    private void requireEqual(String name, double tolerance, UnaryOperator<String> query, Object... parameters) {
        List<?> ours = numbers(cypher.value(query.apply(PeerBenchmark.OURS), parameters));
        List<?> theirs = numbers(cypher.value(query.apply(PeerBenchmark.THEIRS), parameters));
        if (ours.size() != theirs.size()) {
            throw new IllegalStateException(
                    graph.name() + ": " + name + " of different nodes: " + ours.size() + ", " + theirs.size());
        }
        for (int i = 0; i < ours.size(); i++) {
            double our = ((Number) ours.get(i)).doubleValue();
            double their = ((Number) theirs.get(i)).doubleValue();
            if (!(Math.abs(our - their) <= tolerance * Math.max(1, Math.abs(their)))) {
                throw new IllegalStateException(graph.name() + ": " + name + " differ: " + our + ", " + their);
            }
        }
    }

    private static List<?> numbers(Object value) {
        return value instanceof List<?> list ? list : List.of(value);
    }
}
