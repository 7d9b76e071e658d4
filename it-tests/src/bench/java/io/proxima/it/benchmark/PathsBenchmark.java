// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.benchmark.Comparison.Question;
import io.proxima.it.benchmark.Comparison.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Paths and connection subgraphs of Proxima, the Graph Data Science library and Cypher in one server, on the same
 * graphs, turn by turn. Each graph has a store and a server of its own. Answers are compared before they are timed.
 *
 * <pre>mvn -B -ntp -Pfull,benchmark verify -Dproxima.benchmark.class=PathsBenchmark</pre>
 *
 * The options are those of {@link Comparison}: {@code rmat-18,grid-1000} as graphs, all steps, 5 repetitions after 4
 * seconds of calls that do not count, unless a side has spent half a minute. Paths on grids and roads are weighted.
 *
 * <p>The side {@code gds.bfs} gives the nodes in the order of visits and no shortest path; only their number is
 * returned. APOC takes part where paths are weighted.
 */
public final class PathsBenchmark {

    private static final String OURS = "proxima";
    private static final String GDS = "gds.shortestPath.dijkstra";
    private static final String EACH_PAIR =
            "UNWIND $sources AS s UNWIND $targets AS t MATCH (a) WHERE id(a) = s MATCH (b) WHERE id(b) = t ";
    private static final Way APOC = new Way(
            "apoc.algo.dijkstra",
            EACH_PAIR + "CALL apoc.algo.dijkstra(a, b, '', 'cost') YIELD path, weight ",
            "s, t, weight, weight AS sum",
            "s, t, weight, path");
    private static final int PAIRS = 8;
    private static final int SHORTEST_DISTANCE = 3;
    private static final int LONGEST_DISTANCE = 5;
    private static final int FEW = 20;
    private static final int SET = 100;
    private static final int MANY = 200;
    private static final int SAMPLE = 10;

    private final Comparison comparison;

    PathsBenchmark(Comparison comparison) {
        this.comparison = comparison;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = Options.read(
                Map.of(
                        "graphs", "rmat-18,grid-1000",
                        "directory", "",
                        "steps", ".*",
                        "repetitions", "5",
                        "warm-up", "4",
                        "once", "30",
                        "limit", "60",
                        "name", "paths"),
                arguments);
        Comparison.onEach(options, comparison -> new PathsBenchmark(comparison).measure());
    }

    /** Measures what can be asked about the graph. */
    void measure() {
        switch (comparison.graph().split("-", -1)[0]) {
            case "grid", "roads" -> roads();
            case "directory", "tutorial" -> directory();
            default -> hubs();
        }
    }

    private void project(String type) {
        for (String side : List.of(OURS, "gds")) {
            comparison.project(side, type);
        }
    }

