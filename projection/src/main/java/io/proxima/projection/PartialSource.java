// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.List;

/** A source of which single nodes and the relationships between single nodes can be read. */
public interface PartialSource {

    /**
     * Reports those of some nodes that exist and have one of the labels, as {@link GraphSource#scanNodes} does, to
     * worker 0.
     *
     * @param labels known labels
     * @param neo4jIds the nodes
     */
    void readNodes(List<String> labels, long[] neo4jIds, Stop stop, GraphSource.NodeSink sink);

    /**
     * Some relationships as a source.
     *
     * @param pairs neo4jIds of two nodes each, side by side: all relationships between the two, in either direction.
     *     The node that probably has fewer is first
     * @param nodes neo4jIds in ascending order, none of which is in a pair: all relationships of these nodes, each once
     * @param most the number of relationships to be read at most, also of those that are not passed
     */
    Part part(long[] pairs, long[] nodes, long most);

    /** Some relationships. */
    interface Part extends RelationshipSource {
        /** Whether the last scan has passed all of them, because it had to read no more than the most. */
        boolean isComplete();
    }
}
