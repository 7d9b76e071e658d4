// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.EdgeList;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps the graphs that made a test fail as edge lists, in the folder that the system property
 * {@code proxima.failures.dir} names. A test that fails for several graphs of one name, as a shrinking property does,
 * leaves the last.
 */
public final class FailingGraphs {

    private static final Path DEFAULT_FOLDER = Path.of("target", "failing-graphs");

    private FailingGraphs() {}

    /**
     * Runs a check and saves the graph if it fails.
     *
     * @param name names the file, such as "PermutationTest.shouldMoveEveryEdge"
     * @param graph what the check is about
     * @param check is run once; what it throws is thrown on, with the file as a suppressed note
     */
    public static void saving(String name, EdgeList graph, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | Error failure) {
            try {
                failure.addSuppressed(new GraphSaved(save(name, graph)));
            } catch (UncheckedIOException e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    /** Writes a graph: a line {@code # vertexCount=n}, then source and target a line, repeats and loops included. */
    private static Path save(String name, EdgeList graph) {
        String folder = System.getProperty("proxima.failures.dir");
        Path path = (folder == null ? DEFAULT_FOLDER : Path.of(folder)).resolve(name + ".edges");
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            try (BufferedWriter file = Files.newBufferedWriter(path, StandardCharsets.US_ASCII)) {
                file.write("# vertexCount=" + graph.vertexCount() + "\n");
                for (long edge = 0; edge < graph.edgeCount(); edge++) {
                    file.write(graph.source(edge) + " " + graph.target(edge) + "\n");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot save the failing graph to " + path, e);
        }
        return path;
    }

    private static final class GraphSaved extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GraphSaved(Path path) {
            super("The failing graph is in " + path.toAbsolutePath(), null, false, false);
        }
    }
}
