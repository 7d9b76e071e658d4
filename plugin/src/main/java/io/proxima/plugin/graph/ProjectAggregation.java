// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.CypherGraphCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.kernel.impl.util.DefaultValueMapper;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserAggregationResult;
import org.neo4j.procedure.UserAggregationUpdate;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.IntegralValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.VirtualNodeReference;
import org.neo4j.values.virtual.VirtualNodeValue;

/**
 * One group of rows of a Cypher projection. Rows arrive as Neo4j's own values, without conversion; maps are parsed once
 * for each distinct content. Thread-safe: the parallel runtime adds rows from several threads.
 */
public final class ProjectAggregation {

    static final String NAME = "proxima.graph.project";

    static final String GRAPH_NAME = "The name of the new graph; the same in every row.";
    static final String SOURCE_NODE =
            "The start of a relationship, or a single node: a `NODE`, its `elementId` `STRING` or its `INTEGER` id.";
    static final String TARGET_NODE = "The end of the relationship; null if the row contributes a single node.";
    static final String DATA_KEYS = "Labels and relationship type of the row: `sourceNodeLabels` and `targetNodeLabels`"
            + " (a `STRING`, a `LIST<STRING>`, or true for the labels in the database), `relationshipType` (a"
            + " `STRING`), `relationshipProperties` (a `MAP` from property to number).";
    static final String KEYS = "The same in every row: `undirectedRelationshipTypes` = [],"
            + " `inverseIndexedRelationshipTypes` = [], `readConcurrency` = number of processors, `replace` = false, `jobId`,"
            + " `logProgress` = true, `sudo` = false, `username`.";

    /** Nodes that are looked up between two stop checks. */
    private static final int NODES_BETWEEN_CHECKS = 1 << 12;

    /** Maximum number of missing nodes in a message. */
    private static final int SHOWN = 10;

    private final Caller caller;
    private final NodeArguments nodeArguments;
    private final String elementIdPrefix;
    private final DefaultValueMapper values;
    private final CypherGraphCollector rows = new CypherGraphCollector();
    private final RowKinds kinds;

    private CypherProjection projection;
    private String graphName;
    private RowMap configuration;
    private boolean existenceUnknown;

    ProjectAggregation(Caller caller) {
        this.caller = caller;
        this.nodeArguments = caller.nodes();
        this.elementIdPrefix = caller.elementIdPrefix();
        this.values = new DefaultValueMapper(caller.transaction());
        this.kinds = new RowKinds(rows, values, caller.stop());
    }

    /** Adds a row. */
    @UserAggregationUpdate
    public synchronized void update(
            @Name(value = "graphName", description = GRAPH_NAME) String name,
            @Name(value = "sourceNode", description = SOURCE_NODE) AnyValue sourceNode,
            @Name(value = "targetNode", defaultValue = "null", description = TARGET_NODE) AnyValue targetNode,
            @Name(value = "dataConfig", defaultValue = "{}", description = DATA_KEYS) AnyValue dataConfig,
            @Name(value = "configuration", defaultValue = "{}", description = KEYS) AnyValue configurationMap) {
        try {
            if (projection == null) {
                begin(name, configurationMap);
            } else {
                requireSame(name, configurationMap);
            }
            long source = id("sourceNode", sourceNode);
            if (Values.NO_VALUE.equals(targetNode)) {
                int kind = kinds.loneNode(dataConfig);
                projection.expectRow(rows);
                rows.add(source, source, kind);
            } else {
                long target = id("targetNode", targetNode);
                int kind = kinds.relationship(dataConfig);
                double[] values = kinds.values();
                projection.expectRow(rows);
                if (values == null) {
                    rows.add(source, target, kind);
                } else {
                    rows.add(source, target, kind, values);
                }
            }
        } catch (RuntimeException e) {
            throw caller.ended(e);
        }
    }

    /** Projects the rows and adds the graph to the catalog. */
    @UserAggregationResult
    public synchronized Map<String, Object> result() {
        return caller.answer(() -> {
            if (projection == null) {
                beginWithoutRows();
            }
            projection.collected(rows);
            if (existenceUnknown || read().transactionStateHasChanges()) {
                requireExistence();
            }
            return projection.finish(rows);
        });
    }

    private void begin(String name, AnyValue configurationMap) {
        graphName = GraphName.ofNew(name);
        configuration = new RowMap(configurationMap);
        projection = new CypherProjection(
                caller,
                graphName,
                ConfigReader.ofArgument(caller.arguments(), "configuration", configurationMap.map(values)));
    }

    /** Cypher evaluates no argument of an aggregation without rows, so they are taken from the query text. */
    private void beginWithoutRows() {
        AggregationCall call = AggregationCall.inQueryOf(caller.transaction(), NAME);
        if (call.graphName() != null && !(call.graphName() instanceof String)) {
            throw ProximaException.invalidArgument(
                    "`graphName` must be of type `STRING` but was `" + CypherTypes.nameOf(call.graphName()) + "`.");
        }
        graphName = GraphName.ofNew((String) call.graphName());
        projection = new CypherProjection(
                caller, graphName, ConfigReader.ofArgument(caller.arguments(), "configuration", call.configuration()));
    }

    private void requireSame(String name, AnyValue configurationMap) {
        if (!graphName.equals(name)) {
            throw ProximaException.invalidArgument("`graphName` must be the same in every row, but it was `" + graphName
                    + "` and then `" + Shown.text(name)
                    + "`. Give one name. To create several graphs, also return the value that their rows are grouped"
                    + " by.");
        }
        if (!configuration.isEqualTo(configurationMap)) {
            throw ProximaException.invalidArgument(
                    "`configuration` must be the same in every row, but that of a later row"
                            + " is not that of the first. Give it as a constant or a parameter.");
        }
    }

    private long id(String argument, AnyValue node) {
        if (node instanceof VirtualNodeValue reference && reference.id() >= 0) {
            // other nodes of a query are references without an elementId, and of its own database
            return node instanceof VirtualNodeReference full
                            && !full.elementId().startsWith(elementIdPrefix)
                    ? nodeArguments.requireOne(argument, full.elementId())
                    : reference.id();
        }
        existenceUnknown = true;
        if (node instanceof IntegralValue number && number.longValue() >= 0) {
            return number.longValue();
        }
        return nodeArguments.requireOne(argument, node.map(values));
    }

    private Read read() {
        return caller.transaction().kernelTransaction().dataRead();
    }

    private void requireExistence() {
        Read read = read();
        List<Long> absent = new ArrayList<>();
        long[] nodes = rows.nodes(1, caller.stop());
        for (int i = 0; i < nodes.length && absent.size() < SHOWN; i++) {
            if (i % NODES_BETWEEN_CHECKS == 0) {
                caller.stop().check();
            }
            if (!read.nodeExists(nodes[i])) {
                absent.add(nodes[i]);
            }
        }
        if (!absent.isEmpty()) {
            throw ProximaException.invalidArgument("Nodes of the rows do not exist in the database: " + absent
                    + ". They were deleted, or an INTEGER was given that is not the id of a node.");
        }
    }
}