    private void hubs() {
        project("orientation: 'UNDIRECTED'");
        List<Object> nodes = ids("MATCH (n) WHERE (n)--() RETURN id(n) ORDER BY id(n)");
        List<Question> lone = new ArrayList<>();
        List<Question> inPairs = new ArrayList<>();
        Map<Integer, List<Question>> atDistance = new TreeMap<>();
        for (Object source : some(nodes, PAIRS)) {
            for (int distance = SHORTEST_DISTANCE; distance <= LONGEST_DISTANCE; distance++) {
                List<Object> targets = ids(
                        "CALL proxima.bfs.stream('g', {sourceNode: $source}) YIELD nodeId, distance"
                                + " WHERE distance = $distance RETURN nodeId ORDER BY nodeId",
                        "source",
                        source,
                        "distance",
                        distance);
                ask(atDistance.computeIfAbsent(distance, key -> new ArrayList<>()), source, some(targets, 1));
            }
            ask(lone, source, some(ids("MATCH (n) WHERE NOT (n)--() RETURN id(n) ORDER BY id(n)"), 1));
            ask(
                    inPairs,
                    source,
                    some(
                            ids("CALL proxima.wcc.stream('g') YIELD nodeId, componentId WITH componentId,"
                                    + " collect(nodeId) AS members WHERE size(members) = 2"
                                    + " RETURN members[0] AS id ORDER BY id"),
                            1));
        }
        Way shortest = paths("cypher SHORTEST 1", "CALL (a, b) {MATCH path = SHORTEST 1 (a)--+(b) RETURN path} ");
        Way older = paths("cypher shortestPath()", "MATCH path = shortestPath((a)-[*]-(b)) ");
        Way visits = new Way(
                "gds.bfs",
                "CALL gds.bfs.stream('g', {sourceNode: $sources[0], targetNodes: $targets}) YIELD nodeIds ",
                "",
                "size(nodeIds)");
        atDistance.forEach((distance, questions) ->
                compare("one pair at distance " + distance, questions, ours(""), gds(""), shortest, older, visits));
        compare("one pair without a path: lone target", lone, ours(""), gds(""), shortest, older, visits);
        compare("one pair without a path: component of two", inPairs, ours(""), gds(""), shortest, older, visits);
        List<Object> ends = some(nodes, FEW + MANY);
        compare(
                FEW + " x " + FEW,
                List.of(new Question(ends.subList(0, FEW), ends.subList(FEW, 2 * FEW))),
                ours(""),
                gds(""),
                shortest,
                older);
        compare(
                FEW + " x " + MANY,
                List.of(new Question(ends.subList(0, FEW), ends.subList(FEW, FEW + MANY))),
                ours(""),
                gds(""));
        compare(
                FEW + " x " + MANY + "; paths counted",
                List.of(new Question(ends.subList(0, FEW), ends.subList(FEW, FEW + MANY))),
                counted(ours("")),
                counted(gds("")));
        List<Object> sources = some(nodes, SET);
        List<Object> targets = some(
                ids(
                        "CALL proxima.distances.nearest.stream('g', {sourceNodes: $sources}) YIELD nodeId, distance"
                                + " WHERE distance = $distance RETURN nodeId ORDER BY nodeId",
                        "sources",
                        sources,
                        "distance",
                        SHORTEST_DISTANCE),
                SET);
        if (targets.isEmpty()) {
            return;
        }
        Question sets = new Question(sources, targets);
        compare(
                "the two searches",
                List.of(sets),
                new Way(
                        OURS,
                        "UNWIND [$sources, $targets] AS nodes"
                                + " CALL proxima.distances.nearest.stats('g', {sourceNodes: nodes}) YIELD nodesReached ",
                        "",
                        "sum(nodesReached)"));
        subgraphs(sets, "(a)-[*.." + SHORTEST_DISTANCE + "]-(b)");
        compare(
                "relationships of " + SAMPLE + " x " + SAMPLE + " pairs",
                List.of(new Question(sources.subList(0, SAMPLE), targets.subList(0, SAMPLE))),
                relationships("(a)-[*]-(b)"));
    }

    /** Adds a question unless there is no target. */
    private static void ask(List<Question> questions, Object source, List<Object> targets) {
        if (!targets.isEmpty()) {
            questions.add(new Question(List.of(source), targets));
        }
    }

    private void roads() {
        project("orientation: 'UNDIRECTED', properties: 'cost'");
        List<Object> nodes = ids("MATCH (n) RETURN id(n) ORDER BY n.key");
        int side = (int) Math.sqrt(nodes.size());
        String weight = ", relationshipWeightProperty: 'cost'";
        for (int far : new int[] {side / 100, side / 10, side - side / 10}) {
            List<Question> questions = IntStream.range(0, PAIRS)
                    .map(pair -> side * comparison.random(side - far) + comparison.random(side - far))
                    .mapToObj(
                            node -> new Question(List.of(nodes.get(node)), List.of(nodes.get(node + side * far + far))))
                    .toList();
            compare("one pair " + far + " rows and columns apart", questions, ours(weight), gds(weight), APOC);
        }
    }

