// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.statistics.DistanceFigures;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.NodeValues;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One call of an algorithm in one of its modes. A subclass defines the keys, the memory, the run and the result of one
 * algorithm; this class reads the keys, opens the run and makes of the result what the mode asks for. For one call, on
 * the calling thread.
 *
 * @param <T> the row of the mode stream
 */
public abstract class Algorithm<T> {

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

    private static final Key<String> MUTATE_PROPERTY = Key.of("mutateProperty", "The name of the new property.");
    private static final Key<String> WRITE_PROPERTY =
            Key.of("writeProperty", "The node property to set. Existing values are overwritten.");

    private final Caller caller;
    private final Mode mode;
    private final Operation operation;
    private final String task;
    private RunConfig config;
    private Map<String, Object> effective;
    private String property = "";
    private String secondProperty = "";
    private int writeConcurrency;
    private boolean estimated;

    /** Milliseconds of {@link #timed}, -1 if nothing was computed. */
    private long computeMillis = -1;

    /** Milliseconds of {@link #distribution}, 0 if none was computed. */
    private long postProcessingMillis;

    /**
     * Creates a call.
     *
     * @param operation the kind of run on a graph
     * @param task the name of the run in lists and logs
     */
    protected Algorithm(Caller caller, Mode mode, Operation operation, String task) {
        this.caller = caller;
        this.mode = mode;
        this.operation = operation;
        this.task = task;
    }

    /** Reads the keys of this algorithm; faults are added to the reader. */
    protected abstract void readKeys(ConfigReader reader);

    /** The kind of run on a graph. */
    protected Operation operation() {
        return operation;
    }

    /** The name of the run in lists and logs. */
    protected String task() {
        return task;
    }

    /**
     * The run, and the results that the mode keeps.
     *
     * @param vertexCount number of vertices of the graph that the run sees
     * @param wholeVertexCount number of vertices of the graph in the catalog
     */
    protected abstract Workload work(int vertexCount, int wholeVertexCount);

    /** Runs. */
    protected abstract RunResult<T> compute(GraphRun run);

    /** The number of sources of the call, together or one after another. */
    protected int searches(int vertexCount) {
        return 1;
    }

    /** The graphs that the call searches for a graph of this size. */
    protected Passes passes(int vertexCount) {
        return Passes.ALONG;
    }

    /** Looks at the graph before the run, or before the estimate of a run, is planned. */
    protected void expect(GraphProjection graph, Collection<String> types) {}

    /** Looks at a described graph before the estimate of a run is planned. */
    protected void expect(DescribedGraph graph, ProjectionSize size, GraphPlan plan) {}

    /** The vertices that get a result, ascending, vertex id space of the run; null for all. */
    protected int[] resultVertices(GraphRun run) {
        return null;
    }

    /** What is known of the values of the properties. */
    protected WrittenValues writtenValues() {
        return WrittenValues.SHARED_INTEGERS;
    }

    /** Called after the values have been written. */
    protected void written() {}

    /** Reads whether the stream has a row for each unreached node. */
    protected final boolean readIncludeUnreached(ConfigReader reader, String meaning) {
        return mode == Mode.STREAM && reader.readBoolean(Key.of("includeUnreached", false, meaning));
    }

    /**
     * Reads the name of the optional second property, if the mode adds or writes properties.
     *
     * @param key the key of the name
     * @param values the values of both properties, for the message
     */
    protected final void readSecondProperty(ConfigReader reader, Key<String> key, String values) {
        if (!setsProperties()) {
            return;
        }
        secondProperty = reader.readOptionalPropertyName(key);
        Key<String> first = mode == Mode.WRITE ? WRITE_PROPERTY : MUTATE_PROPERTY;
        if (!secondProperty.isEmpty() && secondProperty.equals(reader.given(first))) {
            reader.fault("`" + key.name() + "` and `" + first.name() + "` are both `" + Shown.text(secondProperty)
                    + "`: give " + values + " different names.");
        }
    }

