// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunControl;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.GraphRun;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;

/**
 * The searches from the sources of a call, in their order. One source and one target are searched from both ends. Other
 * sources over hops are searched together, as many as a limit of the heap allows. Used by one thread at a time.
 */
final class PathSearches {

    /** Maximum number of levels that are held at a time; a power of two that limits them to 32 MiB. */
    private static final int HELD_LEVELS = 1 << 23;

    private static final int MOST_TOGETHER = 64;

    private final GraphRun run;
    private final PathEnds ends;
    private final int[] from;
    private final int[] to;
    private final LoadedGraph graph;
    private final Csc reversed;

    /** Null without weights. */
    private final WeightedCsc weights;

    // held[i] are the levels of the search from from[firstHeld + i]
    private int[][] held = new int[0][];
    private int firstHeld;

    PathSearches(GraphRun run, CallPlan plan, PathEnds ends, Operation operation, int[] from, int[] to) {
        this.run = run;
        this.ends = ends;
        this.from = from;
        this.to = to;
        this.graph = run.load(plan);
        this.reversed = run.reversed();
        this.weights = ends.weighted() ? run.lengths(ends.weightProperty()) : null;
        run.job().beginTask(operation.tasks().get(0), from.length);
    }

    /** The number of sources that are searched from together. */
    static int together(int sources, int vertexCount) {
        return Math.min(sources, Math.min(MOST_TOGETHER, Math.max(1, HELD_LEVELS / Math.max(1, vertexCount))));
    }

    /** Heap of the levels that are held beside the result of a search. */
    static MemoryTree memory(Operation operation, int together, int vertexCount) {
        long levels = (long) vertexCount * Integer.BYTES;
        return switch (operation) {
            case MULTI_SOURCE_BFS -> MemoryTree.exactly("levels", together * levels);
            // a device returns narrower levels; vertices on shortest paths lie in lists that are doubled by copying
            case BFS -> MemoryTree.between("levels, and nodes on shortest paths", 0, 4 * levels);
            default -> MemoryTree.NONE;
        };
    }

    /** The shortest paths from a source; to be asked for one source after the other. */
    ShortestPathDag from(int source) {
        Stop stop = run.caller().stop();
        ShortestPathDag found;
        if (weights != null) {
            ShortestPaths paths = PathEnds.withCosts(
                    run,
                    ends.weightProperty(),
                    () -> graph.shortestPaths(
                            new int[] {from[source]},
                            weights,
                            new SearchEnd(to, ends.maxCost()),
                            LoadedGraph.ANY_DELTA,
                            true,
                            run.quietControl()));
            found = ShortestPathDag.ofCosts(reversed, weights, paths, stop);
        } else {
            int[] levels = levels(source);
            found = ShortestPathDag.ofLevels(reversed, vertex -> levels[vertex], stop);
        }
        run.job().advance(1);
        return found;
    }

    private int[] levels(int source) {
        RunControl control = run.quietControl();
        if (from.length == 1) {
            return to.length == 1
                    ? graph.levelsTo(from[0], to[0], ends.maxDepth(), control)
                    : graph.bfs(from[0], ends.maxDepth(), new int[0], control).levels();
        }
        if (source == firstHeld + held.length) {
            int count = Math.min(together(from.length, reversed.vertexCount()), from.length - source);
            // freed before the next levels are found
            held = new int[0][];
            held = graph.distances(
                    Arrays.copyOfRange(from, source, source + count), null, ends.maxDepth(), control);
            firstHeld = source;
        }
        return held[source - firstHeld];
    }
}
