// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** Exported graphs as proxima.graph.export writes them. Vertex v has the id 3 v + 7 in Neo4j. */
final class ExportedFiles {

    static final String PREFIX = "4:6b1e1d2c-8a0f-4b9e-9d3a-2f0c5e7a1b44:";

    private ExportedFiles() {}

    static Csc write(Path path, EdgeList edges, boolean undirected) {
        Csc csc = edges.toCsc(undirected ? Orientation.UNDIRECTED : Orientation.NATURAL, 1, Stop.NEVER);
        return write(path, csc, undirected);
    }

    static Csc write(Path path, Csc csc, boolean undirected) {
        return write(path, csc, undirected, ExportedFiles::neo4jId);
    }

    /** The same edges between nodes with other ids: a file with the same fingerprint and length, and another digest. */
    static Csc writeWithOtherIds(Path path, Csc csc, boolean undirected) {
        return write(path, csc, undirected, vertex -> neo4jId(vertex) + 1);
    }

    private static Csc write(Path path, Csc csc, boolean undirected, LongUnaryOperator neo4jId) {
        Map<String, long[]> labels = new LinkedHashMap<>();
        labels.put("N", null);
        long[] ids = LongStream.range(0, csc.vertexCount()).map(neo4jId).toArray();
        GraphProjection graph = new GraphProjection(IdMap.of(ids), labels, Map.of("R", csc), Map.of("R", Map.of()));
        ExportedGraph exported = new ExportedGraph(
                new Origin("test", "neo4j", "neo4j", PREFIX, Instant.EPOCH, "store", "1"),
                GraphFingerprint.of(graph, 1, Stop.NEVER),
                graph,
                Map.of("R", new TypeSchema(undirected, Map.of())),
                List.of());
        GraphFile.write(path, exported, 1, Stop.NEVER, Progress.NONE, () -> {});
        return csc;
    }

    /** All measures of a graph, computed on the CPU. */
    static Farness sums(Csc graph) {
        try (LoadedGraph loaded = TraversalBackends.ofThisHost(BackendSettings.DEFAULTS)
                .select(Wanted.CPU)
                .backend()
                .load(graph)) {
            return loaded.farness(EnumSet.allOf(DistanceMeasure.class), RunContext.of(1));
        }
    }

    static long neo4jId(long vertex) {
        return 3 * vertex + 7;
    }

    static String elementId(long vertex) {
        return PREFIX + neo4jId(vertex);
    }
}
