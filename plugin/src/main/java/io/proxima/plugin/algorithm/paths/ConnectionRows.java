// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ConnectionSubgraphProcedures.StreamRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.store.StoredRelationships;
import io.proxima.projection.store.StoredRelationships.Stored;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.neo4j.graphdb.Relationship;

/**
 * The relationships of a connection subgraph. The stored relationships of a node are read once, and only of nodes that
 * cover the steps of walks: of the two nodes of each step, one is read. Such nodes with few relationships are found by
 * the method of R. Bar-Yehuda and S. Even: A linear-time approximation algorithm for the weighted vertex cover problem,
 * Journal of Algorithms 2, 1981.
 */
final class ConnectionRows implements Rows.Maker<StreamRow> {

    private final GraphRun run;
    private final IdMap ids;
    private final Walks walks;
    private final StoredPaths stored;
    private final PacedStop paced;

    /** The vertices that are read. */
    private final BitSet cover;

    private int vertex = -1;

    /** The steps at the vertex that have not become rows yet. */
    private final Queue<Step> steps = new ArrayDeque<>();

    /**
     * A step of a walk.
     *
     * @param stored its relationship; null for a computed one
     * @param own whether the weight is that of its relationship
     */
    private record Step(int from, int to, double weight, Stored stored, boolean own) {
        static final Comparator<Step> ORDER = Comparator.comparingInt(Step::from)
                .thenComparingInt(Step::to)
                .thenComparingLong(step -> step.stored == null ? 0 : step.stored.id());

        long ends() {
            return (long) from << Integer.SIZE | to;
        }
    }

    ConnectionRows(GraphRun run, Walks walks, StoredPaths stored) {
        this.run = run;
        this.ids = run.idMap();
        this.walks = walks;
        this.stored = stored;
        this.paced = new PacedStop(run.caller().stop());
        this.cover = cover();
    }

    /** Heap of the rows beside the walks. */
    static MemoryTree memory(int vertexCount) {
        // what is left to pay, bits, and the neighbours of a vertex in both directions, while they are copied
        return MemoryTree.between(
                "nodes that are read",
                (long) vertexCount * Integer.BYTES + vertexCount / Byte.SIZE,
                (long) vertexCount * 4 * Integer.BYTES + vertexCount / Byte.SIZE);
    }

    /** Each step pays the same to both of its vertices, until one has as much as it has relationships. */
    private BitSet cover() {
        BitSet paid = new BitSet(run.vertexCount());
        int[] unpaid = new int[run.vertexCount()];
        for (int each = 0; each < unpaid.length; each++) {
            paced.worked(1);
            unpaid[each] = (int) Math.min(
                    Integer.MAX_VALUE,
                    (long) walks.graph().degree(each) + walks.reversed().degree(each));
        }
        for (int each = 0; each < unpaid.length; each++) {
            for (int other : steps(each, true, neighbour -> true)) {
                int pay = Math.min(unpaid[each], unpaid[other]);
                unpaid[each] -= pay;
                unpaid[other] -= pay;
                paid.set(unpaid[each] == 0 ? each : other);
            }
        }
        // a vertex is not needed if each of its neighbours is read
        for (int each = paid.nextSetBit(0); each >= 0; each = paid.nextSetBit(each + 1)) {
            IntPredicate isUnread = neighbour -> !paid.get(neighbour);
            if (steps(each, true, isUnread).length + steps(each, false, isUnread).length == 0) {
                paid.clear(each);
            }
        }
        return paid;
    }

