// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.result.NextHops;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.GraphRun;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** The searches for the paths of pairs, source by source. Used by one thread at a time. */
final class PathSearches {

    private final GraphRun run;
    private final PathEnds ends;
    private final Way way;
    private final int[] from;
    private final int[] to;
    private final LoadedGraph graph;
    private final Csc reversed;

    /** Null without weights. */
    private final WeightedCsc weights;

    /** For each target the search from it; null if the search is from the sources. */
    private NextHops[] nextHops;

    /** For each target the paths to it, followed from the sources; null before they are counted. */
    private ShortestPathDag[] counted;

    private final PacedStop paced;

    // held[i] are the levels of the search from from[firstHeld + i]
    private int[][] held = new int[0][];
    private int firstHeld;

    private int source = -1;

    /** The search from the source; null if the search is from the targets. */
    private ShortestPathDag found;

    /**
     * How the pairs are searched.
     *
     * @param fromTargets whether each target is searched from, against the relationships, instead of each source
     * @param bothEnds whether the one pair is searched from both ends
     * @param together the number of sources that are searched from together
     * @param held the number of arrays of levels or next vertices that are held
     */
    record Way(boolean fromTargets, boolean bothEnds, int together, int held) {

        /** Maximum number of their elements, 32 MiB of them; one search may have more. */
        private static final int HELD_ELEMENTS = 1 << 23;

        private static final int MOST_TOGETHER = 64;

        /**
         * One pair is searched from both ends. Many without weights are searched from the side with fewer nodes: from
         * that of the targets only if all of its searches can be held.
         */
        static Way of(PathEnds ends, int vertexCount) {
            int sources = ends.sources().count();
            int targets = ends.targets().count();
            int most = Math.max(1, HELD_ELEMENTS / Math.max(1, vertexCount));
            if (ends.weighted() || sources == 1) {
                return new Way(false, sources == 1 && targets == 1, 1, 0);
            }
            int together = Math.min(sources, Math.min(most, MOST_TOGETHER));
            return targets < sources && targets <= Math.max(1, most / 2)
                    ? new Way(true, false, 1, 2 * targets)
                    : new Way(false, false, together, together);
        }

        MemoryTree memory(int vertexCount, int threads, boolean counts) {
            long array = (long) vertexCount * Integer.BYTES;
            MemoryTree arrays = MemoryTree.exactly("levels", array * held);
            return fromTargets
                    ? MemoryTree.together(
                            "next nodes",
                            arrays,
                            MemoryTree.exactly("queues", array * Math.min(held, threads)),
                            MemoryTree.exactly("marks", (vertexCount / Byte.SIZE + 1L) * Math.min(held, threads)),
                            counts ? ShortestPathDag.countingMemory(vertexCount).times(held / 2) : MemoryTree.NONE,
                            MemoryTree.between("nodes on shortest paths", 0, vertexCount * 120L))
                    // a device returns narrower levels; nodes on shortest paths are in lists that are doubled by
                    // copying
                    : MemoryTree.together(
                            "levels",
                            arrays,
                            MemoryTree.between("nodes on shortest paths", 0, bothEnds ? 4 * array : array));
        }
    }

    /**
     * The paths of a pair.
     *
     * @param paths returns one path after the other, from the source to the target; null after the last
     * @param count the number of paths
     */
    record Pair(double cost, Supplier<int[]> paths, DoubleSupplier count) {}

    PathSearches(GraphRun run, CallPlan plan, PathEnds ends, Way way, int[] from, int[] to) {
        this.run = run;
        this.ends = ends;
        this.way = way;
        this.from = from;
        this.to = to;
        this.graph = run.load(plan);
        this.reversed = run.reversed();
        this.paced = new PacedStop(run.caller().stop());
        this.weights = ends.weighted() ? run.lengths(ends.weightProperty()) : null;
        run.job().beginTask(plan.work().operation().tasks().get(0), from.length);
    }

    /**
     * Searches for the paths of a pair.
     *
     * @param sourceIndex index of the source, which must not descend from call to call
     * @param targetIndex index of the target
     * @param first whether only the first path is needed, and the number of paths
     * @return null if there is no path
     */
    Pair pair(int sourceIndex, int targetIndex, boolean first) {
        if (sourceIndex != source) {
            source = sourceIndex;
            // freed before the next search
            found = null;
            search();
            run.job().advance(1);
        }
        paced.worked(1);
        int target = to[targetIndex];
        if (nextHops != null) {
            Stop stop = run.caller().stop();
            NextHops hops = nextHops[targetIndex];
            int vertex = from[source];
            if (!hops.reachFrom(vertex)) {
                return null;
            }
            if (first) {
                return new Pair(hops.hops()[vertex], () -> hops.path(vertex, stop), () -> counted(targetIndex)
                        .count(vertex));
            }
            found = null;
            found = hops.paths(vertex, run.csc(), reversed, stop);
        }
        ShortestPathDag dag = found;
        return dag.reaches(target)
                ? new Pair(dag.cost(target), dag.paths(target)::next, () -> dag.count(target))
                : null;
    }

    /** Counts the paths to a target from any source. */
    private ShortestPathDag counted(int targetIndex) {
        if (counted == null) {
            counted = new ShortestPathDag[to.length];
        }
        if (counted[targetIndex] == null) {
            NextHops hops = nextHops[targetIndex];
            counted[targetIndex] = ShortestPathDag.ofLevels(
                    run.csc(),
                    vertex -> hops.reachFrom(vertex) ? hops.hops()[vertex] : LoadedGraph.UNREACHED,
                    run.caller().stop());
        }
        return counted[targetIndex];
    }

    /** The cost of a path of the last pair up to one of its places. */
    double cost(int[] path, int place) {
        return weights == null ? place : found.cost(path[place]);
    }

    private void search() {
        Stop stop = run.caller().stop();
        if (weights != null) {
            SearchEnd end = new SearchEnd(to, ends.maxCost());
            found = ends.search(run, graph, weights, new int[] {from[source]}, end, reversed, run.quietControl());
        } else if (!way.fromTargets) {
            found = ShortestPathDag.ofLevels(reversed, levels(), stop);
        } else if (nextHops == null) {
            nextHops = new NextHops[to.length];
            Workers.forRanges(run.control().concurrency(), to.length, 1, stop, (worker, begin, end) -> {
                for (int target = (int) begin; target < end; target++) {
                    nextHops[target] = NextHops.to(to[target], reversed, from, ends.maxDepth(), stop);
                }
            });
        }
    }

    private IntUnaryOperator levels() {
        RunContext control = run.quietControl();
        if (from.length == 1) {
            return graph.levelsTo(from, way.bothEnds ? to : new int[0], ends.maxDepth(), control);
        }
        if (source == firstHeld + held.length) {
            int[] next = Arrays.copyOfRange(from, source, Math.min(source + way.together, from.length));
            // freed before the next levels are found
            held = new int[0][];
            held = graph.distances(next, null, ends.maxDepth(), control);
            firstHeld = source;
        }
        int[] levels = held[source - firstHeld];
        return vertex -> levels[vertex];
    }
}
