// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/**
 * A graph that a backend can traverse. Thread-safe: several runs may execute at the same time. Closing does not wait
 * for runs. The caller ensures, by counting references, that no run executes on a closed graph.
 */
public interface LoadedGraph extends AutoCloseable {

    /** The distance of an unreached vertex. */
    int UNREACHED = -1;

    /** No limit on the depth. */
    int NO_MAX_DEPTH = -1;

    /** Lets the backend choose a delta. */
    double ANY_DELTA = 0;

    /**
     * Sources whose distances {@link #greatestDistances} has on the heap at once: with bytes, they take no more heap
     * than the sums of all vertices.
     */
    int SOURCES_AT_ONCE = 16;

    /** Number of vertices. */
    int vertexCount();

    /**
     * Refuses vertices that the graph does not have.
     *
     * @param name the name of the argument, for the message
     * @param vertices the vertices to check
     * @throws IllegalArgumentException if the graph does not have one of them
     */
    default void checkVertices(String name, int... vertices) {
        for (int vertex : vertices) {
            if (vertex < 0 || vertex >= vertexCount()) {
                throw new IllegalArgumentException(
                        name + " must be vertices from 0 to " + (vertexCount() - 1) + ": vertex=" + vertex);
            }
        }
    }

    /**
     * Prepares the graph for the runs of a call, for example by copying it to a device, and reserves the device memory
     * that they take. A run does so itself if necessary; calling this first keeps it out of the run's time, and keeps
     * other calls from taking the memory before the run begins. Weights are not prepared, because only their run knows
     * them.
     *
     * @param work the next run, or one of its parts, and the other runs of the call
     * @param searches total number of sources of all parts
     * @param control concurrency, stop, progress and options of the work
     * @return the graph for these runs. Closing it ends the reservation, and leaves this graph open; later and other
     *     runs on it reserve for themselves
     * @throws DeviceMemoryException if a device is asked for and the run does not fit it
     */
    default LoadedGraph reserve(Workload work, long searches, RunContext control) {
        return reserveWith(List.of(), work, searches, control).get(0);
    }

    /**
     * As {@link #reserve}, for the same runs on this graph and on others of the same backend: memory for all is
     * reserved before anything is copied, or for none.
     *
     * @return this graph and the others for these runs
     * @throws DeviceMemoryException if a device is asked for and they do not fit it at once
     */
    default List<LoadedGraph> reserveWith(List<LoadedGraph> others, Workload work, long searches, RunContext control) {
        return Stream.concat(Stream.of(this), others.stream())
                .<LoadedGraph>map(BorrowedGraph::new)
                .toList();
    }

    /** BFS from one source. */
    default Levels bfs(int source, int maxDepth, int[] stopTargets, RunContext control) {
        return bfs(new int[] {source}, maxDepth, stopTargets, control);
    }

    /**
     * BFS: the number of hops to every vertex along the edges, from the nearest source.
     *
     * @param sources vertices, at least one, without repeats
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param stopTargets vertices; the search ends with the first level that contains one of them. Empty for no such
     *     end
     * @param control concurrency, stop, progress and options of the run
     */
    Levels bfs(int[] sources, int maxDepth, int[] stopTargets, RunContext control);

    /**
     * The levels of a search from some vertices to others, as far as the shortest paths between the two sets need them.
     *
     * @param sources vertices, without repeats
     * @param targets vertices, without repeats; none for the levels of all vertices
     * @param maxDepth the greatest length of a path, {@link #NO_MAX_DEPTH} for any
     * @param control concurrency, stop, progress and options of the run
     * @return by vertex: hops from the nearest source for each vertex on a shortest path between the two sets; no
     *     smaller than them or negative for any other. Negative for each target if no path leads to one
     */
    default IntUnaryOperator levelsTo(int[] sources, int[] targets, int maxDepth, RunContext control) {
        int[] levels = bfs(sources, maxDepth, targets, control).levels();
        return vertex -> levels[vertex];
    }

