// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

/** Descriptions of arguments and columns that several procedures share. */
public final class ColumnTexts {

    public static final String GRAPH_NAME = "The name of a projected graph.";
    public static final String GRAPH_OR_MAP =
            "The name of a projected graph, or a `MAP` that describes a hypothetical graph:"
                    + " `nodeProjection` = '*', `relationshipProjection` = '*', `relationshipProperties`, `readConcurrency` ="
                    + " number of processors, `nodeCount` = -1 and `relationshipCount` = -1 (-1 for the count of the database).";
    public static final String COMMON_KEYS =
            "`nodeLabels` = ['*'], `relationshipTypes` = ['*'], `concurrency` = number of processors, `backend` ="
                    + " 'auto' ('auto', 'cpu', 'cuda', a device such as 'cuda:0', or a list of devices), `order` = 'auto',"
                    + " `kernel` = 'auto', `jobId`, `logProgress` = true, `sudo` = false, `username`.";
    public static final String WRITE_PROPERTY_KEYS =
            "`writeProperty` (mandatory), `writeConcurrency` = `concurrency`, ";

    public static final String INCLUDE_UNREACHED_KEY = "`includeUnreached` = false, ";
    /** Keys in descriptions of arguments. */
    public static final String COST_KEYS =
            "`relationshipWeightProperty` (none if left out), `maxCost` (none if left out), ";

    public static final String MUTATE_PROPERTY_KEY = "`mutateProperty` (mandatory), ";
    public static final String NODE_ID = "The id of the node; `proxima.util.asNode` returns the `NODE`.";
    public static final String PARENT =
            "The smallest id of the nodes before this one on a shortest path from its source; null for a source and for"
                    + " unreached nodes.";
    public static final String PATH_FROM_SOURCE =
            "The path from the source to the node, of stored relationships; null for unreached nodes.";
    public static final String MUTATE_MILLIS = "Milliseconds for adding the property to the graph.";
    public static final String NODE_PROPERTIES_MUTATED = "The number of values added to the in-memory graph.";
    public static final String PRE_PROCESSING_MILLIS = "Milliseconds for fetching, filtering and loading the graph.";
    public static final String COMPUTE_MILLIS = "Milliseconds for the computation; -1 if the graph is empty.";
    public static final String POST_PROCESSING_MILLIS = "Milliseconds for the distribution; 0 if it is not yielded.";
    public static final String SCORE_DISTRIBUTION =
            "The minimum, mean, maximum and percentiles of the scores: exact, by nearest rank.";
    public static final String WRITE_MILLIS = "Milliseconds for writing the properties.";
    public static final String CONFIGURATION_COLUMN =
            "The effective configuration, including the `jobId` and the `backend`, `order` and `kernel` that ran.";
    public static final String NODE_PROPERTIES_WRITTEN = "The number of properties set and committed.";
    public static final String NODES_SKIPPED =
            "The number of nodes skipped because they were deleted after the projection.";
    public static final String BATCHES = "The number of transactions committed.";
    public static final String RETRIES = "The number of transactions that were retried after a transient error.";
    public static final String ERROR_MESSAGES = "The messages of transient errors, each with its count.";

    /** A key in descriptions of arguments. */
    public static final String WEIGHT_KEY = "`relationshipWeightProperty` (none if left out), ";

    public static final String DIAMETER = "The greatest distance between two nodes that are connected by a path.";
    public static final String RADIUS = "The smallest eccentricity among the nodes that reach the most nodes.";
    public static final String MEAN_DISTANCE =
            "The mean distance over all ordered pairs of nodes where the first node reaches the second.";
    public static final String DEPTH =
            "The greatest distance from the source. It is the eccentricity of the source, unless the search ended"
                    + " early.";
    public static final String NODES_REACHED = "The number of nodes reached, including the source.";
    public static final String HOPS_FROM_SOURCE =
            "The number of nodes at each distance from the source, from distance 0 (the source).";
    public static final String HOP_DISTRIBUTION =
            "The number of ordered pairs of nodes at each distance, from distance 0 (each node with itself).";

    public static final String GRAPH = "The name of the graph.";
    public static final String NODE_COUNT = "The number of nodes.";
    public static final String RELATIONSHIP_COUNT =
            "The number of directed relationships; an undirected one counts twice.";
    public static final String EFFECTIVE = "The effective configuration, including the `jobId`.";
    public static final String JOB_KEYS = "`jobId`, `logProgress` = true, `sudo` = false, `username`.";
    public static final String CONCURRENCY_KEY = "`concurrency` = number of processors, ";

    private ColumnTexts() {}
}
