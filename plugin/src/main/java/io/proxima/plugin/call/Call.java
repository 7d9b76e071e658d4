// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.GraphShape;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.TraversalBackend;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.PropertyValues;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One call of an algorithm in one of its modes: reads the keys, opens the run, and makes of its result what the mode
 * asks for; or estimates the memory of that.
 *
 * @param <T> the row of the mode stream
 */
public final class Call<T> {

    /** The use of the result. */
    public enum Mode {
        STREAM,
        STATS,
        MUTATE,
        WRITE
    }

    private final Caller caller;
    private final Mode mode;
    private final Function<CallKeys, Algorithm<T>> reading;

    /**
     * Creates a call.
     *
     * @param reading reads the keys of the algorithm
     */
    public Call(Caller caller, Mode mode, Function<CallKeys, Algorithm<T>> reading) {
        this.caller = caller;
        this.mode = mode;
        this.reading = reading;
    }

    /**
     * What the configuration says.
     *
     * @param property the name of the property that the mode sets; empty if it sets none
     * @param writeConcurrency number of transactions that write concurrently; 0 if the mode writes nothing
     */
    record Given<T>(Algorithm<T> algorithm, String property, int writeConcurrency, RunConfig config) {

        List<String> properties() {
            String second = algorithm.secondProperty();
            return second.isEmpty() ? List.of(property) : List.of(property, second);
        }

        /** What is known of the values of each property. */
        Map<String, WrittenValues> written() {
            Map<String, WrittenValues> written = new LinkedHashMap<>();
            properties()
                    .forEach(name -> written.put(
                            name, name.equals(property) ? algorithm.traits().values() : WrittenValues.SHARED_INTEGERS));
            return written;
        }
    }

    /** A run that has found its result. */
    private record Computed<T>(Given<T> given, GraphRun run, RunResult<T> result, long computeMillis) {}

    /** Streams the rows of a result. The graph is released before they are read, unless they search. */
    public Stream<T> stream(String graphName, Map<String, Object> configuration) {
        return call(graphName, configuration, this::rows);
    }

    /** Returns the one row of every mode but stream. */
    public <S extends Record> Stream<S> row(Class<S> type, String graphName, Map<String, Object> configuration) {
        return call(graphName, configuration, computed -> Stream.of(NamedColumns.row(type, columns(computed))));
    }

    /**
     * Estimates the memory of the call.
     *
     * @param graph the name of a graph, or a map that describes a hypothetical one
     */
    public Stream<EstimateRow> estimate(Object graph, Map<String, Object> configuration) {
        return caller.answer(() -> {
            if (graph instanceof Map<?, ?> map) {
                return Stream.of(estimateOfDescribed(map, configuration));
            }
            if (graph instanceof String graphName) {
                return Stream.of(estimateOfNamed(graphName, configuration));
            }
            throw ProximaException.invalidArgument("The value of `graphNameOrConfiguration` must be of type `STRING` or"
                    + " `MAP` but was " + Shown.value(graph) + ".");
        });
    }

    /** Reads the keys of the algorithm and of the mode, and the common keys. Faults are added to the reader. */
    public void readKeys(ConfigReader reader) {
        read(reader, false);
    }

    private Given<T> read(ConfigReader reader, boolean estimated) {
        CallKeys keys = new CallKeys(caller, mode, estimated, reader);
        Algorithm<T> algorithm = reading.apply(keys);
        String property = keys.readProperty();
        int writeConcurrency = mode == Mode.WRITE ? Concurrency.readForWriting(caller, reader) : 0;
        RunConfig config = RunConfig.read(caller, reader, algorithm.traits().operation());
        return new Given<>(
                algorithm, property, writeConcurrency, algorithm.onCpuOnly() ? config.onCpu(reader) : config);
    }

