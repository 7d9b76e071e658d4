// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.CscBuilder.Built;
import io.proxima.projection.csc.CscPatch;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.VertexBits;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Brings a projection up to date with its source by reading only what may have changed.
 *
 * <p>Method: the touched nodes are read again, which gives the new id map and the nodes that have entered the graph.
 * The relationships between touched pairs, and all relationships of entered nodes, are read and projected as a graph of
 * their own, over their ends only. A {@link CscPatch} then replaces the entries of the touched pairs by those of this
 * graph. Nothing is counted up or down, so it does not matter how often a part is read again.
 */
public final class GraphUpdate {

    /** Nodes whose relationships are read before a second thread has started. */
    private static final int MIN_PARALLEL = 64;

    private final GraphProjection before;
    private final Touches touches;
    private final PartialSource source;
    private final ProjectionSpec spec;
    private final List<Csc> graphs;
    private final int concurrency;
    private final Stop stop;
    private final PacedStop paced;

    private GraphUpdate(
            GraphProjection before,
            Touches touches,
            PartialSource source,
            ProjectionSpec spec,
            int concurrency,
            Stop stop) {
        this.before = before;
        this.touches = touches;
        this.source = source;
        this.spec = spec;
        this.graphs = before.distinctGraphs();
        this.concurrency = concurrency;
        this.stop = stop;
        this.paced = new PacedStop(stop);
    }

    /**
     * Updates a projection.
     *
     * @param before the projection of {@code spec}, made by {@link Projector} or by an update
     * @param touches everything of the source that may differ from {@code before}
     * @param most the number of relationships to be read at most, also of those that the graph leaves out
     * @return the graph that a projection of the present source would be; null if more relationships had to be read
     * @throws io.proxima.projection.csc.ProjectionException as {@link Projector#project}, for relationships that are
     *     read
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphProjection of(
            GraphProjection before,
            Touches touches,
            PartialSource source,
            ProjectionSpec spec,
            long most,
            int concurrency,
            Stop stop) {
        return new GraphUpdate(before, touches, source, spec, concurrency, stop).update(most);
    }

    /** For each distinct label which of the touched nodes have it, see {@link VertexBits}. */
    private long[][] readNodes(List<String> labels) {
        long[][] bits = new long[labels.size()][];
        Arrays.setAll(bits, label -> VertexBits.allocate(touches.nodes().length));
        source.readNodes(labels, touches.nodes(), stop, (worker, label, ids, count) -> {
            for (int i = 0; i < count; i++) {
                VertexBits.set(bits[label], Arrays.binarySearch(touches.nodes(), ids[i]));
            }
        });
        return bits;
    }

    private GraphProjection update(long most) {
        List<String> labels = Projector.distinctLabels(spec);
        long[][] bits = readNodes(labels);
        long[] present = VertexBits.allocate(touches.nodes().length);
        for (long[] ofLabel : bits) {
            VertexBits.or(present, ofLabel);
        }
        long[] entered = touched(node -> VertexBits.get(present, node) && isAbsent(touches.nodes()[node]));
        long[] left = touched(node -> !VertexBits.get(present, node) && !isAbsent(touches.nodes()[node]));
        int[] renumbered = entered.length + left.length == 0 ? null : new int[before.vertexCount()];
        IdMap ids = renumbered == null ? before.idMap() : newIds(entered, left, renumbered);
        boolean keepNumbers = renumbered == null
                || IntStream.range(0, renumbered.length).allMatch(vertex -> renumbered[vertex] == vertex);

        PartialSource.Part around = source.part(new long[0], entered, most);
        LongPages ends = new LongPages();
        if (entered.length > 0) {
            collectEnds(around, ids, ends);
        }
        LongPages pairs = new LongPages();
        for (int i = 0; i < touches.pairs().length; i += 2) {
            paced.worked(4);
            addIfKept(touches.pairs()[i], touches.pairs()[i + 1], ids, pairs);
        }
        long[] kept = toArray(pairs);
        if (!around.isComplete() || expectedReads(kept) > most) {
            return null;
        }
        ends.add(kept, kept.length);
        ends.add(entered, entered.length);
        IdMap involved = IdMap.of(List.of(ends), 1, stop);
        PartialSource.Part part = source.part(kept, entered, most);
        int readers = kept.length + entered.length < MIN_PARALLEL ? 1 : concurrency;
        GraphProjection fresh = Projector.project(
                involved, Map.of(), part, spec.types(), new Projector.Options(readers, false), stop, Progress.NONE);
        if (!part.isComplete()) {
            return null;
        }
        int[] places = IntStream.range(0, involved.size())
                .map(vertex -> ids.toVertex(involved.toNeo4jId(vertex)))
                .toArray();
        CscPatch patch = new CscPatch(ids.size(), keepNumbers ? null : renumbered, places, replaced(kept, involved));
        return patched(patch, fresh, ids, newLabels(labels, bits, ids, keepNumbers ? null : renumbered));
    }

    private boolean isAbsent(long neo4jId) {
        return before.idMap().toVertex(neo4jId) == IdMap.ABSENT;
    }

    private long[] touched(IntPredicate wanted) {
        return IntStream.range(0, touches.nodes().length)
                .filter(wanted)
                .mapToLong(node -> touches.nodes()[node])
                .toArray();
    }

