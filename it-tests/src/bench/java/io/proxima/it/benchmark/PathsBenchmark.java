// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.neo4j.driver.Session;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.exceptions.ClientException;
import org.neo4j.driver.exceptions.TransientException;

/**
 * Paths and connection subgraphs of Proxima, the Graph Data Science library and Cypher in one server, on the same
 * graphs, turn by turn. Each graph has a store and a server of its own. Answers are compared before they are timed.
 *
 * <pre>mvn -B -ntp -Pfull,benchmark verify -Dproxima.benchmark.class=PathsBenchmark</pre>
 *
 * Options:
 *
 * <ul>
 *   <li>{@code --graphs}: a list of {@code rmat-SCALE}, {@code grid-SIDE}, as {@link BenchmarkGraph} has them, and
 *       {@code directory}, {@code rmat-18,grid-1000} otherwise. Paths on a grid are weighted
 *   <li>{@code --directory}: the folder of a company directory, nodes.csv and rels.csv for {@code neo4j-admin}, with
 *       accounts whose property {@code owned} is true and the group of administrators
 *   <li>{@code --steps}: a regular expression of the steps to be timed, all otherwise
 *   <li>{@code --repetitions}: how often each side answers each question of a step, 5 otherwise, after four seconds
 *       of calls that do not count
 *   <li>{@code --limit}: the seconds after which a call is stopped, 60 otherwise
 *   <li>{@code --heap}, {@code --settings} and {@code --name}: as in {@link PeerBenchmark}; the name is {@code paths}
 *       otherwise
 * </ul>
 *
 * A side that was stopped, or that has spent more than half a minute on a step, does not repeat it. The times are taken at
 * the Bolt driver, from the query to the last row. Keys for concurrency are left out. The side {@code gds.bfs} gives
 * the nodes in the order of visits and no shortest path; only their number is returned.
 */
@Prints
public final class PathsBenchmark {

    private static final String OURS = "proxima";
    private static final String GDS = "gds.shortestPath.dijkstra";
    private static final String EACH_PAIR =
            "UNWIND $sources AS s UNWIND $targets AS t MATCH (a) WHERE id(a) = s MATCH (b) WHERE id(b) = t ";
    private static final double WARM_UP_MILLIS = 4_000;
    private static final double TOO_LONG_MILLIS = 30_000;
    private static final long SEED = 20261128;
    private static final int PAIRS = 8;
    private static final int SHORTEST_DISTANCE = 3;
    private static final int LONGEST_DISTANCE = 5;
    private static final int FEW = 20;
    private static final int SET = 100;
    private static final int MANY = 200;
    private static final int SAMPLE = 10;

    private final Measurements measurements;
    private final Cypher cypher;
    private final String graph;
    private final String steps;
    private final int repetitions;
    private final TransactionConfig limit;
    private final Random random = new Random(SEED);

    /**
     * How a side answers.
     *
     * @param query without what it returns
     * @param compared what is compared with the other sides; empty if it cannot be
     * @param timed what is returned while the time is taken
     */
    private record Way(String side, String query, String compared, String timed) {}

    private record Question(List<Object> sources, List<Object> targets) {}

