// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.StoreState;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.files.ExportFolder;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.Orientation;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.NodeColumn;
import io.proxima.projection.file.NodeValues;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.neo4j.procedure.Admin;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;
import org.neo4j.storageengine.api.TransactionId;

/** Projected graphs as files: out of the catalog, and back, with what was computed from them. */
public final class GraphFileProcedures extends ProximaProcedure {

    private static final String FILE_NAME =
            "The name of the file, or its path in the folder of the setting `server.proxima.export_directory`.";

    private static final String VALUES_NAME =
            "The name of a CSV file with a column `elementId`, or of a folder with such files, in the folder of the"
                    + " setting `server.proxima.export_directory`.";

    private static final Key<Boolean> OVERWRITE = Key.of(
            "overwrite",
            false,
            "Replaces an existing file of the same name, if it is a graph that the caller exported.");
    private static final Key<List<String>> NODE_PROPERTIES =
            Key.of("nodeProperties", List.of(), "The columns to add as node properties.");
    private static final Key<String> FINGERPRINT_KEY =
            Key.of("fingerprint", "", "The fingerprint that the graph must have.");
    private static final String EXPORT_TASK = "Graph Export";
    private static final String IMPORT_TASK = "Graph Import";
    private static final String LOAD_TASK = "Node Properties Load";
    private static final Pattern FINGERPRINT_DIGITS = Pattern.compile("[0-9a-f]{32}");
    private static final Task FINGERPRINT = Task.of("Compute fingerprint");

    /** Required by Neo4j. */
    public GraphFileProcedures() {}

    /** The file of a graph. */
    public record ExportRow(
            @Description("The name of the graph.") String graphName,
            @Description("The file.") String fileName,
            @Description("The number of nodes.") long nodeCount,

            @Description("The number of directed relationships; an undirected one counts twice.")
            long relationshipCount,

            @Description("The names of the node properties in memory, which the file contains too.")
            List<String> nodeProperties,

            @Description("The number of bytes of the file.") long bytes,

            @Description("The fingerprint of nodes and relationships: equal for equal graphs, 32 hexadecimal digits.")
            String fingerprint,

            @Description("Milliseconds for the export.") long exportMillis,

            @Description("The effective configuration, including the `jobId`.")
            Map<String, Object> configuration) {}

    /** The new graph. */
    public record ImportRow(
            @Description("The name of the graph.") String graphName,
            @Description("The file.") String fileName,
            @Description("The number of nodes.") long nodeCount,

            @Description("The number of directed relationships; an undirected one counts twice.")
            long relationshipCount,

            @Description("The names of the node properties in memory.")
            List<String> nodeProperties,

            @Description("The fingerprint of nodes and relationships, as in the file.")
            String fingerprint,

            @Description("The time at which the exported graph was projected.")
            ZonedDateTime creationTime,

            @Description("Milliseconds for the import.") long importMillis,

            @Description("The effective configuration, including the `jobId`.")
            Map<String, Object> configuration) {}

    /** The values of a file. */
    public record LoadRow(
            @Description("The name of the graph.") String graphName,
            @Description("The file or folder.") String fileName,

            @Description("The names of the node properties that were added.")
            List<String> nodeProperties,

            @Description("The number of nodes in the file.") long nodeCount,
            @Description("Milliseconds for loading.") long loadMillis,

            @Description("The effective configuration, including the `jobId`.")
            Map<String, Object> configuration) {}

