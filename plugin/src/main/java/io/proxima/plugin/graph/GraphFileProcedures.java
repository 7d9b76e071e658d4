// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowTable;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphJob;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.files.ExportFolder;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphPart;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.projection.file.NodeColumn;
import io.proxima.projection.file.NodeValues;
import io.proxima.projection.store.StoreSource;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.procedure.Admin;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;
import org.neo4j.storageengine.api.TransactionId;

/** Projected graphs as files: out of the catalog, and back, with what was computed from them. */
@Help(page = "graph-export-import")
public final class GraphFileProcedures extends ProximaProcedure {

    private static final String FILE_NAME =
            "The name of the file, or its path in the folder of the setting `server.proxima.export_directory`.";

    private static final String VALUES =
            "The name of a CSV file with a column `elementId`, or of a folder with such files, in the folder of the"
                    + " setting `server.proxima.export_directory`; or a `BYTEARRAY` with an Arrow stream.";

    private static final Key<Boolean> OVERWRITE = Key.of(
            "overwrite",
            false,
            "Replaces an existing file of the same name, if it is a graph that the caller exported.");
    private static final Key<List<String>> NODE_PROPERTIES =
            Key.of("nodeProperties", List.of(), "The columns to add as node properties.");
    private static final Key<String> FINGERPRINT_KEY =
            Key.of("fingerprint", "", "The fingerprint that the graph must have.");
    private static final String NEW_NAME = "The name of the new graph; that of the exported graph if empty.";
    private static final String EXPORT_KEYS =
            ColumnTexts.CONCURRENCY_KEY + "`overwrite` = false, " + ColumnTexts.JOB_KEYS;
    private static final String IMPORT_KEYS =
            ColumnTexts.CONCURRENCY_KEY + "`replace` = false, " + ColumnTexts.JOB_KEYS;
    private static final String LOAD_KEYS = "`nodeProperties` = all columns, " + NodeKey.KEY_TEXT + "`fingerprint`, "
            + ColumnTexts.CONCURRENCY_KEY + ColumnTexts.JOB_KEYS;

    private static final GraphFingerprint NO_FINGERPRINT = new GraphFingerprint(0, 0);

