// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ShortestPathProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.List;

/** The paths of the pairs, source by source, which are searched from when their rows are requested. */
final class ShortestPathRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final ShortestPath call;
    private final PathSearches searches;
    private final int[] from;
    private final int[] to;
    private final StoredPaths stored;
    private final boolean withIds;
    private final boolean withCosts;
    private final boolean withPath;
    private final PacedStop paced;

    private int source = -1;
    private ShortestPathDag found;

    /** Index of the current target. */
    private int target;

    /** The paths to the current target; null before the first. */
    private ShortestPathDag.Paths paths;

    private int pathsOfPair;
    private long index;

    ShortestPathRows(GraphRun run, ShortestPath call, PathSearches searches, int[] from, int[] to) {
        Caller caller = run.caller();
        this.run = run;
        this.call = call;
        this.searches = searches;
        this.from = from;
        this.to = to;
        this.stored = StoredPaths.of(run, call.ends().weightProperty());
        this.withIds = caller.yields("nodeIds");
        this.withCosts = caller.yields("costs");
        this.withPath = caller.yields("path");
        this.paced = new PacedStop(caller.stop());
    }

    @Override
    public StreamRow row(int element, int part) {
        if (element != source) {
            source = element;
            // freed before the next search
            found = null;
            found = searches.from(source);
            target = 0;
        }
        while (target < to.length) {
            paced.worked(1);
            int vertex = to[target];
            if (!found.reaches(vertex)) {
                target++;
                if (call.includeUnreached()) {
                    return unreached(vertex);
                }
                continue;
            }
            if (paths == null) {
                paths = found.paths(vertex);
                pathsOfPair = 0;
            }
            int[] path = pathsOfPair == call.limit() ? null : paths.next();
            if (path != null) {
                pathsOfPair++;
                return row(path);
            }
            paths = null;
            target++;
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

    @Override
    public long bytes(StreamRow row) {
        int nodes = row.path() == null
                ? Math.max(row.nodeIds().size(), row.costs().size())
                : row.path().length() + 1;
        return StoredPaths.rowBytes(nodes);
    }

    private StreamRow unreached(int vertex) {
        IdMap ids = run.idMap();
        return new StreamRow(
                index++,
                ids.toNeo4jId(from[source]),
                ids.toNeo4jId(vertex),
                null,
                List.of(),
                List.of(),
                null,
                0.0);
    }

    private StreamRow row(int[] path) {
        IdMap ids = run.idMap();
        int last = path[path.length - 1];
        long number = index++;
        return new StreamRow(
                number,
                ids.toNeo4jId(from[source]),
                ids.toNeo4jId(last),
                found.cost(last),
                withIds ? StoredPaths.ids(ids, path) : List.of(),
                withCosts ? StoredPaths.costs(path, found::cost) : List.of(),
                withPath ? stored.path(number, path, found::cost) : null,
                call.counts() ? found.count(last) : 0);
    }
}
