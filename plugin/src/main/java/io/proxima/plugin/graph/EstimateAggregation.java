// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.projection.CypherGraphCollector;
import java.util.Map;
import org.neo4j.kernel.api.ResourceMonitor;
import org.neo4j.kernel.impl.util.DefaultValueMapper;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserAggregationResult;
import org.neo4j.procedure.UserAggregationUpdate;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.VirtualNodeValue;

/**
 * The estimate of a Cypher projection: counts the rows of a query, and keeps none of them. Thread-safe, as the parallel
 * runtime adds rows from several threads.
 */
public final class EstimateAggregation {

    private static final int ROWS_BETWEEN_CHECKS = 1 << 12;

    /** Heap of labels, types and properties that needs no reservation. */
    private static final long FREE_BYTES = 1 << 20;

    private final Caller caller;
    private final NodeArguments nodeArguments;
    private final DefaultValueMapper values;
    private final CypherGraphCollector rows = CypherGraphCollector.counting();
    private final RowKinds kinds;

    private CypherProjection.Keys keys;
    private ResourceMonitor statement;
    private long guardedBytes = FREE_BYTES;

    EstimateAggregation(Caller caller) {
        this.caller = caller;
        this.nodeArguments = caller.nodes();
        this.values = new DefaultValueMapper(caller.transaction());
        this.kinds = new RowKinds(rows, values, caller.stop());
    }

    /** Counts a row. */
    @UserAggregationUpdate
    public synchronized void update(
            @Name(value = "graphName", description = ProjectAggregation.GRAPH_NAME) String name,
            @Name(value = "sourceNode", description = ProjectAggregation.SOURCE_NODE) AnyValue sourceNode,
            @Name(value = "targetNode", defaultValue = "null", description = ProjectAggregation.TARGET_NODE)
                    AnyValue targetNode,
            @Name(value = "dataConfig", defaultValue = "{}", description = ProjectAggregation.DATA_KEYS)
                    AnyValue dataConfig,
            @Name(value = "configuration", defaultValue = "{}", description = ProjectAggregation.KEYS)
                    AnyValue configuration) {
        try {
            if (keys == null) {
                keys = read(GraphName.ofNew(name), configuration.map(values));
            }
            long source = id("sourceNode", sourceNode);
            if (Values.NO_VALUE.equals(targetNode)) {
                rows.add(source, source, kinds.loneNode(dataConfig));
            } else {
                rows.add(source, id("targetNode", targetNode), kinds.relationship(dataConfig));
                kinds.values();
            }
            if (rows.bytesOfKinds() > guardedBytes) {
                guardedBytes = rows.bytesOfKinds() / 4 * 5;
                reserve(guardedBytes);
            }
            if (rows.rowCount() % ROWS_BETWEEN_CHECKS == 0) {
                caller.stop().check();
            }
        } catch (RuntimeException e) {
            throw caller.ended(e);
        }
    }

    /** The columns of an estimate. */
    @UserAggregationResult
    public synchronized Map<String, Object> result() {
        return caller.answer(() -> {
            if (statement != null) {
                statement.unregisterCloseableResource(caller.heap());
            }
            CypherProjection.Keys ofRows = keys == null ? read("", Map.of()) : keys;
            long relationships =
                    rows.types().values().stream().mapToLong(Long::longValue).sum();
            return EstimateRow.of(
                            rows.mostNodes(),
                            ofRows.undirectedTypes().isEmpty() ? relationships : 2 * relationships,
                            ofRows.peak(rows),
                            MemoryTree.NONE,
                            null)
                    .toMap();
        });
    }

    private void reserve(long bytes) {
        if (statement == null) {
            statement = caller.transaction().kernelTransaction().resourceMonitor();
            statement.registerCloseableResource(caller.heap());
        }
        caller.heap().require(bytes);
    }

    private CypherProjection.Keys read(String graphName, Object configuration) {
        ConfigReader reader = ConfigReader.ofArgument(caller.arguments(), "configuration", configuration);
        CypherProjection.Keys read = CypherProjection.Keys.read(caller, graphName, reader);
        reader.finish();
        return read;
    }

    private long id(String argument, AnyValue node) {
        return node instanceof VirtualNodeValue reference && reference.id() >= 0
                ? reference.id()
                : nodeArguments.requireOne(argument, node.map(values));
    }
}
