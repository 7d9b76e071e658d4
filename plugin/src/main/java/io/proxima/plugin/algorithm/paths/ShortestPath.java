// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ShortestPathProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import java.util.List;
import java.util.Map;

/**
 * The shortest paths from each source to each target.
 *
 * @param limit the most paths of a pair
 * @param counts whether the stream has the number of paths of each pair
 * @param includeUnreached whether the stream has a row for each pair without a path
 */
record ShortestPath(Mode mode, PathEnds ends, int limit, boolean counts, boolean includeUnreached)
        implements Algorithm<StreamRow> {

    private static final Key<Wanted> PATHS = Key.of(
            "paths",
            Wanted.ONE,
            "'one': the first of the shortest paths of each pair. 'all': all of them, up to `limit`.");
    private static final Key<Integer> LIMIT = Key.of(
                    "limit", 0, "The most paths of a pair. Mandatory with paths: 'all'.")
            .absentMeans("none");

    /** The paths of a pair that are returned. */
    private enum Wanted {
        ONE,
        ALL
    }

    static ShortestPath read(CallKeys keys) {
        PathEnds ends = PathEnds.read(keys);
        int faultsBefore = keys.reader().faultCount();
        boolean all = keys.reader().readEnum(PATHS) == Wanted.ALL;
        int limit = keys.reader().readInt(LIMIT, 1);
        boolean limited = keys.reader().given(LIMIT) != null;
        if (all != limited && keys.reader().faultCount() == faultsBefore) {
            keys.reader()
                    .fault(
                            all
                                    ? "`paths: 'all'` requires a `limit`: the most paths of a pair."
                                    : "`limit` requires `paths: 'all'`.");
        }
        return new ShortestPath(
                keys.mode(),
                ends,
                all ? limit : 1,
                keys.mode() == Mode.STREAM && keys.computes("pathCount"),
                keys.readIncludeUnreached("Also returns a row for each pair without a path, with `totalCost` null."));
    }

    @Override
    public Traits traits() {
        Operation search = ends.sources().count() == 1 ? Operation.BFS : Operation.MULTI_SOURCE_BFS;
        return new Traits("Shortest Path", ends.weighted() ? Operation.SHORTEST_PATHS : search, WrittenValues.FLOATS);
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        Weights weights = size.weights(ends.weightProperty());
        PathSearches.Way way = PathSearches.Way.of(ends, vertexCount);
        MemoryTree kept = MemoryTree.together(
                "nodes, weights and levels",
                ends.memory(),
                weights.memory(),
                way.memory(vertexCount, size.threads(), counts));
        MemoryTree paths = MemoryTree.together(
                "paths",
                counts ? ShortestPathDag.countingMemory(vertexCount) : MemoryTree.NONE,
                ends.weighted() ? ShortestPathDag.equalStepsMemory(vertexCount) : MemoryTree.NONE,
                ShortestPathDag.pathMemory(vertexCount),
                mode == Mode.STREAM ? StoredPaths.rowsMemory(vertexCount) : MemoryTree.NONE);
        Workload work = new Workload(traits().operation(), way.together(), ends.maxDepth())
                .over(weights.count())
                .stoppingAt(way.bothEnds() ? 1 : 0)
                .keeping(kept, paths);
        return new CallPlan(work, ends.sources().count(), CallPlan.Passes.FOLLOWED_BACK);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        // the missing targets are reported before the missing sources
        int[] to = ends.targets().vertices(run);
        int[] from = ends.sources().vertices(run);
        PathSearches searches =
                new PathSearches(run, plan, ends, PathSearches.Way.of(ends, run.vertexCount()), from, to);
        if (mode == Mode.STREAM) {
            ShortestPathRows rows = new ShortestPathRows(run, this, searches, from, to);
            return new RunResult<>(
                    new Streamed<>(from.length, Integer.MAX_VALUE, () -> rows, List.of(), true), Map::of, List::of);
        }
        Map<String, Object> statistics = statistics(searches, from, to);
        return new RunResult<>(Streamed.none(), () -> statistics, List::of);
    }

    private static Map<String, Object> statistics(PathSearches searches, int[] from, int[] to) {
        long connected = 0;
        double sum = 0;
        double greatest = 0;
        for (int source = 0; source < from.length; source++) {
            for (int target = 0; target < to.length; target++) {
                PathSearches.Pair pair = searches.pair(source, target, true);
                if (pair != null) {
                    connected++;
                    sum += pair.cost();
                    greatest = Math.max(greatest, pair.cost());
                }
            }
        }
        return Map.of(
                "pairs",
                (long) from.length * to.length,
                "pairsConnected",
                connected,
                "meanCost",
                connected == 0 ? 0.0 : sum / connected,
                "greatestCost",
                greatest);
    }
}
