// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import static io.proxima.it.svg.Svg.Anchor.START;

import io.proxima.it.Cypher;
import io.proxima.it.docs.Manual;
import io.proxima.it.svg.Svg;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.neo4j.driver.Session;
import org.neo4j.driver.types.Node;

/**
 * The directory of the manual's tutorial, and the relationships over which its owned accounts reach the administrators
 * as a picture: a row of nodes for each distance from the nearest owned account, and the administrators at the end.
 */
final class CompanyDirectory {

    static final String PROJECT = """
            CALL proxima.graph.project('directory', ['User', 'Group', 'Computer'],
              ['MEMBER_OF', 'ADMIN_TO', 'HAS_SESSION', 'FORCE_CHANGE_PASSWORD'])
            YIELD nodeCount, relationshipCount, projectMillis""";
    private static final String CONNECT = """
            MATCH (admins:Group {name: 'Domain Admins'}), (user:User {owned: true})
            WITH admins, collect(user) AS owned
            CALL proxima.connectionSubgraph.stream('directory', {sourceNodes: owned, targetNode: admins, maxDepth: 12})
            YIELD relationship, fromSource, pathCount
            """;
    static final String ASK = CONNECT + "RETURN type(relationship) AS type, count(*) AS relationships,"
            + " count(CASE WHEN pathCount > 0 THEN 1 END) AS onShortestPaths ORDER BY type";

    private static final String TITLE = "From owned accounts to the administrators";
    private static final String COUNTS = "A number counts the shortest paths over its relationship.";
    private static final Map<String, String> COLOURS =
            Map.of("Computer", "#009e73", "Group", "#d55e00", "User", "#0072b2");
    private static final int WIDTH = 760;
    private static final int MIDDLE = 420;
    private static final int TOP = 40;
    private static final int ROW = 56;
    private static final int GAP = 180;
    private static final int RADIUS = 6;

    private record Link(Node start, String type, Node end, int row, String paths) {}

    private CompanyDirectory() {}

    /** Adds the directory to the database. */
    static void create(Cypher cypher) throws IOException {
        Manual.read(Manual.page("tutorial-company-directory")).setUp(cypher);
    }

    /** The picture of what is stored and projected, in SVG. */
    static String picture(Session session) {
        List<Link> links = session.run(CONNECT + """
                        WITH startNode(relationship) AS start, relationship, endNode(relationship) AS end,
                             toInteger(fromSource) AS row, toString(toInteger(pathCount)) AS paths
                        RETURN start, type(relationship) AS type, end, row, paths ORDER BY row, start.name, end.name""")
                .list(row -> new Link(
                        row.get("start").asNode(),
                        row.get("type").asString(),
                        row.get("end").asNode(),
                        row.get("row").asInt(),
                        row.get("paths").asString()));
        int last = links.get(links.size() - 1).row + 1;
        Map<Node, Integer> rows = new LinkedHashMap<>();
        links.forEach(link -> rows.put(link.start, link.row));
        links.forEach(link -> rows.putIfAbsent(link.end, last));
        Map<Node, Double> x = new HashMap<>();
        for (int row = last; row >= 0; row--) {
            int of = row;
            place(rows.keySet().stream().filter(node -> rows.get(node) == of).toList(), links, x);
        }

        Svg picture = new Svg(WIDTH, y(last + 1), TITLE)
                .text("title", START, 0, 16, TITLE)
                .text("quiet", START, 0, 34, COUNTS);
        Map<Integer, Set<String>> types = new TreeMap<>();
        for (Link link : links) {
            int top = y(link.row);
            double start = x.get(link.start);
            double width = x.get(link.end) - start;
            types.computeIfAbsent(top + ROW / 2 + 4, y -> new TreeSet<>()).add(link.type);
            picture.line("span", start, top, start + width, y(rows.get(link.end)));
            double label = start + width / 2 / (rows.get(link.end) - link.row) + 8;
            picture.text("quiet", START, label, top + ROW / 2.0 + 4 - 8 * Math.signum(width), link.paths);
        }
        types.forEach((y, of) -> picture.text("quiet", START, 0, y, String.join(", ", of)));
        rows.forEach((node, row) -> draw(
                picture,
                node.labels().iterator().next(),
                x.get(node),
                y(row),
                node.get("name").asString()));
        int legend = MIDDLE;
        for (String label : new TreeSet<>(COLOURS.keySet())) {
            draw(picture, label, legend, 12, label);
            legend += 110;
        }
        return picture.toString();
    }

    /** Puts the nodes of a row side by side, in the order and above the middle of the nodes that they lead to. */
    private static void place(List<Node> row, List<Link> links, Map<Node, Double> x) {
        ToDoubleFunction<Node> below = node -> links.stream()
                .filter(link -> link.start.equals(node))
                .mapToDouble(link -> x.get(link.end))
                .average()
                .orElse(MIDDLE);
        double left = row.stream().mapToDouble(below).average().orElse(MIDDLE) - GAP * (row.size() - 1) / 2.0;
        for (Node node : row.stream().sorted(Comparator.comparingDouble(below)).toList()) {
            x.put(node, left);
            left += GAP;
        }
    }

    private static void draw(Svg picture, String label, double x, double y, String name) {
        picture.disc(COLOURS.get(label), x, y, RADIUS, label).text("ink", START, x + 12, y + 5, name);
    }

    private static int y(int row) {
        return TOP + ROW * row + ROW / 2;
    }
}
