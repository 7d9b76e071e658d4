// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowColumn;
import io.proxima.plugin.arrow.ArrowStream;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphJob;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.NamedColumns;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.PropertyValues;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.file.NodeColumn.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.UserAggregationFunction;
import org.neo4j.values.storable.Value;

/** Procedures and a function on the node properties of a graph in memory. */
@Help(page = "node-properties")
public final class NodePropertyProcedures extends ProximaProcedure {

    private static final Key<Boolean> LIST_NODE_LABELS =
            Key.of("listNodeLabels", false, "Fills the column `nodeLabels`.");
    private static final Key<Boolean> FAIL_IF_MISSING =
            Key.of("failIfMissing", true, "If true, a name without a property is an error, and nothing is dropped.");

    private static final Task WRITE_COLUMNS = Task.of("Write columns");

    /** Nodes between two reports of progress. */
    private static final int ADVANCE = 1 << 10;

    private static final String VALUE = "The value of the property.";
    private static final String NODE_LABELS =
            "The projected labels of the node if `listNodeLabels` is true, empty otherwise.";
    private static final String LABELS =
            "The projected labels of the selected nodes: '*', a label or a `LIST<STRING>` of labels.";
    private static final String SEVERAL = "The name of a property, or a `LIST<STRING>` of names.";
    private static final String RENAMED =
            "The name of a property, a `MAP` from its name to the name in the database, or a"
                    + " `LIST<ANY>` of these.";
    private static final String COMMON_KEYS = ColumnTexts.CONCURRENCY_KEY + ColumnTexts.JOB_KEYS;
    private static final String STREAM_KEYS = "`listNodeLabels` = false, " + COMMON_KEYS;
    private static final String TABLE_KEYS =
            NodeKey.KEY_TEXT + "`nodeLabels` = ['*'], " + ArrowStream.BATCH_SIZE_TEXT + COMMON_KEYS;
    private static final String DROP_KEYS = "`failIfMissing` = true, " + COMMON_KEYS;
    private static final String WRITE_KEYS =
            ColumnTexts.CONCURRENCY_KEY + "`writeConcurrency` = `concurrency`, " + ColumnTexts.JOB_KEYS;

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        ConfigReader reader = arguments.apply("configuration");
        if (name.equals(SetAggregation.NAME)) {
            JobKeys.read(reader);
            return;
        }
        switch (name) {
            case "proxima.graph.nodeProperties.write" -> Concurrency.readForWriting(caller, reader);
            case "proxima.graph.nodeProperties.drop" -> reader.readBoolean(FAIL_IF_MISSING);
            case "proxima.graph.nodeProperties.arrow" -> TableKeys.read(caller, reader);
            default -> reader.readBoolean(LIST_NODE_LABELS);
        }
        PropertySelection.read(caller, "*", "*", name.endsWith("write"), reader);
    }

    /** A node and the value of the property. */
    public record StreamRow(
            @Description(ColumnTexts.NODE_ID) long nodeId,
            @Description(VALUE) Object propertyValue,
            @Description(NODE_LABELS) List<String> nodeLabels) {}

    /** A node and the value of one of the properties. */
    public record StreamManyRow(
            @Description(ColumnTexts.NODE_ID) long nodeId,
            @Description("The name of the property.") String nodeProperty,
            @Description(VALUE) Object propertyValue,
            @Description(NODE_LABELS) List<String> nodeLabels)
            implements Rows.Sized {
        @Override
        public long heapBytes() {
            return propertyValue instanceof double[] list ? (long) Double.BYTES * list.length : 0;
        }
    }

    /** The result of writing. */
    public record WriteRow(
            @Description(ColumnTexts.WRITE_MILLIS) long writeMillis,
            @Description(ColumnTexts.GRAPH) String graphName,

            @Description("The names under which the properties were written.")
            List<String> nodeProperties,

            @Description(ColumnTexts.NODE_PROPERTIES_WRITTEN)
            long propertiesWritten,

            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration,
            @Description(ColumnTexts.NODES_SKIPPED) long nodesSkipped,
            @Description(ColumnTexts.BATCHES) long batches,
            @Description(ColumnTexts.RETRIES) long retries,
            @Description(ColumnTexts.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** The result of dropping. */
    public record DropRow(
            @Description(ColumnTexts.GRAPH) String graphName,
            @Description("The names of the properties.") List<String> nodeProperties,

            @Description("The number of values that were dropped.")
            long propertiesRemoved) {}

    /** Streams one property. */
    @Procedure(name = "proxima.graph.nodeProperty.stream", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.nodeProperty.stream('people', 'score')")
    @NotThreadSafe
    @Description("Returns the value of a property of an in-memory graph for each `NODE`.")
    public Stream<StreamRow> streamOne(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = "The name of a property.") String nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        return stream(graphName, nodeProperties, nodeLabels, configuration)
                .map(row -> new StreamRow(row.nodeId, row.propertyValue, row.nodeLabels));
    }

    /** Streams several properties. */
    @Procedure(name = "proxima.graph.nodeProperties.stream", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.nodeProperties.stream('people', 'score')")
    @NotThreadSafe
    @Description("Returns the values of properties of an in-memory graph for each `NODE`, one row for each value.")
    public Stream<StreamManyRow> stream(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = SEVERAL) Object nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            boolean listNodeLabels = reader.readBoolean(LIST_NODE_LABELS);
            PropertySelection selection = PropertySelection.read(caller, nodeProperties, nodeLabels, false, reader);
            GraphJob work = GraphJob.begin(caller, graphName, selection.keys(), "Node Properties Stream");
            try {
                Map<NodeProperty, Set<String>> selected = selection.of(work.entry());
                work.hold(selected.keySet());
                long longest = selected.keySet().stream()
                        .mapToLong(property ->
                                bytesOfLongestList(property, work.entry().projection(), caller.stop()))
                        .max()
                        .orElse(0);
                work.job().expectMemory(MemoryTree.exactly("rows", Rows.heapBytes(longest)));
                PropertyRows rows = new PropertyRows(
                        work.entry().projection(), work.job(), List.copyOf(selected.entrySet()), listNodeLabels);
                return Rows.stream(
                        caller, rows.graph.vertexCount(), rows.selected.size(), rows, work.job()::cancel, work::close);
            } catch (RuntimeException | Error e) {
                work.close();
                throw e;
            }
        });
    }

    private static long bytesOfLongestList(NodeProperty property, GraphProjection graph, Stop stop) {
        return (long) Double.BYTES * property.column().longestList(graph.vertexCount(), stop);
    }

    /** The keys of a table. */
    private record TableKeys(NodeKey key, List<String> nodeLabels, int batchSize) {
        static TableKeys read(Caller caller, ConfigReader reader) {
            return new TableKeys(
                    NodeKey.read(caller, reader),
                    reader.readStrings(RunConfig.NODE_LABELS),
                    ArrowStream.readBatchSize(reader));
        }
    }

    /** Returns properties as the columns of a table. */
    @Procedure(name = "proxima.graph.nodeProperties.arrow", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.nodeProperties.arrow('people', 'score', {key: 'name'})")
    @NotThreadSafe
    @Description("Returns properties of an in-memory graph as a table with a row for each `NODE`: an Arrow stream, from"
            + " which clients make a DataFrame.")
    public Stream<ArrowStream.Row> arrow(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = SEVERAL) Object nodeProperties,
            @Name(value = "configuration", defaultValue = "{}", description = TABLE_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            TableKeys keys = TableKeys.read(caller, reader);
            PropertySelection selection =
                    PropertySelection.read(caller, nodeProperties, keys.nodeLabels, false, reader);
            if (selection.names().contains(keys.key.name())) {
                throw ProximaException.invalidArgument("`nodeProperties` and `key` both name the column `"
                        + Shown.text(keys.key.name()) + "`. Give another `key`.");
            }
            GraphJob work = GraphJob.begin(caller, graphName, selection.keys(), "Node Properties Arrow");
            try {
                ArrowStream stream = table(caller, work, selection, keys);
                return Rows.stream(caller, 1, ArrowStream.MESSAGES, stream, work.job()::cancel, work::close);
            } catch (RuntimeException | Error e) {
                work.close();
                throw e;
            }
        });
    }

    /** The table of a call: a row for each node with one of the labels, with its key and its values. */
    private static ArrowStream table(Caller caller, GraphJob work, PropertySelection selection, TableKeys keys) {
        List<NodeProperty> properties = List.copyOf(selection.of(work.entry()).keySet());
        work.hold(properties);
        Job job = work.job();
        job.expectTasks(List.of(WRITE_COLUMNS));
        GraphProjection graph = work.entry().projection();
        long bytesOfRow = properties.stream()
                .mapToLong(property -> bytesOfLongestList(property, graph, caller.stop()))
                .sum();
        job.expectMemory(ArrowStream.memory(bytesOfRow));
        job.beginTask(WRITE_COLUMNS, graph.vertexCount());
        List<ArrowColumn> columns = new ArrayList<>();
        columns.add(keys.key.column(graph.idMap(), new PacedStop(caller.stop())));
        properties.forEach(property -> columns.add(new ArrowColumn(
                property.name(),
                ArrowColumn.Kind.valueOf(property.column().kind().name()))));
        List<String> labels = selection.labels();
        boolean all = labels.contains(ProjectionSpec.ALL);
        ArrowStream.Source rows = (vertex, part, row) -> {
            if (vertex % ADVANCE == 0) {
                job.advance(ADVANCE);
            }
            if (!all && labels.stream().noneMatch(label -> graph.hasLabel(vertex, label))) {
                return false;
            }
            keys.key.addTo(row.get(0), graph.idMap().toNeo4jId(vertex));
            for (int i = 0; i < properties.size(); i++) {
                add(properties.get(i), vertex, row.get(1 + i));
            }
            return true;
        };
        return new ArrowStream(columns, keys.batchSize, graph.vertexCount(), 1, rows, job::succeed, caller.stop());
    }

    private static void add(NodeProperty property, int vertex, ArrowColumn column) {
        long bits = property.column().bits().applyAsLong(vertex);
        if (property.isNoValue(bits)) {
            column.addMissing();
        } else if (property.column().kind() == Kind.FLOAT_LIST) {
            column.add(property.column().list(bits));
        } else {
            column.add(bits);
        }
    }

    /** Writes properties to the database. */
    @Procedure(name = "proxima.graph.nodeProperties.write", mode = Mode.WRITE)
    @Help(example = "CALL proxima.graph.nodeProperties.write('people', {score: 'closeness'})")
    @NotThreadSafe
    @Description("Writes properties of an in-memory graph to the `NODE` values of the database. Removes a property from"
            + " nodes without a value, such as those that a search has not reached.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = RENAMED) Object nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            int writeConcurrency = Concurrency.readForWriting(caller, reader);
            PropertySelection selection = PropertySelection.read(caller, nodeProperties, nodeLabels, true, reader);
            try (GraphJob work = GraphJob.begin(caller, graphName, selection.keys(), "Node Properties Write")) {
                long start = System.nanoTime();
                PropertyWriter writer = new PropertyWriter(caller.database(), caller.transaction(), caller.stop());
                IdMap whole = work.entry().projection().idMap();
                work.entry().requireCommitted();
                Map<NodeProperty, Set<String>> properties = selection.of(work.entry());
                work.hold(properties.keySet());
                long bytesOfList = properties.keySet().stream()
                        .mapToLong(property ->
                                bytesOfLongestList(property, work.entry().projection(), caller.stop()))
                        .max()
                        .orElse(0);
                Map<Set<String>, IdMap> nodes = PropertySelection.nodes(
                        work,
                        properties.values(),
                        bytesOfList == 0
                                ? 0
                                : PropertyWriter.memory(whole.size(), bytesOfList, writeConcurrency)
                                        .maxBytes(),
                        caller);
                for (var selected : properties.entrySet()) {
                    Map<String, WrittenValues> written = new LinkedHashMap<>();
                    selection
                            .newNames()
                            .get(selected.getKey().name())
                            .forEach(newName -> written.put(newName, written(selected.getKey())));
                    writer.requireWritable(nodes.get(selected.getValue()), null, written);
                }
                for (var selected : properties.entrySet()) {
                    NodeProperty property = selected.getKey();
                    IdMap ids = nodes.get(selected.getValue());
                    for (String newName : selection.newNames().get(property.name())) {
                        writer.write(
                                ids,
                                null,
                                Map.of(
                                        newName,
                                        new ValuesOfPart(
                                                property,
                                                vertex -> whole.toVertex(ids.toNeo4jId(vertex)),
                                                Math.max(Long.BYTES, bytesOfList))),
                                writeConcurrency,
                                work.job());
                    }
                }
                work.job().succeed();
                Map<String, Object> columns = NamedColumns.of(writer.summary());
                columns.put("writeMillis", GraphRun.millisSince(start));
                columns.put("graphName", work.entry().key().name());
                columns.put("nodeProperties", selection.allNewNames());
                columns.put("configuration", selection.configuration());
                return Stream.of(NamedColumns.row(WriteRow.class, columns));
            }
        });
    }

    private static WrittenValues written(NodeProperty property) {
        return switch (property.column().kind()) {
            case INTEGER -> WrittenValues.INTEGERS;
            case FLOAT -> WrittenValues.FLOATS;
            case FLOAT_LIST -> WrittenValues.FLOAT_LISTS;
        };
    }

    /** The values of a property for vertices of a part of the graph. */
    private record ValuesOfPart(NodeProperty property, IntUnaryOperator toWhole, long bytes) implements PropertyValues {
        @Override
        public Value value(int vertex) {
            return property.valueOrNull(toWhole.applyAsInt(vertex));
        }
    }

    /** Starts an aggregation. */
    @UserAggregationFunction(name = SetAggregation.NAME)
    @Help(example = "MATCH (p:Person) RETURN " + SetAggregation.NAME + "('people', p, {age: p.age})")
    @Description("Adds values from the rows of a query to an in-memory graph as node properties.")
    public SetAggregation set() {
        return new SetAggregation(caller());
    }

    /** Drops properties. */
    @Procedure(name = "proxima.graph.nodeProperties.drop", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.nodeProperties.drop('people', 'old', {failIfMissing: false})")
    @NotThreadSafe
    @Description("Drops properties of an in-memory graph.")
    public Stream<DropRow> drop(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = SEVERAL) Object nodeProperties,
            @Name(value = "configuration", defaultValue = "{}", description = DROP_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            boolean failIfMissing = reader.readBoolean(FAIL_IF_MISSING);
            PropertySelection selection =
                    PropertySelection.read(caller, nodeProperties, ProjectionSpec.ALL, false, reader);
            try (GraphJob work = GraphJob.begin(caller, graphName, selection.keys(), "Node Properties Drop")) {
                GraphEntry entry = work.entry();
                Set<String> known = entry.properties().keySet();
                List<String> missing = selection.names().stream()
                        .filter(name -> !known.contains(name))
                        .toList();
                if (failIfMissing && !missing.isEmpty()) {
                    throw ProximaException.invalidArgument("Could not find property key(s) " + Shown.names(missing)
                            + SimilarNames.hint(missing.get(0), known) + ". Defined keys: " + Shown.names(known) + ".");
                }
                caller.stop().check();
                long removed = 0;
                for (NodeProperty property : GraphCatalog.dropProperties(entry, selection.names())) {
                    removed += entry.projection()
                            .part(property.labels(), List.of(), Stop.NEVER)
                            .vertexCount();
                }
                entry.recordHeldHeap(work.job().heap());
                work.job().succeed();
                return Stream.of(new DropRow(entry.key().name(), selection.names(), removed));
            }
        });
    }

    /** The values, node by node: a part of a node is one of the selected properties. */
    private record PropertyRows(
            GraphProjection graph, Job job, List<Map.Entry<NodeProperty, Set<String>>> selected, boolean listNodeLabels)
            implements Rows.Maker<StreamManyRow> {

        @Override
        public StreamManyRow row(int vertex, int part) {
            NodeProperty property = selected.get(part).getKey();
            Set<String> labels = selected.get(part).getValue();
            return labels.size() == graph.labels().size()
                            || labels.stream().anyMatch(label -> graph.hasLabel(vertex, label))
                    ? new StreamManyRow(
                            graph.idMap().toNeo4jId(vertex),
                            property.name(),
                            property.value(vertex).asObject(),
                            listNodeLabels ? ofVertex(vertex, graph.labels()) : List.of())
                    : null;
        }

        @Override
        public void completed() {
            job.succeed();
        }

        private List<String> ofVertex(int vertex, Set<String> labels) {
            return labels.stream()
                    .filter(label -> graph.hasLabel(vertex, label))
                    .toList();
        }
    }
}
