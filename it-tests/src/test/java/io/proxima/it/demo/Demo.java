// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import io.proxima.it.Prints;
import io.proxima.it.graphs.Airports;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;
import org.neo4j.driver.Value;
import org.neo4j.driver.types.Point;

/**
 * Starts a real Neo4j server with the packed plugin, loads the airports of the world and the routes between them,
 * projects them, and asks the three questions that Proxima is made for: how far is everything from here, how far is it
 * from each of several places, and what is in the middle. Each step shows the Cypher that it runs and its time. The file
 * {@code demo/report.html} in the build's folder shows the results as pictures.
 *
 * <p>With {@code --serve} the server stays, with Bolt and Neo4j Browser on the loopback interface, until Ctrl-C.
 */
@Prints
public final class Demo {

    private static final String SOURCE = "ZRH";
    private static final List<String> HUBS = List.of("ATL", "LHR", "DXB", "SIN");
    private static final int BAR_WIDTH = 40;
    private static final List<String> TRIES = List.of(
            "CALL proxima.graph.list()",
            "MATCH (a:Airport {iata: 'KEF'}) CALL proxima.bfs.stream('world', {sourceNode: a, maxDepth: 1})"
                    + " YIELD nodeId RETURN proxima.util.asNode(nodeId)",
            "CALL proxima.eccentricity.stats('world') YIELD diameter, radius, meanDistance");

    private final PrintStream out;
    private final Session session;

    private Demo(PrintStream out, Session session) {
        this.out = out;
        this.session = session;
    }