    /** The new id map. Sets for each old vertex its new number. */
    private IdMap newIds(long[] entered, long[] left, int[] renumbered) {
        long[] ids = new long[IdMap.checkedSize((long) before.vertexCount() + entered.length - left.length)];
        int size = 0;
        int nextEntered = 0;
        int nextLeft = 0;
        for (int vertex = 0; vertex < renumbered.length; vertex++) {
            paced.worked(1);
            long id = before.idMap().toNeo4jId(vertex);
            while (nextEntered < entered.length && entered[nextEntered] < id) {
                ids[size++] = entered[nextEntered++];
            }
            if (nextLeft < left.length && left[nextLeft] == id) {
                nextLeft++;
                renumbered[vertex] = CscPatch.GONE;
            } else {
                renumbered[vertex] = size;
                ids[size++] = id;
            }
        }
        System.arraycopy(entered, nextEntered, ids, size, entered.length - nextEntered);
        return IdMap.of(ids, stop);
    }

    /** Collects the ends of the relationships of entered nodes that have both ends in the graph. */
    private void collectEnds(PartialSource.Part around, IdMap ids, LongPages ends) {
        List<String> types = spec.types().values().stream()
                .map(TypeProjection::type)
                .distinct()
                .toList();
        around.scanRelationships(types, List.of(), 1, stop, (worker, from, to, typeOf, values, count) -> {
            for (int i = 0; i < count; i++) {
                if (ids.toVertex(from[i]) != IdMap.ABSENT && ids.toVertex(to[i]) != IdMap.ABSENT) {
                    ends.add(from[i]);
                    ends.add(to[i]);
                }
            }
        });
    }

    /** Adds a pair of different nodes that were in the graph and still are: all relationships of others are read. */
    private void addIfKept(long one, long other, IdMap ids, LongPages pairs) {
        if (one != other
                && !isAbsent(one)
                && !isAbsent(other)
                && ids.toVertex(one) != IdMap.ABSENT
                && ids.toVertex(other) != IdMap.ABSENT) {
            boolean swaps = degree(other) < degree(one);
            pairs.add(swaps ? other : one);
            pairs.add(swaps ? one : other);
        }
    }

    private static long[] toArray(LongPages pages) {
        long[] array = new long[Math.toIntExact(pages.length())];
        for (int i = 0; i < array.length; i++) {
            array[i] = pages.pageOf(i)[i & pages.pageMask()];
        }
        return array;
    }

    /** The relationships of the lists of the first nodes of pairs, as far as the graph shows their lengths. */
    private long expectedReads(long[] pairs) {
        long reads = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            paced.worked(4);
            reads += degree(pairs[i]);
        }
        return reads;
    }

    private long degree(long neo4jId) {
        int vertex = before.idMap().toVertex(neo4jId);
        long degree = 0;
        for (Csc graph : graphs) {
            degree += graph.degree(vertex);
        }
        return degree;
    }

    private Csc replaced(long[] pairs, IdMap involved) {
        CscBuilder builder = new CscBuilder(involved.size(), Orientation.UNDIRECTED, 1, pairs.length / 2);
        for (int i = 0; i < pairs.length; i += 2) {
            builder.buffer(0).add(involved.toVertex(pairs[i]), involved.toVertex(pairs[i + 1]));
        }
        return builder.build(1, stop);
    }

    private Map<String, long[]> newLabels(List<String> labels, long[][] read, IdMap ids, int[] renumbered) {
        Map<String, long[]> byLabel = new HashMap<>();
        Map<String, long[]> all = new LinkedHashMap<>();
        spec.labels().forEach((name, label) -> {
            long[] old = before.labelBits(name);
            all.put(
                    name,
                    old == null || touches.nodes().length == 0
                            ? old
                            : byLabel.computeIfAbsent(
                                    label, unused -> newBits(old, read[labels.indexOf(label)], ids, renumbered)));
        });
        return all;
    }

    private long[] newBits(long[] old, long[] read, IdMap ids, int[] renumbered) {
        long[] bits = VertexBits.allocate(ids.size());
        if (renumbered == null) {
            System.arraycopy(old, 0, bits, 0, old.length);
        } else {
            for (int vertex : VertexBits.toArray(old, stop)) {
                if (renumbered[vertex] != CscPatch.GONE) {
                    VertexBits.set(bits, renumbered[vertex]);
                }
            }
        }
        for (int node = 0; node < touches.nodes().length; node++) {
            paced.worked(1);
            int vertex = ids.toVertex(touches.nodes()[node]);
            if (vertex != IdMap.ABSENT && VertexBits.get(read, node)) {
                VertexBits.set(bits, vertex);
            } else if (vertex != IdMap.ABSENT) {
                VertexBits.clear(bits, vertex);
            }
        }
        return bits;
    }

    private GraphProjection patched(CscPatch patch, GraphProjection fresh, IdMap ids, Map<String, long[]> labels) {
        Map<TypeProjection, Built> built = new LinkedHashMap<>();
        spec.types().forEach((name, type) -> {
            if (!built.containsKey(type)) {
                built.put(type, patch.apply(built(before, name, type), built(fresh, name, type), concurrency, stop));
            }
        });
        return Projector.named(ids, labels, spec.types(), built);
    }

    private static Built built(GraphProjection graph, String name, TypeProjection type) {
        List<WeightedCsc> weights = type.properties().keySet().stream()
                .map(property -> graph.weighted(name, property))
                .toList();
        return new Built(graph.csc(name), weights);
    }
}
