// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.ProjectionException;
import java.util.List;

/** Relationships that can be scanned for a projection whose nodes are known. For batches see {@link GraphSource}. */
public interface RelationshipSource {

    /**
     * The approximate number of relationships that {@link #scanRelationships} will report; affects only buffer sizes
     * and progress.
     */
    long estimateRelationshipCount(List<String> types);

    /**
     * Reports every relationship of one of the types, once; all relationships if {@link ProjectionSpec#ALL} is
     * requested.
     *
     * @param types known types
     * @param properties the properties to read
     * @param concurrency maximum number of scanning threads, at least 1
     * @param stop requests the scan to end early; all resources are released then
     * @param sink receives the relationships
     * @throws ProjectionException if a value that the sink uses is not a number
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink);

    /**
     * Reports every relationship of one of the types between two of the nodes, once; other relationships may be left
     * out.
     *
     * @param nodes the nodes that the last scan has reported
     */
    default void scanRelationshipsAmong(
            IdMap nodes,
            List<String> types,
            List<Property> properties,
            int concurrency,
            Stop stop,
            RelationshipSink sink) {
        scanRelationships(types, properties, concurrency, stop, sink);
    }

    /**
     * A property to read.
     *
     * @param key the property in the source; {@link ProjectionSpec#ALL} for one that no relationship has
     * @param absent the value of a relationship without the property
     * @param counts whether the value of a relationship with the property is 1, whatever the property is
     */
    record Property(String key, double absent, boolean counts) {}

    /** Receives relationships from several workers at once. */
    @FunctionalInterface
    interface RelationshipSink {
        /**
         * Receives a batch.
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param sources neo4jIds of the start nodes, {@code count} of them
         * @param targets neo4jIds of the end nodes, {@code count} of them
         * @param types index of each relationship's type in the requested list, {@code count} of them; the index of
         *     {@link ProjectionSpec#ALL} for a type that is not in the list
         * @param values for each requested property the values, {@code count} of them
         * @param count number of relationships
         */
        void accept(int worker, long[] sources, long[] targets, int[] types, double[][] values, int count);

        /**
         * Whether the value of a property of a relationship is used. The source asks if the value is not a number, and
         * passes NaN if it is not used.
         *
         * @param source neo4jId of the start node
         * @param target neo4jId of the end node
         * @param type index of the relationship's type, as in {@link #accept}
         * @param property index of the property in the requested list
         */
        default boolean uses(long source, long target, int type, int property) {
            return true;
        }
    }
}
