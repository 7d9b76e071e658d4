// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Prints;
import io.proxima.it.Unchecked;
import io.proxima.it.data.Airports;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;

/**
 * A server with the airports of the world, their exported graph, and the scores of the procedures; jobs on Spark that
 * compute the same, and the comparison bit by bit.
 */
@Prints
final class ExportedAirports implements AutoCloseable {

    static final String VERSION = System.getProperty("proxima.spark.version");
    static final String CURRENT = System.getProperty("proxima.spark.current.version");
    static final Installation INSTALLATION = Installation.built();
    static final Path SPARK = INSTALLATION.folder("spark");

    /** The column of the job, and the property of the procedure that it must equal. */
    static final Map<String, String> EXPECTED = new TreeMap<>(Map.of(
            "closeness", "expectedCloseness",
            "wassermanFaust", "expectedWassermanFaust",
            "harmonic", "expectedHarmonic",
            "eccentricity", "expectedEccentricity"));

    private static final String JOB = "io.proxima.spark.ClosenessJob";

    private final Path work;
    private final ServerProcess server;
    private final Session session;
    private final Path graph;
    private final String fingerprint;
    private final long nodes;

    ExportedAirports() {
        work = INSTALLATION.newHome("spark");
        Path home = INSTALLATION.newHome("spark-server");
        server = ServerProcess.in(INSTALLATION, home)
                .withoutOptimizingCompiler()
                .setting(
                        "server.proxima.export_directory",
                        folder(home.resolve("graphs")).toString())
                .start();
        session = server.driver().session();
        say("A Neo4j server with Proxima listens on %s", server.boltUri());
        Airports.loadInto(server);
        run("CALL proxima.graph.project('world', 'Airport', 'ROUTE')");
        Record exported =
                run("CALL proxima.graph.export('world', 'world.proxima')").get(0);
        graph = home.resolve("graphs/world.proxima");
        fingerprint = exported.get("fingerprint").asString();
        nodes = exported.get("nodeCount").asLong();
        say(
                "It has exported %,d airports and %,d routes to %s",
                nodes, exported.get("relationshipCount").asLong(), graph);
        run("CALL proxima.closeness.mutate('world', {mutateProperty: 'expectedCloseness'})");
        run("CALL proxima.closeness.mutate('world',"
                + " {mutateProperty: 'expectedWassermanFaust', useWassermanFaust: true})");
        run("CALL proxima.closeness.mutate('world', {mutateProperty: 'expectedHarmonic', harmonic: true})");
        run("CALL proxima.eccentricity.mutate('world', {mutateProperty: 'expectedEccentricity'})");
    }

    @Override
    public void close() {
        session.close();
        server.close();
    }

    /** A folder for what the tests write. */
    Path work() {
        return work;
    }

    ServerProcess server() {
        return server;
    }

    /** The exported file. */
    Path graph() {
        return graph;
    }

    long nodes() {
        return nodes;
    }

    /** Settings with which Spark logs its events. */
    static Map<String, String> withEvents(Path folder) {
        return Map.of(
                "spark.eventLog.enabled", "true",
                "spark.eventLog.compress", "false",
                "spark.eventLog.dir", folder.toUri().toString());
    }

    /** Starts the job: four waves of at most 900 sources, 64 a task, with CSV files. */
    SparkDriver submitJob(String version, Path log, Path output, Map<String, String> conf, List<Path> jars)
            throws IOException {
        List<String> arguments = List.of(
                "--graph",
                graph.toString(),
                "--fingerprint",
                fingerprint,
                "--output",
                output.toString(),
                "--measures",
                String.join(",", EXPECTED.keySet()),
                "--wave",
                "900",
                "--batch",
                "64",
                "--csv",
                "true");
        return SparkHome.of(SPARK.getParent(), version)
                .submit(log, conf, jars, SPARK.resolve("proxima-spark.jar"), JOB, arguments);
    }

