// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * Proxima and, if the build laid it out, the Graph Data Science library in one server, on the same graphs, in one run,
 * turn by turn, with the same concurrency keys. Each graph has a store and a server of its own. Nothing counts before
 * it is shown to be equal.
 *
 * <pre>mvn -B -ntp -Pfull,benchmark verify -Dproxima.benchmark.args="--graphs=rmat-16,rmat-18 --repetitions=5"</pre>
 *
 * Options:
 *
 * <ul>
 *   <li>{@code --graphs}: see {@link BenchmarkGraph}
 *   <li>{@code --steps}: what is done beside the projections, {@code searches,closeness,write} otherwise.
 *       {@code cypher} adds Cypher projections, and the query that gives their rows to {@code count} in their place.
 *       {@code first} adds calls of closeness.write in a server that has just started, before all others.
 *       {@code small} adds projections of few nodes of the graph, see {@code --small}.
 *       {@code properties}, {@code paths}, {@code weights} and {@code nearest} add projections with one and two
 *       properties; {@code wcc}, {@code betweenness} and the last three are described in {@link PeerAlgorithms}
 *   <li>{@code --repetitions}: how often each step is done, 5 otherwise, after three projections, of which the first is
 *       a step of its own, one round of searches and one write that do not count
 *   <li>{@code --sampling}: the sources of a betweenness that is not exact, 256 otherwise; {@code all} for an exact one
 *   <li>{@code --small}: a list of numbers of nodes for {@code small}, 2000 otherwise; that many get a label of their
 *       own, and are projected with the relationships between them, after two thousand queries that do nothing
 *   <li>{@code --deltas}: a list of values of delta for {@code paths}, {@code default} otherwise, which leaves the
 *       key out
 *   <li>{@code --concurrency}: the value of the keys readConcurrency, concurrency and writeConcurrency, 2 otherwise;
 *       {@code default} leaves them out, as most callers do
 *   <li>{@code --heap}: the server's heap, 4g otherwise
 *   <li>{@code --settings}: a list of lines of neo4j.conf, such as {@code server.proxima.backend=cpu} or
 *       {@code server.proxima.warmup.enabled=false}
 *   <li>{@code --name}: the name of the file written to docs/benchmarks, {@code peers} otherwise: a .csv with every
 *       time
 * </ul>
 *
 * A step on which one side has spent more than two minutes is not repeated by that side. On a path the library is
 * stopped after 20 seconds.
 *
 * <p>The times are taken outside, at the Bolt driver. Processor time is that of the whole server. Two times are others:
 * "closeness" is that of the call of closeness.write less its writeMillis, and "write" is the writeMillis of a call
 * that writes a FLOAT to every node under a new key, closeness.write here and gds.degree.write there.
 */
@Prints
public final class PeerBenchmark {

    static final String OURS = "proxima";
    static final String THEIRS = "gds";
    static final int SOURCES = 8;
    private static final int WARM_UPS = 3;
    private static final double TOO_LONG_MILLIS = 120_000;
    private static final Duration PATH_LIMIT = Duration.ofSeconds(20);
    private static final double TOLERANCE = 1e-9;

    private final Measurements measurements;
    private final Cypher cypher;
    private final BenchmarkGraph graph;
    private final int repetitions;
    private final String concurrency;
    private final List<String> steps;
    private final List<String> sides;
    private int writes;

    private PeerBenchmark(
            Measurements measurements,
            Cypher cypher,
            BenchmarkGraph graph,
            int repetitions,
            String concurrency,
            List<String> steps,
            List<String> sides) {
        this.measurements = measurements;
        this.cypher = cypher;
        this.graph = graph;
        this.repetitions = repetitions;
        this.concurrency = concurrency;
        this.steps = steps;
        this.sides = sides;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = Options.read(
                Map.of(
                        "graphs",
                        "rmat-16,rmat-18,path-20000,ego_facebook,as_caida,ca_condmat,email_enron,cit_hepth,airports",
                        "repetitions",
                        "5",
                        "name",
                        "peers",
                        "concurrency",
                        "2",
                        "steps",
                        "searches,closeness,write",
                        "sampling",
                        "256",
                        "small",
                        "2000",
                        "deltas",
                        "default"),
                arguments);
        Measurements measurements = new Measurements();
        for (BenchmarkGraph graph : BenchmarkGraph.of(options)) {
            measure(measurements, graph, options);
            measurements.writeCsv(options);
        }
        say(measurements.table(OURS, THEIRS));
    }

