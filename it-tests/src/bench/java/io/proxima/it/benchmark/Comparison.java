// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.docs.Manual;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * Sides that answer the same questions about one graph in one server: first compared, then timed turn by turn at the
 * Bolt driver, from the query to the last row. Keys for concurrency are left out.
 *
 * <p>These options are common to the benchmarks that compare so:
 *
 * <ul>
 *   <li>{@code --graphs}: a list of graphs as {@link BenchmarkGraph} has them, {@code directory} and {@code tutorial},
 *       the company directory of the manual's tutorial. Those named {@code grid} and {@code roads} are weighted
 *   <li>{@code --directory}: the folder of a company directory, nodes.csv and rels.csv for {@code neo4j-admin}, with
 *       accounts whose property {@code owned} is true and the group of administrators
 *   <li>{@code --steps}: a regular expression of the steps to be timed
 *   <li>{@code --repetitions}: how often each side answers each question of a step
 *   <li>{@code --warm-up}: the seconds of calls that do not count, before a side is timed
 *   <li>{@code --once}: a side that has spent so many seconds on a step does not repeat it
 *   <li>{@code --limit}: the seconds after which a call is stopped, 60 otherwise. Its step is not repeated
 *   <li>{@code --heap}, {@code --settings} and {@code --name}: as in {@link PeerBenchmark}
 * </ul>
 */
@Prints
final class Comparison {

    private static final long SEED = 20261128;

    private final Measurements measurements;
    private final ServerProcess server;
    private final Cypher cypher;
    private final String graph;
    private final String steps;
    private final int repetitions;
    private final double warmUpMillis;
    private final double onceMillis;
    private final TransactionConfig limit;
    private final Random random = new Random(SEED);
    private final Map<String, double[]> answers = new HashMap<>();

    /**
     * How a side answers.
     *
     * @param query without what it returns
     * @param compared what is compared with the other sides: rows of numbers; empty if it cannot be
     * @param timed what is returned while the time is taken
     */
    record Way(String side, String query, String compared, String timed) {

        /** A way whose compared rows are timed. If they take long, their time counts, and the step is not repeated. */
        Way(String side, String query, String returned) {
            this(side, query, returned, returned);
        }
    }

    /** What is asked: the parameters {@code $sources} and {@code $targets} of a query, ids of nodes. */
    record Question(List<Object> sources, List<Object> targets) {}

    private Comparison(Measurements measurements, ServerProcess server, String graph, Map<String, String> options) {
        this.measurements = measurements;
        this.server = server;
        this.cypher = new Cypher(server.driver());
        this.graph = graph;
        this.steps = options.get("steps");
        this.repetitions = Integer.parseInt(options.get("repetitions"));
        this.warmUpMillis = 1e3 * Double.parseDouble(options.get("warm-up"));
        this.onceMillis = 1e3 * Double.parseDouble(options.get("once"));
        this.limit = TransactionConfig.builder()
                .withTimeout(Duration.ofSeconds(Long.parseLong(options.get("limit"))))
                .build();
    }

    /** Measures on each graph of the options, in a server of its own, and writes the times after each. */
    static void onEach(Map<String, String> options, Consumer<Comparison> measure) throws IOException {
        Measurements measurements = new Measurements();
        for (String graph : options.get("graphs").split(",", -1)) {
            Installation installation = Installation.built();
            Path home = installation.newHome(options.get("name") + "-benchmark");
            load(installation, home, graph, Path.of(options.get("directory")));
            try (ServerProcess server = BenchmarkGraph.server(installation, home, options)
                    .withApoc()
                    .start()) {
                Comparison comparison = new Comparison(measurements, server, graph, options);
                System.out.println(graph + ": " + BenchmarkGraph.versions(comparison.cypher));
                if (graph.equals("tutorial")) {
                    Manual.read(Manual.page("tutorial-company-directory")).setUp(comparison.cypher);
                }
                measure.accept(comparison);
            }
            measurements.writeCsv(options);
        }
    }

    /** Fills the store of a server that has not been started. */
    private static void load(Installation installation, Path home, String graph, Path directory) {
        if (graph.equals("directory")) {
            Path folder = directory.toAbsolutePath();
            BulkImport.run(installation, home, folder.resolve("nodes.csv"), folder.resolve("rels.csv"));
        } else if (!graph.equals("tutorial")) {
            BenchmarkGraph.of(Map.of("graphs", graph))
                    .get(0)
                    .importInto(installation, home, graph.matches("(grid|roads)-.*"));
        }
    }

    /** The graph as the options name it. */
    String graph() {
        return graph;
    }

    ServerProcess server() {
        return server;
    }

    /** Projects the whole store as {@code g}; returns the milliseconds. */
    double project(String side, String type) {
        cypher.rows("CALL " + side + ".graph.drop('g', false)");
        long start = System.nanoTime();
        cypher.rows("CALL " + side + ".graph.project('g', '*', {E: {type: '*', " + type + "}})");
        return BenchmarkGraph.millisSince(start);
    }

