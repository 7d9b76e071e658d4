// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A run, and the memory that its caller keeps.
 *
 * @param operation the run
 * @param sources number of sources; 0 for {@link Operation#FARNESS} and {@link Operation#COMPONENTS}
 * @param targets number of stop targets, for {@link Operation#BFS}; 1 for {@link LoadedGraph#costsTo}
 * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
 * @param measures optional measures, for {@link Operation#FARNESS} and {@link Operation#FARNESS_OF_SOURCES}
 * @param weights maximum number of relationships with weights, parallel ones counted each, for operations that read
 *     weights; 0 if there are no more than the graph has entries
 * @param inBoth whether the caller makes the same run on the reversed graph, too, and keeps both graphs on a device
 * @param options the caller's choices
 * @param kept heap that the caller allocates during the run
 * @param afterwards heap that the caller allocates after the run, in addition to its result and {@code kept}
 * @param others further runs that the caller makes on the graph, one after another, each at most once at a time; a
 *     device has room for all of them before the first begins
 */
public record Workload(
        Operation operation,
        int sources,
        int targets,
        int maxDepth,
        Set<DistanceMeasure> measures,
        long weights,
        boolean inBoth,
        RunOptions options,
        MemoryTree kept,
        MemoryTree afterwards,
        List<Workload> others) {

    /** Copies the measures. */
    public Workload {
        measures = Set.copyOf(measures);
    }

    /** A workload whose caller keeps only the result. */
    public Workload(Operation operation, int sources, int maxDepth) {
        this(
                operation,
                sources,
                0,
                maxDepth,
                Set.of(),
                0,
                false,
                RunOptions.AUTO,
                MemoryTree.NONE,
                MemoryTree.NONE,
                List.of());
    }

    /** One search; the caller keeps only the result. */
    public static Workload bfs(int sources, int stopTargets, int maxDepth) {
        Operation operation = sources == 1 ? Operation.BFS : Operation.NEAREST_SOURCE;
        return new Workload(operation, sources, maxDepth).stoppingAt(stopTargets);
    }

    /** {@link Operation#FARNESS} with these measures; the caller keeps only the result. */
    public static Workload farness(Set<DistanceMeasure> measures) {
        return new Workload(Operation.FARNESS, 0, LoadedGraph.NO_MAX_DEPTH).measuring(measures);
    }

    /** {@link Operation#FARNESS_OF_SOURCES} with these measures; the caller keeps only the result. */
    public static Workload farness(int sources, Set<DistanceMeasure> measures) {
        return new Workload(Operation.FARNESS_OF_SOURCES, sources, LoadedGraph.NO_MAX_DEPTH).measuring(measures);
    }

    private Workload measuring(Set<DistanceMeasure> measures) {
        return new Workload(
                operation, sources, targets, maxDepth, measures, weights, inBoth, options, kept, afterwards, others);
    }

    /** A copy whose caller keeps more. */
    public Workload keeping(MemoryTree kept, MemoryTree afterwards) {
        return new Workload(
                operation, sources, targets, maxDepth, measures, weights, inBoth, options, kept, afterwards, others);
    }

    /** A copy with this number of stop targets. */
    public Workload stoppingAt(int targets) {
        return new Workload(
                operation, sources, targets, maxDepth, measures, weights, inBoth, options, kept, afterwards, others);
    }

    /** A copy over so many relationships with weights. */
    public Workload over(long weights) {
        return new Workload(
                operation, sources, targets, maxDepth, measures, weights, inBoth, options, kept, afterwards, others);
    }

    /** A copy with other options; of the other runs with those that suit them. */
    public Workload with(RunOptions chosen) {
        return new Workload(
                operation,
                sources,
                targets,
                maxDepth,
                measures,
                weights,
                inBoth,
                chosen,
                kept,
                afterwards,
                others.stream()
                        .map(other -> other.with(chosen.forRun(other.operation)))
                        .toList());
    }

    /** A copy whose caller makes the same run on the reversed graph, too. */
    public Workload inBoth(boolean inBoth) {
        return new Workload(
                operation, sources, targets, maxDepth, measures, weights, inBoth, options, kept, afterwards, others);
    }

    /** A copy whose caller makes these runs, too. */
    public Workload beside(Workload... more) {
        return new Workload(
                operation,
                sources,
                targets,
                maxDepth,
                measures,
                weights,
                inBoth,
                options,
                kept,
                afterwards,
                List.of(more));
    }

    /** A copy without the other runs that do not meet a condition. */
    public Workload besideOnly(Predicate<Workload> condition) {
        return beside(others.stream().filter(condition).toArray(Workload[]::new));
    }

    /** This run and the others. */
    public List<Workload> runs() {
        return Stream.concat(Stream.of(this), others.stream()).toList();
    }

    /**
     * Whether a run in a graph with this number of vertices takes no more than this one or one of the others: of the
     * same kind, from no more sources, and no deeper.
     */
    public boolean covers(Workload run, int vertexCount) {
        return runs().stream()
                .anyMatch(each -> each.isOfKind(run.operation)
                        && each.sources >= run.sources
                        && each.targets >= run.targets
                        && each.deepest(vertexCount) >= run.deepest(vertexCount)
                        && each.measures.containsAll(run.measures));
    }

    /** Whether this is the same operation, or both are one search. */
    private boolean isOfKind(Operation other) {
        return operation == other || (operation.isSingleSearch() && other.isSingleSearch());
    }

    /** Whether the run has nothing to search from in a graph with this number of vertices, and ends at once. */
    public boolean isNothing(int vertexCount) {
        return operation.needsSources() ? sources == 0 : vertexCount == 0;
    }

    /** The number of searches in a graph with this number of vertices. */
    public long searches(int vertexCount) {
        if (!operation.mayBeManySearches()) {
            return 1;
        }
        return operation == Operation.FARNESS ? vertexCount : sources;
    }

    /** The deepest level that the run can reach in a graph with this number of vertices. */
    public long deepest(int vertexCount) {
        long last = Math.max(0, vertexCount - 1L);
        return maxDepth == LoadedGraph.NO_MAX_DEPTH ? last : Math.min(maxDepth, last);
    }

    /**
     * Heap of the result: the arrays of {@link Levels}, {@link NearestSources}, {@link Farness} or
     * {@link ShortestPaths}, the components or the scores. Nothing if the caller keeps it.
     */
    public MemoryTree result(int vertexCount) {
        return operation.result(this, vertexCount);
    }

    /** Whether a measure is requested. */
    public boolean wants(DistanceMeasure measure) {
        return measures.contains(measure);
    }

    /**
     * Heap of the workload if the run has these steps, the last of which returns the result.
     *
     * @param steps heap of each step, without the result
     */
    public MemoryTree around(int vertexCount, MemoryTree... steps) {
        MemoryTree result = result(vertexCount);
        MemoryTree[] all = Arrays.copyOf(steps, steps.length + 1);
        int last = steps.length - 1;
        all[last] = MemoryTree.together("search and result", steps[last], result, kept);
        for (int step = 0; step < last && kept.maxBytes() > 0; step++) {
            all[step] = MemoryTree.together(steps[step].name() + " and result", steps[step], kept);
        }
        all[steps.length] = MemoryTree.together("use of the result", result, kept, afterwards);
        return MemoryTree.oneByOne("one after the other", all);
    }
}
