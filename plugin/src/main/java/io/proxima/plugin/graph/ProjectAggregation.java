// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.StoreNames;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.CypherGraphCollector;
import java.util.Map;
import org.neo4j.kernel.impl.util.DefaultValueMapper;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserAggregationResult;
import org.neo4j.procedure.UserAggregationUpdate;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;

/**
 * One group of rows of a Cypher projection, or of its estimate. Rows arrive as Neo4j's own values, without conversion;
 * maps are parsed once for each distinct content. Thread-safe: the parallel runtime adds rows from several threads.
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

    private final Caller caller;
    private final boolean estimates;
    private final RowNodes nodes;
    private final DefaultValueMapper values;
    private final CypherGraphCollector rows;
    private final RowKinds kinds;

    private RowSink sink;
    private String graphName;
    private AnyValue configuration;

    ProjectAggregation(Caller caller, boolean estimates) {
        this.caller = caller;
        this.estimates = estimates;
        this.values = new DefaultValueMapper(caller.transaction());
        this.nodes = new RowNodes(caller, values);
        this.rows = estimates ? CypherGraphCollector.counting() : new CypherGraphCollector();
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
            if (sink == null) {
                configuration = configurationMap;
                begin(GraphName.ofNew(name), configurationMap.map(values));
            } else {
                requireSame(name, configurationMap);
            }
            long source = nodes.id("sourceNode", sourceNode);
            if (Values.NO_VALUE.equals(targetNode)) {
                int kind = kinds.numbers(dataConfig).loneNode();
                sink.expectRow();
                rows.add(source, source, kind);
            } else {
                long target = nodes.id("targetNode", targetNode);
                int kind = kinds.numbers(dataConfig).relationship();
                // a loop is left out
                double[] properties = kinds.values(source != target);
                sink.expectRow();
                rows.add(source, target, kind, properties);
            }
        } catch (RuntimeException | Error e) {
            throw caller.ended(e);
        }
    }

    /** Ends the rows. */
    @UserAggregationResult
    public synchronized Map<String, Object> result() {
        return caller.answer(() -> {
            if (sink == null && estimates) {
                begin("", Map.of());
            } else if (sink == null) {
                beginWithoutRows();
            }
            StoreNames.requireValues(caller, kinds.withoutValues());
            return sink.finish(nodes.existenceUnknown());
        });
    }

    private void begin(String name, Object configurationMap) {
        graphName = name;
        ConfigReader reader = caller.read("configuration", configurationMap);
        sink = estimates ? new CypherEstimate(caller, rows, reader) : new CypherProjection(caller, name, rows, reader);
    }

    /** Cypher evaluates no argument of an aggregation without rows, so they are taken from the query text. */
    private void beginWithoutRows() {
        AggregationCall call = AggregationCall.inQueryOf(caller.transaction(), NAME);
        if (call.graphName() != null && !(call.graphName() instanceof String)) {
            throw ProximaException.invalidArgument(
                    "`graphName` must be of type `STRING` but was " + Shown.value(call.graphName()) + ".");
        }
        begin(GraphName.ofNew((String) call.graphName()), call.configuration());
    }

    private void requireSame(String name, AnyValue configurationMap) {
        if (!graphName.equals(name)) {
            throw ProximaException.invalidArgument("`graphName` must be the same in every row, but it was `" + graphName
                    + "` and then `" + Shown.text(name)
                    + "`. Give one name. To create several graphs, also return the value that their rows are grouped"
                    + " by.");
        }
        if (!RowKinds.isSame(configuration, configurationMap)) {
            throw ProximaException.invalidArgument(
                    "`configuration` must be the same in every row, but that of a later row"
                            + " is not that of the first. Give it as a constant or a parameter.");
        }
    }
}
