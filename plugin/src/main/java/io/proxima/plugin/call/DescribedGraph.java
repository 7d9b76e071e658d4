// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.store.StoreSource;
import java.util.Set;

/**
 * A hypothetical graph for estimates. It is described by its projections, counted in the database, or by numbers of
 * nodes and relationships that need not exist.
 *
 * @param parsed the projections
 * @param threads the number of threads that would project it
 * @param nodeCount number of nodes; {@link ProjectionSize#BY_SOURCE} for the count of the database
 * @param relationshipCount number of relationships; {@link ProjectionSize#BY_SOURCE} likewise
 */
public record DescribedGraph(ProjectionParser.Parsed parsed, int threads, long nodeCount, long relationshipCount) {
    private static final Key<Long> NODE_COUNT =
            Key.of("nodeCount", ProjectionSize.BY_SOURCE, "The number of nodes. -1: the count of the database.");
    private static final Key<Long> RELATIONSHIP_COUNT =
            Key.of("relationshipCount", ProjectionSize.BY_SOURCE, "The number of relationships.");
    private static final String PROJECTION = "STRING, LIST or MAP";
    private static final String EVERYTHING = "'" + ProjectionSpec.ALL + "'";

    /**
     * Reads the projections and the keys {@code nodeCount}, {@code relationshipCount} and {@code readConcurrency}.
     * Faults are added to the reader.
     */
    public static DescribedGraph read(
            Caller caller, Object nodeProjection, Object relationshipProjection, ConfigReader reader) {
        return new DescribedGraph(
                ProjectionParser.parse(nodeProjection, relationshipProjection, reader),
                Concurrency.read(caller, reader, Concurrency.READ_CONCURRENCY),
                reader.readCount(NODE_COUNT),
                reader.readCount(RELATIONSHIP_COUNT));
    }

    /** Reads a map that also contains the projections; a missing projection selects everything. */
    public static DescribedGraph read(Caller caller, ConfigReader reader) {
        Object nodes = reader.readAny(Key.of("nodeProjection", "The nodes."), PROJECTION, EVERYTHING);
        Object relationships =
                reader.readAny(Key.of("relationshipProjection", "The relationships."), PROJECTION, EVERYTHING);
        return read(
                caller,
                nodes == null ? ProjectionSpec.ALL : nodes,
                relationships == null ? ProjectionSpec.ALL : relationships,
                reader);
    }

    /**
     * The size of the graph; to be called after the reader has found no fault. For a restricted caller, it is counted
     * by scans of the store.
     */
    public ProjectionSize size(Caller caller) {
        StoreSource source = StoreSource.of(caller.transaction(), caller.stop());
        if (nodeCount == ProjectionSize.BY_SOURCE || relationshipCount == ProjectionSize.BY_SOURCE) {
            StoreNames.requireAll(caller, source, parsed.spec());
        }
        return ProjectionSize.of(source, parsed.spec(), nodeCount, relationshipCount);
    }

    /** The projected types. */
    public Set<String> types() {
        return parsed.spec().types().keySet();
    }

    /** The names of the properties of a projected type. */
    public Set<String> properties(String type) {
        return parsed.spec().types().get(type).properties().keySet();
    }
}