    /** Whether the options name a step. */
    boolean includes(String step) {
        return step.matches(steps);
    }

    /** Adds what was measured otherwise. */
    void add(String step, String side, double value) {
        measurements.add(graph, step, side, value);
        System.out.printf(Locale.ROOT, "%s; %s %.2f%n", step, side, value);
    }

    /**
     * Compares and times ways to answer questions.
     *
     * @return the sides that the limit stopped
     * @throws IllegalStateException if answers differ
     */
    Set<String> compare(String step, List<Question> questions, Way... ways) {
        if (!includes(step) || questions.isEmpty()) {
            return Set.of();
        }
        Map<String, Double> spent = new HashMap<>();
        List<Way> comparable =
                Stream.of(ways).filter(way -> !way.compared.isEmpty()).toList();
        boolean compares = comparable.size() > 1
                || comparable.stream().anyMatch(way -> way.compared().equals(way.timed()));
        for (Question question : compares ? questions : List.<Question>of()) {
            answers.remove(step);
            for (Way way : comparable) {
                if (mayRepeat(step, way)) {
                    spent.merge(way.side, answer(step, question, way), Double::sum);
                }
            }
        }
        for (Way way : ways) {
            double millis = spent.getOrDefault(way.side, 0.0);
            for (int i = 0; millis < warmUpMillis; i++) {
                millis += time(way, questions.get(i % questions.size()));
            }
        }
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (Question question : questions) {
                List<Way> turn = new ArrayList<>(List.of(ways));
                Collections.rotate(turn, repetition);
                for (Way way : turn) {
                    if (mayRepeat(step, way)) {
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
        return Stream.of(ways)
                .map(Way::side)
                .filter(side -> Double.isInfinite(measurements.total(graph, step, side)))
                .collect(Collectors.toSet());
    }

    private boolean mayRepeat(String step, Way way) {
        return measurements.total(graph, step, way.side) < onceMillis;
    }

    /** Compares an answer with the first one; returns the milliseconds, infinite if the limit stopped it. */
    private double answer(String step, Question question, Way way) {
        List<double[]> rows = new ArrayList<>();
        long start = System.nanoTime();
        boolean ended = run(
                way.query + "RETURN " + way.compared,
                question,
                row -> rows.add(row.values().stream()
                        .mapToDouble(value -> value.asNumber().doubleValue())
                        .toArray()));
        double millis = ended ? BenchmarkGraph.millisSince(start) : Double.POSITIVE_INFINITY;
        if (!ended || (way.compared.equals(way.timed) && millis > onceMillis)) {
            measurements.add(graph, step, way.side, millis);
        }
        if (ended) {
            rows.sort(Arrays::compare);
            requireEqual(
                    step,
                    way.side,
                    rows.stream().flatMapToDouble(Arrays::stream).toArray());
        }
        return millis;
    }

    /**
     * Compares an answer to a step, or keeps it if it is the first one.
     *
     * @throws IllegalStateException if it differs from the first one
     */
    void requireEqual(String step, String side, double[] answer) {
        double[] first = answers.putIfAbsent(step, answer);
        if (first != null) {
            PeerBenchmark.requireEqual(graph + ", " + step + ", " + side, first, answer);
        }
    }

    private double time(Way way, Question question) {
        long start = System.nanoTime();
        return run(way.query + "RETURN " + way.timed, question, row -> {})
                ? BenchmarkGraph.millisSince(start)
                : Double.POSITIVE_INFINITY;
    }

    /** Runs a query; returns false if the limit stopped it. */
    private boolean run(String query, Question question, Consumer<Record> row) {
        long start = System.nanoTime();
        try (Session session = cypher.driver().session()) {
            session.run(query, of(question), limit).forEachRemaining(row);
            return true;
        } catch (Neo4jException e) {
            // the error of a procedure need not say that the transaction was stopped
            if (BenchmarkGraph.millisSince(start) < limit.timeout().toMillis()) {
                throw e;
            }
            return false;
        }
    }

    /** The only value of a query about a question. */
    Object value(String query, Question question) {
        return cypher.value(query, "sources", question.sources, "targets", question.targets);
    }

    private static Map<String, Object> of(Question question) {
        return Map.of("sources", question.sources, "targets", question.targets);
    }

    /** The values of a query, of all rows. */
    List<Object> ids(String query, Object... parameters) {
        return cypher.rows(query, parameters).stream()
                .flatMap(row -> row.values().stream())
                .toList();
    }

    /** Different ones of these, in random order: as many as are wanted, or all. */
    List<Object> some(List<Object> all, int count) {
        return all.isEmpty()
                ? all
                : random.ints(0, all.size())
                        .distinct()
                        .limit(Math.min(count, all.size()))
                        .mapToObj(all::get)
                        .toList();
    }

    /** A random number from 0 on. */
    int random(int bound) {
        return random.nextInt(bound);
    }
}
