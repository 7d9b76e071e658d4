// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Folders;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The first calls of a server that was just started, beside the calls that follow, with and without the warm-up. Each
 * series of calls has a server of its own, started on a fresh copy of the store; sides alternate.
 *
 * <pre>java ... io.proxima.it.benchmark.FirstCallBenchmark --graphs=rmat-18 --servers=3</pre>
 *
 * Options: {@code --graphs} as {@link PeerBenchmark} has them, {@code rmat-18} otherwise; {@code --servers} is how many
 * servers each series has on each side, 3 otherwise; {@code --calls} is the length of a series, 10 otherwise;
 * {@code --steps} is a list of {@code project}, {@code bfs} and {@code closeness}, all otherwise; {@code --name} is the
 * name of the files written to the folder {@code proxima.benchmark.directory}, {@code first-call} otherwise: a .csv with
 * every time and a .md with the medians; {@code --heap} is the server's heap, 4g otherwise.
 *
 * <p>All times are taken outside, at the Bolt driver. {@code bfs} and {@code closeness} run on a graph that was projected
 * once before; each call of closeness.write writes a property that no node has yet. Both sides begin three seconds after
 * the start, and the side "warm-up" three seconds after the end of the warm-up. The backend is the server's choice, as configured by default.
 */
@Prints
public final class FirstCallBenchmark {

    private static final String ON = "warm-up";
    private static final String OFF = "no warm-up";
    private static final String LOG_LINE = "Warm-up of Proxima completed";
    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofSeconds(3);
    private static final String HOME = "first-call";

    private final Measurements measurements = new Measurements();
    private final Installation installation = Installation.built();
    private final Map<String, String> options;
    private String host;

    private FirstCallBenchmark(Map<String, String> options) {
        this.options = options;
    }

    /** A series of calls. */
    private enum Step {
        PROJECT("graph.project") {
            @Override
            void call(Cypher cypher, String graph, int number) {
                project(cypher, graph, "g" + number);
            }

            @Override
            void tidy(Cypher cypher, int number) {
                cypher.rows("CALL proxima.graph.drop($g)", "g", "g" + number);
            }
        },
        BFS("bfs.stats") {
            @Override
            void prepare(Cypher cypher, String graph) {
                project(cypher, graph, "g");
            }

            @Override
            void call(Cypher cypher, String graph, int number) {
                cypher.rows("MATCH (n:`" + graph
                        + "` {key: 0}) CALL proxima.bfs.stats('g', {sourceNode: n}) YIELD depth RETURN depth");
            }
        },
        CLOSENESS("closeness.write") {
            @Override
            void prepare(Cypher cypher, String graph) {
                project(cypher, graph, "g");
            }

            @Override
            void call(Cypher cypher, String graph, int number) {
                cypher.rows(
                        "CALL proxima.closeness.write('g', {writeProperty: $p}) YIELD writeMillis RETURN writeMillis",
                        "p",
                        "closeness" + number);
            }
        };

        private final String label;

        Step(String label) {
            this.label = label;
        }

        /** What the series needs. */
        void prepare(Cypher cypher, String graph) {}

        abstract void call(Cypher cypher, String graph, int number);

        /** What the next call must not find. */
        void tidy(Cypher cypher, int number) {}

        private static void project(Cypher cypher, String graph, String name) {
            cypher.rows(
                    "CALL proxima.graph.project($g, $label, {E: {type: $type, orientation: 'UNDIRECTED'}})",
                    "g",
                    name,
                    "label",
                    graph,
                    "type",
                    PeerBenchmark.type(graph));
        }
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
                        "rmat-18",
                        "servers",
                        "3",
                        "calls",
                        "10",
                        "steps",
                        "project,bfs,closeness",
                        "name",
                        "first-call",
                        "heap",
                        "4g"),
                arguments);
        new FirstCallBenchmark(options).run(String.join(" ", arguments));
    }

    private void run(String arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("proxima.benchmark.directory")));
        List<String> graphs = List.of(options.get("graphs").split(",", -1));
        for (String graph : graphs) {
            Path imported = imported(graph);
            for (int server = 0; server < number("servers"); server++) {
                for (String step : options.get("steps").split(",", -1)) {
                    for (String side : server % 2 == 0 ? List.of(ON, OFF) : List.of(OFF, ON)) {
                        series(graph, imported, Step.valueOf(step.toUpperCase(Locale.ROOT)), side);
                        measurements.writeCsv(folder.resolve(options.get("name") + ".csv"));
                    }
                }
            }
        }
        List<String> lines = new ArrayList<>(List.of(
                "# The first calls of a server",
                "",
                "Each series of calls ran in a server that was just started (" + host + ", Java "
                        + System.getProperty("java.version") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors). Times are medians over the"
                        + " servers of a side, in milliseconds, taken at the Bolt driver; all single times are in the"
                        + " .csv file of the same name. The steps are described in the class FirstCallBenchmark.",
                "",
                "    mvn -Pneo4j-gpu-kit -pl it-tests -am -DskipTests package",
                "    it-tests/target/neo4j-gpu-kit/run.sh OUT first " + arguments,
                ""));
        String table = measurements.table(ON, OFF);
        Files.writeString(folder.resolve(options.get("name") + ".md"), String.join("\n", lines) + "\n" + table);
        say(table);
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    /** A home with a graph in its store, in which no server has run. */
    private Path imported(String name) {
        EdgeList edges = PeerBenchmark.graph(name);
        say(name + ": " + edges.nodeCount() + " nodes, " + edges.edgeCount() + " relationships");
        Path home = installation.newHome(HOME + "-store");
        BulkImport.run(installation, home, List.of(new BulkImport.Graph(name, PeerBenchmark.type(name), edges)));
        return home;
    }

    private void series(String graph, Path imported, Step step, String side) throws IOException {
        Path home = installation.newHome(HOME);
        Folders.copy(imported, home);
        long begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.in(installation, home)
                .heap(options.get("heap"))
                .setting("server.memory.pagecache.size", "2g")
                .setting("server.proxima.warmup.enabled", Boolean.toString(side.equals(ON)))
                .start()) {
            measurements.add(graph, "start of the server", side, millisSince(begin));
            if (side.equals(ON)) {
                awaitWarmUp(server);
            }
            pause(QUIET);
            Cypher cypher = new Cypher(server.driver());
            step.prepare(cypher, graph);
            List<String> shown = new ArrayList<>();
            for (int number = 1; number <= number("calls"); number++) {
                long start = System.nanoTime();
                step.call(cypher, graph, number);
                double millis = millisSince(start);
                measurements.add(graph, step.label + ", call " + number, side, millis);
                shown.add(String.format(Locale.ROOT, "%.0f", millis));
                step.tidy(cypher, number);
            }
            say(graph + ", " + step.label + ", " + side + ": " + String.join(" ", shown) + " ms");
            if (host == null) {
                host = host(cypher);
            }
        }
    }

    private static String host(Cypher cypher) {
        return "Neo4j "
                + cypher.value("CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel'"
                        + " RETURN versions[0]")
                + ", Proxima " + cypher.value("RETURN proxima.version()") + ", backends " + Backends.names(cypher);
    }

    private static void awaitWarmUp(ServerProcess server) {
        long begin = System.nanoTime();
        while (!server.debugLog().contains(LOG_LINE)) {
            if (System.nanoTime() - begin > LONGEST_WARM_UP.toNanos()) {
                throw new IllegalStateException("No warm-up in " + LONGEST_WARM_UP + "\n" + server.logTail());
            }
            pause(Duration.ofMillis(20));
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before the first call", e);
        }
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