    /**
     * Runs the demo.
     *
     * @param arguments nothing, or {@code --serve}
     */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (!List.of("--serve").containsAll(Arrays.asList(arguments))) {
            throw new IllegalArgumentException("Only --serve is understood: " + Arrays.toString(arguments));
        }
        Installation installation = Installation.built();
        out.println();
        out.println("  Proxima: breadth-first levels, multi-source distances and exact closeness in Neo4j");
        out.println();
        long start = System.nanoTime();
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("demo"))
                .usualPorts()
                .start()) {
            out.printf(
                    Locale.ROOT,
                    "  A Neo4j server with proxima.jar in its plugins folder answers after %s.%n",
                    seconds(start));
            try (Session session = server.driver().session()) {
                new Demo(out, session).run(installation.folder("demo"));
            }
            if (arguments.length > 0) {
                serve(out, server);
            }
        }
        out.println();
    }

    private void run(Path folder) {
        Record version = session.run("CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel'"
                        + " CALL proxima.version() YIELD version RETURN versions[0] AS neo4j, version")
                .single();
        Record backend = session.run(
                        "CALL proxima.backend.list() YIELD name, device, active WHERE active" + " RETURN name, device")
                .single();
        String versions = "Neo4j %s, Proxima %s, backend %s (%s)"
                .formatted(
                        version.get("neo4j").asString(),
                        version.get("version").asString(),
                        backend.get("name").asString(),
                        backend.get("device").asString("the processor"));
        out.println("  " + versions);
        load(Airports.read());
        project();
        levels();
        distances();
        nearest();
        closeness();
        report(folder.resolve("report.html"), versions);
    }

    private void load(Airports graph) {
        heading("Load the airports of the world and the routes between them");
        long start = System.nanoTime();
        graph.loadInto(session);
        out.printf(
                Locale.ROOT,
                "  %,d airports, %,d routes, %s%n",
                graph.airports().size(),
                graph.routes().edgeCount(),
                seconds(start));
    }

    private void project() {
        heading("Project them into a graph in memory");
        Record row = timed(
                        "CALL proxima.graph.project('world', 'Airport', 'ROUTE')\n"
                                + "YIELD nodeCount, relationshipCount, projectMillis",
                        Map.of())
                .get(0);
        out.printf(
                Locale.ROOT,
                "  %,d nodes, %,d relationships%n",
                row.get("nodeCount").asLong(),
                row.get("relationshipCount").asLong());
    }

    private void levels() {
        heading("How many flights does it take from Zurich?");
        Record row = timed(
                        "MATCH (zurich:Airport {iata: '" + SOURCE + "'})\n"
                                + "CALL proxima.bfs.stats('world', {sourceNode: zurich})\n"
                                + "YIELD depth, nodesReached, hopDistribution\n"
                                + "RETURN depth, nodesReached, hopDistribution",
                        Map.of())
                .get(0);
        List<Long> sizes = row.get("hopDistribution").asList(value -> value.asLong());
        long largest = sizes.stream().max(Long::compare).orElse(1L);
        for (int level = 0; level < sizes.size(); level++) {
            long size = sizes.get(level);
            out.printf(
                    Locale.ROOT,
                    "  %2d %-7s %,6d  %s%n",
                    level,
                    level == 1 ? "flight" : "flights",
                    size,
                    "#".repeat((int) Math.ceil((double) BAR_WIDTH * size / largest)));
        }
        out.printf(
                Locale.ROOT,
                "  %,d airports can be reached; the farthest need %d flights:%n",
                row.get("nodesReached").asLong(),
                row.get("depth").asLong());
        for (Record far : timed(
                "MATCH (zurich:Airport {iata: '" + SOURCE + "'})\n"
                        + "CALL proxima.bfs.stream('world', {sourceNode: zurich})\n"
                        + "YIELD nodeId, distance WHERE distance >= "
                        + row.get("depth").asLong() + "\n"
                        + "RETURN proxima.util.asNode(nodeId) AS airport, distance",
                Map.of())) {
            airport("  %2d flights to ".formatted(far.get("distance").asLong()), far.get("airport"), "");
        }
    }

    private void distances() {
        heading("How far is it from four hubs to some far places?");
        List<Record> rows = timed(
                "MATCH (hub:Airport) WHERE hub.iata IN " + quoted(HUBS) + " WITH collect(hub) AS hubs\n"
                        + "MATCH (place:Airport) WHERE place.iata IN ['IPC', 'LYR', 'USH', 'HLE', 'FAE']\n"
                        + "WITH hubs, collect(place) AS places\n"
                        + "CALL proxima.distances.stream('world', {sourceNodes: hubs, targetNodeFilter: places})\n"
                        + "YIELD sourceNode, targetNode, distance\n"
                        + "WITH proxima.util.asNode(targetNode) AS place,\n"
                        + "     collect([proxima.util.asNode(sourceNode).iata, distance]) AS flights\n"
                        + "RETURN place, flights ORDER BY place.city",
                Map.of());
        out.printf("  %-32s", "");
        HUBS.forEach(hub -> out.printf("%5s", hub));
        out.println();
        for (Record row : rows) {
            out.printf("  %-32s", row.get("place").get("city").asString());
            for (String hub : HUBS) {
                out.printf(
                        "%5s",
                        row.get("flights").asList(pair -> pair.asList()).stream()
                                .filter(pair -> pair.get(0).equals(hub))
                                .map(pair -> String.valueOf(pair.get(1)))
                                .findFirst()
                                .orElse("-"));
            }
            out.println();
        }
    }

    private void nearest() {
        heading("How far is the nearest of the hubs?");
        for (Record row : timed(
                "MATCH (hub:Airport) WHERE hub.iata IN " + quoted(HUBS) + " WITH collect(hub) AS hubs\n"
                        + "CALL proxima.distances.nearest.stream('world', {sourceNodes: hubs})\n"
                        + "YIELD distance\n"
                        + "RETURN distance, count(*) AS airports ORDER BY distance",
                Map.of())) {
            out.printf(
                    Locale.ROOT,
                    "  %2d %-7s %,6d airports%n",
                    row.get("distance").asLong(),
                    row.get("distance").asLong() == 1 ? "flight" : "flights",
                    row.get("airports").asLong());
        }
    }

    private void closeness() {
        heading("Which airports are in the middle of the world? (exact closeness, after Wasserman and Faust)");
        Record written = timed(
                        "CALL proxima.closeness.write('world', {useWassermanFaust: true, writeProperty: 'closeness'})\n"
                                + "YIELD nodePropertiesWritten, computeMillis, writeMillis",
                        Map.of())
                .get(0);
        out.printf(
                Locale.ROOT,
                "  %,d scores: computed in %,d ms, written to the nodes in %,d ms%n",
                written.get("nodePropertiesWritten").asLong(),
                written.get("computeMillis").asLong(),
                written.get("writeMillis").asLong());
        int rank = 1;
        for (Record row : timed(
                "MATCH (airport:Airport)\n"
                        + "RETURN airport, airport.closeness AS closeness ORDER BY closeness DESC LIMIT 10",
                Map.of())) {
            airport(
                    "  %2d. ".formatted(rank++),
                    row.get("airport"),
                    String.format(Locale.ROOT, "%.4f", row.get("closeness").asDouble()));
        }
    }

    private void report(Path file, String versions) {
        heading("How many airports are how many flights apart?");
        List<Long> pairsByHops = timed(
                        "CALL proxima.closeness.stats('world', {useWassermanFaust: true})\n" + "YIELD hopDistribution",
                        Map.of())
                .get(0)
                .get("hopDistribution")
                .asList(value -> value.asLong());
        List<Report.Place> places = session.run("MATCH (a:Airport) RETURN a").list(row -> {
            Value airport = row.get("a");
            Point location = airport.get("location").asPoint();
            return new Report.Place(
                    airport.get("city").asString() + " (" + airport.get("iata").asString() + ")",
                    location.y(),
                    location.x(),
                    airport.get("closeness").asDouble());
        });
        try {
            Files.writeString(file, new Report(places, pairsByHops).html(versions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println("  A map of the airports, the hop plot and the distribution of scores:");
        out.println("    " + file.toUri());
    }

    private static void serve(PrintStream out, ServerProcess server) throws InterruptedException {
        out.println();
        out.println("  The server stays until Ctrl-C. Try it:");
        out.println("    Neo4j Browser  " + server.httpUri() + "/browser/");
        out.println("    Bolt           " + server.boltUri());
        out.println("    user neo4j, password " + ServerProcess.PASSWORD);
        out.println("  Three calls to try:");
        TRIES.forEach(call -> out.println("    " + call));
        server.awaitEnd();
    }

    private void heading(String text) {
        out.println();
        out.println("  " + text);
        out.println("  " + "-".repeat(text.length()));
    }

    private List<Record> timed(String query, Map<String, Object> parameters) {
        query.lines().forEach(line -> out.println("      " + line));
        long start = System.nanoTime();
        List<Record> rows = session.run(query, parameters).list();
        out.println("  [" + seconds(start) + "]");
        return rows;
    }

    private void airport(String before, Value airport, String after) {
        out.printf(
                "%s%s  %-52s %s%n",
                before,
                airport.get("iata").asString(),
                airport.get("name").asString() + ", " + airport.get("country").asString(),
                after);
    }

    private static String quoted(List<String> words) {
        return "['" + String.join("', '", words) + "']";
    }

    private static String seconds(long start) {
        double millis = (System.nanoTime() - start) / 1e6;
        return millis < 1000
                ? String.format(Locale.ROOT, "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
}
