// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.result.BfsParents;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.distances.DistancesProcedures.StreamRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.Arrays;

/** Searches from a few sources when their rows are requested, and keeps only the distances of these sources. */
final class DistanceRows implements Rows.Maker<StreamRow> {
    private final GraphRun run;
    private final Distances distances;
    private final IdMap ids;
    private final LoadedGraph graph;
    /** The distinct sources. */
    private final int[] order;

    /** For each distinct source the number of times that it was requested. */
    private final int[] times;

    /** Vertices that get rows, ascending; null for all except the source. */
    private final int[] targets;

    private final int sourcesAtOnce;

    private final StoredPaths paths;

    /** The parent of each vertex in the search from the current source; null if they are not wanted. */
    private int[] parents;

    // the held sources: held[i] are the distances of order[firstHeld + i], of all vertices or of the targets
    private int[][] held = new int[0][];
    private int firstHeld;

    // the source of the current rows, and the first request after those of it
    private int source = -1;
    private int nextRequest;

    /**
     * Creates the rows of a call, which end the run.
     *
     * @param from the distinct sources
     * @param to vertices that get rows, ascending; null for all except the source
     */
    DistanceRows(GraphRun run, Distances distances, LoadedGraph graph, int[] from, int[] to) {
        this.run = run;
        this.distances = distances;
        this.ids = run.idMap();
        this.targets = to;
        this.order = from;
        this.times = distances.sources().times();
        this.graph = graph;
        this.paths = StoredPaths.of(run, "");
        run.job().beginTask(BackendTask.MULTI_SOURCE_BFS, order.length);
        this.sourcesAtOnce = Math.min(
                graph.multiSourceBatchSize(), Distances.mostAtOnce(distances.holdsAll() ? run.vertexCount() : width()));
    }

    /** The number of parts of a source. */
    int width() {
        return targets == null ? run.vertexCount() : targets.length;
    }

    @Override
    public StreamRow row(int request, int column) {
        if (request == nextRequest) {
            source++;
            nextRequest += times[source];
            if (source == firstHeld + held.length) {
                search();
            }
            if (distances.withParents()) {
                int[] found = held[source - firstHeld];
                parents = BfsParents.find(run.csc(), vertex -> found[vertex], null, run.quietControl());
            }
        }
        int target = targets == null ? column : targets[column];
        int[] found = held[source - firstHeld];
        int distance = found[distances.holdsAll() ? target : column];
        boolean ownRow = targets == null && target == order[source];
        return ownRow || (distance == LoadedGraph.UNREACHED && !distances.includeUnreached())
                ? null
                : new StreamRow(
                        ids.toNeo4jId(order[source]),
                        ids.toNeo4jId(target),
                        distance,
                        parents == null || parents[target] < 0 ? null : ids.toNeo4jId(parents[target]),
                        distances.withPaths() ? paths.path(parents, target, vertex -> found[vertex]) : null);
    }

    @Override
    public void completed() {
        run.job().succeed();
        run.close();
    }

    private void search() {
        int[] wanted = Arrays.copyOfRange(order, source, Math.min(source + sourcesAtOnce, order.length));
        // freed before the next distances are computed
        held = new int[0][];
        held = graph.distances(wanted, distances.holdsAll() ? null : targets, distances.maxDepth(), run.quietControl());
        firstHeld = source;
        run.job().advance(wanted.length);
    }
}
