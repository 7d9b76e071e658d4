// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Keys that other procedures and libraries have, and what to give or to do instead. Keys are case-insensitive. */
final class OtherKeys {

    private static final String NO_RELATIONSHIPS = "Proxima creates no relationships. Give `writeProperty` or"
            + " `mutateProperty` for the cost of the path to each node, and take the paths from"
            + " `proxima.allShortestPaths.delta.stream`.";

    /** Keys, each line after the names that other procedures and libraries give them. */
    private static final Map<String, List<String>> MEANT = meantBy("""
            randomSeed seed: samplingSeed
            samples sampleSize: samplingSize
            from start startNode startNodes source sources origin: sourceNode sourceNodes
            to end endNode target targets targetNode destination dest: targetNode targetNodes targetNodeFilter
            depth level levels hops maxLevel maxHops: maxDepth
            maxDist maxDistance: maxDepth maxCost
            maxWeight: maxCost
            wassermanFaust: useWassermanFaust
            k: topK
            limit top topK topN: topK limit
            property: writeProperty mutateProperty properties
            writeProperty: mutateProperty
            mutateProperty: writeProperty
            props: properties relationshipProperties
            weight weights weightProperty cost relationshipWeight: relationshipWeightProperty relationshipProperties properties
            relationshipWeightProperty: relationshipProperties
            label labels: nodeLabels sourceNodeLabels targetNodeLabels
            type types relType relTypes: relationshipTypes relationshipType type
            undirected: orientation undirectedRelationshipTypes
            threads workers parallelism: concurrency readConcurrency
            gpu useGpu device devices: backend
            overwrite force: replace overwrite
            replace: overwrite
            """);

    private static final String NO_BEST =
            "`topK` and `limit` are not supported by this procedure. Stream the rows, and use Cypher's ORDER BY and LIMIT.";

    private static final String ORIENTATION =
            "`orientation` belongs to a type in the relationship projection of `proxima.graph.project`, such as `{KNOWS:"
                    + " {orientation: 'UNDIRECTED'}}`. In a Cypher projection, use `undirectedRelationshipTypes: ['*']`.";

    /** Answers by key, in lower case. */
    private static final Map<String, String> ANSWERS = Map.ofEntries(
            Map.entry("orientation", ORIENTATION),
            Map.entry("undirected", "`undirected` is not supported. " + ORIENTATION),
            Map.entry(
                    "undirectedrelationshiptypes",
                    "`undirectedRelationshipTypes` belongs to `configuration`, the last argument of a Cypher projection. In the"
                            + " procedure `proxima.graph.project`, give each type its `orientation`."),
            Map.entry(
                    "direction",
                    "`direction` is not supported. Project the relationships in the `orientation` that the run is to follow."),
            Map.entry(
                    "targetnode",
                    "`targetNode` is not supported. Stream modes return a row for each node: use `WHERE` to keep one."),
            Map.entry(
                    "nodeprojection",
                    "`nodeProjection` is an argument of `proxima.graph.project`. Project a graph first, and give its name."),
            Map.entry(
                    "relationshipprojection",
                    "`relationshipProjection` is an argument of `proxima.graph.project`. Project a graph first, and give its name."),
            Map.entry(
                    "relationshipweightproperty",
                    "`relationshipWeightProperty` is not supported by this procedure, which counts relationships. Leave it out,"
                            + " and project only the relationships that count. For costs, use `proxima.distances`, and for paths"
                            + " `proxima.shortestPath`."),
            Map.entry("writerelationshiptype", NO_RELATIONSHIPS),
            Map.entry("mutaterelationshiptype", NO_RELATIONSHIPS),
            Map.entry(
                    "live",
                    "`live` belongs to the procedure `proxima.graph.project`: the rows of a query cannot be read again. Leave it out,"
                            + " and repeat the query with `replace: true`."),
            Map.entry(
                    "k",
                    "`k` is not supported. For some of the rows, use Cypher's ORDER BY and LIMIT. Longer paths than the shortest"
                            + " are found by Cypher's `SHORTEST k`, by hops, and by `gds.shortestPath.yens`, by weights."),
            Map.entry("topk", NO_BEST),
            Map.entry("limit", NO_BEST),
            Map.entry(
                    "seedproperty",
                    "`seedProperty` is not supported: components are always computed from all relationships. Leave it out."));

    private OtherKeys() {}

    private static Map<String, List<String>> meantBy(String lines) {
        Map<String, List<String>> names = new HashMap<>();
        lines.lines().map(line -> line.split(": ", -1)).forEach(line -> {
            for (String other : line[0].split(" ", -1)) {
                names.put(other.toLowerCase(Locale.ROOT), List.of(line[1].split(" ", -1)));
            }
        });
        return names;
    }

    /** The keys that a caller may have meant, in any procedure; empty if the key is not known. */
    static List<String> meant(String key) {
        return MEANT.getOrDefault(key.toLowerCase(Locale.ROOT), List.of());
    }

    /** The answer to a key that asks for something that the procedure does not have; null if the key is not known. */
    static String answer(String key) {
        return ANSWERS.get(key.toLowerCase(Locale.ROOT));
    }
}
