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
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import io.proxima.projection.store.StoredRelationships;
import io.proxima.projection.store.StoredRelationships.Stored;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.neo4j.graphdb.Relationship;

/**
 * The relationships of a connection subgraph. Each is found at the one of its nodes that has fewer, whose stored
 * relationships are read once.
 */
final class ConnectionRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final IdMap ids;
    private final Limits limits;

    /** Null without weights. */
    private final WeightedCsc weights;

    private final StoredPaths stored;
    private final ShortestPathDag ahead;
    private final ShortestPathDag behind;

    /** The ways on to the nearest targets; null if they are not counted. */
    private final ShortestPathDag onward;

    private final Csc graph;
    private final Csc reversed;
    private final PacedStop paced;

    private int vertex = -1;

    /** The steps at the vertex that have not become rows yet. */
    private final Queue<Step> steps = new ArrayDeque<>();

    /**
     * Costs.
     *
     * @param least the least cost of a path from a source to a target; infinite if there is none
     * @param walk the greatest cost of a walk of the subgraph
     */
    record Limits(double least, double walk) {}

    /**
     * A step of a walk.
     *
     * @param stored its relationship; null for a computed one
     */
    private record Step(int from, int to, double weight, Stored stored) {
        static final Comparator<Step> ORDER = Comparator.comparingInt(Step::from)
                .thenComparingInt(Step::to)
                .thenComparingLong(step -> step.stored == null ? 0 : step.stored.id());
    }

    ConnectionRows(
            GraphRun run,
            Limits limits,
            WeightedCsc weights,
            StoredPaths stored,
            ShortestPathDag ahead,
            ShortestPathDag behind,
            ShortestPathDag onward) {
        this.run = run;
        this.ids = run.idMap();
        this.limits = limits;
        this.weights = weights;
        this.stored = stored;
        this.ahead = ahead;
        this.behind = behind;
        this.onward = onward;
        this.graph = run.csc();
        this.reversed = run.reversed();
        this.paced = new PacedStop(run.caller().stop());
    }

    @Override
    public StreamRow row(int element, int part) {
        if (element != vertex) {
            vertex = element;
            findSteps();
        }
        Step step = steps.poll();
        return step == null ? null : row(step);
    }

    @Override
    public boolean ended() {
        return steps.isEmpty();
    }

    @Override
    public void completed() {
        run.job().succeed();
        run.close();
    }

    /** Finds the steps of walks between the vertex and neighbours with more relationships. */
    private void findSteps() {
        Map<Integer, Double> out = new HashMap<>();
        Map<Integer, Double> in = new HashMap<>();
        for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
            want(vertex, graph.rowIndices().get(entry), graph.rowIndices().get(entry), out);
        }
        for (long entry = reversed.columnStart(vertex); entry < reversed.columnEnd(vertex); entry++) {
            want(reversed.rowIndices().get(entry), vertex, reversed.rowIndices().get(entry), in);
        }
        if (out.isEmpty() && in.isEmpty()) {
            return;
        }
        List<Step> found = new ArrayList<>();
        Map<Integer, Double> unseenOut = new HashMap<>(out);
        Map<Integer, Double> unseenIn = new HashMap<>(in);
        try (StoredRelationships.Reader reader = stored.open()) {
            long id = ids.toNeo4jId(vertex);
            reader.forEach(id, relationship -> {
                int other = ids.toVertex(relationship.start() == id ? relationship.end() : relationship.start());
                Step leaving = step(vertex, other, relationship, out, other);
                Step entering = step(other, vertex, relationship, in, other);
                if (leaving != null) {
                    unseenOut.remove(other);
                }
                if (entering != null) {
                    unseenIn.remove(other);
                }
                Step better = better(leaving, entering);
                if (better != null && cost(better) <= limits.walk) {
                    found.add(better);
                }
            });
            unseenOut.forEach((other, weight) -> addOthers(reader, vertex, other, weight, found));
            unseenIn.forEach((other, weight) -> addOthers(reader, other, vertex, weight, found));
        }
        found.sort(Step.ORDER);
        steps.addAll(found);
    }

    /** Notes the neighbour of a step that is on a walk, with the least weight of the step. */
    private void want(int from, int to, int neighbour, Map<Integer, Double> wanted) {
        paced.worked(2);
        int degrees = Long.compare(degree(vertex), degree(neighbour));
        if (ahead.reaches(from) && behind.reaches(to) && (degrees == 0 ? vertex < neighbour : degrees < 0)) {
            double weight = weights == null ? 1 : weights.weight(weights.firstEntry(from, to));
            if (cost(from, weight, to) <= limits.walk) {
                wanted.put(neighbour, weight);
            }
        }
    }

    private long degree(int of) {
        return (long) graph.degree(of) + reversed.degree(of);
    }

    /** The step over a stored relationship; null if it is not one of those wanted. */
    private Step step(int from, int to, Stored relationship, Map<Integer, Double> wanted, int neighbour) {
        Double least = wanted.get(neighbour);
        Double own = least == null ? null : relationship.weightFrom(ids.toNeo4jId(from));
        if (own == null) {
            return null;
        }
        // the one weight of a pair of nodes may be that of several relationships together
        return new Step(from, to, isParallel(from, to) && !Double.isNaN(own) ? own : least, relationship);
    }

    /** Whether the graph has several weights between two vertices. */
    private boolean isParallel(int from, int to) {
        if (weights == null) {
            return false;
        }
        long second = weights.firstEntry(from, to) + 1;
        return second < weights.columnEnd(from) && weights.rowIndices().get(second) == to;
    }

    private Step better(Step one, Step other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        int order = Double.compare(cost(one), cost(other));
        return (order == 0 ? one.from < other.from : order < 0) ? one : other;
    }

    /** Adds the step between two vertices whose relationship does not lead that way, or that has none. */
    private void addOthers(StoredRelationships.Reader reader, int from, int to, double weight, List<Step> found) {
        stored.requireComputed(from, to);
        boolean back = graph.hasEdge(to, from) && run.isUndirected();
        if (back && better(new Step(from, to, weight, null), new Step(to, from, weight, null)).from != from) {
            return;
        }
        List<Stored> against = reader.between(ids.toNeo4jId(to), ids.toNeo4jId(from));
        against.forEach(relationship -> found.add(new Step(from, to, weight, relationship)));
        if (against.isEmpty()) {
            found.add(new Step(from, to, weight, null));
        }
    }

    private StreamRow row(Step step) {
        double count = onward == null || !isShortest(step) ? 0 : onward.count(step.to);
        return new StreamRow(
                relationship(step),
                ids.toNeo4jId(step.from),
                ids.toNeo4jId(step.to),
                step.weight,
                ahead.cost(step.from),
                behind.cost(step.to),
                count == 0 ? 0 : ahead.count(step.from) * count);
    }

    private Relationship relationship(Step step) {
        if (step.stored != null) {
            return stored.entity(step.stored);
        }
        try (StoredRelationships.Reader reader = stored.open()) {
            return stored.virtual(reader, step.from, step.from, step.to, step.weight);
        }
    }

    /** Whether a shortest path from a source leads over a step. */
    private boolean isShortest(Step step) {
        return ahead.precedes(step.from, step.to) && ahead.cost(step.from) + step.weight == ahead.cost(step.to);
    }

    private double cost(Step step) {
        return cost(step.from, step.weight, step.to);
    }

    /** The least cost of a walk over a step. */
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
        columns.put("leastCost", limits.least == ShortestPaths.UNREACHED ? null : limits.least);
        return columns;
    }
}
