// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ConnectionSubgraphProcedures.StreamRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.csc.Columns;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import io.proxima.projection.store.StoredRelationships;
import io.proxima.projection.store.StoredRelationships.Stored;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;
import org.neo4j.graphdb.Relationship;

/** The relationships of a connection subgraph, by the node at which a walk enters them. */
final class ConnectionRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final Bounds bounds;

    /** Null without weights. */
    private final WeightedCsc weights;

    private final StoredPaths stored;
    private final ShortestPathDag ahead;
    private final ShortestPathDag behind;
    private final boolean counts;
    private final Csc graph;
    private final PacedStop paced;

    /** The vertex of the rows, and the next of its entries in the graph. */
    private int vertex = -1;

    private long entry;

    /** Rows of the last entry. */
    private final Queue<StreamRow> rows = new ArrayDeque<>();

    /**
     * The greatest costs.
     *
     * @param least the least cost of a path from a source to a target; infinite if there is none
     * @param shortest the cost of a walk that counts as shortest, at most
     * @param walk the cost of a walk of the subgraph, at most
     */
    record Bounds(double least, double shortest, double walk) {}

    ConnectionRows(
            GraphRun run,
            Bounds bounds,
            WeightedCsc weights,
            StoredPaths stored,
            ShortestPathDag ahead,
            ShortestPathDag behind,
            boolean counts) {
        this.run = run;
        this.bounds = bounds;
        this.weights = weights;
        this.stored = stored;
        this.ahead = ahead;
        this.behind = behind;
        this.counts = counts;
        this.graph = run.csc();
        this.paced = new PacedStop(run.caller().stop());
    }

    @Override
    public StreamRow row(int element, int part) {
        if (element != vertex) {
            vertex = element;
            entry = ahead.reaches(vertex)
                    ? columns().columnStart(vertex)
                    : columns().columnEnd(vertex);
        }
        while (rows.isEmpty() && entry < columns().columnEnd(vertex)) {
            addRows();
        }
        return rows.poll();
    }

    @Override
    public boolean ended() {
        return rows.isEmpty() && entry == columns().columnEnd(vertex);
    }

    @Override
    public void completed() {
        run.job().succeed();
        run.close();
    }

    /** The relationships of the graph, with weights parallel ones each, the cheapest first. */
    private Columns columns() {
        return weights == null ? graph : weights;
    }

    /** Makes the rows from the current vertex to that of the next entry, and passes the entries of that vertex. */
    private void addRows() {
        int to = columns().rowIndices().get(entry);
        double cheapest = weights == null ? 1 : weights.weights().get(entry);
        int entries = 0;
        do {
            entry++;
            entries++;
            paced.worked(1);
        } while (entry < columns().columnEnd(vertex) && columns().rowIndices().get(entry) == to);
        if (!behind.reaches(to) || cost(vertex, cheapest, to) > bounds.walk) {
            return;
        }
        List<Stored> found;
        try (StoredRelationships.Reader reader = stored.open()) {
            found = stored.between(reader, vertex, to);
        }
        found.sort(Comparator.comparingLong(Stored::id));
        for (Stored relationship : found) {
            // an aggregated weight is that of all parallel relationships
            double weight = entries == 1 ? cheapest : relationship.weight();
            add(to, weight, relationship.bothWays(), () -> stored.entity(relationship));
        }
        if (found.isEmpty()) {
            boolean bothWays = run.isUndirected();
            int from = vertex;
            add(to, cheapest, bothWays, () -> stored.virtual(from, from, to, cheapest));
        }
    }

    private void add(int to, double weight, boolean bothWays, Supplier<Relationship> relationship) {
        double along = cost(vertex, weight, to);
        double back = bothWays && ahead.reaches(to) && behind.reaches(vertex)
                ? cost(to, weight, vertex)
                : ShortestPaths.UNREACHED;
        if (along > bounds.walk || back < along || (back == along && to < vertex)) {
            return;
        }
        rows.add(new StreamRow(
                relationship.get(),
                run.idMap().toNeo4jId(vertex),
                run.idMap().toNeo4jId(to),
                weight,
                ahead.cost(vertex),
                behind.cost(to),
                counts && along <= bounds.shortest ? ahead.count(vertex) * behind.count(to) : 0));
    }

    /** The least cost of a walk through a relationship. */
    private double cost(int from, double weight, int to) {
        return ahead.cost(from) + weight + behind.cost(to);
    }

    /** The size of the subgraph, by the columns of the statistics. */
    Map<String, Object> statistics() {
        long relationships = 0;
        BitSet nodes = new BitSet(graph.vertexCount());
        for (int element = 0; element < graph.vertexCount(); element++) {
            paced.worked(1);
            do {
                StreamRow row = row(element, 0);
                if (row != null) {
                    relationships++;
                    nodes.set(run.idMap().toVertex(row.startNode()));
                    nodes.set(run.idMap().toVertex(row.endNode()));
                }
            } while (!ended());
        }
        Map<String, Object> columns = new HashMap<>();
        columns.put("relationshipCount", relationships);
        columns.put("nodeCount", (long) nodes.cardinality());
        columns.put("leastCost", bounds.least == ShortestPaths.UNREACHED ? null : bounds.least);
        return columns;
    }
}