    /** Loads the CSV files into the projected graph, and compares each column with the property of a procedure. */
    void compare(Path output, String name) throws IOException {
        compareCsv(output.resolve("csv"), name, EXPECTED);
        Record summary = run("CALL proxima.eccentricity.stats('world')"
                        + " YIELD diameter, radius, meanDistance, hopDistribution")
                .get(0);
        String json = Files.readString(output.resolve("summary.json")).replaceAll("\\s", "");
        assertThat(json)
                .contains("\"diameter\":" + summary.get("diameter").asLong() + ",")
                .contains("\"radius\":" + summary.get("radius").asLong() + ",")
                .contains("\"meanDistance\":" + summary.get("meanDistance").asDouble() + ",")
                .contains("\"hopDistribution\":"
                        + summary.get("hopDistribution").asList().toString().replace(" ", ""));
        say("and so does the summary: %s", json);
    }

    /**
     * Loads CSV files with a row for each node, and compares columns with properties.
     *
     * @param expected the property for each column
     */
    void compareCsv(Path rows, String name, Map<String, String> expected) throws IOException {
        Path csv = folder(graph.resolveSibling("csv-" + name));
        long lines = 0;
        for (Path file : Unchecked.list(rows)) {
            if (file.toString().endsWith(".csv")) {
                Files.copy(file, csv.resolve(file.getFileName()));
                lines += Files.readAllLines(file).size() - 1;
            }
        }
        // the call would accept a node twice
        assertThat(lines).isEqualTo(nodes);
        run("CALL proxima.graph.nodeProperties.load('world', 'csv-%s', {nodeProperties: ['%s'], fingerprint: '%s'})"
                .formatted(name, String.join("', '", expected.keySet()), fingerprint));
        for (Map.Entry<String, String> pair : expected.entrySet()) {
            Map<Long, Object> computed = property(pair.getKey());
            assertThat(computed).hasSize((int) nodes).isEqualTo(property(pair.getValue()));
            say("%s of %,d airports equals that of the procedure, bit by bit", pair.getKey(), computed.size());
        }
        String first = expected.keySet().iterator().next();
        run("CALL proxima.graph.nodeProperties.write('world', [{%s: 'spark'}])".formatted(first));
        run("CALL proxima.graph.nodeProperties.drop('world', ['%s'])"
                .formatted(String.join("', '", expected.keySet())));
        assertThat(run("MATCH (a:Airport) WHERE a.spark IS NOT NULL RETURN count(a) AS written")
                        .get(0)
                        .get("written")
                        .asLong())
                .isEqualTo(nodes);
        run("MATCH (a:Airport) REMOVE a.spark");
    }

    /** The bits of doubles, so that equality means equal bits. */
    Map<Long, Object> property(String name) {
        Map<Long, Object> values = new HashMap<>();
        for (Record row : run(
                "CALL proxima.graph.nodeProperty.stream('world', '%s') YIELD nodeId, propertyValue".formatted(name))) {
            Object value = row.get("propertyValue").asObject();
            values.put(
                    row.get("nodeId").asLong(),
                    value instanceof Double score ? Long.toHexString(Double.doubleToRawLongBits(score)) : value);
        }
        return values;
    }

    List<Record> run(String query) {
        return session.run(query).list();
    }

    /** What Spark writes when the rows of a wave are complete. */
    static Path complete(Path output, int wave) {
        return output.resolve("checkpoint/commits").resolve(String.valueOf(wave));
    }

    static void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** The lines of files below a folder that contain a text. */
    static List<String> lines(Path folder, String text) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> !path.toString().endsWith(".crc"))
                    .toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.contains(text))
                        .forEach(found::add);
            }
        }
        return found;
    }

    static String text(Path file) {
        return Unchecked.get(() -> Files.readString(file));
    }

    static Path folder(Path path) {
        path.toFile().mkdirs();
        return path;
    }

    static void say(String text, Object... values) {
        System.out.println("[spark] " + String.format(Locale.ROOT, text, values));
    }
}
