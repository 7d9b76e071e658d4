// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.data.Airports;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;
import org.neo4j.driver.Value;

/**
 * Starts a real Neo4j server with the packed plugin, loads the airports of the world and the routes between them,
 * projects them, and searches from one airport and from several, scores closeness, and counts pairs by distance. A
 * connection subgraph of the directory of a company follows. Each step prints the Cypher that it runs, its rows and its
 * time. The files {@code demo/report.html} and {@code demo/company-directory.svg} in the build's folder show the
 * results as pictures.
 *
 * <p>With {@code --serve} the server runs on, with Bolt and Neo4j Browser on the loopback interface, until Ctrl-C, or
 * until Maven ends.
 */
@Prints
public final class Demo {

    private static final String HOP_PLOT = """
            CALL proxima.closeness.stats('world') YIELD hopDistribution
            UNWIND range(0, size(hopDistribution) - 1) AS flights
            RETURN flights, hopDistribution[flights] AS pairs""";

    /** The Cypher of each step by its heading, in the order of the steps. */
    private static final Map<String, String> STEPS = new LinkedHashMap<>();

    static {
        STEPS.put("Project them into a graph in memory", """
                CALL proxima.graph.project('world', 'Airport', {ROUTE: {orientation: 'UNDIRECTED'}})
                YIELD nodeCount, relationshipCount, projectMillis""");
        STEPS.put("How many flights does it take from Zurich?", """
                MATCH (zurich:Airport {iata: 'ZRH'})
                CALL proxima.bfs.stats('world', {sourceNode: zurich}) YIELD hopDistribution
                UNWIND range(0, size(hopDistribution) - 1) AS flights
                RETURN flights, hopDistribution[flights] AS airports""");
        STEPS.put("Which airports are the farthest from there?", """
                MATCH (zurich:Airport {iata: 'ZRH'})
                CALL proxima.bfs.stream('world', {sourceNode: zurich}) YIELD nodeId, distance
                WITH proxima.util.asNode(nodeId) AS airport, distance ORDER BY distance DESC LIMIT 5
                RETURN distance AS flights, airport.iata AS iata, airport.name AS name""");
        STEPS.put("How far is it from four hubs to some far places?", """
                MATCH (hub:Airport) WHERE hub.iata IN ['ATL', 'LHR', 'DXB', 'SIN'] WITH collect(hub) AS hubs
                MATCH (place:Airport) WHERE place.iata IN ['IPC', 'LYR', 'USH', 'HLE', 'FAE']
                WITH hubs, collect(place) AS places
                CALL proxima.distances.stream('world', {sourceNodes: hubs, targetNodeFilter: places})
                YIELD sourceNode, targetNode, distance
                RETURN proxima.util.asNode(targetNode).city AS place,
                       collect(proxima.util.asNode(sourceNode).iata + ' ' + distance) AS flights ORDER BY place""");
        STEPS.put("How far is the nearest of the hubs?", """
                MATCH (hub:Airport) WHERE hub.iata IN ['ATL', 'LHR', 'DXB', 'SIN'] WITH collect(hub) AS hubs
                CALL proxima.distances.nearest.stream('world', {sourceNodes: hubs}) YIELD distance
                RETURN distance AS flights, count(*) AS airports ORDER BY flights""");
        STEPS.put("Compute exact closeness (after Wasserman and Faust)", """
                CALL proxima.closeness.write('world', {useWassermanFaust: true, writeProperty: 'closeness'})
                YIELD nodePropertiesWritten, computeMillis, writeMillis""");
        STEPS.put("Which airports are in the middle of the world?", """
                MATCH (airport:Airport)
                RETURN airport.closeness AS closeness, airport.iata AS iata, airport.name AS name
                ORDER BY closeness DESC LIMIT 10""");
        STEPS.put("How many airports are how many flights apart?", HOP_PLOT);
    }

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
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (!List.of("--serve").containsAll(Arrays.asList(arguments))) {
            throw new IllegalArgumentException("Only --serve is understood: " + Arrays.toString(arguments));
        }
        Installation installation = Installation.built();
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("demo"))
                .usualPorts()
                .start()) {
            try (Session session = server.driver().session()) {
                new Demo(out, session).run(server, installation.folder("demo").resolve("report.html"));
            }
            if (arguments.length > 0) {
                out.printf(
                        "%nThe server stays until Ctrl-C: Neo4j Browser %s/browser/, Bolt %s, user neo4j, password %s%n",
                        server.httpUri(), server.boltUri(), ServerProcess.PASSWORD);
                // if Maven alone is killed, nobody else ends this process and the server
                Optional<CompletableFuture<Void>> unused = ProcessHandle.current()
                        .parent()
                        .map(maven -> maven.onExit().thenRun(server::stop));
                server.awaitEnd();
            }
        }
    }

    private void run(ServerProcess server, Path report) throws IOException {
        String versions = session.run("CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel'"
                        + " CALL proxima.version() YIELD version"
                        + " CALL proxima.backend.list() YIELD name AS backend, active WHERE active"
                        + " RETURN 'Neo4j ' + versions[0] + ', Proxima ' + version + ', backend ' + backend")
                .single()
                .get(0)
                .asString();
        out.println(versions);
        long start = System.nanoTime();
        Airports.loadInto(server);
        out.println("The airports of the world and the routes between them are loaded. " + seconds(start));
        STEPS.forEach(this::ask);
        List<Report.Place> places = places("MATCH (a:Airport)");
        List<Report.Place> neighbours = places("MATCH (first:Airport) WITH first ORDER BY first.closeness DESC LIMIT 1"
                + " MATCH (first)-[:ROUTE]-(a:Airport) WITH DISTINCT a");
        List<Long> pairs = session.run(HOP_PLOT).list(row -> row.get("pairs").asLong());
        Files.writeString(report, new Report(places, neighbours, pairs).html(versions));
        out.printf("%nA map of the airports, and the hop plot: %s%n", report.toUri());
        CompanyDirectory.create(new Cypher(server.driver()));
        out.printf("%nThe directory of a company is created. An attacker owns six of its accounts.%n");
        ask("Project it", CompanyDirectory.PROJECT);
        ask("Over which relationships do these accounts reach the administrators?", CompanyDirectory.ASK);
        Path picture = report.resolveSibling("company-directory.svg");
        Files.writeString(picture, CompanyDirectory.picture(session));
        out.printf("%nA picture of them: %s%n", picture.toUri());
    }

    /** The airports that a query matches as {@code a}, by ascending closeness. */
    private List<Report.Place> places(String match) {
        return session.run(match + " RETURN a.city + ' (' + a.iata + ')' AS name, a.location.latitude AS latitude,"
                        + " a.location.longitude AS longitude, a.closeness AS closeness ORDER BY closeness")
                .list(row -> new Report.Place(
                        row.get("name").asString(),
                        row.get("latitude").asDouble(),
                        row.get("longitude").asDouble(),
                        row.get("closeness").asDouble()));
    }

    private void ask(String question, String query) {
        out.printf("%n%s%n%s%n", question, "-".repeat(question.length()));
        query.lines().forEach(line -> out.println("    " + line));
        long start = System.nanoTime();
        List<Record> rows = session.run(query).list();
        out.println(seconds(start));
        for (Record row : rows) {
            out.println(row.asMap(Demo::text).entrySet().stream()
                    .map(cell -> cell.getKey() + " " + cell.getValue())
                    .collect(Collectors.joining(", ")));
        }
    }

    private static String text(Value value) {
        return value.asObject() instanceof Long number
                ? String.format(Locale.ROOT, "%,d", number)
                : String.valueOf(value.asObject());
    }

    private static String seconds(long start) {
        return String.format(Locale.ROOT, "[%.3f s]", (System.nanoTime() - start) / 1e9);
    }
}
