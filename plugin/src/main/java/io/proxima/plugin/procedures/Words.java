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
package io.proxima.plugin.procedures;

/** Descriptions of arguments and columns that several procedures share. */
final class Words {

    static final String GRAPH_NAME = "The name of a projected graph.";
    static final String COMMON_KEYS = "`nodeLabels` = ['*'], `relationshipTypes` = ['*'], `concurrency` = 4,"
            + " `backend` = 'auto' ('auto', 'cuda' or 'cpu'), `order` = 'auto', `kernel` = 'auto', `jobId`, `logProgress` = true, `sudo` = false,"
            + " `username`.";
    static final String WRITE_KEYS = "`writeProperty` (mandatory), `writeConcurrency` = `concurrency`, ";

    static final String INCLUDE_UNREACHED_KEY = "`includeUnreached` = false, ";
    static final String MUTATE_KEYS = "`mutateProperty` (mandatory), ";
    static final String MUTATE_MILLIS = "Milliseconds for adding the property to the graph.";
    static final String NODE_PROPERTIES_MUTATED = "The number of values added to the graph in memory.";
    static final String PRE_PROCESSING_MILLIS = "Milliseconds for fetching, filtering and loading the graph.";
    static final String COMPUTE_MILLIS = "Milliseconds for the computation; -1 if the graph is empty.";
    static final String POST_PROCESSING_MILLIS = "Milliseconds for the distribution; 0 if it is not yielded.";
    static final String WRITE_MILLIS = "Milliseconds for writing the properties.";
    static final String CONFIGURATION_COLUMN =
            "The whole effective configuration, with the `jobId` and the `backend`, `order` and `kernel` that ran.";
    static final String NODE_PROPERTIES_WRITTEN = "The number of properties set and committed.";
    static final String NODES_SKIPPED = "The number of nodes that were deleted after the projection.";
    static final String BATCHES = "The number of transactions committed.";
    static final String FAILED_BATCHES =
            "The number of transactions that failed for good; such a call ends in an error, so this is 0.";
    static final String RETRIES = "The number of transactions rolled back on a transient error and tried again.";
    static final String ERROR_MESSAGES = "The transient errors: message to number of times.";

    static final String DIAMETER = "The greatest distance between two nodes of which one reaches the other.";
    static final String RADIUS = "The least eccentricity of the nodes that reach the most nodes.";
    static final String MEAN_DISTANCE =
            "The mean distance of the ordered pairs of nodes of which the first reaches the second.";
    static final String HOP_DISTRIBUTION =
            "The number of ordered pairs of nodes at each distance, from 0: each node itself.";

    private Words() {}
}
