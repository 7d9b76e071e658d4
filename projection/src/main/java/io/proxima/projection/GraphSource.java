// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.List;

/**
 * Nodes and relationships that can be scanned for a projection: the store, an edge list, a test graph. A source is used
 * for one projection at a time. {@link Projector} scans the nodes first.
 *
 * <p>Scans pass batches, to avoid a call for each node or relationship. The arrays of a batch belong to the source and
 * are reused after the sink returns. Names in the lists of labels and types are distinct;
 * {@link ProjectionSpec#ALL} may be among them.
 */
public interface GraphSource extends RelationshipSource {

    /** The approximate number of nodes that {@link #scanNodes} will report; affects only buffer sizes and progress. */
    long estimateNodeCount(List<String> labels);

    /** The approximate greatest number of relationships of the types between nodes that have one of the labels. */
    default long estimateRelationshipCount(List<String> labels, List<String> types) {
        return estimateRelationshipCount(types);
    }

    /**
     * Reports every node with one of the labels: once for each of them that it has, and once for
     * {@link ProjectionSpec#ALL} if that is requested.
     *
     * @param labels known labels
     * @param concurrency maximum number of scanning threads, at least 1
     * @param stop requests the scan to end early; all resources are released then
     * @param sink receives the nodes
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink);

    /** Receives nodes from several workers at once. */
    @FunctionalInterface
    interface NodeSink {
        /**
         * Receives a batch.
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param label index of the label of these nodes in the requested list
         * @param neo4jIds the nodes, {@code count} of them, not negative
         * @param count number of nodes
         */
        void accept(int worker, int label, long[] neo4jIds, int count);
    }
}
