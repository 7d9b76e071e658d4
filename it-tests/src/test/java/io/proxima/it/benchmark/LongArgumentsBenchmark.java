// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.RunningQuery;
import io.proxima.it.operations.LongArgumentsTest;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * What calls with millions of wrong or repeated arguments do to a server of 2 GB: the length of the message, the peak of
 * the old generation of the heap, and the time from TERMINATE TRANSACTION, sent after a second, to the client's error. Each
 * call has a server of its own, over Bolt.
 *
 * <pre>mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=LongArgumentsBenchmark</pre>
 *
 * Options: {@code --plugin} is the jar, the built one otherwise; {@code --version} is its name in the rows; the rows are added
 * to docs/benchmarks/kill-arguments.csv.
 */
@Prints
public final class LongArgumentsBenchmark {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long MILLIS_TO_THE_KILL = 1_000;
    private static final String CSV = "kill-arguments.csv";

    private LongArgumentsBenchmark() {}

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Installation installation = Installation.built();
        Map<String, String> options =
                Options.read(Map.of("plugin", installation.plugin().toString(), "version", "head"), arguments);
        Path csv = Path.of(System.getProperty("proxima.benchmark.directory")).resolve(CSV);
        if (!Files.exists(csv)) {
            Files.writeString(csv, "call,version,end,message_characters,old_generation_peak_mib,ms_from_kill_to_end\n");
        }
        for (Map.Entry<String, String> call : LongArgumentsTest.CALLS.entrySet()) {
            String row = String.format(
                    Locale.ROOT,
                    "\"%s\",%s,%s%n",
                    call.getKey(),
                    options.get("version"),
                    measured(installation, Path.of(options.get("plugin")), call.getValue()));
            Files.writeString(csv, row, StandardOpenOption.APPEND);
            System.out.print(row);
        }
    }

    private static String measured(Installation installation, Path plugin, String query) throws IOException {
        Path home = installation.newHome("long-arguments");
        ServerBuilder builder = ServerProcess.in(installation, home).heap("2g").withoutPlugins();
        Path plugins = Files.createDirectories(home.resolve("plugins"));
        Files.copy(plugin, plugins.resolve(plugin.getFileName()));
        try (ServerProcess server = builder.start()) {
            Cypher cypher = new Cypher(server.driver());
            cypher.rows("UNWIND range(1, 1000) AS i CREATE (:A)-[:R]->(:B)");
            cypher.rows("CALL proxima.graph.project('g', ['A', 'B'], 'R')");
            String end = "result";
            int characters = 0;
            try {
                cypher.rows(query);
            } catch (Neo4jException e) {
                end = e.code();
                characters = e.getMessage().length();
            }
            if (!server.isAlive()) {
                return "the server ended: out of memory,,,";
            }
            Object peak =
                    cypher.value("CALL dbms.queryJmx('java.lang:name=G1 Old Gen,type=MemoryPool') YIELD attributes"
                            + " RETURN attributes.PeakUsage.value.properties.used / 1048576");
            try (RunningQuery running = new RunningQuery(cypher, query)) {
                running.awaitDone(MILLIS_TO_THE_KILL);
                String millis = running.kill(PATIENCE)
                        .map(time -> String.valueOf(time.toMillis()))
                        .orElse("ended before");
                return String.join(",", List.of(end, String.valueOf(characters), String.valueOf(peak), millis));
            } catch (AssertionError | Neo4jException e) {
                return String.join(
                        ",",
                        List.of(
                                end,
                                String.valueOf(characters),
                                String.valueOf(peak),
                                server.isAlive() ? "failed otherwise" : "the server ended"));
            }
        }
    }
}
