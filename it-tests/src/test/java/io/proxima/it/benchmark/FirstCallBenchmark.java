// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Folders;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
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
 * Options: {@code --graphs} as {@link BenchmarkGraph} has them, {@code rmat-18} otherwise; {@code --servers} is how many
 * servers each series has on each side, 3 otherwise; {@code --calls} is the length of a series, 10 otherwise;
 * {@code --steps} is a list of {@code project}, {@code bfs} and {@code closeness}, all otherwise; {@code --name} is the
 * name of the file written to the folder {@code proxima.benchmark.directory}, {@code first-call} otherwise: a .csv with
 * every time; {@code --heap} is the server's heap, 4g otherwise.
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

    private FirstCallBenchmark(Map<String, String> options) {
        this.options = options;
    }

    /** A series of calls. */
    private enum Step {
        PROJECT("graph.project") {
            @Override
            void call(Cypher cypher, BenchmarkGraph graph, int number) {
                graph.project(cypher, "proxima", "g" + number, "", "");
            }

            @Override
            void tidy(Cypher cypher, int number) {
                cypher.rows("CALL proxima.graph.drop($g)", "g", "g" + number);
            }
        },
        BFS("bfs.stats") {
            @Override
            void prepare(Cypher cypher, BenchmarkGraph graph) {
                graph.project(cypher, "proxima", "g", "", "");
            }

            @Override
            void call(Cypher cypher, BenchmarkGraph graph, int number) {
                cypher.rows("MATCH (n:`" + graph.name()
                        + "` {key: 0}) CALL proxima.bfs.stats('g', {sourceNode: n}) YIELD depth RETURN depth");
            }
        },
        CLOSENESS("closeness.write") {
            @Override
            void prepare(Cypher cypher, BenchmarkGraph graph) {
                graph.project(cypher, "proxima", "g", "", "");
            }

            @Override
            void call(Cypher cypher, BenchmarkGraph graph, int number) {
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
        void prepare(Cypher cypher, BenchmarkGraph graph) {}

        abstract void call(Cypher cypher, BenchmarkGraph graph, int number);

        /** What the next call must not find. */
        void tidy(Cypher cypher, int number) {}
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
        new FirstCallBenchmark(options).run();
    }

    private void run() throws IOException {
        for (BenchmarkGraph graph : BenchmarkGraph.of(options)) {
            Path imported = installation.newHome(HOME + "-store");
            graph.importInto(installation, imported, false);
            for (int server = 0; server < number("servers"); server++) {
                for (String step : options.get("steps").split(",", -1)) {
                    for (String side : server % 2 == 0 ? List.of(ON, OFF) : List.of(OFF, ON)) {
                        series(graph, imported, Step.valueOf(step.toUpperCase(Locale.ROOT)), side);
                        measurements.writeCsv(options);
                    }
                }
            }
        }
        say(measurements.table(ON, OFF));
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private void series(BenchmarkGraph graph, Path imported, Step step, String side) throws IOException {
        Path home = installation.newHome(HOME);
        Folders.copy(imported, home);
        long begin = System.nanoTime();
        try (ServerProcess server = BenchmarkGraph.server(installation, home, options)
                .setting("server.proxima.warmup.enabled", Boolean.toString(side.equals(ON)))
                .start()) {
            measurements.add(graph.title(), "start of the server", side, BenchmarkGraph.millisSince(begin));
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
                double millis = BenchmarkGraph.millisSince(start);
                measurements.add(graph.title(), step.label + ", call " + number, side, millis);
                shown.add(String.format(Locale.ROOT, "%.0f", millis));
                step.tidy(cypher, number);
            }
            say(graph.title() + ", " + step.label + ", " + side + ": " + String.join(" ", shown) + " ms");
        }
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

    private static void say(String text) {
        System.out.println(text);
    }
}
