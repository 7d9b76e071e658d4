// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.RunningQuery;
import io.proxima.it.operations.KilledCalls;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * How long a killed call goes on: the time from the sending of TERMINATE TRANSACTION to the client's error, over Bolt, with
 * the server in a process of its own. Calls, graphs and moments are drawn by seed from {@link KilledCalls}.
 *
 * <pre>mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=KillBenchmark -Dproxima.benchmark.args="--kills=400"</pre>
 *
 * Options: {@code --kills} is how many kills are measured, 400 otherwise; {@code --nodes} about how many nodes a graph has,
 * 300000 otherwise; {@code --seed}; {@code --heap} is the server's heap, 3g otherwise; {@code --name} is the name of the files
 * written to docs/benchmarks, {@code kill} otherwise: a .csv with every time and a .md with the distribution.
 */
@Prints
public final class KillBenchmark {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long MOST_MILLIS_TO_A_KILL = 1500;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Cypher cypher;
    private final Random random;
    private final List<Kill> kills = new ArrayList<>();

    private KillBenchmark(Cypher cypher, long seed) {
        this.cypher = cypher;
        this.random = new Random(seed);
    }

    private record Kill(String call, String graph, String backend, long afterMillis, double millis) {}

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = Options.read(
                Map.of("kills", "400", "nodes", "300000", "seed", "1", "heap", "3g", "name", "kill"), arguments);
        long seed = Long.parseLong(options.get("seed"));
        List<BulkImport.Graph> graphs = KilledCalls.graphs(Integer.parseInt(options.get("nodes")), seed);
        Installation installation = Installation.built();
        Path home = installation.newHome("kill-benchmark");
        BulkImport.run(installation, home, graphs);
        try (ServerProcess server = ServerProcess.in(installation, home)
                .heap(options.get("heap"))
                .setting("server.memory.pagecache.size", "1g")
                .start()) {
            KillBenchmark benchmark = new KillBenchmark(new Cypher(server.driver()), seed);
            benchmark.measure(graphs, Integer.parseInt(options.get("kills")));
            Path folder = Files.createDirectories(Path.of(System.getProperty("proxima.benchmark.directory")));
            benchmark.write(folder, options.get("name"), String.join(" ", arguments));
        }
    }

    private void measure(List<BulkImport.Graph> graphs, int wanted) {
        graphs.forEach(graph -> cypher.row(KilledCalls.projection(graph.label())));
        List<String> backends = Backends.names(cypher);
        while (kills.size() < wanted) {
            String backend = backends.get(random.nextInt(backends.size()));
            List<KilledCalls.Call> calls = KilledCalls.all(backend);
            KilledCalls.Call call = calls.get(random.nextInt(calls.size()));
            String label = graphs.get(random.nextInt(graphs.size())).label();
            // more early than late, as calls are shorter or longer
            long after = (long) (MOST_MILLIS_TO_A_KILL * Math.pow(random.nextDouble(), 3));
            kill(call, label, backend, after);
        }
    }

    private void kill(KilledCalls.Call call, String label, String backend, long after) {
        long first = (Long) cypher.value("MATCH (n:" + label + " {key: 0}) RETURN id(n)");
        try (RunningQuery running = new RunningQuery(
                cypher, call.on(label), KilledCalls.parameters(label, first, "kill " + kills.size()))) {
            running.awaitDone(after);
            Optional<Duration> time = running.kill(PATIENCE);
            time.ifPresent(taken -> {
                kills.add(new Kill(call.name(), label, backend, after, taken.toNanos() / NANOS_PER_MILLI));
                if (kills.size() % 50 == 0) {
                    System.out.println(kills.size() + " kills");
                }
            });
        } finally {
            cypher.rows(KilledCalls.cleared());
        }
    }

    private void write(Path folder, String name, String arguments) throws IOException {
        List<String> lines = new ArrayList<>(List.of("call,graph,backend,after_ms,millis"));
        for (Kill kill : kills) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%.3f",
                    kill.call,
                    kill.graph,
                    kill.backend,
                    kill.afterMillis,
                    kill.millis));
        }
        Files.write(folder.resolve(name + ".csv"), lines);
        Map<String, Object> neo4j = cypher.row("CALL dbms.components() YIELD name, versions"
                + " WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version, proxima.version() AS proxima");
        StringBuilder report = new StringBuilder("# From TERMINATE TRANSACTION to the client's error\n\n")
                .append("Neo4j ")
                .append(neo4j.get("version"))
                .append(", Proxima ")
                .append(neo4j.get("proxima"))
                .append(", Java ")
                .append(Runtime.version().feature())
                .append(", ")
                .append(Runtime.getRuntime().availableProcessors())
                .append(
                        " processors. All single times are in the .csv file of the same name. Calls and graphs are those of")
                .append(
                        " the class KilledCalls.\n\n    mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=KillBenchmark")
                .append(" -Dproxima.benchmark.args=\"")
                .append(arguments)
                .append("\"\n\n| backend | graph | kills | p50, ms | p90, ms | p99, ms | max, ms |\n")
                .append("|---|---|---:|---:|---:|---:|---:|\n");
        report.append(row("all", "all", kills));
        kills.stream().map(Kill::backend).distinct().sorted().forEach(backend -> kills.stream()
                .map(Kill::graph)
                .distinct()
                .sorted()
                .forEach(graph -> report.append(row(
                        backend,
                        graph,
                        kills.stream()
                                .filter(kill -> kill.backend.equals(backend) && kill.graph.equals(graph))
                                .toList()))));
        report.append("\n| call | kills | p50, ms | max, ms |\n|---|---:|---:|---:|\n");
        kills.stream().map(Kill::call).distinct().sorted().forEach(call -> {
            double[] millis =
                    millis(kills.stream().filter(kill -> kill.call.equals(call)).toList());
            report.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %.1f |%n",
                    call,
                    millis.length,
                    percentile(millis, 50),
                    percentile(millis, 100)));
        });
        Files.writeString(folder.resolve(name + ".md"), report);
        System.out.println(report);
    }

    private static String row(String backend, String graph, List<Kill> of) {
        double[] millis = millis(of);
        if (millis.length == 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %.1f | %.1f | %.1f | %.1f |%n",
                backend,
                graph,
                millis.length,
                percentile(millis, 50),
                percentile(millis, 90),
                percentile(millis, 99),
                percentile(millis, 100));
    }

    private static double[] millis(List<Kill> kills) {
        double[] millis = kills.stream().mapToDouble(Kill::millis).toArray();
        Arrays.sort(millis);
        return millis;
    }

    /** By nearest rank. */
    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.max(0, (sorted.length * percent + 99) / 100 - 1)];
    }
}