    /** Whether the call sets the second property. */
    protected final boolean hasSecondProperty() {
        return !secondProperty.isEmpty();
    }

    /** Whether the mode adds or writes properties. */
    protected final boolean setsProperties() {
        return mode == Mode.MUTATE || mode == Mode.WRITE;
    }

    private List<String> properties() {
        return hasSecondProperty() ? List.of(property, secondProperty) : List.of(property);
    }

    /** The caller. */
    protected final Caller caller() {
        return caller;
    }

    /** The use of the result. */
    protected final Mode mode() {
        return mode;
    }

    /** The common keys. */
    protected final RunConfig config() {
        return config;
    }

    /** The number of transactions that write concurrently. */
    protected final int writeConcurrency() {
        return writeConcurrency;
    }

    /** Whether the call computes a column; an estimate assumes that it does. */
    protected final boolean computes(String column) {
        return estimated || caller.yields(column);
    }

    /** The tasks of the computation on one graph, in order. */
    protected List<Task> tasks() {
        return operation().tasks();
    }

    /** Runs a computation, and adds its time to that of the call's other computations. */
    protected final <R> R timed(Supplier<R> computation) {
        long start = System.nanoTime();
        R result = computation.get();
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
        return run.load(work(run), searches(run.vertexCount()));
    }

    /** The graph with every relationship reversed, loaded for this call. */
    protected final LoadedGraph loadReversed(GraphRun run) {
        return run.loadReversed(work(run), searches(run.vertexCount()));
    }

    /** The workload of this call on the run's graph. */
    protected final Workload work(GraphRun run) {
        return work(run.vertexCount(), run.entry().projection().vertexCount());
    }

    /** The measures for those columns of {@link DistanceFigures} that the call computes; none but in the mode stats. */
    protected final Set<DistanceMeasure> measuresOfFigures() {
        Set<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
        if (mode == Mode.STATS && (computes("diameter") || computes("radius"))) {
            measures.add(DistanceMeasure.ECCENTRICITY);
        }
        if (mode == Mode.STATS && computes("hopDistribution")) {
            measures.add(DistanceMeasure.HOPS);
        }
        return measures;
    }

    /** Heap of the hop distribution of the mode stats, for a graph of maximum depth. */
    protected final MemoryTree hopDistributionMemory(int vertexCount) {
        // a reference, and a boxed number
        return mode == Mode.STATS
                ? MemoryTree.between("hopDistribution", 0, (Integer.BYTES + 2L * Long.BYTES) * vertexCount)
                : MemoryTree.NONE;
    }

    /** Heap of the property of the mode mutate beside its values, see {@link VertexValues#propertyMemory}. */
    protected final MemoryTree propertyMemory(int count, int wholeVertexCount, int valueBytes) {
        return mode == Mode.MUTATE ? VertexValues.propertyMemory(count, wholeVertexCount, valueBytes) : MemoryTree.NONE;
    }

    /** Heap of the optional second property of the mode mutate, which has ids. */
    protected final MemoryTree secondPropertyMemory(int wholeVertexCount) {
        return mode == Mode.MUTATE && hasSecondProperty()
                ? VertexValues.longsMemory(wholeVertexCount)
                : MemoryTree.NONE;
    }

    /** Runs on a graph of the catalog and converts the result to rows; the graph is released before they are read. */
    private <S> Stream<S> call(
            String graphName,
            Map<String, Object> configuration,
            BiFunction<GraphRun, RunResult<T>, Stream<S>> conversion) {
        return caller.answer(() -> {
            Stream<S> rows = Stream.empty();
            try {
                try (GraphRun run = open(graphName, configuration)) {
                    expect(run.projection(), run.projection().types());
                    rows = conversion.apply(run, compute(run));
                    run.job().succeed();
                }
                return rows;
            } catch (RuntimeException | Error e) {
                // rows hold memory, and are watched until they are closed
                rows.close();
                throw e;
            }
        });
    }

