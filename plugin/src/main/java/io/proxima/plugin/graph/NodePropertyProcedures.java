// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.call.WriteRow;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Procedures on the node properties that mutate modes have added to a graph. */
public final class NodePropertyProcedures extends ProximaProcedure {

    private static final Key<Boolean> LIST_NODE_LABELS =
            Key.of("listNodeLabels", false, "Fills the column `nodeLabels`.");
    private static final Key<Boolean> FAIL_IF_MISSING =
            Key.of("failIfMissing", true, "If true, a name without a property is an error, and nothing is dropped.");
    private static final String LABELS =
            "The projected labels of the selected nodes: '*', a label or a `LIST<STRING>` of labels.";
    private static final String SEVERAL = "The name of a property, or a `LIST<STRING>` of names.";
    private static final String COMMON_KEYS = "`jobId`, `logProgress` = true, `sudo` = false, `username`.";

    /** Required by Neo4j. */
    public NodePropertyProcedures() {}

    /** A node and the value of the property. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The value of the property.") Object propertyValue,

            @Description("The projected labels of the node if `listNodeLabels` is true, empty otherwise.")
            List<String> nodeLabels) {}

    /** A node and the value of one of the properties. */
    public record StreamManyRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The name of the property.") String nodeProperty,
            @Description("The value of the property.") Object propertyValue,