    /**
     * Multi-source BFS: searches from many sources at the same time, each with its own distances.
     *
     * @param sources vertices, without repeats
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param sink receives batch after batch, in the order of the sources, on the calling thread
     * @param control concurrency, stop, progress and options of the run
     */
    void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunContext control);

    /**
     * The distances of a multi-source BFS as a matrix.
     *
     * @param sources vertices, without repeats
     * @param targets vertices; null for all
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param control concurrency, stop, progress and options of the run
     * @return {@code int[sources][targets]}: hops, {@link #UNREACHED} for none; host
     */
    default int[][] distances(int[] sources, int[] targets, int maxDepth, RunContext control) {
        int columns = targets == null ? vertexCount() : targets.length;
        int[][] found = new int[sources.length][columns];
        DistanceSink sink = batch ->
                Workers.forRanges(control.concurrency(), columns, 1 << 12, control.stop(), (worker, begin, end) -> {
                    for (int i = 0; i < batch.sourceCount(); i++) {
                        int[] ofSource = found[batch.firstSource() + i];
                        for (int column = (int) begin; column < end; column++) {
                            ofSource[column] = batch.distance(i, targets == null ? column : targets[column]);
                        }
                    }
                });
        multiSourceBfs(sources, maxDepth, sink, control);
        return found;
    }

    /**
     * The greatest distances from some vertices.
     *
     * @param sources vertices, without repeats
     * @param control concurrency, stop, progress and options of the run
     * @return {@code int[vertexCount]}: for each vertex, the most hops along the edges from one of the sources that
     *     reach it; 0 if none does. Host, vertex id space
     */
    default int[] greatestDistances(int[] sources, RunContext control) {
        int[] greatest = new int[vertexCount()];
        DistanceSink sink = batch -> Workers.forRanges(
                control.concurrency(), vertexCount(), 1 << 12, control.stop(), (worker, begin, end) -> {
                    for (int vertex = (int) begin; vertex < end; vertex++) {
                        for (int i = 0; i < batch.sourceCount(); i++) {
                            greatest[vertex] = Math.max(greatest[vertex], batch.distance(i, vertex));
                        }
                    }
                });
        // the distances from a few sources at a time, so that they take little heap
        for (int first = 0; first < sources.length; first += SOURCES_AT_ONCE) {
            int end = Math.min(sources.length, first + SOURCES_AT_ONCE);
            multiSourceBfs(Arrays.copyOfRange(sources, first, end), NO_MAX_DEPTH, sink, control);
        }
        return greatest;
    }

    /**
     * The eccentricities against the edges of some vertices.
     *
     * @param sources vertices, without repeats
     * @param control concurrency, stop, progress and options of the run
     * @return entry i belongs to {@code sources[i]}: the most hops from a vertex that reaches it
     */
    default int[] eccentricities(int[] sources, RunContext control) {
        return farness(sources, Set.of(DistanceMeasure.ECCENTRICITY), control).eccentricity();
    }

    /** The number of sources of a full batch of {@link #multiSourceBfs}. */
    int multiSourceBatchSize();

    /**
     * One BFS from all sources together: the nearest source of every vertex.
     *
     * @param sources vertices, without repeats; among equally near ones, the earliest in this array wins
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param control concurrency, stop, progress and options of the run
     */
    NearestSources nearestSource(int[] sources, int maxDepth, RunContext control);

    /**
     * The sums of exact closeness over all pairs, and optional measures in the same pass.
     *
     * @param measures the optional measures; not modified
     * @param control concurrency, stop, progress and options of the run
     */
    Farness farness(Set<DistanceMeasure> measures, RunContext control);

    /**
     * The sums of exact closeness of some vertices, and optional measures in the same pass. Each vertex takes one
     * search against the edges. The sums equal those of {@link #farness(Set, RunContext)}, the harmonic ones bit by
     * bit.
     *
     * @param sources vertices, without repeats
     * @param measures the optional measures; not modified
     * @param control concurrency, stop, progress and options of the run
     * @return entry i of each array belongs to {@code sources[i]}. The hops count the pairs of a source and a vertex
     *     that reaches it
     */
    Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control);

    /**
     * The weakly connected components: the direction of the edges is ignored.
     *
     * @param control concurrency, stop, progress and options of the run
     * @return {@code int[vertexCount]}: the lowest vertex of each vertex's component; host, vertex id space
     */
    int[] components(RunContext control);

    /**
     * Betweenness: for each vertex v, the sum over all pairs of a source s and a target t, different from each other
     * and from v, of the share of the shortest paths from s to t that lead through v. Every vertex is a target. The
     * pairs are ordered: in an undirected graph, all sources count each path twice.
     *
     * @param sources vertices, without repeats; null for all
     * @param control concurrency, stop, progress and options of the run
     * @return {@code double[vertexCount]}; host, vertex id space. Equal for every concurrency.
     */
    double[] betweenness(int[] sources, RunContext control);

    /**
     * The shortest paths from the nearest of some sources, where the cost of a path is the sum of its weights: the
     * floating-point sum from the source on. The predecessor of a vertex is the lowest vertex before it on a shortest
     * path; over edges that do not change the cost, the lowest that is the fewest such edges away from a lower cost.
     *
     * @param sources vertices, ascending and without repeats; one on a device
     * @param weights the edges with their weights, over the same vertices; finite and not negative
     * @param end when the search may end
     * @param delta the width of the buckets of delta-stepping, above 0; {@link #ANY_DELTA} to derive it from the
     *     weights. It affects only speed
     * @param withPredecessors whether to find predecessors
     * @param control concurrency, stop, progress and options of the run
     * @throws CostOverflowException if a cost exceeds the greatest double
     */
    ShortestPaths shortestPaths(
            int[] sources,
            WeightedCsc weights,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control);

    /**
     * The costs of a search over weights from one vertex to another, as far as the shortest paths between the two need
     * them.
     *
     * @param source vertex
     * @param target vertex
     * @param weights the edges with their weights, over the same vertices; finite and not negative
     * @param maxCost the greatest cost of a path (inclusive), infinite for any; at least 0
     * @param control concurrency, stop, progress and options of the run
     * @return by vertex: the cost as that of {@link #shortestPaths} for each vertex on a shortest path between the two;
     *     that or {@link ShortestPaths#UNREACHED} for any other, and for the target if no path leads to it. Vertex id
     *     space
     * @throws CostOverflowException if there is no path to the target, and a cost exceeds the greatest double
     */
    default IntToDoubleFunction costsTo(
            int source, int target, WeightedCsc weights, double maxCost, RunContext control) {
        SearchEnd end = new SearchEnd(new int[] {target}, maxCost);
        double[] costs = shortestPaths(new int[] {source}, weights, end, ANY_DELTA, false, control)
                .costs();
        return vertex -> costs[vertex];
    }

    /** The shortest paths from one source to every vertex. */
    default ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunContext control) {
        return shortestPaths(new int[] {source}, weights, SearchEnd.NEVER, delta, withPredecessors, control);
    }

    /**
     * Searches over weights from many sources, each with its own costs: the floating-point sums from the source on.
     *
     * @param sources vertices
     * @param weights the edges with their weights, over the same vertices; finite and not negative
     * @param maxCost the greatest cost of a path (inclusive), infinite for any; at least 0. A vertex of a higher cost
     *     is unreached
     * @param sink receives the costs of each source
     * @param control concurrency, stop, progress and options of the run
     * @throws UnsupportedOperationException on a device
     * @throws CostOverflowException if there is no {@code maxCost} and a cost exceeds the greatest double
     */
    default void weightedSearches(
            int[] sources, WeightedCsc weights, double maxCost, CostSink sink, RunContext control) {
        throw new UnsupportedOperationException(
                "Weighted searches from many sources have no kernels on a device. Use backend: 'auto' or 'cpu'.");
    }

    /**
     * The sums over the costs of searches over weights from many sources, as {@link #weightedSearches} finds them. They
     * are equal on every backend.
     *
     * @param sources vertices
     * @param weights the edges with their weights, over the same vertices; finite and not negative
     * @param reciprocals whether to sum the reciprocal costs too; weights must be so great then that they have finite
     *     reciprocals
     * @param control concurrency, stop, progress and options of the run
     * @return entry i of each array belongs to {@code sources[i]}
     * @throws KernelLimitException on a device, if costs may exceed the greatest double or the graph is too large
     * @throws CostOverflowException on the CPU, if a cost exceeds the greatest double
     */
    default CostSums costSums(int[] sources, WeightedCsc weights, boolean reciprocals, RunContext control) {
        CostSums sums = new CostSums(sources.length, reciprocals);
        weightedSearches(sources, weights, ShortestPaths.UNREACHED, sums, control);
        return sums;
    }

    /** The devices on which the graph is resident; none if it is on the heap only. */
    default List<Residence> residences() {
        return List.of();
    }

    /**
     * The graph on one device.
     *
     * @param device the name of the device's backend
     * @param bytes the device memory that the graph takes
     * @param mappedBytes the page-locked host memory that the graph takes: lists of neighbours that do not fit the
     *     device, which reads them over the bus
     * @param order the value of the configuration key {@code order} for the current order; empty if there is none
     */
    record Residence(String device, long bytes, long mappedBytes, String order) {}

    @Override
    void close();
}
