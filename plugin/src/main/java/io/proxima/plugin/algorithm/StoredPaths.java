// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.store.StoredRelationships;
import io.proxima.projection.store.StoredRelationships.Stored;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

/**
 * Makes the paths of rows. Their relationships are those of the store, found with the caller's rights when a row is
 * made. A graph that does not know what it was read from may have steps without one, which become virtual ones. Can be
 * used after the run. Used by one thread at a time.
 */
public final class StoredPaths {

    /** Heap of a row with a path, beside its nodes: the row, two lists and a path. */
    private static final long ROW_BYTES = 256;

    /** Heap of a node of a path: a boxed id and a boxed cost with their places in the lists, and two entities. */
    private static final long STEP_BYTES = 200;

    /** The most steps that are remembered. */
    private static final int REMEMBERED = 1 << 16;

    /** Heap of a remembered step: its place, and two entities. */
    private static final long REMEMBERED_BYTES = 160;

    /** The weight of a step may differ by this share of the cost from the difference of two costs. */
    private static final double ROUNDING = 1e-12;

    private final Caller caller;
    private final IdMap ids;
    private final String graphName;
    private final StoredRelationships relationships;
    private final boolean knowsStore;

    /** Whether weights are those of relationships, and of no several together. */
    private final boolean keepsParallel;

    private final Csc graph;
    private final Csc reversed;

    private final PacedStop paced;

    /**
     * A step to each vertex, or to one of several, since the paths of a search share most of their steps; null where
     * none is known.
     */
    private final Step[] remembered;

    private long virtualIds;

    /**
     * A step between two vertices.
     *
     * @param node the node that it leads to
     * @param stored null if the step was computed
     * @param cost its cost on the path for which it was read
     */
    private record Step(int from, int to, Node node, Relationship stored, double cost) {}

    private StoredPaths(GraphRun run, StoredRelationships relationships, boolean knowsStore, boolean keepsParallel) {
        this.caller = run.caller();
        this.ids = run.idMap();
        this.graphName = run.entry().key().name();
        this.relationships = relationships;
        this.knowsStore = knowsStore;
        this.keepsParallel = keepsParallel;
        this.graph = run.csc();
        this.reversed = run.reversed();
        this.remembered = new Step[remembered(graph.vertexCount())];
        this.paced = new PacedStop(caller.stop());
    }

    /**
     * Prepares for a run, whose plan says that paths are followed back. A graph that does not know what it was read
     * from may have been read from relationships of the types and with the properties that it has.
     *
     * @param weightProperty the projected property that is the weight; empty for none
     */
    public static StoredPaths of(GraphRun run, String weightProperty) {
        Set<String> types = run.types();
        Map<String, TypeProjection> stored = new HashMap<>(run.entry().details().stored());
        boolean known = stored.keySet().containsAll(types);
        PropertyProjection weight = new PropertyProjection(weightProperty, Double.NaN, Aggregation.NONE);
        types.forEach(type -> stored.computeIfAbsent(
                type,
                name -> new TypeProjection(
                        name,
                        run.entry().details().types().get(name).undirected()
                                ? Orientation.UNDIRECTED
                                : Orientation.NATURAL,
                        weightProperty.isEmpty() ? Map.of() : Map.of(weightProperty, weight))));
        stored.keySet().retainAll(types);
        StoredRelationships relationships = new StoredRelationships(
                run.caller().transaction().kernelTransaction(),
                stored.values(),
                weightProperty,
                run.caller().stop());
        boolean keepsParallel = known
                && stored.values().stream()
                        .map(type -> type.properties().get(weightProperty))
                        .allMatch(property -> property != null && property.keepsParallel());
        return new StoredPaths(run, relationships, known, keepsParallel);
    }

    /** Whether each weight of the graph is known to be that of a single relationship. */
    public boolean keepsParallel() {
        return keepsParallel;
    }

    /** Whether a weight of the graph may be that of several relationships together, as the projection says. */
    public boolean aggregates() {
        return knowsStore && !keepsParallel;
    }

