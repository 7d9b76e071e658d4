// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.WeightedCsc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One call of an algorithm in one of its modes: the parts that all modes share, and the estimate. A subclass defines
 * the keys, the memory and the run of one algorithm; the procedures convert results to rows. For one call, on the
 * calling thread.
 *
 * <p>The class is long because all modes share the steps of a call.
 *
 * @param <R> the result of the run
 */
public abstract class Algorithm<R> {

    /** The use of the result. */
    public enum Mode {
        STREAM,
        STATS,
        MUTATE,
        WRITE
    }

    /** The graphs that a call searches. */
    public enum Passes {
        /** The graph. */
        ALONG,
        /** The graph with every relationship reversed. */
        REVERSED,
        /** Both, one after the other. */
        BOTH
    }

    private static final String WEIGHT_PROPERTY = "relationshipWeightProperty";

    protected static final Set<DistanceMeasure> ECCENTRICITY = Set.of(DistanceMeasure.ECCENTRICITY);
    public static final Set<DistanceMeasure> ECCENTRICITY_AND_HOPS =
            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);

    private final Caller caller;
    private final Mode mode;
    private RunConfig config;
    private Map<String, Object> effective;
    private boolean includeUnreached;
    private WriteConfig write;
    private MutateConfig mutate;
    private boolean estimated;

    /** The property that weighs relationships; empty if they have no weights. */
    private String weightProperty = "";

    /** Heap of the relationships of several types with their weights. */
    private MemoryTree weightsMemory = MemoryTree.NONE;

    /** The maximum number of relationships with weights, parallel ones counted each; 0 if they have no weights. */
    private long weightedCount;

    /** Milliseconds of {@link #timed}, -1 if nothing was computed. */
    private long computeMillis = -1;

    /** Milliseconds of {@link #distribution}, 0 if none was computed. */
    private long postProcessingMillis;

    protected Algorithm(Caller caller, Mode mode) {
        this.caller = caller;
        this.mode = mode;
    }

    /** Reads the keys of this algorithm. */
    protected abstract void readKeys(ConfigReader reader);

    /** The kind of run on a graph. */
    protected abstract Run kind();

    /** The name of the run in lists and logs. */
    protected abstract String task();

    /**
     * The run, and the results that the mode keeps.
     *
     * @param vertexCount number of vertices of the graph that the run sees
     * @param wholeVertexCount number of vertices of the graph in the catalog
     */
    protected abstract Workload work(int vertexCount, int wholeVertexCount);

    /** Runs. */
    protected abstract R compute(GraphRun run);

    /** By column what the row of the mode says of a result, beside the times and the counts of properties. */
    protected abstract Map<String, Object> figures(R result);

    /** Adds the properties of the mode mutate, for which the result may be used up. */
    protected abstract MutateConfig.Mutated mutate(GraphRun run, R result);

    /** Writes the properties of the mode write. */
    protected abstract WriteConfig.Written write(GraphRun run, R result);

    /** The number of sources of the call, together or one after another. */
    protected long searches(int vertexCount) {
        return 1;
    }

    /** The graphs that the call may search. */
    protected Passes passes() {
        return Passes.ALONG;
    }

    /** The graphs that the call searches for a graph of this size. */
    protected Passes passes(int vertexCount) {
        return passes();
    }

    /** The names of the properties that the modes mutate and write set. */
    protected List<String> properties() {
        return List.of(mode == Mode.WRITE ? write.property() : mutate.property());
    }

    /** Whether some nodes may be unreached, so that the stream accepts the key {@code includeUnreached}. */
    protected boolean mayNotReach() {
        return true;
    }

    /**
     * Reads the name of an optional second property of a mode that adds or writes properties; empty if there is none.
     *
     * @param key the key of the name
     * @param values the values of both properties, for the message
     */
    protected final String readSecondProperty(ConfigReader reader, String key, String values) {
        String name = reader.readOptionalPropertyName(key, "none");
        String first = mode == Mode.WRITE ? "writeProperty" : "mutateProperty";
        if (!name.isEmpty() && reader.has(first, name)) {
            reader.fault("`" + key + "` and `" + first + "` are both `" + Shown.text(name) + "`: give " + values
                    + " different names.");
        }
        return name;
    }

    public final Caller caller() {
        return caller;
    }

    protected final Mode mode() {
        return mode;
    }

    /** Reads the key of the property that weighs relationships. */
    protected final void readWeightProperty(ConfigReader reader) {
        weightProperty = reader.readOptionalString(WEIGHT_PROPERTY, "none");
    }

    /** Whether the call weighs relationships by a property. */
    protected final boolean isWeighted() {
        return !weightProperty.isEmpty();
    }

    protected final String weightProperty() {
        return weightProperty;
    }

    /**
     * Heap that the call takes for a part of the graph by weight.
     *
     * @param relationshipCount maximum number of directed edges
     */
    protected MemoryTree partMemory(int vertexCount, long relationshipCount) {
        return MemoryTree.NONE;
    }

    /** Heap that the call takes for weights: to join those of several types, and for a part of the graph. */
    protected final MemoryTree weightsMemory() {
        return weightsMemory;
    }

    /** The maximum number of relationships with weights, parallel ones counted each; 0 if they have no weights. */
    protected final long weightedCount() {
        return weightedCount;
    }

    /**
     * The relationships that the run sees with their weights, which are 1 without a property.
     *
     * @throws ProximaException if a weight is negative, infinite or NaN
     */
    protected final WeightedCsc weights(GraphRun run) {
        return isWeighted() ? run.lengths(weightProperty) : WeightedCsc.ofOnes(run.csc());
    }

    /** The id of the job. */
    protected final String jobId() {
        return config.jobId();
    }

    /** The number of threads of the run. */
    protected final int threads() {
        return config.threads();
    }

    /** Whether unreached nodes get rows. */
    public final boolean includeUnreached() {
        return includeUnreached;
    }

    protected final WriteConfig write() {
        return write;
    }

    protected final MutateConfig mutate() {
        return mutate;
    }

    /** Whether the call computes a column; an estimate assumes that it does. */
    protected final boolean computes(String column) {
        return estimated || caller.yields(column);
    }

    /** The hop distribution; empty if the query does not read that column. */
    protected final List<Long> hopDistribution(HopCounter hops) {
        return caller.yields("hopDistribution") ? hops.distribution() : List.of();
    }

    /** The expected tasks of the call, in order; a second pass may turn out to be unnecessary. */
    private List<Task> tasks() {
        List<Task> tasks = new ArrayList<>(kind().tasks());
        if (passes() == Passes.BOTH) {
            tasks.addAll(kind().tasks());
        }
        if (mode == Mode.WRITE) {
            tasks.add(PropertyWriter.TASK);
        }
        return tasks;
    }

    /** Runs a computation, and adds its time to that of the call's other computations. */
    protected final <T> T timed(Supplier<T> computation) {
        long start = System.nanoTime();
        T result = computation.get();
        computeMillis = Math.max(0, computeMillis) + GraphRun.millisSince(start);
        return result;
    }

    /** Computes a distribution, and measures its time; empty if the query does not read the column. */
    protected final Map<String, Object> distribution(String column, Supplier<Map<String, Object>> distribution) {
        if (!caller.yields(column)) {
            return Map.of();
        }
        long start = System.nanoTime();
        Map<String, Object> values = distribution.get();
        postProcessingMillis = GraphRun.millisSince(start);
        return values;
    }

    /** The graph, loaded for this call. */
    public final LoadedGraph load(GraphRun run) {
        int vertexCount = run.vertexCount();
        return run.load(work(vertexCount, wholeVertexCount(run)), searches(vertexCount));
    }

    protected static int wholeVertexCount(GraphRun run) {
        return run.entry().projection().vertexCount();
    }

    /** The graph with every relationship reversed, loaded for this call. */
    protected final LoadedGraph loadReversed(GraphRun run) {
        int vertexCount = run.vertexCount();
        return run.loadReversed(work(vertexCount, wholeVertexCount(run)), searches(vertexCount));
    }

    /** Heap of the hop distribution, for a graph of maximum depth. */
    protected static MemoryTree hopDistributionMemory(int vertexCount) {
        // a reference, and a boxed number
        return MemoryTree.between("hopDistribution", 0, (Integer.BYTES + 2L * Long.BYTES) * vertexCount);
    }

    /** Runs on a graph of the catalog and converts the result to rows; the graph is released before they are read. */
    public final <T> Stream<T> call(
            String graphName, Map<String, Object> configuration, Function<GraphRun, Stream<T>> computation) {
        return caller.answer(() -> {
            Stream<T> rows = Stream.empty();
            try {
                try (GraphRun run = open(graphName, configuration)) {
                    planWeights(run.projection(), run.projection().types());
                    rows = computation.apply(run);
                    run.succeed();
                }
                return rows;
            } catch (RuntimeException | Error e) {
                // rows hold memory, and are watched until they are closed
                rows.close();
                throw e;
            }
        });
    }

    /** Runs on a graph of the catalog; returns the one row of every mode but stream. */
    public final <T extends Record> Stream<T> row(Class<T> type, String graphName, Map<String, Object> configuration) {
        return call(graphName, configuration, run -> {
            R result = compute(run);
            Map<String, Object> columns = new HashMap<>(figures(result));
            if (mode == Mode.MUTATE) {
                columns.putAll(mutate(run, result).columns());
            } else if (mode == Mode.WRITE) {
                columns.putAll(write(run, result).columns());
            }
            columns.put("postProcessingMillis", postProcessingMillis);
            columns.put("preProcessingMillis", run.preProcessingMillis());
            columns.put("computeMillis", computeMillis);
            columns.put("configuration", run.configuration());
            return Stream.of(Columns.row(type, columns));
        });
    }

    /** Reads the keys and acquires the graph. */
    public final GraphRun open(String graphName, Map<String, Object> configuration) {
        read(RunConfig.reader(caller, graphName, configuration));
        GraphRun run = GraphRun.open(caller, graphName, config, effective, task(), tasks());
        try {
            if (mode == Mode.WRITE) {
                run.writer().requireWritable(run.idMap(), properties());
            } else if (mode == Mode.MUTATE) {
                properties().forEach(run.entry()::requireNoProperty);
            }
            return run;
        } catch (RuntimeException | Error e) {
            run.close();
            throw e;
        }
    }

    /**
     * Estimates the memory of the call.
     *
     * @param graph the name of a graph, or a map that describes a hypothetical one
     */
    public final Stream<EstimateRow> estimate(Object graph, Map<String, Object> configuration) {
        estimated = true;
        return caller.answer(() -> Stream.of(
                graph instanceof Map<?, ?> map
                        ? estimateDescribed(map, configuration)
                        : estimateNamed(graph, configuration)));
    }

    private EstimateRow estimateNamed(Object graph, Map<String, Object> configuration) {
        if (!(graph instanceof String graphName)) {
            throw ProximaException.invalidArgument("The value of `graphNameOrConfiguration` must be of type `STRING` or"
                    + " `MAP` but was `" + CypherTypes.nameOf(graph) + "`.");
        }
        read(RunConfig.reader(caller, graphName, configuration));
        GraphEntry entry = GraphRun.hold(caller, graphName, config);
        try {
            GraphProjection whole = entry.projection();
            Selected selected = Selected.of(whole, config);
            boolean all = Set.copyOf(selected.labels()).equals(whole.labels())
                    && Set.copyOf(selected.types()).equals(whole.types());
            TraversalBackend backend = config.selectBackend().backend();
            planWeights(whole, selected.types());
            boolean searched = all && entry.searchedOn(backend.info().name());
            return estimate(
                    whole.plan(selected.labels(), selected.types(), caller.stop()),
                    whole.vertexCount(),
                    backend,
                    searched);
        } finally {
            entry.release();
        }
    }

    private EstimateRow estimateDescribed(Map<?, ?> description, Map<String, Object> configuration) {
        ConfigReader reader = caller.read("graphNameOrConfiguration", description);
        DescribedGraph graph = DescribedGraph.read(reader);
        reader.finish();
        read(caller.read("configuration", configuration));
        ProjectionSize size = graph.size(caller);
        GraphPlan plan = size.plan(graph.threads());
        if (isWeighted()) {
            graph.requireWeights(weightProperty);
            weightedCount = size.relationshipCount();
            weightsMemory = MemoryTree.together(
                    "weights", size.weightedMemory(), partMemory(plan.vertexCount(), plan.relationshipCount()));
        }
        return estimate(plan, plan.vertexCount(), config.selectBackend().backend(), false);
    }

    private void planWeights(GraphProjection projection, Collection<String> types) {
        if (!isWeighted()) {
            return;
        }
        requireWeights(weightProperty, types, projection::properties);
        weightedCount = projection.weightedEntryCount(weightProperty, types);
        weightsMemory = MemoryTree.together(
                "weights",
                projection.weightedMemory(weightProperty, types),
                partMemory(
                        projection.vertexCount(),
                        types.stream().mapToLong(projection::relationshipCount).sum()));
    }

    /**
     * Checks that every type has a property.
     *
     * @throws ProximaException with the types that lack it
     */
    protected static void requireWeights(
            String property, Collection<String> types, Function<String, Set<String>> properties) {
        List<String> lacking = types.stream()
                .filter(type -> !properties.apply(type).contains(property))
                .toList();
        if (!lacking.isEmpty()) {
            Set<String> common =
                    new LinkedHashSet<>(properties.apply(types.iterator().next()));
            types.forEach(type -> common.retainAll(properties.apply(type)));
            throw ProximaException.invalidArgument("Relationship weight property `" + property
                    + "` not found in relationship types " + Shown.names(lacking)
                    + ". Properties existing on all relationship types: " + Shown.names(common)
                    + ". Project it with `relationshipProperties`.");
        }
    }

    private EstimateRow estimate(GraphPlan plan, int wholeVertexCount, TraversalBackend backend, boolean searched) {
        Workload work = work(plan.vertexCount(), wholeVertexCount).with(config.options());
        MemoryEstimate most;
        MemoryTree run;
        if (plan.graph() != null) {
            Csc graph = plan.graph();
            most = inPasses(
                    GraphShape.of(graph),
                    backend,
                    work,
                    () -> backend.estimate(graph, searched, work, config.threads()));
            run = most.heap().named(task());
        } else {
            most = inPasses(backend, shape(plan, plan.mostEntries()), work);
            MemoryEstimate least = inPasses(backend, shape(plan, plan.leastEntries()), work);
            MemoryTree computation = most.heap().downTo(least.heap()).named("computation");
            most = new MemoryEstimate(
                    computation,
                    most.device().downTo(least.device()),
                    most.availableDeviceBytes(),
                    most.mapped().downTo(least.mapped()),
                    most.availableMappedBytes());
            run = MemoryTree.oneByOne(
                    task(), plan.making(), MemoryTree.together("run on the graph", plan.made(), computation));
        }
        return EstimateRow.of(
                plan.vertexCount(), plan.relationshipCount(), run, most.device(), most.mapped(), most.fitsDevice());
    }

    private MemoryEstimate inPasses(TraversalBackend backend, GraphShape shape, Workload work) {
        return inPasses(shape, backend, work, () -> backend.estimate(shape, work, config.threads()));
    }

    private MemoryEstimate inPasses(
            GraphShape shape, TraversalBackend backend, Workload work, Supplier<MemoryEstimate> along) {
        Passes passes = passes(shape.vertexCount());
        if (passes == Passes.ALONG || shape.symmetric()) {
            return along.get();
        }
        MemoryEstimate reversed = GraphRun.estimateReversed(backend, shape, work, config.threads());
        if (passes == Passes.REVERSED) {
            return reversed;
        }
        MemoryEstimate first = along.get();
        return new MemoryEstimate(
                MemoryTree.oneByOne("both directions", reversed.heap(), first.heap()),
                MemoryTree.oneByOne("both directions", reversed.device(), first.device()),
                first.availableDeviceBytes(),
                MemoryTree.oneByOne("both directions", reversed.mapped(), first.mapped()),
                first.availableMappedBytes());
    }

    private static GraphShape shape(GraphPlan plan, long entries) {
        return new GraphShape(plan.vertexCount(), entries, plan.symmetric());
    }

    private void read(ConfigReader reader) {
        readAllKeys(reader);
        effective = reader.finish();
    }

    /** Reads the keys of this algorithm and mode, and the common keys. Faults are added to the reader. */
    public final void readAllKeys(ConfigReader reader) {
        readKeys(reader);
        switch (mode) {
            case STREAM -> includeUnreached = mayNotReach() && reader.readBoolean("includeUnreached", false);
            case WRITE -> write = WriteConfig.read(reader);
            case MUTATE -> mutate = MutateConfig.read(reader);
            case STATS -> {
                // has no keys of its own
            }
        }
        config = RunConfig.read(caller, reader, kind());
    }
}
