// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import java.util.Map;

/** The meanings of configuration keys, as {@code proxima.help} and the tables of the manual show them. */
final class KeyMeanings {

    private static final String LABELS_OF_NODE =
            "The projected labels of the node, or true for its labels in the database.";

    /** By key, or by the start of the procedures' names and key where several procedures use a key differently. */
    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("sourceNode", "The start of the search: a node, an elementId or an id."),
            Map.entry("sourceNodes", "The starts of the searches."),
            Map.entry("proxima.distances.nearest sourceNodes", "The sources, in order of preference."),
            Map.entry(
                    "proxima.bfs targetNodes",
                    "Ends the search early, as in GDS: at the distance of the first of these nodes that it reaches. All nodes at"
                            + " that distance are found."),
            Map.entry(
                    "proxima.closeness targetNodes",
                    "Restricts the call to these nodes: only they are searched and scored. Empty: all nodes."),
            Map.entry("targetNodeFilter", "Restricts the result to distances to these nodes. Empty: all nodes."),
            Map.entry("maxDepth", "The greatest distance to visit. -1: no limit."),
            Map.entry("includeUnreached", "Also returns a row for each unreached node, with distance -1."),
            Map.entry(
                    "proxima.distances includeUnreached",
                    "Also returns a row for each pair without a path, with distance -1."),
            Map.entry(
                    "proxima.distances.nearest includeUnreached",
                    "Also returns a row for each node that no source reaches, with `nearestSource` null and `distance`"
                            + " -1."),
            Map.entry("useWassermanFaust", "Uses the formula of Wasserman and Faust."),
            Map.entry("harmonic", "Computes harmonic closeness. It cannot be combined with `useWassermanFaust`."),
            Map.entry(
                    "relationshipWeightProperty",
                    "The projected property that is the weight of a relationship. Without it, every weight is 1."),
            Map.entry(
                    "proxima.wcc relationshipWeightProperty",
                    "The projected property that is compared with the threshold."),
            Map.entry(
                    "threshold", "Only relationships with a greater weight connect. All connect if it is not above 0."),
            Map.entry("delta", "The width of the buckets in which nodes wait by their cost. It affects only speed."),
            Map.entry("relationshipProperties", "The properties of relationships."),
            Map.entry("consecutiveIds", "Numbers the components from 0 on, without gaps."),
            Map.entry("minComponentSize", "Leaves out the nodes of components with fewer nodes."),
            Map.entry("mutateProperty", "The name of the new property"),
            Map.entry("samplingSize", "The number of sources, at least 0."),
            Map.entry("proxima.closeness.sampled samplingSize", "The number of sources, at least 1."),
            Map.entry("samplingSeed", "The seed of the random choice of the sources."),
            Map.entry(
                    "parentProperty",
                    "The name of a second property, for the id of the parent of each node in the search tree."),
            Map.entry("nearestSourceProperty", "The name of a second property, for the id of the nearest source."),
            Map.entry(
                    "resume",
                    "Keeps finished parts of the run on disk. A later call with the same `jobId` continues the run after a"
                            + " crash or a restart of the server, or after a kill."),
            Map.entry("writeProperty", "The node property to set. Existing values are overwritten."),
            Map.entry("writeConcurrency", "The number of transactions that write concurrently."),
            Map.entry("nodeLabels", "Projected labels. Only nodes with at least one of them are included."),
            Map.entry("relationshipTypes", "Projected types. Only relationships of these types are followed."),
            Map.entry("concurrency", "The number of threads, at least 1. Capped at the number of processors"),
            Map.entry("backend", "'auto', 'cpu', 'cuda', a device by name, such as 'cuda:0', or a list of devices."),
            Map.entry("order", "The order of the vertices on a GPU."),
            Map.entry("kernel", "The kernels that a GPU uses."),
            Map.entry("jobId", "The id of the job in `proxima.listProgress` and in the log."),
            Map.entry("logProgress", "Whether the job writes its progress to the log."),
            Map.entry("sudo", "Runs even if the estimated memory exceeds the free memory."),
            Map.entry("username", "The owner of the graph."),
            Map.entry("readConcurrency", "The number of threads that project the graph."),
            Map.entry(
                    "validateRelationships",
                    "If true, a relationship with an end outside the projected nodes is an error. If false, it is left"
                            + " out."),
            Map.entry("replace", "Replaces an existing graph of the same name"),
            Map.entry(
                    "overwrite",
                    "Replaces an existing file of the same name, if it is a graph that the caller exported."),
            Map.entry("nodeProperties", "The columns to add as node properties."),
            Map.entry("fingerprint", "The fingerprint that the graph must have."),
            Map.entry("nodeProjection", "The nodes."),
            Map.entry("relationshipProjection", "The relationships."),
            Map.entry("nodeCount", "The number of nodes. -1: the count of the database."),
            Map.entry("relationshipCount", "The number of relationships"),
            Map.entry("sourceNodeLabels", LABELS_OF_NODE),
            Map.entry("targetNodeLabels", LABELS_OF_NODE),
            Map.entry("relationshipType", "The projected type of the relationship."),
            Map.entry(
                    "undirectedRelationshipTypes",
                    "The projected types whose relationships point in both directions; `['*']` for all types."),
            Map.entry(
                    "inverseIndexedRelationshipTypes",
                    "Known from GDS. The names are validated and otherwise ignored; reverse edges are built on"
                            + " demand."),
            Map.entry("listNodeLabels", "Fills the column `nodeLabels`."),
            Map.entry("failIfMissing", "If true, a name without a property is an error, and nothing is dropped."));

    private KeyMeanings() {}

    /**
     * The meaning of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    static String of(String procedure, String key) {
        for (String name = procedure; name.contains("."); name = name.substring(0, name.lastIndexOf('.'))) {
            String ofProcedure = MEANINGS.get(name + " " + key);
            if (ofProcedure != null) {
                return ofProcedure;
            }
        }
        String meaning = MEANINGS.get(key);
        if (meaning == null) {
            throw new IllegalArgumentException("no meaning: procedure=" + procedure + " key=" + key);
        }
        return meaning.endsWith(".") ? meaning : meaning + ".";
    }
}