    /**
     * What the rows refer to beside the ids of the nodes, and their heap.
     *
     * @param longest the most nodes of a path
     */
    public List<HeapPart> heapParts(long longest) {
        List<HeapPart> parts = new ArrayList<>(graph.heapParts());
        parts.add(new HeapPart(this, rowsBytes(longest, graph.vertexCount())));
        return parts;
    }

    /** A row with what is known of a path. */
    public interface Row extends Rows.Sized {
        /** The path; null if there is none, or if it is not yielded. */
        Path path();

        /** The ids of its nodes; empty if they are not yielded. */
        default List<Long> nodeIds() {
            return List.of();
        }

        /** The costs up to its nodes; empty if they are not yielded. */
        default List<Double> costs() {
            return List.of();
        }

        @Override
        default long heapBytes() {
            int nodes = path() == null ? Math.max(nodeIds().size(), costs().size()) : path().length() + 1;
            return rowBytes(nodes);
        }
    }

    /** The maximum heap of a row with a path of so many nodes. */
    public static long rowBytes(long nodes) {
        return ROW_BYTES + STEP_BYTES * nodes;
    }

    /** Heap of the rows with paths that are alive while a stream is read. */
    public static MemoryTree rowsMemory(int vertexCount) {
        return MemoryTree.between("rows being read", Rows.heapBytes(rowBytes(1)), rowsBytes(vertexCount, vertexCount));
    }

    private static long rowsBytes(long longest, int vertexCount) {
        return Rows.heapBytes(rowBytes(longest))
                + StoredRelationships.rememberedBytes()
                + REMEMBERED_BYTES * remembered(vertexCount);
    }

    private static int remembered(int vertexCount) {
        return Math.min(vertexCount, REMEMBERED);
    }

    /**
     * The path along vertices.
     *
     * @param number the number of the path among those of the call, for virtual relationships
     * @param vertices the vertices from the first to the last
     * @param cost the cost of the path to the vertex of a place, for virtual relationships
     * @throws ProximaException if a relationship that the graph was read from does not exist any more
     */
    public Path path(long number, int[] vertices, IntToDoubleFunction cost) {
        List<Node> nodes = new ArrayList<>(vertices.length);
        List<Relationship> found = new ArrayList<>(vertices.length);
        nodes.add(node(vertices[0]));
        try (StoredRelationships.Reader reader = relationships.open()) {
            if (vertices.length == 1) {
                requireNode(reader, vertices[0]);
            }
            for (int place = 1; place < vertices.length; place++) {
                paced.worked(1);
                int from = vertices[place - 1];
                int to = vertices[place];
                double ofStep = cost.applyAsDouble(place) - cost.applyAsDouble(place - 1);
                Step step = step(reader, from, to, ofStep, cost.applyAsDouble(place) * ROUNDING);
                nodes.add(step.node);
                found.add(step.stored != null ? step.stored : virtual(reader, number, from, to, ofStep));
            }
        }
        return new CostPath(nodes, found);
    }

    private Step step(StoredRelationships.Reader reader, int from, int to, double cost, double rounding) {
        int place = to % remembered.length;
        Step known = remembered[place];
        if (known == null || known.to != to || known.from != from || !isEqual(known.cost, cost, rounding)) {
            known = read(reader, from, to, cost, rounding);
            remembered[place] = known;
        }
        return known;
    }

    private static boolean isEqual(double weight, double cost, double rounding) {
        return Math.abs(weight - cost) <= rounding;
    }

    /**
     * A step over a relationship of its cost, of several that with the smallest id. If none has it and weights may be
     * those of several relationships together or computed, over the cheapest.
     */
    private Step read(StoredRelationships.Reader reader, int from, int to, double cost, double rounding) {
        long start = ids.toNeo4jId(from);
        long end = ids.toNeo4jId(to);
        List<Stored> found = reader.between(start, end, graph.degree(from), reversed.degree(to));
        if (found.isEmpty() && !knowsStore) {
            // it may have been read against its direction
            found = reader.between(end, start, reversed.degree(to), graph.degree(from));
        }
        Predicate<Stored> hasCost =
                one -> weights(one, start).stream().anyMatch(weight -> isEqual(weight, cost, rounding));
        Stored chosen = found.stream()
                .filter(one -> !keepsParallel || hasCost.test(one))
                .min(Comparator.comparing(hasCost.negate()::test)
                        .thenComparingDouble(one -> leastWeight(one, start))
                        .thenComparingLong(Stored::id))
                .orElse(null);
        if (chosen == null) {
            requireComputed(from, to, cost);
        }
        return new Step(from, to, node(to), chosen == null ? null : entity(chosen), cost);
    }

