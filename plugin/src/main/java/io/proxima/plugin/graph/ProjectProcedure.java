// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.DescribedGraph;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ExpectedTimes;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.call.StoreNames;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.NativeProjection;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.store.StoreSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** The native projection: creates a graph in the catalog from the store. */
@Help(page = "graph-project")
public final class ProjectProcedure extends ProximaProcedure {

    private static final Key<Boolean> VALIDATE_RELATIONSHIPS = Key.of(
            "validateRelationships",
            false,
            "If true, a relationship with an end outside the projected nodes is an error. If false, it is left out.");

    static final String TASK = "Graph Projection";

    private static final String NODE_PROJECTION =
            "The nodes: '*', a label, a list of labels, or a map from projected label to `{ label :: STRING }`.";
    private static final String RELATIONSHIP_PROJECTION =
            "The relationships: '*', a type, a list of types, or a map from"
                    + " projected type to `{ type :: STRING, orientation = 'NATURAL' :: STRING, properties = {} :: MAP }`;"
                    + " orientation is 'NATURAL', 'REVERSE' or 'UNDIRECTED'.";
    private static final String KEYS =
            "`relationshipProperties`, `readConcurrency` = number of processors, `validateRelationships` = false,"
                    + " `replace` = false, " + ColumnTexts.JOB_KEYS;

    private static final String LEFT_OUT = "The number of directed relationships of the projected types that the graph"
            + " leaves out: loops, parallel ones, and those with an end that is not projected.";

    private static final String ESTIMATE_KEYS =
            "`nodeCount` = -1, `relationshipCount` = -1 (-1 for the database's own count), " + KEYS;
    private static final String REFRESH_KEYS =
            "`readConcurrency` = number of processors, `onlyIfStale` = false, " + ColumnTexts.JOB_KEYS;
    private static final String RELATIONSHIP_COUNT =
            "The number of directed relationships, without parallel relationships"
                    + " and loops. An undirected relationship counts twice.";
    private static final String MILLIS = "Milliseconds for the projection.";