    /** The chosen neighbours to which, or from which, a step is on a walk; ascending. */
    private int[] steps(int of, boolean leaving, IntPredicate chosen) {
        paced.worked(1);
        if (!walks.mayTouch(of)) {
            return new int[0];
        }
        Csc lists = leaving ? walks.graph() : walks.reversed();
        int[] found = new int[lists.degree(of)];
        int count = 0;
        for (long entry = lists.columnStart(of); entry < lists.columnEnd(of); entry++) {
            paced.worked(2);
            int other = lists.rowIndices().get(entry);
            int from = leaving ? of : other;
            int to = leaving ? other : of;
            if (chosen.test(other) && walks.mayTouch(other) && walks.leadOver(from, walks.leastWeight(from, to), to)) {
                found[count++] = other;
            }
        }
        return Arrays.copyOf(found, count);
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

    /** Finds the steps of walks between the vertex and its neighbours, but those that are found at the neighbour. */
    private void findSteps() {
        if (!cover.get(vertex)) {
            return;
        }
        IntPredicate isFoundHere = neighbour -> vertex < neighbour || !cover.get(neighbour);
        int[] out = steps(vertex, true, isFoundHere);
        int[] in = steps(vertex, false, isFoundHere);
        BitSet seenOut = new BitSet(out.length);
        BitSet seenIn = new BitSet(in.length);
        Map<Long, Step> found = new HashMap<>();
        try (StoredRelationships.Reader reader = stored.open()) {
            long id = ids.toNeo4jId(vertex);
            reader.forEach(id, other -> isWanted(ids.toVertex(other), out, in), relationship -> {
                int other = ids.toVertex(relationship.start() == id ? relationship.end() : relationship.start());
                Step leaving = step(vertex, other, relationship, Arrays.binarySearch(out, other), seenOut);
                Step entering = step(other, vertex, relationship, Arrays.binarySearch(in, other), seenIn);
                Step better = better(leaving, entering);
                if (better != null) {
                    found.put(relationship.id(), better);
                }
            });
            for (int i = 0; (i = seenOut.nextClearBit(i)) < out.length; i++) {
                addOthers(reader, vertex, out[i], found);
            }
            for (int i = 0; (i = seenIn.nextClearBit(i)) < in.length; i++) {
                addOthers(reader, in[i], vertex, found);
            }
        }
        if (!stored.aggregates()) {
            removeOthersThanOwn(found);
        }
        found.values().stream().sorted(Step.ORDER).forEach(steps::add);
    }

    /**
     * Removes what a query or a filter has left out: relationships that are parallel to one with the weight of the
     * step.
     */
    private static void removeOthersThanOwn(Map<Long, Step> found) {
        Set<Long> own =
                found.values().stream().filter(Step::own).map(Step::ends).collect(Collectors.toSet());
        found.values().removeIf(step -> !step.own && own.contains(step.ends()));
    }

    private boolean isWanted(int neighbour, int[] out, int[] in) {
        return neighbour >= 0
                && walks.mayTouch(neighbour)
                && (Arrays.binarySearch(out, neighbour) >= 0 || Arrays.binarySearch(in, neighbour) >= 0);
    }

    /**
     * The step over a stored relationship; null if it is not one of those wanted.
     *
     * @param place the place of the neighbour among those wanted; negative if it is not
     * @param seen the places whose steps have a relationship
     */
    private Step step(int from, int to, Stored relationship, int place, BitSet seen) {
        List<Double> own = place < 0 ? List.of() : relationship.weightsFrom(ids.toNeo4jId(from));
        if (own.isEmpty()) {
            return null;
        }
        double weight = leastOfGraph(from, to, own);
        boolean isOwn = !Double.isNaN(weight);
        if (!isOwn) {
            // of a projection that computed or aggregated its weights, or changed since
            weight = stored.keepsParallel() ? weight : walks.leastWeight(from, to);
        }
        if (!walks.leadOver(from, weight, to)) {
            return null;
        }
        seen.set(place);
        return new Step(from, to, weight, relationship, isOwn);
    }

    /** The least of the weights of a relationship that the graph has; NaN if it has none of them. */
    private double leastOfGraph(int from, int to, List<Double> ascending) {
        for (double weight : ascending) {
            if (!Double.isNaN(walks.weight(from, to, weight))) {
                return weight;
            }
        }
        return Double.NaN;
    }

    private Step better(Step one, Step other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        int order = Double.compare(cost(one), cost(other));
        return (order == 0 ? one.from < other.from : order < 0) ? one : other;
    }

    /** Adds the step between two vertices whose relationship does not lead that way, or that has none. */
    private void addOthers(StoredRelationships.Reader reader, int from, int to, Map<Long, Step> found) {
        double weight = walks.leastWeight(from, to);
        stored.requireComputed(from, to, weight);
        boolean back = run.isUndirected() && walks.leadOver(to, weight, from);
        if (back
                && better(new Step(from, to, weight, null, false), new Step(to, from, weight, null, false)).from
                        != from) {
            return;
        }
        List<Stored> against = reader.between(
                ids.toNeo4jId(to),
                ids.toNeo4jId(from),
                walks.reversed().degree(to),
                walks.graph().degree(from));
        against.forEach(relationship ->
                found.merge(relationship.id(), new Step(from, to, weight, relationship, false), this::better));
        if (against.isEmpty()) {
            // ids of computed ones only keep them apart
            found.put(-1L - found.size(), new Step(from, to, weight, null, false));
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
                    nodes.set(ids.toVertex(row.startNode()));
                    nodes.set(ids.toVertex(row.endNode()));
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
