// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.RecordingProgress.Begun;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs of every operation, for tests that do the same with each. */
public final class Runs {

    /** The operations that a device may have kernels for. */
    public static final List<Operation> OF_DEVICES = Stream.of(Operation.values())
            .filter(operation -> operation != Operation.WEIGHTED_SEARCHES)
            .toList();

    private static final Set<DistanceMeasure> ALL_MEASURES = EnumSet.allOf(DistanceMeasure.class);

    private Runs() {}

    /** Up to so many vertices, at equal distances of their numbers. */
    public static int[] sources(Csc csc, int count) {
        return IntStream.range(0, count)
                .map(i -> (int) ((long) i * csc.vertexCount() / count))
                .distinct()
                .filter(source -> source < csc.vertexCount())
                .toArray();
    }

    /**
     * Every operation of {@link #OF_DEVICES} from so many sources, with each of these measures where it sums distances;
     * betweenness from all vertices.
     */
    public static Stream<Workload> workloads(int vertices, int sources, List<Set<DistanceMeasure>> measures) {
        return OF_DEVICES.stream().flatMap(operation -> switch (operation) {
            case FARNESS -> measures.stream().map(Workload::farness);
            case FARNESS_OF_SOURCES -> measures.stream().map(chosen -> Workload.farness(sources, chosen));
            case BETWEENNESS -> Stream.of(new Workload(operation, vertices, LoadedGraph.NO_MAX_DEPTH));
            default -> Stream.of(new Workload(operation, sources, LoadedGraph.NO_MAX_DEPTH));
        });
    }

    /** Prepares a graph for a run in one part, and reserves nothing. */
    public static void prepare(LoadedGraph graph, Workload work, RunContext control) {
        graph.reserve(work, work.searches(graph.vertexCount()), control).close();
    }

    /** Prepares a graph for one search. */
    public static void prepare(LoadedGraph graph, RunContext control) {
        prepare(graph, new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH), control);
    }

    /** Does a workload over a graph that was loaded from the CSC, and returns what it finds. Weights are 1. */
    public static Object run(Workload work, Csc csc, LoadedGraph graph, RunContext control) {
        int[] sources = sources(csc, work.sources());
        int maxDepth = work.maxDepth();
        return switch (work.operation()) {
            case BFS -> graph.bfs(sources[0], maxDepth, sources(csc, work.targets()), control);
            case NEAREST_SOURCE -> graph.nearestSource(sources, maxDepth, control);
            case MULTI_SOURCE_BFS -> {
                graph.multiSourceBfs(sources, maxDepth, batch -> {}, control);
                yield graph;
            }
            case FARNESS -> graph.farness(work.measures(), control);
            case FARNESS_OF_SOURCES -> graph.farness(sources, work.measures(), control);
            case COMPONENTS -> graph.components(control);
            case BETWEENNESS -> graph.betweenness(sources.length == csc.vertexCount() ? null : sources, control);
            case SHORTEST_PATHS ->
                graph.shortestPaths(sources[0], WeightedCsc.ofOnes(csc), LoadedGraph.ANY_DELTA, true, control);
            case COST_SUMS -> graph.costSums(sources, WeightedCsc.ofOnes(csc), true, control);
            case WEIGHTED_SEARCHES -> {
                graph.weightedSearches(
                        sources,
                        WeightedCsc.ofOnes(csc),
                        ShortestPaths.UNREACHED,
                        (worker, index, found, stop) -> {},
                        control);
                yield graph;
            }
        };
    }

    /**
     * Does an operation without a limit on the depth, with all measures, and checks that it finds what a textbook
     * finds. BFS and shortest paths run once for each source.
     */
    public static void check(Operation operation, Csc csc, LoadedGraph graph, int[] sources, RunContext control) {
        switch (operation) {
            case BFS -> {
                for (int source : sources) {
                    RunContext each = source == sources[0] ? control : control.again();
                    TextbookChecks.checkLevels(csc, graph, source, LoadedGraph.NO_MAX_DEPTH, each);
                }
            }
            case NEAREST_SOURCE -> TextbookChecks.checkNearest(csc, graph, sources, LoadedGraph.NO_MAX_DEPTH, control);
            case MULTI_SOURCE_BFS ->
                TextbookChecks.checkDistances(csc, graph, sources, LoadedGraph.NO_MAX_DEPTH, control);
            case FARNESS -> new TextbookFarness(csc).check(graph.farness(ALL_MEASURES, control), ALL_MEASURES);
            case FARNESS_OF_SOURCES ->
                new TextbookFarness(csc, sources).check(graph.farness(sources, ALL_MEASURES, control), ALL_MEASURES);
            case COMPONENTS -> TextbookChecks.checkComponents(csc, graph, control);
            case BETWEENNESS -> TextbookChecks.checkBetweenness(csc, graph, sources, control);
            case SHORTEST_PATHS -> {
                for (int source : sources) {
                    TextbookChecks.checkShortestPaths(csc, graph, source, control);
                }
            }
            case COST_SUMS -> TextbookChecks.checkCostSums(WeightedCsc.ofOnes(csc), graph, sources, true, control);
            case WEIGHTED_SEARCHES -> {
                WeightedCsc ones = WeightedCsc.ofOnes(csc);
                graph.weightedSearches(
                        sources,
                        ones,
                        ShortestPaths.UNREACHED,
                        (worker, index, found, stop) ->
                                assertThat(found.costs()).isEqualTo(TextbookDijkstra.costs(ones, sources[index])),
                        control);
            }
        }
    }

    /**
     * Fails unless the last tasks of a run are those that are expected of it, and each has advanced by its volume.
     *
     * @param volume of the run's own tasks; null if it differs
     */
    public static void checkProgress(Operation run, Long volume, Consumer<RunContext> call) {
        RecordingProgress progress = new RecordingProgress();
        call.accept(new RunContext(2, Stop.NEVER, progress));
        List<Task> expected = run.tasks();
        List<Task> own = progress.tasks().stream()
                .map(Begun::task)
                .filter(task -> expected.stream().anyMatch(task::isSameKind))
                .toList();
        assertThat(own.get(own.size() - 1)).isEqualTo(expected.get(expected.size() - 1));
        for (Begun begun : progress.tasks()) {
            // where nobody knows the volume it is 0
            if (begun.volume() > 0) {
                assertThat(begun.done()).as("progress of %s", begun.task()).hasValue(begun.volume());
            }
            if (volume != null && expected.contains(begun.task())) {
                assertThat(begun.volume()).as("volume of %s", begun.task()).isEqualTo(volume);
            }
        }
        List<Task> always = expected.stream()
                .filter(task -> !task.isSameKind(BackendTask.ORDER_VERTICES))
                .toList();
        assertThat(own).containsSequence(always);
    }
}