    private <S> Stream<S> call(
            String graphName, Map<String, Object> configuration, Function<Computed<T>, Stream<S>> conversion) {
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            Given<T> given = read(reader, false);
            GraphRun run = open(graphName, given, reader.finish());
            Stream<S> rows = Stream.empty();
            try {
                GraphProjection graph = run.projection();
                CallPlan plan = plan(
                        given,
                        graph.vertexCount(),
                        run.entry().projection().vertexCount(),
                        property -> Weights.of(property, graph, graph.types()));
                RunResult<T> result = given.algorithm.run(run, plan);
                if (!result.streamed().searching()) {
                    // writing may take far longer than searching
                    run.release();
                }
                rows = conversion.apply(new Computed<>(given, run, result, run.computeMillis()));
                if (!result.streamed().searching()) {
                    run.job().succeed();
                    run.close();
                }
                return rows;
            } catch (RuntimeException | Error e) {
                // rows hold memory, and are watched until they are closed
                try (run) {
                    rows.close();
                } catch (RuntimeException | Error other) {
                    e.addSuppressed(other);
                }
                throw e;
            }
        });
    }

    /** Acquires the graph, and checks that the caller may set the properties. */
    private GraphRun open(String graphName, Given<T> given, Map<String, Object> effective) {
        Algorithm.Traits traits = given.algorithm.traits();
        List<Task> expected = new ArrayList<>(traits.tasks());
        if (mode == Mode.WRITE) {
            expected.add(PropertyWriter.TASK);
        }
        GraphRun run = GraphRun.open(caller, graphName, given.config, effective, traits.task(), expected);
        try {
            if (mode == Mode.WRITE) {
                run.entry().requireCommitted();
                run.writer().requireWritable(run.idMap(), given.algorithm.resultVertices(run), given.written());
            } else if (mode == Mode.MUTATE) {
                given.properties().forEach(run.entry()::requireNoProperty);
            }
            return run;
        } catch (RuntimeException | Error e) {
            run.close();
            throw e;
        }
    }

    private CallPlan plan(Given<T> given, int vertexCount, int wholeVertexCount, Function<String, Weights> weighing) {
        return given.algorithm.plan(new CallSize(
                mode, vertexCount, wholeVertexCount, given.config.threads(), given.writeConcurrency, weighing));
    }

    private Stream<T> rows(Computed<T> computed) {
        GraphRun run = computed.run;
        Streamed<T> streamed = computed.result.streamed();
        Rows.Maker<T> maker = streamed.maker().get();
        if (streamed.searching()) {
            return Rows.stream(caller, streamed.elements(), streamed.parts(), maker, run.job()::cancel, run::close);
        }
        HeapLedger.Holding held = run.holdForRows(streamed.heapParts());
        try {
            return Rows.stream(caller, streamed.elements(), streamed.parts(), maker, () -> {}, held::close);
        } catch (RuntimeException | Error e) {
            held.close();
            throw e;
        }
    }

    private Map<String, Object> columns(Computed<T> computed) {
        GraphRun run = computed.run;
        RunResult<T> result = computed.result;
        Map<String, Object> columns = new HashMap<>(result.statistics().get());
        long start = System.nanoTime();
        result.distributions()
                .forEach((column, distribution) ->
                        columns.put(column, caller.yields(column) ? distribution.get() : Map.of()));
        columns.put("postProcessingMillis", GraphRun.millisSince(start));
        if (mode == Mode.MUTATE) {
            mutate(computed, columns);
        } else if (mode == Mode.WRITE) {
            write(computed, columns);
        }
        columns.put("preProcessingMillis", run.preProcessingMillis());
        columns.put("computeMillis", computed.computeMillis);
        columns.put("configuration", run.configuration());
        return columns;
    }

    private void mutate(Computed<T> computed, Map<String, Object> columns) {
        long start = System.nanoTime();
        GraphRun run = computed.run;
        List<VertexValues> values = computed.result.values().get();
        List<NodeProperty> added = new ArrayList<>();
        long count = 0;
        List<String> names = computed.given.properties();
        for (int i = 0; i < names.size(); i++) {
            added.add(run.property(names.get(i), values.get(i)));
            count += values.get(i).count();
        }
        caller.stop().check();
        run.addProperties(added);
        columns.put("nodePropertiesWritten", count);
        columns.put("mutateMillis", GraphRun.millisSince(start));
    }

    private void write(Computed<T> computed, Map<String, Object> columns) {
        long start = System.nanoTime();
        GraphRun run = computed.run;
        List<VertexValues> values = computed.result.values().get();
        Map<String, PropertyValues> byName = new LinkedHashMap<>();
        List<String> names = computed.given.properties();
        for (int i = 0; i < names.size(); i++) {
            byName.put(names.get(i), values.get(i));
        }
        PropertyWriter.Summary summary = run.writer()
                .write(run.idMap(), values.get(0).visited(), byName, computed.given.writeConcurrency, run.job());
        columns.putAll(NamedColumns.of(summary));
        columns.put("nodePropertiesWritten", summary.propertiesWritten());
        columns.put("writeMillis", GraphRun.millisSince(start));
        computed.result.written().run();
    }

    private EstimateRow estimateOfNamed(String graphName, Map<String, Object> configuration) {
        ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
        Given<T> given = read(reader, true);
        reader.finish();
        RunConfig config = given.config;
        try (GraphEntry entry = config.job().acquire(caller, graphName)) {
            GraphProjection whole = entry.projection();
            Selected selected = Selected.of(whole, config);
            boolean all = Set.copyOf(selected.labels()).equals(whole.labels())
                    && Set.copyOf(selected.types()).equals(whole.types());
            TraversalBackend backend = config.selectBackend(caller.backends()).backend();
            GraphPlan graph = whole.part(selected.labels(), selected.types(), caller.stop())
                    .plan(caller.stop());
            CallPlan plan = plan(
                    given,
                    graph.vertexCount(),
                    whole.vertexCount(),
                    property -> Weights.of(property, whole, selected.types()));
            boolean searched = all && entry.searchedOn(backend.info().name());
            return estimate(given, plan, graph, backend, searched);
        }
    }

    private EstimateRow estimateOfDescribed(Map<?, ?> description, Map<String, Object> configuration) {
        ConfigReader ofGraph = caller.read("graphNameOrConfiguration", description);
        DescribedGraph described = DescribedGraph.read(caller, ofGraph);
        ofGraph.finish();
        ConfigReader reader = caller.read("configuration", configuration);
        Given<T> given = read(reader, true);
        reader.finish();
        ProjectionSize size = described.size(caller);
        GraphPlan graph = size.plan(described.threads());
        CallPlan plan = plan(
                given,
                graph.vertexCount(),
                graph.vertexCount(),
                property -> Weights.of(property, described, size, graph));
        return estimate(
                given,
                plan,
                graph,
                given.config.selectBackend(caller.backends()).backend(),
                false);
    }

    private EstimateRow estimate(
            Given<T> given, CallPlan plan, GraphPlan graph, TraversalBackend backend, boolean searched) {
        String task = given.algorithm.traits().task();
        MemoryEstimate estimate;
        MemoryTree run;
        if (graph.graph() != null) {
            estimate = plan.memory(backend, graph.graph(), searched, given.config);
            run = estimate.heap().named(task);
        } else {
            MemoryEstimate least = plan.memory(backend, shape(graph, graph.leastEntries()), given.config);
            MemoryEstimate most = plan.memory(backend, shape(graph, graph.mostEntries()), given.config);
            estimate = most.downTo(least);
            MemoryTree computation = estimate.heap().named("computation");
            run = MemoryTree.oneByOne(
                    task, graph.peak(), MemoryTree.together("run on the graph", graph.held(), computation));
        }
        return EstimateRow.of(
                graph.vertexCount(),
                graph.relationshipCount(),
                run,
                estimate.device(),
                estimate.mapped(),
                estimate.fitsDevice());
    }

    private static GraphShape shape(GraphPlan graph, long entries) {
        return new GraphShape(graph.vertexCount(), entries, graph.symmetric());
    }
}
