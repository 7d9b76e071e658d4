// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Task;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.GraphJob;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeColumnBuilder;
import io.proxima.projection.file.NodeValues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.neo4j.kernel.impl.util.DefaultValueMapper;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserAggregationResult;
import org.neo4j.procedure.UserAggregationUpdate;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.FloatingPointValue;
import org.neo4j.values.storable.IntegralValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.MapValue;

/**
 * One group of rows with values of nodes, which become properties of a graph in memory, all or none. It is a job from
 * its first row to its end, as {@link CypherProjection}. Thread-safe: the parallel runtime adds rows from several
 * threads.
 */
public final class SetAggregation implements AutoCloseable {

    static final String NAME = "proxima.graph.nodeProperties.set";

    private static final Task COLLECT = Task.of("Collect values");
    private static final String VALUES = "values";

    private final Caller caller;
    private final DefaultValueMapper mapper;
    private final RowNodes nodes;
    private final PacedStop stop;
    private final long start = System.nanoTime();
    private final Map<String, NodeColumnBuilder> columns = new TreeMap<>();
    private final PendingNames names = new PendingNames();

    // null until the first row
    private GraphJob work;
    private String graphName;
    private AnyValue configuration;
    private Map<String, Object> effective;
    private BitSet seen;

    SetAggregation(Caller caller) {
        this.caller = caller;
        this.mapper = new DefaultValueMapper(caller.transaction());
        this.nodes = new RowNodes(caller, mapper);
        this.stop = new PacedStop(caller.stop());
    }

    /** Adds the values of a node. */
    @UserAggregationUpdate
    public synchronized void update(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String name,
            @Name(
                            value = "node",
                            description =
                                    "A node of the graph: a `NODE`, its `elementId` `STRING` or its `INTEGER` id.")
                    AnyValue node,
            @Name(value = "values", description = "A `MAP` from property to `INTEGER`, `FLOAT` or null for no value.")
                    AnyValue values,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "The same in every row: " + ColumnTexts.JOB_KEYS)
                    AnyValue configurationMap) {
        try {
            if (work == null) {
                begin(name, configurationMap);
            } else if (!graphName.equals(name) || !RowKinds.isSame(configuration, configurationMap)) {
                throw ProximaException.invalidArgument(
                        "`graphName` and `configuration` must be the same in every row, but"
                                + " those of a later row are not those of the first. Give constants or parameters.");
            }
            stop.worked(1);
            if (!(values instanceof MapValue map)) {
                throw ProximaException.invalidArgument("`values` must be of type `MAP` but was "
                        + Shown.value(values.map(mapper)) + ". Give a MAP from property to number.");
            }
            int vertex = vertex(node);
            map.foreach((property, value) -> set(vertex, property, value));
        } catch (RuntimeException | Error e) {
            throw caller.ended(e);
        }
    }

    private void begin(String name, AnyValue configurationMap) {
        ConfigReader reader = caller.read("configuration", configurationMap.map(mapper));
        JobKeys keys = JobKeys.read(reader);
        effective = reader.finish();
        caller.transaction().kernelTransaction().resourceMonitor().registerCloseableResource(this);
        work = GraphJob.begin(caller, name, keys, "Node Properties Set");
        graphName = name;
        configuration = configurationMap;
        work.job().expectTasks(List.of(COLLECT));
        work.job().beginTask(COLLECT, 0);
        reserve(0);
        seen = new BitSet(graph().vertexCount());
    }

    private GraphProjection graph() {
        return work.entry().projection();
    }

    private void reserve(int properties) {
        work.job().heap().require(NodeValues.heapBytes(properties, graph().vertexCount()));
    }

    private int vertex(AnyValue node) {
        long id = nodes.id("node", node);
        int vertex = graph().idMap().toVertex(id);
        if (vertex == IdMap.ABSENT) {
            throw ProximaException.invalidArgument("The node " + id + " is not in the graph `" + graphName
                    + "`. Leave out the rows of other nodes, or set the values before you filter the graph."
                    + " An INTEGER is read as the id of a node, not as a property.");
        }
        if (seen.get(vertex)) {
            throw ProximaException.invalidArgument(
                    "The node " + id + " is in several rows. Aggregate them, as in `WITH n, max(n.age) AS age`.");
        }
        seen.set(vertex);
        return vertex;
    }

    private void set(int vertex, String property, AnyValue value) {
        stop.worked(1);
        NodeColumnBuilder column = columns.get(property);
        if (column == null) {
            column = add(property);
        }
        boolean taken = Values.NO_VALUE.equals(value);
        if (value instanceof IntegralValue number) {
            taken = column.set(vertex, number.longValue());
        } else if (value instanceof FloatingPointValue number) {
            column.set(vertex, number.doubleValue());
            taken = true;
        }
        if (!taken) {
            throw ProximaException.invalidArgument("The value of `" + Shown.text(property)
                    + "` must be an INTEGER above -2^63, a FLOAT or null, but was "
                    + Shown.value(value.map(mapper))
                    + ". Turn it into a number, such as `toInteger(n.kind = 'x')` or `n.since.year`.");
        }
    }

    private NodeColumnBuilder add(String property) {
        ConfigReader reader = caller.read(VALUES, Map.of());
        if (property.isEmpty()) {
            reader.fault("A name in `" + VALUES + "` must not be blank.");
        }
        reader.requirePropertyName(VALUES, property);
        reader.finish();
        caller.arguments().take(VALUES, 1, ArgumentBudget.NAME_BYTES);
        reserve(columns.size() + 1);
        NodeColumnBuilder column = new NodeColumnBuilder(graph().vertexCount(), stop);
        if (work.entry().properties().containsKey(property) || !names.add(work.entry(), property)) {
            throw ProximaException.failed("Node property `" + Shown.text(property)
                    + "` already exists in the in-memory graph, or another group of rows sets it. Choose another name, drop"
                    + " it with `proxima.graph.nodeProperties.drop`, or leave out the columns that group the rows.");
        }
        columns.put(property, column);
        return column;
    }

    /** Ends the rows; null if there were none. */
    @UserAggregationResult
    public synchronized Map<String, Object> result() {
        return caller.answer(() -> work == null ? null : finish());
    }

    private Map<String, Object> finish() {
        caller.stop().check();
        Set<String> labels = Set.copyOf(graph().labels());
        long bytes = (long) graph().vertexCount() * Long.BYTES;
        List<NodeProperty> added = new ArrayList<>();
        columns.forEach((property, column) -> added.add(new NodeProperty(column.column(property, labels), bytes)));
        GraphCatalog.addProperties(work.entry(), added, caller.stop())
                .recordHeldHeap(work.job().heap());
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("graphName", work.entry().key().name());
        answer.put("nodeProperties", List.copyOf(columns.keySet()));
        answer.put("nodeCount", (long) seen.cardinality());
        answer.put("setMillis", GraphRun.millisSince(start));
        answer.put("configuration", effective);
        work.job().succeed();
        caller.transaction().kernelTransaction().resourceMonitor().unregisterCloseableResource(this);
        close();
        return answer;
    }

    @Override
    public synchronized void close() {
        names.close();
        if (work != null) {
            work.close();
        }
    }
}
