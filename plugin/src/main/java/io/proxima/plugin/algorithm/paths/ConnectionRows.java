// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ConnectionSubgraphProcedures.StreamRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.store.StoredRelationships;
import io.proxima.projection.store.StoredRelationships.Stored;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntConsumer;
import org.neo4j.graphdb.Relationship;

/**
 * The relationships of a connection subgraph. Each is found at the one of its nodes that has fewer, whose stored
 * relationships are read once.
 */
final class ConnectionRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final IdMap ids;
    private final Walks walks;
    private final StoredPaths stored;
    private final PacedStop paced;

    private int vertex = -1;

    /** The steps at the vertex that have not become rows yet. */
    private final Queue<Step> steps = new ArrayDeque<>();

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

    ConnectionRows(GraphRun run, Walks walks, StoredPaths stored) {
        this.run = run;
        this.ids = run.idMap();
        this.walks = walks;
        this.stored = stored;
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
        if (!walks.mayTouch(vertex)) {
            return;
        }
        Map<Integer, Double> out = new HashMap<>();
        Map<Integer, Double> in = new HashMap<>();
        boolean symmetric = walks.graph() == walks.reversed();
        forEachNeighbour(walks.graph(), other -> {
            want(vertex, other, other, out);
            if (symmetric) {
                want(other, vertex, other, in);
            }
        });
        if (!symmetric) {
            forEachNeighbour(walks.reversed(), other -> want(other, vertex, other, in));
        }
        if (out.isEmpty() && in.isEmpty()) {
            return;
        }
        Map<Long, Step> found = new HashMap<>();
        Map<Integer, Double> unseenOut = new HashMap<>(out);
        Map<Integer, Double> unseenIn = new HashMap<>(in);
        try (StoredRelationships.Reader reader = stored.open()) {
            long id = ids.toNeo4jId(vertex);
            reader.forEach(id, other -> isWanted(ids.toVertex(other), out, in), relationship -> {
                int other = ids.toVertex(relationship.start() == id ? relationship.end() : relationship.start());
                Step leaving = step(vertex, other, relationship, out, unseenOut);
                Step entering = step(other, vertex, relationship, in, unseenIn);
                Step better = better(leaving, entering);
                if (better != null) {
                    found.put(relationship.id(), better);
                }
            });
            unseenOut.forEach((other, weight) -> addOthers(reader, vertex, other, weight, found));
            unseenIn.forEach((other, weight) -> addOthers(reader, other, vertex, weight, found));
        }
        found.values().stream().sorted(Step.ORDER).forEach(steps::add);
    }

    private static boolean isWanted(int neighbour, Map<Integer, Double> out, Map<Integer, Double> in) {
        return out.containsKey(neighbour) || in.containsKey(neighbour);
    }

    private void forEachNeighbour(Csc lists, IntConsumer consumer) {
        for (long entry = lists.columnStart(vertex); entry < lists.columnEnd(vertex); entry++) {
            paced.worked(2);
            consumer.accept(lists.rowIndices().get(entry));
        }
    }

    /** Notes a neighbour with more relationships if the step is on a walk, with the least weight of the step. */
    private void want(int from, int to, int neighbour, Map<Integer, Double> wanted) {
        int order = Long.compare(degree(vertex), degree(neighbour));
        if ((order < 0 || (order == 0 && vertex < neighbour)) && walks.mayTouch(neighbour)) {
            double weight = walks.leastWeight(from, to);
            if (walks.leadOver(from, weight, to)) {
                wanted.put(neighbour, weight);
            }
        }
    }

    private long degree(int of) {
        return (long) walks.graph().degree(of) + walks.reversed().degree(of);
    }

    /**
     * The step over a stored relationship; null if it is not one of those wanted.
     *
     * @param unseen the wanted steps of which no relationship was found yet
     */
    private Step step(int from, int to, Stored relationship, Map<Integer, Double> wanted, Map<Integer, Double> unseen) {
        int neighbour = from == vertex ? to : from;
        Double least = wanted.get(neighbour);
        Double own = least == null ? null : relationship.weightFrom(ids.toNeo4jId(from));
        if (own == null) {
            return null;
        }
        double weight = walks.weight(from, to, own);
        if (Double.isNaN(weight)) {
            // of a projection that computed its weights, or changed since
            weight = stored.knowsStore() ? weight : least;
        }
        if (!walks.leadOver(from, weight, to)) {
            return null;
        }
        unseen.remove(neighbour);
        return new Step(from, to, weight, relationship);
    }

    private Step better(Step one, Step other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        int order = Double.compare(cost(one), cost(other));
        return (order == 0 ? one.from < other.from : order < 0) ? one : other;
    }

    /** Adds the step between two vertices whose relationship does not lead that way, or that has none. */
    private void addOthers(StoredRelationships.Reader reader, int from, int to, double weight, Map<Long, Step> found) {
        stored.requireComputed(from, to);
        boolean back = run.isUndirected() && walks.leadOver(to, weight, from);
        if (back && better(new Step(from, to, weight, null), new Step(to, from, weight, null)).from != from) {
            return;
        }
        List<Stored> against = reader.between(
                ids.toNeo4jId(to),
                ids.toNeo4jId(from),
                walks.graph().degree(from) < walks.reversed().degree(to));
        against.forEach(
                relationship -> found.merge(relationship.id(), new Step(from, to, weight, relationship), this::better));
        if (against.isEmpty()) {
            // ids of computed ones only keep them apart
            found.put(-1L - found.size(), new Step(from, to, weight, null));
        }
    }

    private StreamRow row(Step step) {
        return new StreamRow(
                relationship(step),
                ids.toNeo4jId(step.from),
                ids.toNeo4jId(step.to),
                step.weight,
                walks.fromSource(step.from),
                walks.toTarget(step.to),
                walks.count(step.from, step.weight, step.to));
    }

    private Relationship relationship(Step step) {
        if (step.stored != null) {
            return stored.entity(step.stored);
        }
        try (StoredRelationships.Reader reader = stored.open()) {
            return stored.virtual(reader, step.from, step.from, step.to, step.weight);
        }
    }

    private double cost(Step step) {
        return walks.cost(step.from, step.weight, step.to);
    }

    /** The size of the subgraph, by the columns of the statistics. */
    Map<String, Object> statistics() {
        long relationships = 0;
        BitSet nodes = new BitSet(run.vertexCount());
        for (int element = 0; element < run.vertexCount(); element++) {
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
        columns.put("leastCost", walks.least() == ShortestPaths.UNREACHED ? null : walks.least());
        return columns;
    }
}