    private void directory() {
        project("orientation: 'NATURAL'");
        Question question = new Question(
                ids("MATCH (n:User {owned: true}) RETURN id(n) ORDER BY id(n)"),
                ids("MATCH (n:Group) WHERE toUpper(n.name) STARTS WITH 'DOMAIN ADMINS' RETURN id(n)"));
        compare(
                "owned accounts to administrators",
                List.of(question),
                ours(""),
                gds(""),
                paths("cypher SHORTEST 1", "CALL (a, b) {MATCH path = SHORTEST 1 (a)-->+(b) RETURN path} "),
                paths("cypher shortestPath()", "MATCH path = shortestPath((a)-[*]->(b)) "));
        subgraphs(question, null);
        compare("relationships of all pairs", List.of(question), relationships("(a)-[*]->(b)"));
    }

    /**
     * The connection subgraph within the shortest distance, and within two more hops.
     *
     * @param pattern of the shortest paths in Cypher; null if it is not compared
     */
    private void subgraphs(Question question, String pattern) {
        String call = "CALL proxima.connectionSubgraph.";
        String keys = "('g', {sourceNodes: $sources, targetNodes: $targets";
        long least =
                Math.round((Double) value(call + "stats" + keys + "}) YIELD leastCost RETURN leastCost", question));
        for (int more : new int[] {0, 2}) {
            String bound = keys + (more == 0 ? "" : ", maxDepth: " + (least + more)) + "}) YIELD ";
            Object count = value(call + "stats" + bound + "relationshipCount RETURN relationshipCount", question);
            String step = "subgraph within " + (least + more) + " hops: " + count + " relationships";
            Way rows = new Way(OURS, call + "stream" + bound + "relationship ", "id(relationship)", "relationship");
            if (more == 0 && pattern != null) {
                compare(step, List.of(question), rows, relationships(pattern));
            } else {
                compare(step, List.of(question), rows);
            }
            compare(step + "; counted", List.of(question), new Way(OURS, rows.query(), "", "count(relationship)"));
        }
    }

    private static Way ours(String weight) {
        return new Way(
                OURS,
                "CALL proxima.shortestPath.stream('g', {sourceNodes: $sources, targetNodes: $targets" + weight
                        + "}) YIELD sourceNode, targetNode, totalCost, path ",
                "sourceNode, targetNode, totalCost, reduce(sum = 0.0, r IN relationships(path) | sum + "
                        + (weight.isEmpty() ? "1" : "r.cost") + ")",
                "sourceNode, targetNode, totalCost, path");
    }

    private static Way gds(String weight) {
        return new Way(
                GDS,
                "UNWIND $sources AS source CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: source,"
                        + " targetNodes: $targets" + weight + "}) YIELD sourceNode, targetNode, totalCost, path ",
                "sourceNode, targetNode, totalCost, totalCost AS sum",
                "sourceNode, targetNode, totalCost, path");
    }

    private static Way counted(Way way) {
        return new Way(way.side(), way.query(), "count(path)");
    }

    private static Way paths(String side, String match) {
        return new Way(
                side,
                EACH_PAIR + match + "WITH s, t, 1.0 * length(path) AS totalCost, path ",
                "s, t, totalCost, totalCost AS sum",
                "s, t, totalCost, path");
    }

    private static Way relationships(String pattern) {
        return new Way(
                "cypher allShortestPaths()",
                EACH_PAIR + "MATCH path = allShortestPaths(" + pattern
                        + ") UNWIND relationships(path) AS r WITH DISTINCT r ",
                "id(r)",
                "r");
    }

    private void compare(String step, List<Question> questions, Way... ways) {
        comparison.compare(step, questions, ways);
    }

    private Object value(String query, Question question) {
        return comparison.value(query, question);
    }

    private List<Object> ids(String query, Object... parameters) {
        return comparison.ids(query, parameters);
    }

    private List<Object> some(List<Object> all, int count) {
        return comparison.some(all, count);
    }
}