    /** Exports a graph. */
    @Procedure(name = "proxima.graph.export", mode = Mode.READ)
    @NotThreadSafe
    @Description("Writes a projected graph to a file on the server: ids, labels, relationships with their properties,"
            + " and node properties in memory.")
    public Stream<ExportRow> export(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "fileName", description = FILE_NAME) String fileName,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "`concurrency` = number of processors, `overwrite` = false, `jobId`,"
                                    + " `logProgress` = true, `sudo` = false, `username`.")
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            long start = System.nanoTime();
            String name = GraphName.ofExisting(graphName);
            ConfigReader reader = caller.read("configuration", configuration);
            ExportKeys keys = ExportKeys.read(reader);
            Map<String, Object> effective = reader.finish();
            ExportFolder folder = ExportFolder.of(caller.config());
            GraphEntry entry = GraphCatalog.acquire(caller.viewer(keys.job.username()), name);
            try (ExportFolder.Target target = folder.reserve(fileName, keys.overwrite, caller);
                    Job job = keys.job.begin(caller, EXPORT_TASK)) {
                List<Task> tasks = new ArrayList<>(List.of(FINGERPRINT));
                tasks.addAll(GraphFile.WRITING_TASKS);
                job.expectTasks(tasks);
                int concurrency = keys.concurrency;
                ExportedGraph exported = exported(caller, entry, concurrency, job);
                target.reserveSpace(GraphFile.bytes(exported));
                long bytes = GraphFile.write(target.path(), exported, concurrency, caller.stop(), job);
                job.succeed();
                return Stream.of(new ExportRow(
                        name,
                        fileName,
                        exported.graph().vertexCount(),
                        exported.graph().relationshipCount(),
                        names(exported),
                        bytes,
                        exported.fingerprint().toString(),
                        GraphRun.millisSince(start),
                        effective));
            } finally {
                entry.release();
            }
        });
    }

    private static ExportedGraph exported(Caller caller, GraphEntry entry, int concurrency, Job job) {
        GraphProjection graph = entry.projection();
        job.beginTask(FINGERPRINT, 0);
        MemoryTree union =
                graph.plan(graph.labels(), graph.types(), caller.stop()).making();
        job.expectMemory(
                MemoryTree.oneByOne("export", union, GraphFile.transferMemory(concurrency))
                        .maxBytes(),
                0);
        // the union stays with the graph, even if the fingerprint is stopped
        graph.csc(concurrency, caller.stop());
        entry.recordHeldHeap(job.heap());
        Map<String, TypeSchema> types = new LinkedHashMap<>();
        for (String type : graph.types()) {
            types.put(
                    type,
                    new TypeSchema(entry.orientation(type) == Orientation.UNDIRECTED, entry.propertySchema(type)));
        }
        TransactionId last = caller.transactionIds().getLastCommittedTransaction();
        boolean stale = last.id() > entry.details().included().transaction();
        return new ExportedGraph(
                new Origin(
                        entry.key().name(),
                        caller.user(),
                        entry.key().databaseName(),
                        caller.elementIdPrefix(),
                        entry.details().created(),
                        caller.storeId(),
                        stale ? "" : Caller.identity(last)),
                GraphFingerprint.of(graph, concurrency, caller.stop()),
                graph,
                types,
                entry.properties().values().stream().map(NodeProperty::column).toList());
    }

    private static List<String> names(ExportedGraph graph) {
        return graph.columns().stream().map(column -> column.name()).toList();
    }

    /** The keys of the export. */
    public record ExportKeys(int concurrency, JobKeys job, boolean overwrite) {
        /** Reads the keys; faults are added to the reader. */
        public static ExportKeys read(ConfigReader reader) {
            return new ExportKeys(Concurrency.read(reader), JobKeys.read(reader), reader.readBoolean(OVERWRITE));
        }
    }

    /** Imports a graph. */
    @Admin
    @Procedure(name = "proxima.graph.import", mode = Mode.READ)
    @NotThreadSafe
    @Description("Creates a graph from a file that `proxima.graph.export` has written from a graph of the same"
            + " database. For administrators.")
    public Stream<ImportRow> importFile(
            @Name(value = "fileName", description = FILE_NAME) String fileName,
            @Name(
                            value = "graphName",
                            defaultValue = "",
                            description = "The name of the new graph; that of the exported graph if empty.")
                    String graphName,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "`concurrency` = number of processors, `replace` = false, `jobId`,"
                                    + " `logProgress` = true, `sudo` = false, `username`.")
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            String given = graphName != null && graphName.isEmpty() ? null : GraphName.ofNew(graphName);
            ConfigReader reader = caller.read("configuration", configuration);
            int concurrency = Concurrency.read(reader);
            NewGraph graph = NewGraph.read(caller, given, reader);
            Map<String, Object> effective = reader.finish();
            if (!caller.mayTraverseEverything()) {
                throw ProximaException.failed("Only a user who may traverse all labels and types of the database can"
                        + " import a graph, because the file may contain any of them.");
            }
            try (GraphFile file =
                    GraphFile.open(ExportFolder.of(caller.config()).file(fileName))) {
                requireThisDatabase(caller, fileName, file.origin());
                String name = given == null ? GraphName.ofNew(file.origin().graphName()) : given;
                graph.name(name);
                try (Job job = graph.begin(IMPORT_TASK)) {
                    job.expectTasks(GraphFile.READING_TASKS);
                    job.expectMemory(file.readMemory(concurrency).maxBytes(), 0);
                    ExportedGraph read = file.read(concurrency, caller.stop(), job);
                    Map<String, Object> origin = new LinkedHashMap<>(effective);
                    origin.put("fileName", fileName);
                    keep(graph, read, origin, included(graph, caller, file.origin()));
                    job.succeed();
                    return Stream.of(new ImportRow(
                            name,
                            fileName,
                            file.nodeCount(),
                            file.relationshipCount(),
                            names(read),
                            file.fingerprint().toString(),
                            file.origin().created().atZone(ZoneOffset.UTC),
                            graph.millis(),
                            effective));
                }
            }
        });
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

    /** The last transaction, if it is the one that the exported graph included. */
    private static StoreState included(NewGraph graph, Caller caller, Origin origin) {
        TransactionId last = caller.transactionIds().getLastCommittedTransaction();
        return Caller.identity(last).equals(origin.lastTransaction()) ? graph.stateAt(last.id()) : NewGraph.NO_STATE;
    }

    private static void keep(
            NewGraph graph, ExportedGraph read, Map<String, Object> configuration, StoreState included) {
        Map<String, TypeSchema> types = read.types();
        int vertexCount = read.graph().vertexCount();
        graph.keep(
                read.graph(),
                read.columns().stream()
                        .map(column -> NodeProperty.ofColumn(column, vertexCount))
                        .toList(),
                configuration,
                type -> types.get(type).undirected() ? Orientation.UNDIRECTED : Orientation.NATURAL,
                type -> types.get(type).properties(),
                included);
    }

    /** Loads values of nodes. */
    @Admin
    @Procedure(name = "proxima.graph.nodeProperties.load", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds the values of a CSV file to an in-memory graph as node properties, such as results that were"
            + " computed from its exported file. For administrators.")
    public Stream<LoadRow> load(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "fileName", description = VALUES_NAME) String fileName,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "`nodeProperties` = all columns, `fingerprint`, `concurrency` = number of"
                                    + " processors, `jobId`, `logProgress` = true, `sudo` = false, `username`.")
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            long start = System.nanoTime();
            String name = GraphName.ofExisting(graphName);
            ConfigReader reader = caller.read("configuration", configuration);
            LoadKeys keys = LoadKeys.read(reader);
            Map<String, Object> effective = reader.finish();
            List<Path> files = ExportFolder.of(caller.config()).csvFiles(fileName);
            GraphEntry entry = GraphCatalog.acquire(caller.viewer(keys.job.username()), name);
            try (Job job = keys.job.begin(caller, LOAD_TASK)) {
                NodeValues.Read read = values(caller, entry, files, keys, job);
                GraphProjection graph = entry.projection();
                entry.addProperties(read.columns().stream()
                        .map(column -> NodeProperty.ofColumn(column, graph.vertexCount()))
                        .toList());
                entry.recordHeldHeap(job.heap());
                job.succeed();
                return Stream.of(new LoadRow(
                        name,
                        fileName,
                        read.columns().stream().map(NodeColumn::name).toList(),
                        read.rowCount(),
                        GraphRun.millisSince(start),
                        effective));
            } finally {
                entry.release();
            }
        });
    }

    private static NodeValues.Read values(Caller caller, GraphEntry entry, List<Path> files, LoadKeys keys, Job job) {
        GraphProjection graph = entry.projection();
        List<String> names = keys.names.isEmpty() ? NodeValues.names(files.get(0)) : keys.names;
        names.forEach(entry::requireNoProperty);
        boolean checks = !keys.fingerprint.isEmpty();
        job.expectTasks(checks ? List.of(FINGERPRINT, NodeValues.READ) : List.of(NodeValues.READ));
        MemoryTree union = checks
                ? graph.plan(graph.labels(), graph.types(), caller.stop()).making()
                : MemoryTree.NONE;
        job.expectMemory(
                MemoryTree.oneByOne(
                                "load",
                                union,
                                MemoryTree.exactly("values", NodeValues.heapBytes(names.size(), graph.vertexCount())))
                        .maxBytes(),
                0);
        if (checks) {
            job.beginTask(FINGERPRINT, 0);
            int concurrency = keys.concurrency;
            String own = GraphFingerprint.of(graph, concurrency, caller.stop()).toString();
            if (!own.equals(keys.fingerprint)) {
                throw ProximaException.failed("The graph `" + entry.key().name() + "` has the fingerprint `" + own
                        + "` and not `" + keys.fingerprint
                        + "`: its nodes or relationships are not those that the values were computed from.");
            }
        }
        return NodeValues.read(
                files,
                graph.idMap(),
                caller.elementIdPrefix(),
                Set.copyOf(graph.labels()),
                Set.copyOf(names),
                caller.stop(),
                job);
    }

    /** The keys of loading. */
    public record LoadKeys(int concurrency, JobKeys job, List<String> names, String fingerprint) {
        /** Reads the keys; faults are added to the reader. */
        public static LoadKeys read(ConfigReader reader) {
            List<String> names = reader.readStrings(NODE_PROPERTIES);
            String fingerprint = reader.readString(FINGERPRINT_KEY);
            if (!fingerprint.isEmpty()
                    && !FINGERPRINT_DIGITS.matcher(fingerprint).matches()) {
                reader.fault("`fingerprint` must have 32 hexadecimal digits in lower case, as in the row of"
                        + " `proxima.graph.export`, but it was `" + fingerprint + "`.");
            }
            return new LoadKeys(
                    Concurrency.read(reader),
                    JobKeys.read(reader),
                    List.copyOf(new LinkedHashSet<>(names)),
                    fingerprint);
        }
    }

    /** Reads the keys of the import, for help. */
    public static void readImportKeys(Caller caller, ConfigReader reader) {
        Concurrency.read(reader);
        NewGraph.read(caller, null, reader);
    }
}
