// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import io.proxima.projection.EdgeList;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Fills the database of a server that has not been started with whole graphs at once, by {@code neo4j-admin database
 * import}. Each graph has a label and a relationship type of its own; each node has its number as the property
 * {@code key}.
 */
public final class BulkImport {

    private static final int GREATEST_WEIGHT = 255;
    private static final long SEED = 20261122;

    private BulkImport() {}

    /**
     * A graph to import.
     *
     * @param label the label of its nodes
     * @param type the type of its relationships
     * @param edges its edges
     * @param weighted whether relationships have the properties {@code weight}, an INTEGER from 1 to 255, and
     *     {@code cost}, a FLOAT from 0 to 255, both random
     */
    public record Graph(String label, String type, EdgeList edges, boolean weighted) {

        /** A graph whose relationships have no properties. */
        public Graph(String label, String type, EdgeList edges) {
            this(label, type, edges, false);
        }
    }

    /**
     * Imports graphs into the database neo4j.
     *
     * @param installation what the build laid out
     * @param home the server's home, not in use
     * @param graphs what to import
     * @throws IllegalStateException if the import fails; the message has what it printed
     */
    public static void run(Installation installation, Path home, List<Graph> graphs) {
        Unchecked.run(() -> {
            Path folder = Files.createDirectories(home.resolve("import"));
            Path nodes = folder.resolve("nodes.csv");
            Path relationships = folder.resolve("relationships.csv");
            writeNodes(nodes, graphs);
            writeRelationships(relationships, graphs);
            run(installation, home, nodes, relationships);
            Files.delete(nodes);
            Files.delete(relationships);
        });
    }

    /**
     * Imports files into the database neo4j.
     *
     * @param nodes CSV with INTEGER ids
     * @param relationships CSV
     */
    public static void run(Installation installation, Path home, Path nodes, Path relationships) {
        AdminCommand.run(
                installation,
                home,
                List.of(
                        "database",
                        "import",
                        "full",
                        "neo4j",
                        "--nodes=" + nodes,
                        "--relationships=" + relationships,
                        "--id-type=integer",
                        "--overwrite-destination=true"));
    }

    private static void writeNodes(Path file, List<Graph> graphs) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(":ID,key:long,:LABEL\n");
            long offset = 0;
            for (Graph graph : graphs) {
                int count = graph.edges().vertexCount();
                for (int node = 0; node < count; node++) {
                    out.write((offset + node) + "," + node + "," + graph.label() + "\n");
                }
                offset += count;
            }
        }
    }

    private static void writeRelationships(Path file, List<Graph> graphs) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(":START_ID,:END_ID,:TYPE,weight:long,cost:double\n");
            long offset = 0;
            Random random = new Random(SEED);
            for (Graph graph : graphs) {
                EdgeList edges = graph.edges();
                for (long edge = 0; edge < edges.edgeCount(); edge++) {
                    String properties = graph.weighted()
                            ? 1 + random.nextInt(GREATEST_WEIGHT) + "," + GREATEST_WEIGHT * random.nextDouble()
                            : ",";
                    out.write((offset + edges.source(edge)) + "," + (offset + edges.target(edge)) + "," + graph.type()
                            + "," + properties + "\n");
                }
                offset += edges.vertexCount();
            }
        }
    }
}