    /** Streams the rows of a result. */
    public Stream<T> stream(String graphName, Map<String, Object> configuration) {
        return call(graphName, configuration, (run, result) -> {
            Rows.Maker<T> maker = result.rows().get();
            HeapLedger.Holding held = run.holdForRows(result.heapParts());
            return Rows.stream(caller, result.elements(), 1, maker, () -> {}, held::close);
        });
    }

    /** Returns the one row of every mode but stream. */
    public final <S extends Record> Stream<S> row(Class<S> type, String graphName, Map<String, Object> configuration) {
        return call(graphName, configuration, (run, result) -> {
            Map<String, Object> columns = new HashMap<>(result.columns().get());
            if (mode == Mode.MUTATE) {
                mutate(run, result, columns);
            } else if (mode == Mode.WRITE) {
                write(run, result, columns);
            }
            columns.put("postProcessingMillis", postProcessingMillis);
            columns.put("preProcessingMillis", run.preProcessingMillis());
            columns.put("computeMillis", computeMillis);
            columns.put("configuration", run.configuration());
            return Stream.of(Columns.row(type, columns));
        });
    }

    private void mutate(GraphRun run, RunResult<T> result, Map<String, Object> columns) {
        long start = System.nanoTime();
        List<VertexValues> values = result.values().get();
        List<NodeProperty> added = new ArrayList<>();
        long count = 0;
        for (String name : properties()) {
            VertexValues ofProperty = values.get(added.size());
            added.add(run.property(name, ofProperty));
            count += ofProperty.count();
        }
        caller.stop().check();
        GraphCatalog.addProperties(run.entry(), added);
        columns.put("nodePropertiesWritten", count);
        columns.put("mutateMillis", GraphRun.millisSince(start));
    }

    private void write(GraphRun run, RunResult<T> result, Map<String, Object> columns) {
        long start = System.nanoTime();
        List<VertexValues> values = result.values().get();
        Map<String, NodeValues> byName = new LinkedHashMap<>();
        properties().forEach(name -> byName.put(name, values.get(byName.size())));
        PropertyWriter.Summary summary =
                run.writer().write(run.idMap(), values.get(0).vertices(), byName, writeConcurrency, run.job());
        columns.putAll(Columns.of(summary));
        columns.put("nodePropertiesWritten", summary.propertiesWritten());
        columns.put("writeMillis", GraphRun.millisSince(start));
        written();
    }

    /** Reads the keys and acquires the graph. */
    protected final GraphRun open(String graphName, Map<String, Object> configuration) {
        read(RunConfig.reader(caller, graphName, configuration));
        List<Task> expected = new ArrayList<>(tasks());
        if (mode == Mode.WRITE) {
            expected.add(PropertyWriter.TASK);
        }
        GraphRun run = GraphRun.open(caller, graphName, config, effective, task(), expected);
        try {
            if (mode == Mode.WRITE) {
                run.entry().requireCommitted();
                Map<String, WrittenValues> written = new LinkedHashMap<>();
                properties().forEach(name -> written.put(name, writtenValues()));
                run.writer().requireWritable(run.idMap(), resultVertices(run), written);
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
        return caller.answer(() -> Stream.of(new AlgorithmEstimate(this).of(graph, configuration)));
    }

    /** Reads all keys of a call. */
    final void read(ConfigReader reader) {
        readAllKeys(reader);
        effective = reader.finish();
    }

    /** Reads the keys of this algorithm and mode, and the common keys. Faults are added to the reader. */
    public final void readAllKeys(ConfigReader reader) {
        readKeys(reader);
        if (mode == Mode.MUTATE) {
            property = reader.readPropertyName(MUTATE_PROPERTY);
        } else if (mode == Mode.WRITE) {
            property = reader.readPropertyName(WRITE_PROPERTY);
            writeConcurrency = Concurrency.readForWriting(caller, reader);
        }
        config = RunConfig.read(caller, reader, operation());
    }
}
