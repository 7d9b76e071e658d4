// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.DescribedGraph;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.GraphRefresh;
import io.proxima.plugin.call.GraphRefresh.Outcome;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.call.StoreNames;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.NativeProjection;
import io.proxima.plugin.catalog.GraphEntry.Reading;
import io.proxima.plugin.catalog.Live;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;
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

    private static final Key<Boolean> LIVE =
            Key.of("live", false, "Refreshes the graph before each call on it, if it is stale.");

    private static final Key<Boolean> ONLY_IF_STALE = Key.of(
            "onlyIfStale", false, "Leaves the graph as it is unless the store has changed since its projection.");

    private static final String NODE_PROJECTION =
            "The nodes: '*', a label, a list of labels, or a map from projected label to `{ label :: STRING }`.";
    private static final String RELATIONSHIP_PROJECTION =
            "The relationships: '*', a type, a list of types, or a map from"
                    + " projected type to `{ type :: STRING, orientation = 'NATURAL' :: STRING, properties = {} :: MAP }`;"
                    + " orientation is 'NATURAL', 'REVERSE' or 'UNDIRECTED'.";
    private static final String KEYS =
            "`relationshipProperties`, `readConcurrency` = number of processors, `validateRelationships` = false,"
                    + " `replace` = false, `live` = false, " + ColumnTexts.JOB_KEYS;

    private static final String LEFT_OUT = "The number of directed relationships of the projected types that the graph"
            + " leaves out: loops, parallel ones, and those with an end that is not projected.";

    private static final String ESTIMATE_KEYS =
            "`nodeCount` = -1, `relationshipCount` = -1 (-1 for the database's own count), " + KEYS;
    private static final String REFRESH_KEYS =
            "`readConcurrency` = number of processors, `onlyIfStale` = false, " + ColumnTexts.JOB_KEYS;
    private static final String RELATIONSHIP_COUNT =
            "The number of directed relationships, without parallel relationships"
                    + " and loops. An undirected relationship counts twice.";

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        ConfigReader reader = arguments.apply("configuration");
        switch (name) {
            case "proxima.graph.project" -> Keys.read(caller, "*", "*", reader);
            case "proxima.graph.refresh" -> RefreshKeys.read(caller, reader);
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
            @Description("Milliseconds for the projection.") long projectMillis,
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

            @Description("'merged' if only what may have changed was read, 'projected' if everything was.")
            String mode,

            @Description("The reason for the mode.") String reason,

            @Description("The number of pairs of nodes whose relationships may have changed; 0 if it is unknown.")
            long pairsTouched,

            @Description("The number of nodes that may have been created, deleted or relabelled; 0 if it is unknown.")
            long nodesTouched,

            @Description("Milliseconds for the refresh.") long projectMillis,
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
            long start = System.nanoTime();
            try (Job job = keys.graph.begin(name, GraphRefresh.TASK);
                    Mark mark = keys.graph.mark()) {
                StoreSource store = StoreSource.of(caller.transaction(), caller.stop());
                ProjectionSpec spec = source.parsed().spec();
                StoreNames.requireAll(caller, store, spec);
                ProjectionSize size = ProjectionSize.of(store, spec);
                GraphProjection made = GraphRefresh.project(caller, job, store, source, size, keys.graph.concurrency());
                keys.graph.keep(
                        made,
                        List.of(),
                        source.parsed().types(),
                        origin,
                        mark,
                        caller.endOfChanges(),
                        source,
                        new Reading(start, System.nanoTime() - start, store.seesAll(spec)));
                job.succeed();
                return Stream.of(new ProjectRow(
                        name,
                        source.parsed().nodeProjection(),
                        source.parsed().relationshipProjection(),
                        made.vertexCount(),
                        made.relationshipCount(),
                        size.leftOut(made),
                        keys.graph.millis(),
                        effective));
            }
        });
    }

    /** Projects a graph again and exchanges it in the catalog. */
    @Procedure(name = "proxima.graph.refresh", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.refresh('people')")
    @NotThreadSafe
    @Description("Brings a graph of `proxima.graph.project` up to date with the database, and exchanges it atomically."
            + " Runs on the old graph continue to their end.")
    public Stream<RefreshRow> refresh(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = REFRESH_KEYS)
                    Map<String, Object> config) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, config);
            long start = System.nanoTime();
            RefreshKeys keys = RefreshKeys.read(caller, reader);
            Map<String, Object> effective = reader.finish();
            String name = GraphName.ofExisting(graphName);
            return GraphRefresh.alone(caller, caller.viewer(keys.job.username()), name, before -> {
                requireRepeatable(caller, before);
                Outcome made = GraphRefresh.run(
                        caller,
                        before,
                        keys.threads,
                        keys.onlyIfStale,
                        () -> caller.beginJob(GraphRefresh.TASK, keys.job));
                return Stream.of(new RefreshRow(
                        before.key().name(),
                        made.graph().vertexCount(),
                        before.projection().vertexCount(),
                        made.graph().relationshipCount(),
                        before.projection().relationshipCount(),
                        made.leftOut(),
                        made.dropped(),
                        made.merged() ? "merged" : "projected",
                        made.reason(),
                        made.pairs(),
                        made.nodes(),
                        GraphRun.millisSince(start),
                        effective));
            });
        });
    }

    /** The keys of a refresh. */
    private record RefreshKeys(int threads, boolean onlyIfStale, JobKeys job) {
        static RefreshKeys read(Caller caller, ConfigReader reader) {
            return new RefreshKeys(
                    Concurrency.read(caller, reader, Concurrency.READ_CONCURRENCY),
                    reader.readBoolean(ONLY_IF_STALE),
                    JobKeys.read(reader));
        }
    }

    /** Requires that the graph can be read again, with the rights of its owner. */
    private static void requireRepeatable(Caller caller, GraphEntry entry) {
        String name = entry.key().name();
        if (!entry.key().user().equals(caller.user())) {
            throw ProximaException.failed("The graph `" + name + "` can only be refreshed by its owner, because it has"
                    + " the nodes and relationships that its owner may read. Project a graph of your own.");
        }
        NativeProjection projection = entry.details().nativeProjection();
        if (projection == null) {
            throw ProximaException.failed("The graph `" + name + "` cannot be refreshed, because it was not made by the"
                    + " procedure `proxima.graph.project`. Repeat the query, filter or import that made it, with"
                    + " `replace: true`.");
        }
        List<String> values = projection.filters().stream()
                .flatMap(filter -> filter.nodes().properties().stream())
                .distinct()
                .toList();
        if (!values.isEmpty()) {
            throw ProximaException.failed("The graph `" + name
                    + "` cannot be refreshed, because its filter refers to the"
                    + " node properties " + Shown.names(values) + ", which a new projection does not have. Refresh the"
                    + " graph that was filtered, set them again, and repeat the filter with `replace: true`.");
        }
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
    private record Keys(NativeProjection source, NewGraph graph) {
        /** Reads the keys; faults are added to the reader. */
        static Keys read(Caller caller, Object nodeProjection, Object relationshipProjection, ConfigReader reader) {
            ProjectionParser.Parsed parsed = ProjectionParser.parse(nodeProjection, relationshipProjection, reader);
            return new Keys(readOptions(parsed, reader), NewGraph.read(caller, Concurrency.READ_CONCURRENCY, reader));
        }
    }

    /** The keys of the estimate, and the graph that it describes. */
    private static DescribedGraph readEstimateKeys(
            Caller caller, Object nodeProjection, Object relationshipProjection, ConfigReader reader) {
        DescribedGraph described = DescribedGraph.read(caller, nodeProjection, relationshipProjection, reader);
        readOptions(described.parsed(), reader);
        NewGraph.read(caller, Concurrency.READ_CONCURRENCY, reader);
        return described;
    }

    /** Reads the options of native projections. */
    private static NativeProjection readOptions(ProjectionParser.Parsed parsed, ConfigReader reader) {
        reader.refuseProperties("nodeProperties");
        boolean validates = reader.readBoolean(VALIDATE_RELATIONSHIPS);
        return new NativeProjection(parsed, validates, List.of(), reader.readBoolean(LIVE) ? new Live() : null);
    }
}
