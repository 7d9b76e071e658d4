// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ShortestPathProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.stream.IntStream;

/** The paths of the pairs, source by source, which are searched from when their rows are requested. */
final class ShortestPathRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final ShortestPath call;
    private final PathSearches searches;
    private final int[] from;
    private final int[] to;
    /** Null if no paths are yielded. */
    private final StoredPaths stored;

    private final boolean withIds;
    private final boolean withCosts;
    private final PacedStop paced;

    private int source = -1;

    /** Index of the current target. */
    private int target;

    /** The paths of the current pair; null before the first. */
    private PathSearches.Pair pair;

    private int pathsOfPair;
    private long index;

    ShortestPathRows(GraphRun run, ShortestPath call, PathSearches searches, int[] from, int[] to) {
        Caller caller = run.caller();
        this.run = run;
        this.call = call;
        this.searches = searches;
        this.from = from;
        this.to = to;
        this.withIds = caller.yields("nodeIds");
        this.withCosts = caller.yields("costs");
        this.stored = caller.yields("path") ? StoredPaths.of(run, call.ends().weightProperty()) : null;
        this.paced = new PacedStop(caller.stop());
    }

    @Override
    public StreamRow row(int element, int part) {
        if (element != source) {
            source = element;
            target = 0;
        }
        while (target < to.length) {
            paced.worked(1);
            if (pair == null) {
                pair = searches.pair(source, target, call.limit() == 1);
                pathsOfPair = 0;
            }
            int[] path = pair == null || pathsOfPair == call.limit()
                    ? null
                    : pair.paths().get();
            if (path != null) {
                pathsOfPair++;
                return row(path);
            }
            boolean connected = pair != null;
            pair = null;
            target++;
            if (!connected && call.includeUnreached()) {
                return unreached(to[target - 1]);
            }
        }
        return null;
    }

    @Override
    public boolean ended() {
        return target == to.length;
    }

    @Override
    public void completed() {
        run.job().succeed();
        run.close();
    }

    private StreamRow unreached(int vertex) {
        IdMap ids = run.idMap();
        return new StreamRow(
                index++, ids.toNeo4jId(from[source]), ids.toNeo4jId(vertex), null, List.of(), List.of(), null, 0.0);
    }

    private StreamRow row(int[] path) {
        IdMap ids = run.idMap();
        int last = path.length - 1;
        long number = index++;
        return new StreamRow(
                number,
                ids.toNeo4jId(path[0]),
                ids.toNeo4jId(path[last]),
                searches.cost(path, last),
                withIds ? StoredPaths.ids(ids, path) : List.of(),
                withCosts
                        ? IntStream.range(0, path.length)
                                .mapToObj(place -> searches.cost(path, place))
                                .toList()
                        : List.of(),
                stored == null ? null : stored.path(number, path, place -> searches.cost(path, place)),
                call.counts() ? pair.count().getAsDouble() : 0);
    }
}