    /** The weights with which it leads out of a node or, if it only leads into that node, out of its other one. */
    private static List<Double> weights(Stored relationship, long from) {
        List<Double> weights = relationship.weightsFrom(from);
        long other = relationship.start() == from ? relationship.end() : relationship.start();
        return weights.isEmpty() ? relationship.weightsFrom(other) : weights;
    }

    private static double leastWeight(Stored relationship, long from) {
        // no -0.0, which would precede 0.0
        return 0.0 + weights(relationship, from).get(0);
    }

    /**
     * The path to a vertex in a search tree.
     *
     * @param parents {@code int[vertexCount]}: the vertex before each vertex, a negative number for none
     * @param distance the number of hops or the cost to each vertex; negative, infinite or NaN for an unreached one,
     *     which has no path
     */
    public Path path(int[] parents, int last, IntToDoubleFunction distance) {
        double ofLast = distance.applyAsDouble(last);
        if (!(ofLast >= 0 && ofLast < ShortestPaths.UNREACHED)) {
            return null;
        }
        int[] vertices = along(parents, last, paced);
        return path(last, vertices, place -> distance.applyAsDouble(vertices[place]));
    }

    /** Opens a reader of relationships, to be closed. */
    public StoredRelationships.Reader open() {
        return relationships.open();
    }

    /**
     * Refuses a step without a relationship.
     *
     * @throws ProximaException unless the graph may have been computed
     */
    public void requireComputed(int from, int to, double weight) {
        if (knowsStore) {
            throw stale("the relationship " + (keepsParallel ? "of the weight " + weight + " " : "") + "from the node "
                    + ids.toNeo4jId(from) + " to the node " + ids.toNeo4jId(to));
        }
    }

    private void requireNode(StoredRelationships.Reader reader, int vertex) {
        if (!reader.exists(ids.toNeo4jId(vertex))) {
            throw stale("the node " + ids.toNeo4jId(vertex));
        }
    }

    private ProximaException stale(String what) {
        return ProximaException.failed("The graph `" + graphName + "` is stale: " + what
                + " does not exist any more, or you may not read it. Refresh the graph with `proxima.graph.refresh`"
                + (caller.yields("path")
                        ? ", project it again, or leave `path` out of YIELD."
                        : ", or project it again."));
    }

    /** A stored relationship as a value of a row. */
    public Relationship entity(Stored stored) {
        return caller.transaction().newRelationshipEntity(stored.id(), stored.start(), stored.type(), stored.end());
    }

    /**
     * A virtual relationship between two vertices.
     *
     * @throws ProximaException if one of the nodes does not exist any more
     */
    public Relationship virtual(StoredRelationships.Reader reader, long number, int from, int to, double cost) {
        requireNode(reader, from);
        requireNode(reader, to);
        virtualIds--;
        return new PathStep(virtualIds, RelationshipType.withName("PATH_" + number), node(from), node(to), cost);
    }

    private Node node(int vertex) {
        return caller.transaction().newNodeEntity(ids.toNeo4jId(vertex));
    }

    /** The ids of vertices. */
    public static List<Long> ids(IdMap ids, int[] vertices) {
        return Arrays.stream(vertices).mapToObj(ids::toNeo4jId).toList();
    }

    /**
     * The vertices on the way to a vertex, from the first one on.
     *
     * @param parents {@code int[vertexCount]}: the vertex before each vertex, a negative number for none
     */
    public static int[] along(int[] parents, int last, PacedStop paced) {
        int length = 0;
        for (int vertex = last; vertex >= 0; vertex = parents[vertex]) {
            length++;
            paced.worked(1);
        }
        int[] vertices = new int[length];
        for (int vertex = last; vertex >= 0; vertex = parents[vertex]) {
            vertices[--length] = vertex;
            paced.worked(1);
        }
        return vertices;
    }
}