    private static void measure(Measurements measurements, BenchmarkGraph graph, Map<String, String> options) {
        Installation installation = Installation.built();
        Path home = installation.newHome("benchmark");
        List<String> steps = List.of(options.get("steps").split(",", -1));
        boolean weighted =
                List.of("properties", "paths", "weights", "nearest").stream().anyMatch(steps::contains);
        graph.importInto(installation, home, weighted);
        List<String> sides = installation.peers().isEmpty() ? List.of(OURS) : List.of(OURS, THEIRS);
        try (ServerProcess server =
                BenchmarkGraph.server(installation, home, options).start()) {
            Cypher cypher = new Cypher(server.driver());
            say(BenchmarkGraph.versions(cypher));
            int repetitions = Integer.parseInt(options.get("repetitions"));
            PeerBenchmark benchmark = new PeerBenchmark(
                    measurements, cypher, graph, repetitions, options.get("concurrency"), steps, sides);
            benchmark.measure();
            if (steps.contains("small")) {
                BenchmarkGraph.warmUp(cypher);
                for (String nodes : options.get("small").split(",", -1)) {
                    benchmark.small(Integer.parseInt(nodes));
                }
            }
            PeerAlgorithms algorithms = new PeerAlgorithms(benchmark, graph);
            if (steps.contains("wcc")) {
                algorithms.components();
            }
            if (steps.contains("betweenness")) {
                algorithms.betweenness(options.get("sampling"));
            }
            if (weighted) {
                algorithms.properties();
            }
            if (steps.contains("weights")) {
                algorithms.weights(options.get("sampling"));
            }
            if (steps.contains("nearest")) {
                algorithms.nearest();
            }
            if (steps.contains("paths")) {
                algorithms.paths(List.of(options.get("deltas").split(",", -1)));
            }
        }
    }

    /** The key as an entry of a configuration map, nothing if callers leave it out. */
    String key(String name) {
        return concurrency.equals("default") ? "" : name + ": " + concurrency;
    }

    /** The same behind other entries. */
    String andKey(String name) {
        return key(name).isEmpty() ? "" : ", " + key(name);
    }

    private void measure() {
        if (steps.contains("first")) {
            firstWrites();
        }
        projections("project " + graph.orientation(), "");
        if (steps.contains("cypher")) {
            cypherProjections();
        }
        if (graph.name().startsWith("path-")) {
            path();
        } else {
            if (steps.contains("searches")) {
                searches();
            }
            if (steps.contains("closeness")) {
                closeness();
            }
            if (steps.contains("write")) {
                writing();
            }
        }
    }

