// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Predecessors;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.result.BfsParents;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.distances.DistancesProcedures.StreamRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;

/** Searches from a few sources when their rows are requested, and keeps only the distances of these sources. */
final class DistanceRows implements Rows.Maker<StreamRow> {
    private final GraphRun run;
    private final Distances distances;
    private final IdMap ids;
    private final LoadedGraph graph;

    /** Null without weights. */
    private final WeightedCsc weights;

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

    /** The costs of the held sources instead, with weights. */
    private double[][] heldCosts = new double[0][];

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
    DistanceRows(GraphRun run, Distances distances, LoadedGraph graph, WeightedCsc weights, int[] from, int[] to) {
        this.run = run;
        this.distances = distances;
        this.ids = run.idMap();
        this.targets = to;
        this.order = from;
        this.times = distances.sources().times();
        this.graph = graph;
        this.weights = weights;
        this.paths = distances.withPaths() ? StoredPaths.of(run, distances.weightProperty()) : null;
        run.job().beginTask(distances.traits().tasks().get(0), order.length);
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
            if (source == firstHeld + held.length + heldCosts.length) {
                search();
            }
            if (distances.withParents()) {
                // freed before the next ones are found
                parents = null;
                parents = parents(source - firstHeld);
            }
        }
        int target = targets == null ? column : targets[column];
        int place = distances.holdsAll() ? target : column;
        int index = source - firstHeld;
        boolean reached = weights == null
                ? held[index][place] != LoadedGraph.UNREACHED
                : heldCosts[index][place] != ShortestPaths.UNREACHED;
        boolean ownRow = targets == null && target == order[source];
        return ownRow || (!reached && !distances.includeUnreached())
                ? null
                : new StreamRow(
                        ids.toNeo4jId(order[source]),
                        ids.toNeo4jId(target),
                        weights == null ? (Long) (long) held[index][place] : null,
                        weights == null || !reached ? null : (Double) heldCosts[index][place],
                        parents == null || parents[target] < 0 ? null : ids.toNeo4jId(parents[target]),
                        distances.withPaths()
                                ? paths.path(
                                        parents,
                                        target,
                                        vertex -> weights == null ? held[index][vertex] : heldCosts[index][vertex])
                                : null);
    }

    private int[] parents(int index) {
        if (weights != null) {
            return Predecessors.of(weights, new int[] {order[source]}, heldCosts[index], run.quietControl());
        }
        int[] found = held[index];
        return BfsParents.find(run.csc(), vertex -> found[vertex], null, run.quietControl());
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
        heldCosts = new double[0][];
        int[] to = distances.holdsAll() ? null : targets;
        if (weights == null) {
            held = graph.distances(wanted, to, distances.maxDepth(), run.quietControl());
        } else {
            heldCosts = distances.costs(run, graph, weights, wanted, to, run.quietControl());
        }
        firstHeld = source;
        run.job().advance(wanted.length);
    }
}
