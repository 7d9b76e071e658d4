// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.graphs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.neo4j.driver.Session;
import org.neo4j.driver.Values;

/**
 * The airports of the world and the routes between them, from the air-routes data set (see the resource
 * {@code airports/SOURCES.md}).
 *
 * @param airports by number
 * @param routes the directed routes between airports of these numbers
 * @param miles the length of each route, in the order of the routes
 */
public record Airports(List<Airport> airports, EdgeList routes, List<Integer> miles) {

    /** The coordinate system of geographical points in Cypher. */
    private static final int WGS_84 = 4326;

    /**
     * An airport.
     *
     * @param iata its code of three letters
     * @param name its full name
     * @param city the city that it serves
     * @param country the country's code of two letters
     * @param continent the continent's code of two letters
     * @param latitude in degrees, positive in the north
     * @param longitude in degrees, positive in the east
     */
    public record Airport(
            String iata,
            String name,
            String city,
            String country,
            String continent,
            double latitude,
            double longitude) {}

    /** Reads the data set from the class path. */
    public static Airports read() {
        List<Airport> airports = new ArrayList<>();
        Map<String, Integer> numberOf = new HashMap<>();
        for (List<String> row : rows("/airports/airports-nodes.csv.gz")) {
            numberOf.put(row.get(1), airports.size());
            airports.add(new Airport(
                    row.get(1),
                    row.get(4),
                    row.get(3),
                    row.get(9),
                    row.get(10),
                    Double.parseDouble(row.get(11)),
                    Double.parseDouble(row.get(12))));
        }
        EdgeList routes = new EdgeList(airports.size());
        List<Integer> miles = new ArrayList<>();
        for (List<String> row : rows("/airports/airports-routes.csv.gz")) {
            Integer source = numberOf.get(row.get(0));
            Integer target = numberOf.get(row.get(1));
            // the table's last ten rows repeat others with row numbers in place of codes
            if (source != null && target != null) {
                routes.add(source, target);
                miles.add(Integer.valueOf(row.get(2)));
            }
        }
        return new Airports(List.copyOf(airports), routes, List.copyOf(miles));
    }

    /**
     * Creates a node {@code :Airport} for each airport, with its code, name, city, country, continent and
     * location, and a relationship {@code :ROUTE} for each route, with its miles.
     */
    public void loadInto(Session session) {
        session.run("CREATE CONSTRAINT airport_iata IF NOT EXISTS FOR (a:Airport) REQUIRE a.iata IS UNIQUE")
                .consume();
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Airport airport : airports) {
            nodes.add(Map.of(
                    "iata",
                    airport.iata(),
                    "name",
                    airport.name(),
                    "city",
                    airport.city(),
                    "country",
                    airport.country(),
                    "continent",
                    airport.continent(),
                    "location",
                    Values.point(WGS_84, airport.longitude(), airport.latitude())));
        }
        session.run("UNWIND $airports AS airport CREATE (a:Airport) SET a = airport", Map.of("airports", nodes))
                .consume();
        List<List<Object>> relationships = new ArrayList<>();
        for (int route = 0; route < routes.edgeCount(); route++) {
            relationships.add(List.of(
                    airports.get(routes.source(route)).iata(),
                    airports.get(routes.target(route)).iata(),
                    miles.get(route)));
        }
        session.run(
                        "UNWIND $routes AS route MATCH (a:Airport {iata: route[0]}), (b:Airport {iata: route[1]})"
                                + " CREATE (a)-[:ROUTE {miles: route[2]}]->(b)",
                        Map.of("routes", relationships))
                .consume();
    }

    /**
     * Copies both tables, gzipped as they are, to where a server's LOAD CSV reads from.
     *
     * @param folder the server's import folder
     */
    public static void copyTo(Path folder) {
        for (String name : List.of("airports-nodes.csv.gz", "airports-routes.csv.gz")) {
            try (InputStream in = Airports.class.getResourceAsStream("/airports/" + name)) {
                Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The rows after the head line. */
    private static List<List<String>> rows(String resource) {
        InputStream compressed = Airports.class.getResourceAsStream(resource);
        if (compressed == null) {
            throw new IllegalArgumentException("Not on the class path: " + resource);
        }
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(compressed), StandardCharsets.UTF_8))) {
            return in.lines().skip(1).map(Airports::cells).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Splits a line at its commas, those between quotes excepted; no cell of the data set has a quote in it. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
