// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.projection.EdgeList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Components, betweenness, weighted shortest paths and other measures over weights of {@link PeerBenchmark}, on one
 * graph.
 *
 * <p>Betweenness is exact if the options say so, or if that is expected to take the library less than about a minute.
 * For larger graphs, both sides search from a sample. Proxima draws it uniformly; the library prefers nodes of high
 * degree, so no node without relationships takes part. Proxima's sample is larger by the share of such nodes, so that
 * about as many searches are made. The scores of different samples are not compared.
 *
 * <p>Shortest paths begin at the nodes at which the searches of {@link PeerBenchmark} begin, once with integers from 1
 * to 255 as weights and once with doubles. A delta of {@code default} is the default of each side, any other is used by
 * both.
 *
 * <p>Over integers from 1 to 255 as weights, {@code weights} measures betweenness beside the library, and of Proxima
 * alone closeness; {@code nearest} the nearest of 200 nodes, and a search from one of them without an end and up to a
 * tenth of its greatest cost.
 */
final class PeerAlgorithms {

    /** Sources times directed relationships of an exact betweenness. On two cores, the library takes 8 ns for each. */
    private static final double MOST_EXACT_WORK = 8e9;

    /** The same over weights, for a search of which the library takes a hundred times as long. */
    private static final double MOST_EXACT_WEIGHTED_WORK = 2.5e9;

    private static final int DEPOTS = 200;

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
        benchmark.requireEqual("components", query);
        // as often as the searches, because single calls are as short
        for (int round = 0; round < PeerBenchmark.SOURCES; round++) {
            benchmark.alternate("wcc stats", query);
        }
    }

    void betweenness(String sampling) {
        // the library counts each of several parallel relationships as a path
        benchmark.projections("project SINGLE", ", aggregation: 'SINGLE'");
        betweenness(sampling, "betweenness", "", MOST_EXACT_WORK);
    }

    private void betweenness(String sampling, String name, String keys, double mostExactWork) {
        boolean exact = sampling.equals("all") || (double) graph.entryCount() * edges.vertexCount() <= mostExactWork;
        int samplingSize = exact ? 0 : Integer.parseInt(sampling);
        Map<String, Long> sizes = Map.of(
                PeerBenchmark.OURS,
                Math.round((double) samplingSize * edges.vertexCount() / connectedNodeCount()),
                PeerBenchmark.THEIRS,
                (long) samplingSize);
        UnaryOperator<String> call = side -> "CALL " + side + ".betweenness.stream('g', {samplingSize: "
                + (exact ? edges.vertexCount() : sizes.get(side)) + keys + benchmark.andKey("concurrency")
                + "}) YIELD nodeId, score ";
        UnaryOperator<String> greatest = side -> call.apply(side) + "RETURN max(score)";
        if (exact) {
            benchmark.requireEqual(name, side -> call.apply(side) + "RETURN score ORDER BY nodeId");
        } else {
            benchmark.turn(0).forEach(side -> cypher.rows(greatest.apply(side)));
        }
        benchmark.alternate(exact ? name : name + " " + samplingSize + " sources", greatest);
    }

    private int connectedNodeCount() {
        BitSet connected = new BitSet(edges.vertexCount());
        for (long edge = 0; edge < edges.edgeCount(); edge++) {
            connected.set(edges.source(edge));
            connected.set(edges.target(edge));
        }
        return connected.cardinality();
    }

    void properties() {
        benchmark.projections("project one property", ", properties: ['weight']");
        benchmark.projections("project two properties", ", properties: ['weight', 'cost']");
    }

    /** On the projection with two properties. */
    void weights(String sampling) {
        String keys = ", relationshipWeightProperty: 'weight'";
        betweenness(sampling, "betweenness by weight", keys, MOST_EXACT_WEIGHTED_WORK);
        String common = keys + benchmark.andKey("concurrency") + "}) YIELD ";
        benchmark.timed(
                "closeness by weight",
                PeerBenchmark.OURS,
                "CALL proxima.closeness.stats('g', {harmonic: false" + common + "computeMillis");
    }

    /** Of Proxima alone, on the projection with two properties. */
    void nearest() {
        String common = ", relationshipWeightProperty: 'weight'" + benchmark.andKey("concurrency") + "}) YIELD ";
        List<Object> depots = graph.sources(cypher, DEPOTS);
        String delta = "CALL proxima.allShortestPaths.delta.stream('g', {sourceNode: $source" + common
                + "totalCost RETURN max(totalCost)";
        double tenth = (Double) cypher.value(delta, "source", depots.get(0)) / 10;
        for (int round = 0; round < PeerBenchmark.SOURCES; round++) {
            benchmark.timed(
                    "nearest of " + DEPOTS + " by weight",
                    PeerBenchmark.OURS,
                    "CALL proxima.distances.nearest.mutate('g', {sourceNodes: $sources, mutateProperty: 'n" + round
                            + "'" + common + "computeMillis",
                    "sources",
                    depots);
            Map<String, String> ends = Map.of("one search by weight", "", "up to a tenth", ", maxCost: " + tenth);
            ends.forEach((step, end) -> benchmark.timed(
                    step,
                    PeerBenchmark.OURS,
                    "CALL proxima.allShortestPaths.delta.stats('g', {sourceNode: $source" + end + common
                            + "computeMillis",
                    "source",
                    depots.get(0)));
        }
    }

    /** On the projection with two properties. */
    void paths(List<String> deltas) {
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
            benchmark.requireEqual(
                    "costs of paths by " + property,
                    side -> stream.apply(side) + "RETURN totalCost ORDER BY targetNode",
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
}