    private PathsBenchmark(Measurements measurements, Cypher cypher, String graph, Map<String, String> options) {
        this.measurements = measurements;
        this.cypher = cypher;
        this.graph = graph;
        this.steps = options.get("steps");
        this.repetitions = Integer.parseInt(options.get("repetitions"));
        this.limit = TransactionConfig.builder()
                .withTimeout(Duration.ofSeconds(Long.parseLong(options.get("limit"))))
                .build();
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
                        "limit", "60",
                        "name", "paths"),
                arguments);
        Measurements measurements = new Measurements();
        for (String graph : options.get("graphs").split(",", -1)) {
            Installation installation = Installation.built();
            Path home = installation.newHome("paths-benchmark");
            load(installation, home, graph, Path.of(options.get("directory")));
            try (ServerProcess server =
                    BenchmarkGraph.server(installation, home, options).start()) {
                Cypher cypher = new Cypher(server.driver());
                System.out.println(BenchmarkGraph.versions(cypher));
                new PathsBenchmark(measurements, cypher, graph, options).measure();
            }
            measurements.writeCsv(options);
        }
    }

    /** Fills the store of a server that has not been started. */
    static void load(Installation installation, Path home, String graph, Path directory) {
        if (!graph.equals("directory")) {
            BenchmarkGraph.of(Map.of("graphs", graph)).get(0).importInto(installation, home, graph.startsWith("grid"));
            return;
        }
        Path folder = directory.toAbsolutePath();
        BulkImport.run(installation, home, folder.resolve("nodes.csv"), folder.resolve("rels.csv"));
    }

    private void measure() {
        switch (graph.split("-", -1)[0]) {
            case "grid" -> roads();
            case "directory" -> directory();
            default -> hubs();
        }
    }

    private void project(String type) {
        for (String side : List.of(OURS, "gds")) {
            cypher.rows("CALL " + side + ".graph.drop('g', false)");
            cypher.rows("CALL " + side + ".graph.project('g', '*', {E: {type: '*', " + type + "}})");
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
                if (!targets.isEmpty()) {
                    atDistance
                            .computeIfAbsent(distance, key -> new ArrayList<>())
                            .add(new Question(List.of(source), some(targets, 1)));
                }
            }
            lone.add(new Question(
                    List.of(source), some(ids("MATCH (n) WHERE NOT (n)--() RETURN id(n) ORDER BY id(n)"), 1)));
            inPairs.add(new Question(
                    List.of(source),
                    some(
                            ids("CALL proxima.wcc.stream('g') YIELD nodeId, componentId WITH componentId,"
                                    + " collect(nodeId) AS members WHERE size(members) = 2"
                                    + " RETURN members[0] AS id ORDER BY id"),
                            1)));
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

    private void roads() {
        project("orientation: 'UNDIRECTED', properties: 'cost'");
        List<Object> nodes = ids("MATCH (n) RETURN id(n) ORDER BY n.key");
        int side = (int) Math.sqrt(nodes.size());
        String weight = ", relationshipWeightProperty: 'cost'";
        for (int far : new int[] {side / 100, side / 10, side - side / 10}) {
            List<Question> questions = IntStream.range(0, PAIRS)
                    .map(pair -> side * random.nextInt(side - far) + random.nextInt(side - far))
                    .mapToObj(
                            node -> new Question(List.of(nodes.get(node)), List.of(nodes.get(node + side * far + far))))
                    .toList();
            compare("one pair " + far + " rows and columns apart", questions, ours(weight), gds(weight));
        }
    }

    private void directory() {
        project("orientation: 'NATURAL'");
        Question question = new Question(
                ids("MATCH (n:User {owned: true}) RETURN id(n) ORDER BY id(n)"),
                ids("MATCH (n:Group {name: 'DOMAIN ADMINS@CORP.EXAMPLE'}) RETURN id(n)"));
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
            compare(step + "; counted", List.of(question), new Way(OURS, rows.query, "", "count(relationship)"));
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
        return new Way(way.side, way.query, "count(path)", "count(path)");
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
        if (!step.matches(steps)) {
            return;
        }
        List<Way> comparable =
                Stream.of(ways).filter(way -> !way.compared.isEmpty()).toList();
        for (Question question : comparable.size() > 1 ? questions : List.<Question>of()) {
            if (comparable.stream().map(way -> answer(way, question)).distinct().count() > 1) {
                throw new IllegalStateException(graph + ", " + step + ": answers differ for " + question);
            }
        }
        for (Way way : ways) {
            long start = System.nanoTime();
            for (int i = 0; BenchmarkGraph.millisSince(start) < WARM_UP_MILLIS; i++) {
                time(way, questions.get(i % questions.size()));
            }
        }
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (Question question : questions) {
                List<Way> turn = new ArrayList<>(List.of(ways));
                Collections.rotate(turn, repetition);
                for (Way way : turn) {
                    if (measurements.total(graph, step, way.side) < TOO_LONG_MILLIS) {
                        measurements.add(graph, step, way.side, time(way, question));
                    }
                }
            }
        }
        System.out.println(step
                + Stream.of(ways)
                        .map(way -> String.format(
                                Locale.ROOT, "; %s %.2f ms", way.side, measurements.median(graph, step, way.side)))
                        .collect(Collectors.joining()));
    }

    private List<String> answer(Way way, Question question) {
        try (Session session = cypher.driver().session()) {
            return session
                    .run(way.query + "RETURN " + way.compared, of(question))
                    .list(row -> row.values().stream()
                            .map(value -> String.format(Locale.ROOT, "%.6f", value.asDouble()))
                            .collect(Collectors.joining(" ")))
                    .stream()
                    .sorted()
                    .toList();
        }
    }

    private double time(Way way, Question question) {
        long start = System.nanoTime();
        try (Session session = cypher.driver().session()) {
            session.run(way.query + "RETURN " + way.timed, of(question), limit).forEachRemaining(row -> {});
        } catch (TransientException | ClientException e) {
            if (!e.code().contains("TransactionTimedOut")) {
                throw e;
            }
            return Double.POSITIVE_INFINITY;
        }
        return BenchmarkGraph.millisSince(start);
    }

    private Object value(String query, Question question) {
        return cypher.value(query, "sources", question.sources, "targets", question.targets);
    }

    private static Map<String, Object> of(Question question) {
        return Map.of("sources", question.sources, "targets", question.targets);
    }

    private List<Object> ids(String query, Object... parameters) {
        return cypher.rows(query, parameters).stream()
                .flatMap(row -> row.values().stream())
                .toList();
    }

    /** Different ones of these, in random order. */
    private List<Object> some(List<Object> all, int count) {
        return random.ints(0, all.size())
                .distinct()
                .limit(count)
                .mapToObj(all::get)
                .toList();
    }
}