    /**
     * Times projections of both sides in alternation, and leaves the last in memory.
     *
     * @param more further entries of the map of the relationship type
     */
    void projections(String step, String more) {
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            for (String side : turn(repetition)) {
                double millis = project(side, more);
                if (repetition == -WARM_UPS) {
                    measurements.add(graph.title(), "first " + step, side, millis);
                } else if (repetition >= 0) {
                    measurements.add(graph.title(), step, side, millis);
                }
            }
        }
    }

    /** Who begins changes from repetition to repetition. */
    List<String> turn(int repetition) {
        List<String> turn = new ArrayList<>(sides);
        Collections.rotate(turn, repetition);
        return turn;
    }

    /**
     * Projects the graph.
     *
     * @param more further entries of the map of its type
     * @return the time in milliseconds
     */
    private double project(String side, String more) {
        cypher.rows("CALL " + side + ".graph.drop('g', false)");
        long start = System.nanoTime();
        graph.project(cypher, side, "g", more, key("readConcurrency"));
        return BenchmarkGraph.millisSince(start);
    }

    private void small(int nodes) {
        String label = "Small" + nodes;
        cypher.rows(
                "MATCH (n:`" + graph.name() + "`) WITH n ORDER BY n.key * 7919 % $all, n.key LIMIT $nodes SET n:"
                        + label,
                "all",
                graph.edges().vertexCount(),
                "nodes",
                nodes);
        UnaryOperator<String> project = side -> "CALL " + side + ".graph.project('small', '" + label + "', {E: {type: '"
                + graph.type() + "', orientation: '" + graph.orientation() + "'}}, {" + key("readConcurrency")
                + "}) YIELD relationshipCount";
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            for (String side : turn(repetition)) {
                cypher.rows("CALL " + side + ".graph.drop('small', false)");
                run("project " + nodes + " nodes", side, repetition >= 0, project.apply(side));
            }
        }
        requireEqual("nodes of the small graphs", side -> "CALL " + side + ".graph.list('small') YIELD nodeCount");
    }

    private void cypherProjections() {
        String configuration = "{" + key("readConcurrency") + "})";
        Map<String, String> aggregations = new LinkedHashMap<>();
        aggregations.put("Cypher projection", ".graph.project('g', a, b, {}, " + configuration);
        aggregations.put(
                "Cypher projection with one type",
                ".graph.project('g', a, b, {relationshipType: 'E'}, " + configuration);
        aggregations.put(
                "Cypher projection with labels and types",
                ".graph.project('g', a, b, {sourceNodeLabels: labels(a), targetNodeLabels: labels(b),"
                        + " relationshipType: type(r)}, " + configuration);
        String rows = "MATCH (a:`" + graph.name() + "`)-[r:`" + graph.type() + "`]->(b:`" + graph.name() + "`) RETURN ";
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            boolean counted = repetition >= 0;
            for (String side : turn(repetition)) {
                aggregations.forEach((step, call) -> {
                    cypher.rows("CALL " + side + ".graph.drop('g', false)");
                    run(step, side, counted, rows + side + call);
                });
                run("its rows counted", side, counted, rows + "count(b)");
            }
        }
        // relationships are not counted alike: here, loops and repeats are left out
        requireEqual("nodes of the projections", side -> "CALL " + side + ".graph.list('g') YIELD nodeCount");
        for (String side : turn(0)) {
            project(side, "");
        }
    }

    /** Runs a query of one side, and adds its time to those of a step if it counts. */
    private void run(String step, String side, boolean counted, String query, Object... parameters) {
        long start = System.nanoTime();
        cypher.rows(query, parameters);
        if (counted) {
            measurements.add(graph.title(), step, side, BenchmarkGraph.millisSince(start));
        }
    }

    private void searches() {
        List<Object> sources = graph.sources(cypher, SOURCES);
        for (int repetition = -1; repetition < repetitions; repetition++) {
            for (Object id : sources) {
                for (String side : turn(repetition)) {
                    String call = "('g', {sourceNode: $source" + andKey("concurrency") + "})";
                    run("BFS stats", side, repetition >= 0, "CALL " + side + ".bfs.stats" + call, "source", id);
                    run(
                            "BFS stream and count",
                            side,
                            repetition >= 0,
                            "CALL " + side + ".bfs.stream" + call
                                    + (side.equals(OURS)
                                            ? " YIELD nodeId RETURN count(nodeId)"
                                            : " YIELD nodeIds RETURN size(nodeIds)"),
                            "source",
                            id);
                }
                if (repetition < 0) {
                    requireEqual(
                            "nodes that are reached",
                            side -> "CALL " + side + ".bfs.stream('g', {sourceNode: $source}) YIELD "
                                    + (side.equals(OURS)
                                            ? "nodeId RETURN nodeId"
                                            : "nodeIds UNWIND nodeIds AS nodeId RETURN nodeId")
                                    + " ORDER BY nodeId",
                            "source",
                            id);
                }
            }
        }
    }

    private void closeness() {
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (String side : turn(repetition)) {
                if (measurements.total(graph.title(), "closeness", side) < TOO_LONG_MILLIS) {
                    double processorTime = processorTime();
                    long start = System.nanoTime();
                    Map<String, Object> row = write(side, "closeness", "closeness_" + side);
                    measurements.add(
                            graph.title(),
                            "closeness",
                            side,
                            BenchmarkGraph.millisSince(start) - (Long) row.get("writeMillis"));
                    addProcessorTime("closeness and write", side, processorTime);
                }
            }
            if (repetition == 0) {
                requireEqual(
                        "scores",
                        side -> "MATCH (n:`" + graph.name() + "`) RETURN n.closeness_" + side
                                + " AS score ORDER BY n.key");
            }
        }
    }

    private void firstWrites() {
        project(OURS, "");
        for (int call = 1; call <= repetitions; call++) {
            long start = System.nanoTime();
            Map<String, Object> row = write(OURS, "closeness", "first_" + call);
            measurements.add(graph.title(), "closeness.write call " + call, OURS, BenchmarkGraph.millisSince(start));
            measurements.add(graph.title(), "computeMillis of call " + call, OURS, (Long) row.get("computeMillis"));
            measurements.add(graph.title(), "writeMillis of call " + call, OURS, (Long) row.get("writeMillis"));
        }
    }

    private void writing() {
        for (int repetition = -1; repetition < repetitions; repetition++) {
            for (String side : turn(repetition)) {
                Map<String, Object> row =
                        write(side, side.equals(OURS) ? "closeness" : "degree", "score_" + side + writes++);
                if (repetition >= 0) {
                    measurements.add(graph.title(), "write", side, (Long) row.get("writeMillis"));
                }
            }
        }
    }

    private Map<String, Object> write(String side, String algorithm, String property) {
        return cypher.row(
                "CALL " + side + "." + algorithm + ".write('g', {writeProperty: $property" + andKey("concurrency")
                        + andKey("writeConcurrency") + "}) YIELD nodePropertiesWritten, computeMillis, writeMillis",
                "property",
                property);
    }

    private void path() {
        String query = ".closeness.stream('g', {" + key("concurrency") + "}) YIELD score RETURN count(score)";
        for (int repetition = 0; repetition < repetitions; repetition++) {
            timed("closeness", OURS, "CALL " + OURS + query);
        }
        if (!sides.contains(THEIRS)) {
            return;
        }
        try (Session session = cypher.driver().session()) {
            long start = System.nanoTime();
            double millis;
            try {
                session.run(
                                "CALL " + THEIRS + query,
                                TransactionConfig.builder()
                                        .withTimeout(PATH_LIMIT)
                                        .build())
                        .list(Record::asMap);
                millis = BenchmarkGraph.millisSince(start);
            } catch (Neo4jException e) {
                millis = Double.POSITIVE_INFINITY;
            }
            measurements.add(graph.title(), "closeness", THEIRS, millis);
        }
    }

    /** Times a query of one side. */
    void timed(String step, String side, String query, Object... parameters) {
        double processorTime = processorTime();
        run(step, side, true, query, parameters);
        addProcessorTime(step, side, processorTime);
    }

    /**
     * Compares what both sides return, which also warms them up.
     *
     * @param query the query of a side; it returns rows of one number
     * @throws IllegalStateException if two numbers differ by more than one part in 10^9 of that of the library, or of
     *     one
     */
    void requireEqual(String name, UnaryOperator<String> query, Object... parameters) {
        List<double[]> numbers = new ArrayList<>();
        for (String side : sides) {
            numbers.add(cypher.rows(query.apply(side), parameters).stream()
                    .flatMap(row -> row.values().stream())
                    .mapToDouble(number -> ((Number) number).doubleValue())
                    .toArray());
        }
        requireEqual(graph.name() + ": " + name, numbers.get(0), numbers.get(numbers.size() - 1));
    }

    /** The same for the numbers that two sides have returned. */
    static void requireEqual(String name, double[] ours, double[] theirs) {
        for (int i = 0; i < Math.max(ours.length, theirs.length); i++) {
            if (ours.length != theirs.length
                    || !(Math.abs(ours[i] - theirs[i]) <= TOLERANCE * Math.max(1, Math.abs(theirs[i])))) {
                throw new IllegalStateException(name + " differ from row " + i + " on");
            }
        }
    }

    /** Processor time of the server since its start, in milliseconds. */
    private double processorTime() {
        return (Long) cypher.value("CALL dbms.queryJmx('java.lang:type=OperatingSystem') YIELD attributes"
                        + " RETURN attributes.ProcessCpuTime.value")
                / 1e6;
    }

    private void addProcessorTime(String step, String side, double begin) {
        measurements.add(graph.title(), step + ": processor time", side, processorTime() - begin);
    }

    /**
     * Times a step of both sides in alternation. The caller has warmed it up.
     *
     * @param query the query of a side
     */
    void alternate(String step, UnaryOperator<String> query, Object... parameters) {
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (String side : turn(repetition)) {
                if (measurements.total(graph.title(), step, side) < TOO_LONG_MILLIS) {
                    timed(step, side, query.apply(side), parameters);
                }
            }
        }
    }

    Cypher cypher() {
        return cypher;
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