    private static final Task FINGERPRINT = Task.of("Compute fingerprint");

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        ConfigReader reader = arguments.apply("configuration");
        switch (name) {
            case "proxima.graph.export" -> ExportKeys.read(caller, reader);
            case "proxima.graph.import" -> NewGraph.read(caller, Concurrency.CONCURRENCY, reader);
            default -> LoadKeys.read(caller, reader);
        }
    }

    /** The file of a graph. */
    public record ExportRow(
            @Description(ColumnTexts.GRAPH) String graphName,
            @Description("The file.") String fileName,
            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(ColumnTexts.RELATIONSHIP_COUNT) long relationshipCount,

            @Description("The names of the node properties in memory, which the file contains too.")
            List<String> nodeProperties,

            @Description("The number of bytes of the file.") long bytes,

            @Description("The fingerprint of nodes and relationships: equal for equal graphs, 32 hexadecimal digits.")
            String fingerprint,

            @Description("Milliseconds for the export.") long exportMillis,
            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration) {}

    /** The new graph. */
    public record ImportRow(
            @Description(ColumnTexts.GRAPH) String graphName,
            @Description("The file.") String fileName,
            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(ColumnTexts.RELATIONSHIP_COUNT) long relationshipCount,

            @Description("The names of the node properties in memory.")
            List<String> nodeProperties,

            @Description("The fingerprint of nodes and relationships, as in the file.")
            String fingerprint,

            @Description("The time at which the exported graph was projected.")
            ZonedDateTime creationTime,

            @Description("Milliseconds for the import.") long importMillis,
            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration) {}

    /** The values of a file. */
    public record LoadRow(
            @Description(ColumnTexts.GRAPH) String graphName,

            @Description("The file or folder; null for an Arrow stream.")
            String fileName,

            @Description("The names of the node properties that were added.")
            List<String> nodeProperties,

            @Description("The number of nodes in the file or stream.")
            long nodeCount,

            @Description("Milliseconds for loading.") long loadMillis,
            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration) {}

    /** Exports a graph. */
    @Procedure(name = "proxima.graph.export", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.export('people', 'people.proxima', {overwrite: true})")
    @NotThreadSafe
    @Description("Writes a projected graph to a file on the server: ids, labels, relationships with their properties,"
            + " and node properties in memory.")
    public Stream<ExportRow> export(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "fileName", description = FILE_NAME) String fileName,
            @Name(value = "configuration", defaultValue = "{}", description = EXPORT_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            long start = System.nanoTime();
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            ExportKeys keys = ExportKeys.read(caller, reader);
            Map<String, Object> effective = reader.finish();
            ExportFolder folder = ExportFolder.of(caller.config(), caller.stop());
            try (ExportFolder.Target target = folder.reserve(fileName, keys.overwrite, caller);
                    GraphJob work = GraphJob.begin(caller, graphName, keys.job, "Graph Export")) {
                work.entry().requireCommitted();
                work.job().expectTasks(List.of(FINGERPRINT, GraphFile.WRITE));
                ExportedGraph unmarked = exported(caller, work);
                // refused before the work of the fingerprint
                target.reserveSpace(GraphFile.bytes(unmarked));
                ExportedGraph exported = withFingerprint(caller, work, unmarked, keys.concurrency);
                long bytes = GraphFile.write(
                        target.path(), exported, keys.concurrency, caller.stop(), work.job(), target::requireFreePlace);
                work.job().succeed();
                return Stream.of(new ExportRow(
                        exported.origin().graphName(),
                        fileName,
                        exported.graph().vertexCount(),
                        exported.graph().relationshipCount(),
                        names(exported.columns()),
                        bytes,
                        exported.fingerprint().toString(),
                        GraphRun.millisSince(start),
                        effective));
            }
        });
    }

    /** The graph of a job, without its fingerprint. */
    private static ExportedGraph exported(Caller caller, GraphJob work) {
        GraphEntry entry = work.entry();
        GraphProjection graph = entry.projection();
        Collection<NodeProperty> properties = entry.properties().values();
        for (NodeProperty property : properties) {
            if (property.column().kind() == NodeColumn.Kind.FLOAT_LIST) {
                throw ProximaException.failed("The graph `" + entry.key().name() + "` has the property `"
                        + property.name() + "` of type LIST<FLOAT>, which a file cannot contain. Drop it with"
                        + " `proxima.graph.nodeProperties.drop`, or write it to the database first.");
            }
        }
        work.hold(properties);
        TransactionId last = caller.transactionIds().getLastCommittedTransaction();
        return new ExportedGraph(
                new Origin(
                        entry.key().name(),
                        caller.user(),
                        entry.key().databaseName(),
                        caller.elementIdPrefix(),
                        entry.details().created(),
                        caller.storeId(),
                        entry.stale() ? "" : Caller.identity(last)),
                NO_FINGERPRINT,
                graph,
                entry.details().types(),
                properties.stream().map(NodeProperty::column).toList());
    }

    private static ExportedGraph withFingerprint(
            Caller caller, GraphJob work, ExportedGraph exported, int concurrency) {
        expectFingerprint(caller, work, GraphFile.transferMemory(concurrency));
        // the union stays with the graph, even if the fingerprint is stopped
        exported.graph().csc(concurrency, caller.stop());
        work.entry().recordHeldHeap(work.job().heap());
        GraphFingerprint fingerprint = GraphFingerprint.of(exported.graph(), concurrency, caller.stop());
        return new ExportedGraph(
                exported.origin(), fingerprint, exported.graph(), exported.types(), exported.columns());
    }

    /** Begins the task that finds the fingerprint, with the heap of the union of all types, and of what comes later. */
    private static void expectFingerprint(Caller caller, GraphJob work, MemoryTree later) {
        GraphProjection graph = work.entry().projection();
        GraphPart all = graph.part(graph.labels(), graph.types(), caller.stop());
        MemoryTree union = all.plan(caller.stop()).peak();
        work.job().expectMemory(MemoryTree.oneByOne("fingerprint", union, later));
        work.job().beginTask(FINGERPRINT, 0);
    }

    private static List<String> names(List<NodeColumn> columns) {
        return columns.stream().map(NodeColumn::name).toList();
    }

    /** The keys of the export. */
    private record ExportKeys(int concurrency, JobKeys job, boolean overwrite) {
        /** Reads the keys; faults are added to the reader. */
        static ExportKeys read(Caller caller, ConfigReader reader) {
            return new ExportKeys(
                    Concurrency.read(caller, reader), JobKeys.read(reader), reader.readBoolean(OVERWRITE));
        }
    }

    /** Imports a graph. */
    @Admin
    @Procedure(name = "proxima.graph.import", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.import('people.proxima', 'imported', {replace: true})")
    @NotThreadSafe
    @Description("Creates a graph from a file that `proxima.graph.export` has written from a graph of the same"
            + " database. For administrators.")
    public Stream<ImportRow> importFile(
            @Name(value = "fileName", description = FILE_NAME) String fileName,
            @Name(value = "graphName", defaultValue = "", description = NEW_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = IMPORT_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            String given = graphName != null && graphName.isEmpty() ? null : GraphName.ofNew(graphName);
            ConfigReader reader = caller.read("configuration", configuration);
            NewGraph graph = NewGraph.read(caller, Concurrency.CONCURRENCY, reader);
            Map<String, Object> effective = reader.finish();
            if (!StoreSource.mayTraverseEverything(
                    caller.transaction().securityContext().mode())) {
                throw ProximaException.failed("Only a user who may traverse all labels and types of the database can"
                        + " import a graph, because the file may contain any of them.");
            }
            try (GraphFile file = GraphFile.open(
                    ExportFolder.of(caller.config(), caller.stop()).existing(fileName))) {
                GraphFileHeader header = file.header();
                requireThisDatabase(caller, fileName, header.origin());
                String name = given == null ? GraphName.ofNew(header.origin().graphName()) : given;
                try (Job job = graph.begin(name, "Graph Import")) {
                    job.expectTasks(List.of(GraphFile.READ, GraphFile.CHECK));
                    job.expectMemory(file.readMemory(graph.concurrency()));
                    ExportedGraph read = file.read(graph.concurrency(), caller.stop(), job);
                    Map<String, Object> origin = new LinkedHashMap<>(effective);
                    origin.put("fileName", fileName);
                    try (Mark mark = mark(caller, header.origin())) {
                        graph.keep(
                                read.graph(),
                                properties(read.columns(), read.graph()),
                                read.types(),
                                origin,
                                mark,
                                null,
                                null,
                                null);
                    }
                    job.succeed();
                    return Stream.of(new ImportRow(
                            name,
                            fileName,
                            header.nodeCount(),
                            header.relationshipCount(),
                            names(read.columns()),
                            header.fingerprint().toString(),
                            header.origin().created().atZone(ZoneOffset.UTC),
                            graph.millis(),
                            effective));
                }
            }
        });
    }

    private static List<NodeProperty> properties(List<NodeColumn> columns, GraphProjection graph) {
        return columns.stream()
                .map(column -> new NodeProperty(column, column.heapBytes(graph.vertexCount())))
                .toList();
    }

    /** The ids of another database mean other nodes. */
    private static void requireThisDatabase(Caller caller, String fileName, Origin origin) {
        if (!origin.elementIdPrefix().equals(caller.elementIdPrefix())) {
            throw ProximaException.failed("The file `" + fileName + "` was exported from another database, `"
                    + origin.database() + "`, whose elementIds begin with `" + origin.elementIdPrefix()
                    + "`; those of this database begin with `" + caller.elementIdPrefix()
                    + "`. Import it there, or project the graph from this database.");
        }
        if (!origin.storeId().equals(caller.storeId())) {
            throw ProximaException.failed("The file `" + fileName + "` was exported before the store of the database `"
                    + origin.database() + "` was overwritten by another one, in which its ids are those of other nodes."
                    + " Project the graph again.");
        }
    }

    /** Marks the state that the graph has, if no transaction has followed the last one that the file names. */
    private static Mark mark(Caller caller, Origin origin) {
        Mark mark = caller.touched().mark();
        TransactionId last = caller.transactionIds().getLastCommittedTransaction();
        if (Caller.identity(last).equals(origin.lastTransaction())) {
            return mark;
        }
        mark.close();
        return caller.touched().lost();
    }

    /** Loads values of nodes. */
    @Admin
    @Procedure(name = "proxima.graph.nodeProperties.load", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.nodeProperties.load('people', 'people.csv', {nodeProperties: ['rank']})")
    @NotThreadSafe
    @Description("Adds the values of a CSV file or of an Arrow stream to an in-memory graph as node properties, such as"
            + " results that another program has computed. For administrators.")
    public Stream<LoadRow> load(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "fileNameOrBytes", description = VALUES) Object fileNameOrBytes,
            @Name(value = "configuration", defaultValue = "{}", description = LOAD_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            long start = System.nanoTime();
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            LoadKeys keys = LoadKeys.read(caller, reader);
            boolean isTable = fileNameOrBytes instanceof byte[];
            if (fileNameOrBytes instanceof String
                    && reader.given(NodeKey.KEY) != null
                    && !keys.key.name().equals(NodeValues.ID)) {
                reader.fault("`key` must be 'elementId' or be left out for a file, whose column `elementId` identifies"
                        + " the nodes.");
            }
            Map<String, Object> effective = reader.finish();
            ArrowTable table = isTable ? ArrowTable.of((byte[]) fileNameOrBytes, caller.stop()) : null;
            List<Path> files = isTable ? List.of() : files(caller, fileNameOrBytes);
            try (GraphJob work = GraphJob.begin(caller, graphName, keys.job, "Node Properties Load")) {
                GraphEntry entry = work.entry();
                NodeValues.Read read = values(caller, work, files, table, keys);
                caller.stop().check();
                GraphCatalog.addProperties(entry, properties(read.columns(), entry.projection()), caller.stop())
                        .recordHeldHeap(work.job().heap());
                work.job().succeed();
                return Stream.of(new LoadRow(
                        entry.key().name(),
                        isTable ? null : (String) fileNameOrBytes,
                        names(read.columns()),
                        read.rowCount(),
                        GraphRun.millisSince(start),
                        effective));
            }
        });
    }

    private static List<Path> files(Caller caller, Object fileName) {
        if (!(fileName instanceof String name) || name.isBlank()) {
            throw ProximaException.invalidArgument("`fileNameOrBytes` must be the name of a file or a BYTEARRAY with an"
                    + " Arrow stream, but it was " + Shown.value(fileName) + ".");
        }
        return ExportFolder.of(caller.config(), caller.stop()).csvFiles(name);
    }

    /**
     * Reads the values.
     *
     * @param table what was given instead of files; or null
     */
    private static NodeValues.Read values(
            Caller caller, GraphJob work, List<Path> files, ArrowTable table, LoadKeys keys) {
        GraphProjection graph = work.entry().projection();
        TableValues inTable = table == null ? null : new TableValues(table, keys.key, graph, caller.stop());
        List<String> inFiles =
                table == null && keys.names.isEmpty() ? NodeValues.names(files, caller.stop()) : keys.names;
        List<String> names = table == null ? inFiles : inTable.names(keys.names);
        ConfigReader reader = caller.read("configuration", Map.of());
        names.forEach(name -> reader.requirePropertyName(NODE_PROPERTIES.name(), name));
        reader.finish();
        names.forEach(work.entry()::requireNoProperty);
        boolean checks = !keys.fingerprint.isEmpty();
        work.job().expectTasks(checks ? List.of(FINGERPRINT, NodeValues.READ) : List.of(NodeValues.READ));
        MemoryTree values = table == null
                ? MemoryTree.exactly("values", NodeValues.heapBytes(names.size(), graph.vertexCount()))
                : inTable.memory(names);
        if (checks) {
            expectFingerprint(caller, work, values);
            String own =
                    GraphFingerprint.of(graph, keys.concurrency, caller.stop()).toString();
            if (!own.equals(keys.fingerprint)) {
                throw ProximaException.failed("The graph `" + work.entry().key().name() + "` has the fingerprint `"
                        + own + "` and not `" + keys.fingerprint
                        + "`: its nodes or relationships are not those that the values were computed from.");
            }
        } else {
            work.job().expectMemory(values);
        }
        if (table != null) {
            work.job().beginTask(NodeValues.READ, 0);
            return inTable.read(names);
        }
        return NodeValues.read(
                files,
                graph.idMap(),
                caller.elementIdPrefix(),
                Set.copyOf(graph.labels()),
                names,
                caller.stop(),
                work.job());
    }

    /** The keys of loading. */
    private record LoadKeys(int concurrency, JobKeys job, List<String> names, NodeKey key, String fingerprint) {
        /** Reads the keys; faults are added to the reader. */
        static LoadKeys read(Caller caller, ConfigReader reader) {
            List<String> names = reader.readStrings(NODE_PROPERTIES);
            NodeKey key = NodeKey.read(caller, reader);
            String fingerprint = reader.readString(FINGERPRINT_KEY);
            if (!fingerprint.isEmpty() && !fingerprint.matches("[0-9a-f]{32}")) {
                reader.fault("`fingerprint` must have 32 hexadecimal digits in lower case, as in the row of"
                        + " `proxima.graph.export`, but it was `" + Shown.text(fingerprint)
                        + "`.");
            }
            return new LoadKeys(Concurrency.read(caller, reader), JobKeys.read(reader), names, key, fingerprint);
        }
    }
}
