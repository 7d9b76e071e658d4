/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.List;

/**
 * What can be scanned for a projection: the store, an edge list, a test graph. A source is used for one projection at a
 * time; {@link Projector} scans the nodes first.
 *
 * <p>Scans hand over batches, so that no call is made for a single node or relationship. The arrays of a batch belong to
 * the source and are used again once the sink returns. Names in the lists of labels and types are distinct;
 * {@link ProjectionSpec#ALL} may be among them.
 */
public interface GraphSource extends RelationshipSource {

    /** Whether the source knows a label of that name, borne by a node or not. */
    boolean hasLabel(String label);

    /** Whether the source knows a relationship type of that name, used or not. */
    boolean hasType(String type);

    /** About how many nodes {@link #scanNodes} will report; only sizes of buffers and progress depend on it. */
    long estimateNodeCount(List<String> labels);

    /**
     * Reports every node with one of the labels: once for each of them that it bears, and once for
     * {@link ProjectionSpec#ALL} if that is asked for.
     *
     * @param labels known labels
     * @param concurrency threads that scan at most, at least 1
     * @param stop asks the scan to end early; nothing stays open then
     * @param sink takes the nodes
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink);

    /** Takes nodes from several workers at once. */
    @FunctionalInterface
    interface NodeSink {
        /**
         * Takes a batch.
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param label index, in the list asked for, of the label that these nodes bear
         * @param neo4jIds the nodes, {@code count} of them, not negative
         * @param count number of nodes
         */
        void accept(int worker, int label, long[] neo4jIds, int count);
    }
}