            @Description("The projected labels of the node if `listNodeLabels` is true, empty otherwise.")
            List<String> nodeLabels) {}

    /** The result of writing. */
    public record WriteRow(
            @Description(ColumnTexts.WRITE_MILLIS) long writeMillis,
            @Description("The name of the graph.") String graphName,

            @Description("The names under which the properties were written.")
            List<String> nodeProperties,

            @Description(ColumnTexts.NODE_PROPERTIES_WRITTEN)
            long propertiesWritten,

            @Description("The effective configuration, including the `jobId`.")
            Map<String, Object> configuration,

            @Description(ColumnTexts.NODES_SKIPPED) long nodesSkipped,
            @Description(ColumnTexts.BATCHES) long batches,
            @Description(ColumnTexts.RETRIES) long retries,
            @Description(ColumnTexts.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** The result of dropping. */
    public record DropRow(
            @Description("The name of the graph.") String graphName,
            @Description("The names of the properties.") List<String> nodeProperties,

            @Description("The number of values that were dropped.")
            long propertiesRemoved) {}

    /** Streams one property. */
    @Procedure(name = "proxima.graph.nodeProperty.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the value of a property of an in-memory graph for each `NODE`.")
    public Stream<StreamRow> streamOne(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = "The name of a property.") String nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    "`listNodeLabels` = false, `concurrency` = number of processors, " + COMMON_KEYS)
                    Map<String, Object> configuration) {
        return rows(
                graphName,
                nodeProperties,
                nodeLabels,
                configuration,
                (nodeId, name, value, labels) -> new StreamRow(nodeId, value, labels));
    }

    /** Streams several properties. */
    @Procedure(name = "proxima.graph.nodeProperties.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the values of properties of an in-memory graph for each `NODE`, one row for each value.")
    public Stream<StreamManyRow> stream(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = SEVERAL) Object nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    "`listNodeLabels` = false, `concurrency` = number of processors, " + COMMON_KEYS)
                    Map<String, Object> configuration) {
        return rows(graphName, nodeProperties, nodeLabels, configuration, StreamManyRow::new);
    }

    private <T> Stream<T> rows(
            String graphName,
            Object nodeProperties,
            Object nodeLabels,
            Map<String, Object> configuration,
            RowMaker<T> maker) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            boolean listNodeLabels = readListNodeLabels(reader);
            PropertySelection selection = PropertySelection.read(caller, graphName, nodeProperties, nodeLabels, reader);
            GraphEntry entry = selection.hold();
            // dropped properties stay on the heap while their values are read
            HeapLedger.Holding held = HeapLedger.ofThisJvm().hold();
            Runnable release = () -> {
                held.close();
                entry.release();
            };
            Job job;
            try {
                job = selection.begin("Node Properties Stream");
            } catch (RuntimeException | Error e) {
                release.run();
                throw e;
            }
            PropertyRows<T> rows;
            try {
                rows = new PropertyRows<>(caller, entry, selection, listNodeLabels, maker, job);
                held.set(rows.heapParts());
            } catch (RuntimeException | Error e) {
                job.close();
                release.run();
                throw e;
            }
            return rows.stream(job, release);
        });
    }

    /** Writes properties to the database. */
    @Procedure(name = "proxima.graph.nodeProperties.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes properties of an in-memory graph to the `NODE` values of the database. Removes a property from"
            + " nodes without a value, such as those that a search has not reached.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(
                            value = "nodeProperties",
                            description = "The name of a property, a `MAP` from its name to the name in the"
                                    + " database, or a `LIST<ANY>` of these.")
                    Object nodeProperties,
            @Name(value = "nodeLabels", defaultValue = "['*']", description = LABELS) Object nodeLabels,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "`concurrency` = number of processors, `writeConcurrency` = `concurrency`, "
                                    + COMMON_KEYS)
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            int writeConcurrency = readWriteConcurrency(reader);
            PropertySelection selection =
                    PropertySelection.readRenaming(caller, graphName, nodeProperties, nodeLabels, reader);
            GraphEntry entry = selection.hold();
            try (Job job = selection.begin("Node Properties Write")) {
                long start = System.nanoTime();
                PropertyWriter writer = new PropertyWriter(caller.database(), caller.transaction(), caller.stop());
                IdMap whole = entry.projection().idMap();
                writer.requireWritable(whole, selection.newNames());
                PropertyWriter.Summary summary = PropertyWriter.Summary.NOTHING;
                for (NodeProperty property : selection.of(entry)) {
                    IdMap ids = selection.nodes(entry, property, job);
                    for (String newName : selection.newNames(property)) {
                        summary = summary.plus(writer.write(
                                ids,
                                newName,
                                vertex -> property.valueOrNull(whole.toVertex(ids.toNeo4jId(vertex))),
                                writeConcurrency,
                                job));
                    }
                }
                job.succeed();
                return Stream.of(new WriteRow(
                        GraphRun.millisSince(start),
                        selection.graphName(),
                        selection.newNames(),
                        summary.propertiesWritten(),
                        selection.configuration(),
                        summary.nodesSkipped(),
                        summary.batches(),
                        summary.retries(),
                        summary.errorMessages()));
            } finally {
                entry.release();
            }
        });
    }

    /** Drops properties. */
    @Procedure(name = "proxima.graph.nodeProperties.drop", mode = Mode.READ)
    @NotThreadSafe
    @Description("Drops properties of an in-memory graph.")
    public Stream<DropRow> drop(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "nodeProperties", description = SEVERAL) Object nodeProperties,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    "`failIfMissing` = true, `concurrency` = number of processors, " + COMMON_KEYS)
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            boolean failIfMissing = readFailIfMissing(reader);
            PropertySelection selection =
                    PropertySelection.read(caller, graphName, nodeProperties, ProjectionSpec.ALL, reader);
            GraphEntry entry = selection.hold();
            try (Job job = selection.begin("Node Properties Drop")) {
                Set<String> known = entry.properties().keySet();
                List<String> missing = selection.names().stream()
                        .filter(name -> !known.contains(name))
                        .toList();
                if (failIfMissing && !missing.isEmpty()) {
                    throw ProximaException.invalidArgument("Could not find property key(s) " + Shown.names(missing)
                            + SimilarNames.hint(missing.get(0), known) + ". Defined keys: " + Shown.names(known) + ".");
                }
                long removed = 0;
                for (NodeProperty property : entry.dropProperties(selection.names())) {
                    removed += entry.projection()
                            .plan(property.labels(), List.of(), Stop.NEVER)
                            .vertexCount();
                }
                entry.recordHeldHeap();
                job.succeed();
                return Stream.of(new DropRow(selection.graphName(), selection.names(), removed));
            } finally {
                entry.release();
            }
        });
    }

    /** Creates a row from a value. */
    @FunctionalInterface
    private interface RowMaker<T> {
        T row(long nodeId, String name, Object value, List<String> labels);
    }

    /** The values, node by node. */
    private static final class PropertyRows<T> extends Rows<T> {
        private final GraphProjection graph;
        private final List<NodeProperty> properties;

        /** For each property the selected labels whose nodes have it; null if all nodes are selected. */
        private final List<Set<String>> labels = new ArrayList<>();

        private final boolean listNodeLabels;
        private final RowMaker<T> maker;
        private final Job job;
        private int vertex;
        private int property;

        PropertyRows(
                Caller caller,
                GraphEntry entry,
                PropertySelection selection,
                boolean listNodeLabels,
                RowMaker<T> maker,
                Job job) {
            super(caller);
            this.job = job;
            this.graph = entry.projection();
            this.properties = selection.of(entry);
            this.listNodeLabels = listNodeLabels;
            this.maker = maker;
            Collection<String> wanted = selection.labels(entry);
            for (NodeProperty each : properties) {
                Set<String> both = selection.labels(each, wanted);
                labels.add(both.containsAll(graph.labels()) ? null : both);
            }
        }

        @Override
        protected T compute() {
            while (vertex < graph.vertexCount()) {
                countWork();
                int v = vertex;
                int p = property;
                if (++property == properties.size()) {
                    property = 0;
                    vertex++;
                }
                if (isWanted(v, labels.get(p))) {
                    NodeProperty wanted = properties.get(p);
                    return maker.row(
                            graph.idMap().toNeo4jId(v),
                            wanted.name(),
                            wanted.value(v).asObject(),
                            listNodeLabels ? labelsOf(v) : List.of());
                }
            }
            job.succeed();
            return null;
        }

        List<HeapPart> heapParts() {
            return properties.stream().map(NodeProperty::heapPart).toList();
        }

        private boolean isWanted(int v, Set<String> ofLabels) {
            return ofLabels == null || ofLabels.stream().anyMatch(label -> graph.hasLabel(v, label));
        }

        private List<String> labelsOf(int v) {
            return graph.labels().stream()
                    .filter(label -> graph.hasLabel(v, label))
                    .toList();
        }
    }

    public static boolean readListNodeLabels(ConfigReader reader) {
        return reader.readBoolean(LIST_NODE_LABELS);
    }

    public static int readWriteConcurrency(ConfigReader reader) {
        return Concurrency.readForWriting(reader);
    }

    public static boolean readFailIfMissing(ConfigReader reader) {
        return reader.readBoolean(FAIL_IF_MISSING);
    }
}
