// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Algorithm.Passes;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.csc.Csc;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/** The estimate of one call of an algorithm: on a graph of the catalog, or on a graph that is only described. */
final class AlgorithmEstimate {

    private final Algorithm<?> algorithm;
    private final Caller caller;

    AlgorithmEstimate(Algorithm<?> algorithm) {
        this.algorithm = algorithm;
        this.caller = algorithm.caller();
    }

    /**
     * Estimates the memory.
     *
     * @param graph the name of a graph, or a map that describes a hypothetical one
     */
    EstimateRow of(Object graph, Map<String, Object> configuration) {
        if (graph instanceof Map<?, ?> map) {
            return ofDescribed(map, configuration);
        }
        if (graph instanceof String graphName) {
            return ofNamed(graphName, configuration);
        }
        throw ProximaException.invalidArgument("The value of `graphNameOrConfiguration` must be of type `STRING` or"
                + " `MAP` but was `" + CypherTypes.nameOf(graph) + "`.");
    }

    private EstimateRow ofNamed(String graphName, Map<String, Object> configuration) {
        algorithm.read(RunConfig.reader(caller, graphName, configuration));
        RunConfig config = algorithm.config();
        try (GraphEntry entry = config.job().acquire(caller, graphName)) {
            GraphProjection whole = entry.projection();
            Selected selected = Selected.of(whole, config);
            boolean all = Set.copyOf(selected.labels()).equals(whole.labels())
                    && Set.copyOf(selected.types()).equals(whole.types());
            TraversalBackend backend = config.selectBackend(caller.backends()).backend();
            algorithm.expect(whole, selected.types());
            return estimate(
                    whole.part(selected.labels(), selected.types(), caller.stop())
                            .plan(caller.stop()),
                    whole.vertexCount(),
                    backend,
                    all && entry.searchedOn(backend.info().name()));
        }
    }

    private EstimateRow ofDescribed(Map<?, ?> description, Map<String, Object> configuration) {
        ConfigReader reader = caller.read("graphNameOrConfiguration", description);
        DescribedGraph graph = DescribedGraph.read(caller, reader);
        reader.finish();
        algorithm.read(caller.read("configuration", configuration));
        ProjectionSize size = graph.size(caller);
        GraphPlan plan = size.plan(graph.threads());
        algorithm.expect(graph, size, plan);
        TraversalBackend backend =
                algorithm.config().selectBackend(caller.backends()).backend();
        return estimate(plan, plan.vertexCount(), backend, false);
    }

    private EstimateRow estimate(GraphPlan plan, int wholeVertexCount, TraversalBackend backend, boolean searched) {
        RunConfig config = algorithm.config();
        Workload work = algorithm.work(plan.vertexCount(), wholeVertexCount).with(config.options());
        MemoryEstimate estimate;
        MemoryTree run;
        if (plan.graph() != null) {
            Csc graph = plan.graph();
            Supplier<MemoryEstimate> along = () -> backend.estimate(graph, searched, work, config.threads());
            estimate = inPasses(backend, GraphShape.of(graph), work, along);
            run = estimate.heap().named(algorithm.task());
        } else {
            MemoryEstimate least = inPasses(backend, shape(plan, plan.leastEntries()), work, null);
            estimate =
                    combined(inPasses(backend, shape(plan, plan.mostEntries()), work, null), least, MemoryTree::downTo);
            MemoryTree computation = estimate.heap().named("computation");
            run = MemoryTree.oneByOne(
                    algorithm.task(), plan.making(), MemoryTree.together("run on the graph", plan.made(), computation));
        }
        return EstimateRow.of(
                plan.vertexCount(),
                plan.relationshipCount(),
                run,
                estimate.device(),
                estimate.mapped(),
                estimate.fitsDevice());
    }

    /**
     * Estimates a run on the graphs that the call searches.
     *
     * @param known estimates the run on the graph itself; null to do so by its shape
     */
    private MemoryEstimate inPasses(
            TraversalBackend backend, GraphShape shape, Workload work, Supplier<MemoryEstimate> known) {
        int threads = algorithm.config().threads();
        Supplier<MemoryEstimate> along = known != null ? known : () -> backend.estimate(shape, work, threads);
        Passes passes = algorithm.passes(shape.vertexCount());
        if (passes == Passes.ALONG || shape.symmetric()) {
            return along.get();
        }
        MemoryEstimate reversed = ofReversed(backend, shape, work, threads);
        return passes == Passes.REVERSED
                ? reversed
                : combined(along.get(), reversed, (one, other) -> MemoryTree.oneByOne("both directions", other, one));
    }

    private static MemoryEstimate combined(
            MemoryEstimate one, MemoryEstimate other, BinaryOperator<MemoryTree> operator) {
        return new MemoryEstimate(
                operator.apply(one.heap(), other.heap()),
                operator.apply(one.device(), other.device()),
                one.availableDeviceBytes(),
                operator.apply(one.mapped(), other.mapped()),
                one.availableMappedBytes());
    }

    private static GraphShape shape(GraphPlan plan, long entries) {
        return new GraphShape(plan.vertexCount(), entries, plan.symmetric());
    }

    /**
     * Estimates a run on the reversed graph, including building that graph.
     *
     * @param shape size of the graph, which is not symmetric
     */
    static MemoryEstimate ofReversed(TraversalBackend backend, GraphShape shape, Workload work, int threads) {
        GraphShape reversed = new GraphShape(shape.vertexCount(), shape.entryCount(), false, true, false);
        MemoryEstimate run = backend.estimate(reversed, work, threads);
        return run.withHeap(shape.afterTransposing(run.heap(), threads));
    }
}
