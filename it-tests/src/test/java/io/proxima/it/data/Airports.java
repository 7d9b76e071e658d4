// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import io.proxima.it.server.ServerProcess;
import io.proxima.projection.EdgeList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.driver.Session;

/**
 * The airports of the world and the routes between them, from the air-routes data set (see the resource
 * {@code airports/SOURCES.md}).
 */
public final class Airports {

    private static final String FOLDER = "/airports/";
    private static final String NODES = "airports-nodes.csv.gz";
    private static final String ROUTES = "airports-routes.csv.gz";

    private Airports() {}

    /** The directed routes between airports by their numbers. */
    public static EdgeList routes() {
        Map<String, Integer> numberOf = new HashMap<>();
        for (String[] row : rows(NODES)) {
            numberOf.put(row[1], numberOf.size());
        }
        EdgeList routes = new EdgeList(numberOf.size());
        for (String[] row : rows(ROUTES)) {
            Integer source = numberOf.get(row[0]);
            Integer target = numberOf.get(row[1]);
            // the table's last ten rows repeat others with row numbers in place of codes
            if (source != null && target != null) {
                routes.add(source, target);
            }
        }
        return routes;
    }

    /**
     * Creates a node {@code :Airport} for each airport, with its code, name, city, country, continent and
     * location, and a relationship {@code :ROUTE} for each route, with its miles.
     */
    public static void loadInto(ServerProcess server) {
        copyTo(server.home().resolve("import"));
        try (Session session = server.driver().session()) {
            for (String statement : List.of(
                    "CREATE CONSTRAINT airport_iata IF NOT EXISTS FOR (a:Airport) REQUIRE a.iata IS UNIQUE",
                    "LOAD CSV WITH HEADERS FROM 'file:///" + NODES + "' AS line"
                            + " CREATE (a:Airport {iata: line.iata, name: line.descr, city: line.city,"
                            + " country: line.country, continent: line.continent,"
                            + " location: point({latitude: toFloat(line.lat), longitude: toFloat(line.lon)})})",
                    "LOAD CSV WITH HEADERS FROM 'file:///" + ROUTES + "' AS line"
                            + " MATCH (a:Airport {iata: line.src}), (b:Airport {iata: line.dest})"
                            + " CREATE (a)-[:ROUTE {miles: toInteger(line.dist)}]->(b)")) {
                session.run(statement).consume();
            }
        }
    }

    /**
     * Copies both tables, gzipped as they are, to where a server's LOAD CSV reads from.
     *
     * @param folder the server's import folder
     */
    public static void copyTo(Path folder) {
        for (String name : List.of(NODES, ROUTES)) {
            try (InputStream in = Airports.class.getResourceAsStream(FOLDER + name)) {
                Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The cells of the rows after the head line; right up to the first cell with a comma in it. */
    private static List<String[]> rows(String name) {
        return DataGraph.lines(FOLDER + name).stream()
                .skip(1)
                .map(line -> line.replace("\"", "").split(",", -1))
                .toList();
    }
}
