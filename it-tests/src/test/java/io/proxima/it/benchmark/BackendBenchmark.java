// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The backend cuda and the backend cpu in one server, on one projection, called over Bolt turn by turn. All scores of
 * both are compared and must be equal to the last bit, and so must what searches find; a difference ends the program.
 * Without a device the CPU is measured alone, or nothing at all with -Dgpu.required=true.
 *
 * <pre>java ... io.proxima.it.benchmark.BackendBenchmark --graphs=rmat-18 --concurrency=4,16 --repetitions=5</pre>
 *
 * Options: {@code --graphs} as {@link BenchmarkGraph} has them, {@code rmat-18} otherwise; {@code --concurrency} is a list
 * of values of that key, 4 otherwise, which is the default of the procedures; {@code --repetitions} is how often each
 * call is done, 5 otherwise; {@code --name} is the name of the file written to the folder
 * {@code proxima.benchmark.directory}, {@code neo4j-gpu} otherwise: a .csv with every time;
 * {@code --heap} is the server's heap, 4g otherwise.
 *
 * <p>A step "call" is timed outside, at the Bolt driver; "preparation", "compute" and "writing" are the columns
 * preProcessingMillis, computeMillis and writeMillis of such a call. A backend's first call, which brings the graph into
 * the backend's form and place, is a step of its own. Every call writes a new property. Each concurrency begins with a round that does not count.
 */
@Prints
public final class BackendBenchmark {

    private static final String GPU = "cuda";
    private static final String CPU = "cpu";
    private static final int SOURCES = 16;

    private final Measurements measurements;
    private final Cypher cypher;
    private final List<String> backends;
    private final int repetitions;

    private BackendBenchmark(Measurements measurements, Cypher cypher, List<String> backends, int repetitions) {
        this.measurements = measurements;
        this.cypher = cypher;
        this.backends = backends;
        this.repetitions = repetitions;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = Options.read(
                Map.of("graphs", "rmat-18", "concurrency", "4", "repetitions", "5", "name", "neo4j-gpu", "heap", "4g"),
                arguments);
        Measurements measurements = new Measurements();
        for (BenchmarkGraph graph : BenchmarkGraph.of(options)) {
            measure(measurements, graph, options);
            measurements.writeCsv(options);
        }
        say(measurements.table(GPU, CPU));
    }

    private static void measure(Measurements measurements, BenchmarkGraph graph, Map<String, String> options) {
        Installation installation = Installation.built();
        Path home = installation.newHome("backend-benchmark");
        graph.importInto(installation, home, false);
        try (ServerProcess server =
                BenchmarkGraph.server(installation, home, options).start()) {
            Cypher cypher = new Cypher(server.driver());
            say(BenchmarkGraph.versions(cypher));
            BackendBenchmark benchmark = new BackendBenchmark(
                    measurements, cypher, Backends.names(cypher), Integer.parseInt(options.get("repetitions")));
            graph.project(cypher, "proxima", "g", "", "");
            List<Object> sources = graph.sources(cypher, SOURCES);
            boolean first = true;
            for (String concurrency : options.get("concurrency").split(",", -1)) {
                benchmark.closeness(graph.title(), Integer.parseInt(concurrency), first);
                first = false;
                benchmark.searches(graph.title(), sources, Integer.parseInt(concurrency));
            }
        }
    }

    /** Who begins changes from repetition to repetition. */
    private List<String> turn(int repetition) {
        List<String> turn = new ArrayList<>(backends);
        Collections.rotate(turn, repetition);
        return turn;
    }

    private void closeness(String graph, int concurrency, boolean first) {
        for (int repetition = -1; repetition < repetitions; repetition++) {
            for (String backend : turn(repetition)) {
                double[] millis = new double[1];
                Map<String, Object> row = timed(
                        backend,
                        millis,
                        "CALL proxima.closeness.write('g', {backend: $b, concurrency: $c, writeProperty: $p})"
                                + " YIELD preProcessingMillis, computeMillis, writeMillis, configuration",
                        "b",
                        backend,
                        "c",
                        concurrency,
                        "p",
                        property(backend, concurrency, repetition));
                if (repetition >= 0 || first) {
                    String step = repetition < 0
                            ? "first closeness.write: "
                            : "closeness.write with concurrency " + concurrency + ": ";
                    measurements.add(graph, step + "call", backend, millis[0]);
                    if (repetition < 0) {
                        measurements.add(graph, step + "preparation", backend, (Long) row.get("preProcessingMillis"));
                    }
                    measurements.add(graph, step + "compute", backend, (Long) row.get("computeMillis"));
                    measurements.add(graph, step + "writing", backend, (Long) row.get("writeMillis"));
                }
            }
            if (backends.contains(GPU)) {
                requireEqualScores(
                        graph, property(GPU, concurrency, repetition), property(CPU, concurrency, repetition));
            }
        }
        say(graph + ": closeness with concurrency " + concurrency + " done"
                + (backends.contains(GPU) ? ", each node's score on cuda equal to that on cpu in each round" : ""));
    }

    /** A key that no node has yet: to write what is already there would be another thing to measure. */
    private static String property(String backend, int concurrency, int repetition) {
        return backend + "_" + concurrency + "_" + (repetition + 1);
    }

    private void requireEqualScores(String graph, String ours, String theirs) {
        Map<String, Object> row = cypher.row(
                "MATCH (n:`" + graph + "`) RETURN count(*) AS nodes, count(CASE WHEN n[$ours] = n[$theirs] THEN 1 END)"
                        + " AS equal, count(DISTINCT n[$ours]) AS different",
                "ours",
                ours,
                "theirs",
                theirs);
        if (!row.get("nodes").equals(row.get("equal"))) {
            throw new IllegalStateException(graph + ": closeness differs: " + row);
        }
    }

    private void searches(String graph, List<Object> sources, int concurrency) {
        for (int repetition = -1; repetition < repetitions; repetition++) {
            for (Object source : sources) {
                Map<String, Object> found = null;
                for (String backend : turn(repetition)) {
                    double[] millis = new double[1];
                    Map<String, Object> row = timed(
                            backend,
                            millis,
                            "CALL proxima.bfs.stats('g', {backend: $b, concurrency: $c, sourceNode: $s}) YIELD depth,"
                                    + " nodesReached, hopDistribution, computeMillis, configuration",
                            "b",
                            backend,
                            "c",
                            concurrency,
                            "s",
                            source);
                    if (repetition >= 0) {
                        String step = "bfs.stats with concurrency " + concurrency + ": ";
                        measurements.add(graph, step + "call", backend, millis[0]);
                        measurements.add(graph, step + "compute", backend, (Long) row.get("computeMillis"));
                    }
                    row.keySet().retainAll(List.of("depth", "nodesReached", "hopDistribution"));
                    if (found != null && !found.equals(row)) {
                        throw new IllegalStateException(
                                graph + ": from " + source + " one backend found " + found + ", the other " + row);
                    }
                    found = row;
                }
            }
        }
    }

    /** The row of a call that must have run on a backend; sets how long the call took. */
    private Map<String, Object> timed(String backend, double[] millis, String query, Object... parameters) {
        long start = System.nanoTime();
        Map<String, Object> row = new HashMap<>(cypher.row(query, parameters));
        millis[0] = BenchmarkGraph.millisSince(start);
        Object ran = ((Map<?, ?>) row.get("configuration")).get("backend");
        if (!ran.toString().startsWith(backend)) {
            throw new IllegalStateException("Asked for " + backend + ", but " + ran + " ran: " + query);
        }
        return row;
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