    /** Required by Neo4j. */
    public ProjectProcedure() {}

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        ConfigReader reader = arguments.apply("configuration");
        switch (name) {
            case "proxima.graph.project" -> Keys.read(caller, "*", "*", reader);
            case "proxima.graph.refresh" -> NewGraph.readReplacing(caller, Concurrency.READ_CONCURRENCY, reader);
            default -> readEstimateKeys(caller, "*", "*", reader);
        }
    }

    /** The new graph. */
    public record ProjectRow(
            @Description(ColumnTexts.GRAPH) String graphName,

            @Description("The node projection, with short forms expanded.")
            Map<String, Object> nodeProjection,

            @Description("The relationship projection, with short forms expanded.")
            Map<String, Object> relationshipProjection,

            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(RELATIONSHIP_COUNT) long relationshipCount,

            @Description(LEFT_OUT) long relationshipsLeftOut,
            @Description(MILLIS) long projectMillis,
            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration) {}

    /** A graph before and after it was projected again. */
    public record RefreshRow(
            @Description(ColumnTexts.GRAPH) String graphName,
            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description("The number of nodes before.") long nodeCountBefore,
            @Description(RELATIONSHIP_COUNT) long relationshipCount,

            @Description("The number of directed relationships before.")
            long relationshipCountBefore,

            @Description(LEFT_OUT) long relationshipsLeftOut,

            @Description("The names of the node properties that the graph had in memory, which are gone.")
            List<String> nodePropertiesDropped,

            @Description(MILLIS) long projectMillis,
            @Description(ColumnTexts.EFFECTIVE) Map<String, Object> configuration) {}

    /** Projects a graph and adds it to the catalog. */
    @Procedure(name = "proxima.graph.project", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.project('friends', 'Person', {KNOWS: {orientation: 'UNDIRECTED'}})")
    @NotThreadSafe
    @Description("Projects nodes and relationships of the database into a named in-memory graph, which is"
            + " kept until it is dropped.")
    public Stream<ProjectRow> project(
            @Name(value = "graphName", description = "The name of the new graph.") String graphName,
            @Name(value = "nodeProjection", description = NODE_PROJECTION) Object nodeProjection,
            @Name(value = "relationshipProjection", description = RELATIONSHIP_PROJECTION)
                    Object relationshipProjection,
            @Name(value = "configuration", defaultValue = "{}", description = KEYS) Map<String, Object> configuration) {
        return answer(caller -> {
            String name = GraphName.ofNew(graphName);
            ConfigReader reader = caller.read("configuration", configuration);
            Keys keys = Keys.read(caller, nodeProjection, relationshipProjection, reader);
            Map<String, Object> effective = reader.finish();
            NativeProjection source = keys.source;
            Map<String, Object> origin = new LinkedHashMap<>(effective);
            origin.put("nodeProjection", source.parsed().nodeProjection());
            origin.put("relationshipProjection", source.parsed().relationshipProjection());
            Projected made = project(caller, keys.graph, keys.graph.begin(name, TASK), source, origin);
            return Stream.of(new ProjectRow(
                    name,
                    source.parsed().nodeProjection(),
                    source.parsed().relationshipProjection(),
                    made.graph.vertexCount(),
                    made.graph.relationshipCount(),
                    made.leftOut,
                    keys.graph.millis(),
                    effective));
        });
    }

    /** Projects a graph again and exchanges it in the catalog. */
    @Procedure(name = "proxima.graph.refresh", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.refresh('people')")
    @NotThreadSafe
    @Description("Projects a graph again from the present state of the database, as `proxima.graph.project` did, and"
            + " exchanges it atomically. Runs on the old graph continue to their end.")
    public Stream<RefreshRow> refresh(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = REFRESH_KEYS)
                    Map<String, Object> config) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, config);
            NewGraph graph = NewGraph.readReplacing(caller, Concurrency.READ_CONCURRENCY, reader);
            Map<String, Object> effective = reader.finish();
            try (GraphEntry before = GraphCatalog.acquire(graph.viewer(), graphName.strip())) {
                String name = before.key().name();
                NativeProjection source = source(caller, before);
                boolean left = graph.leaves(before);
                Projected made = left
                        ? Projected.of(before.projection(), sizeInStore(caller, source))
                        : project(
                                caller,
                                graph,
                                graph.beginReplacing(before, TASK),
                                source,
                                before.details().configuration());
                return Stream.of(new RefreshRow(
                        name,
                        made.graph.vertexCount(),
                        before.projection().vertexCount(),
                        made.graph.relationshipCount(),
                        before.projection().relationshipCount(),
                        made.leftOut,
                        left ? List.of() : List.copyOf(before.properties().keySet()),
                        graph.millis(),
                        effective));
            }
        });
    }

    /** What the graph was read from, with the rights of its owner. */
    private static NativeProjection source(Caller caller, GraphEntry entry) {
        String name = entry.key().name();
        if (!entry.key().user().equals(caller.user())) {
            throw ProximaException.failed("The graph `" + name + "` can only be refreshed by its owner, because it has"
                    + " the nodes and relationships that its owner may read. Project a graph of your own.");
        }
        NativeProjection source = entry.details().projection();
        if (source == null) {
            throw ProximaException.failed("The graph `" + name + "` cannot be refreshed, because it was not made by the"
                    + " procedure `proxima.graph.project`. Repeat the query, filter or import that made it, with"
                    + " `replace: true`.");
        }
        List<String> values = source.filters().stream()
                .flatMap(filter -> filter.nodes().properties().stream())
                .distinct()
                .toList();
        if (!values.isEmpty()) {
            throw ProximaException.failed("The graph `" + name
                    + "` cannot be refreshed, because its filter refers to the"
                    + " node properties " + Shown.names(values) + ", which a new projection does not have. Refresh the"
                    + " graph that was filtered, set them again, and repeat the filter with `replace: true`.");
        }
        return source;
    }

    /** A new graph of the catalog, and the number of relationships that it leaves out. */
    private record Projected(GraphProjection graph, long leftOut) {
        static Projected of(GraphProjection graph, ProjectionSize inStore) {
            return new Projected(graph, Math.max(0, inStore.relationshipCount() - graph.relationshipCount()));
        }
    }

    private static ProjectionSize sizeInStore(Caller caller, NativeProjection source) {
        return ProjectionSize.of(
                StoreSource.of(caller.transaction(), caller.stop()),
                source.parsed().spec());
    }

    /** Projects a graph, and closes its job. */
    private static Projected project(
            Caller caller, NewGraph graph, Job begun, NativeProjection from, Map<String, Object> configuration) {
        int threads = graph.concurrency();
        try (Job job = begun) {
            job.expectTasks(Projector.TASKS);
            StoreSource source = StoreSource.of(caller.transaction(), caller.stop());
            ProjectionSpec spec = from.parsed().spec();
            StoreNames.requireAll(caller, source, spec);
            ProjectionSize size = ProjectionSize.of(source, spec);
            job.expectMemory(size.peak(threads));
            weigh(job, Projector.SCAN_NODES, (double) size.nodeCount(), threads);
            weigh(job, Projector.SCAN_RELATIONSHIPS, (double) size.relationshipCount(), threads);
            weigh(job, Projector.BUILD, (double) size.nodeCount() + size.relationshipCount(), threads);
            long included = graph.includedFromNowOn();
            GraphProjection projection = Projector.project(
                    source, spec, new Projector.Options(threads, from.validatesRelationships()), caller.stop(), job);
            Map<String, TypeSchema> types = new LinkedHashMap<>(from.parsed().types());
            Map<String, TypeProjection> stored = new LinkedHashMap<>(spec.types());
            for (GraphEntry.Filter filter : from.filters()) {
                FilterProcedure.Passing passing = FilterProcedure.Passing.of(caller, filter, projection, Map.of());
                job.expectMemory(MemoryTree.together(
                        "filter", size.held(), passing.part().memory(caller.stop())));
                projection = passing.part().make(threads, caller.stop());
                types.keySet().retainAll(projection.types());
                stored.keySet().removeAll(passing.typesByValue());
            }
            graph.keep(projection, List.of(), types, configuration, included, graph.endOfChanges(), from, stored);
            job.succeed();
            return Projected.of(projection, size);
        }
    }

    private static void weigh(Job job, Task task, double units, int threads) {
        job.weigh(task, ExpectedTimes.onHost(units, threads).seconds(task));
    }

    /** Estimates the memory of a projection. */
    @Procedure(name = "proxima.graph.project.estimate", mode = Mode.READ)
    @Help(page = "graph-project", example = "CALL proxima.graph.project.estimate('Person', 'KNOWS')")
    @NotThreadSafe
    @Description("Returns the estimated peak memory of a projection, from the counts of the database or from given"
            + " counts.")
    public Stream<EstimateRow> estimate(
            @Name(value = "nodeProjection", description = NODE_PROJECTION) Object nodeProjection,
            @Name(value = "relationshipProjection", description = RELATIONSHIP_PROJECTION)
                    Object relationshipProjection,
            @Name(value = "configuration", defaultValue = "{}", description = ESTIMATE_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = caller.read("configuration", configuration);
            DescribedGraph described = readEstimateKeys(caller, nodeProjection, relationshipProjection, reader);
            reader.finish();
            ProjectionSize size = described.size(caller);
            return Stream.of(
                    EstimateRow.of(size.nodeCount(), size.relationshipCount(), size.peak(described.threads())));
        });
    }

    /** The keys of native projections, and what they read. */
    public record Keys(NativeProjection source, NewGraph graph) {
        /** Reads the keys; faults are added to the reader. */
        public static Keys read(
                Caller caller, Object nodeProjection, Object relationshipProjection, ConfigReader reader) {
            ProjectionParser.Parsed parsed = ProjectionParser.parse(nodeProjection, relationshipProjection, reader);
            boolean validates = readOptions(reader);
            return new Keys(
                    new NativeProjection(parsed, validates, List.of()),
                    NewGraph.read(caller, Concurrency.READ_CONCURRENCY, reader));
        }
    }

    /** The keys of the estimate, and the graph that it describes. */
    public static DescribedGraph readEstimateKeys(
            Caller caller, Object nodeProjection, Object relationshipProjection, ConfigReader reader) {
        DescribedGraph described = DescribedGraph.read(caller, nodeProjection, relationshipProjection, reader);
        readOptions(reader);
        NewGraph.read(caller, Concurrency.READ_CONCURRENCY, reader);
        return described;
    }

    /** Reads the options of native projections; returns whether relationships must be validated. */
    private static boolean readOptions(ConfigReader reader) {
        reader.refuseProperties("nodeProperties");
        return reader.readBoolean(VALIDATE_RELATIONSHIPS);
    }
}
