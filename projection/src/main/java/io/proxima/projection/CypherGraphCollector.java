// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.BuildMemory;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.csc.VertexBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Collects relationships and single nodes, in any order and with duplicates, and projects them. A node has every label
 * that any of its rows gives it, and {@link #UNNAMED} if no row gives it one.
 *
 * <p>A row takes 20 bytes, and 8 for each property. Nothing is looked up until all
 * rows have arrived. The id map is then built from all ids at once, in a few nanoseconds for each id. A hash table that
 * grows with the rows would miss the cache twice for each row.
 *
 * <p>Not thread-safe: callers that add from several threads must synchronize.
 */
public final class CypherGraphCollector {

    /** The label of nodes without labels and the type of relationships without a type, as in GDS. */
    public static final String UNNAMED = ProjectionSpec.ALL_NAME;

    /** Heap of a kind, and of each of its names in addition to the text. */
    private static final long KIND_BYTES = 256;

    private static final long NAME_BYTES = 64;

    /** Additional sets of vertices: without a label, with any label, with labels from the store. */
    private static final int FURTHER_SETS = 3;

    private final LongPages sources = new LongPages();
    private final LongPages targets = new LongPages();

    /** What is known of the rows of each page of sources and targets; null once they have been used. */
    private final List<Chunk> chunks = new ArrayList<>();

    private final List<Kind> kinds = new ArrayList<>();
    private final Map<Kind, Integer> kindNumbers = new HashMap<>();

    private final Set<String> properties = new HashSet<>();
    private final Set<String> labels = new HashSet<>();

    /** The properties of the relationships of each type that a kind names, in the order of the kinds. */
    private final Map<String, Set<String>> propertiesOfType = new LinkedHashMap<>();

    private long kindBytes;

    private long firstId = Long.MAX_VALUE;
    private long lastId = -1;

    /**
     * Rows side by side.
     *
     * @param kinds the kind of each row
     * @param values of the properties of any of the rows the value of each row, NaN if it has none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Chunk(int[] kinds, Map<String, double[]> values) {
        /** The values of a property that no row has; never changed. */
        private static final double[] ABSENT = absent();

        Chunk() {
            this(new int[LongPages.PAGE_LENGTH], new HashMap<>());
        }

        private static double[] absent() {
            double[] values = new double[LongPages.PAGE_LENGTH];
            Arrays.fill(values, Double.NaN);
            return values;
        }

        void set(String property, int place, double value) {
            values.computeIfAbsent(property, name -> absent())[place] = value;
        }
    }

    /** Whether rows are kept, not only counted. */
    private final boolean keeps;

    private long rowCount;

    /** For each kind the number of rows. */
    private long[] rowsOfKind = new long[1];

    /** Creates a collector without rows. */
    public CypherGraphCollector() {
        this(true);
    }

    private CypherGraphCollector(boolean keeps) {
        this.keeps = keeps;
    }

    /** Creates a collector that only counts its rows, for {@link #peak}; they cannot be projected. */
    public static CypherGraphCollector counting() {
        return new CypherGraphCollector(false);
    }

    /**
     * The properties that many rows share.
     *
     * @param sourceLabels labels of the start node, empty if the row gives none; null for its labels in the store
     * @param targetLabels labels of the end node, in the same way
     * @param type type of the relationship; null for a single node, which is then both ends of the row
     * @param properties the properties of the relationship, in the order of the row's values
     */
    public record Kind(List<String> sourceLabels, List<String> targetLabels, String type, List<String> properties) {

        /** A kind without properties. */
        public Kind(List<String> sourceLabels, List<String> targetLabels, String type) {
            this(sourceLabels, targetLabels, type, List.of());
        }
    }

    /** The number of a kind, for {@link #add}. */
    public int number(Kind kind) {
        Integer known = kindNumbers.putIfAbsent(kind, kinds.size());
        if (known != null) {
            return known;
        }
        kinds.add(kind);
        kindBytes += KIND_BYTES;
        if (rowsOfKind.length < kinds.size()) {
            rowsOfKind = Arrays.copyOf(rowsOfKind, 2 * kinds.size());
        }
        for (List<String> names : Arrays.asList(kind.sourceLabels, kind.targetLabels)) {
            if (names != null) {
                labels.addAll(names);
                names.forEach(name -> kindBytes += NAME_BYTES + name.length());
            }
        }
        if (kind.type != null) {
            propertiesOfType
                    .computeIfAbsent(kind.type, type -> new LinkedHashSet<>())
                    .addAll(kind.properties);
            kindBytes += NAME_BYTES + kind.type.length();
        }
        for (String property : kind.properties) {
            properties.add(property);
            kindBytes += NAME_BYTES + property.length();
        }
        return kinds.size() - 1;
    }

    /** Heap of the kinds, and of the values of all of their properties for the least number of rows. */
    public long bytesOfKinds() {
        return kindBytes + (keeps ? (long) properties.size() * LongPages.PAGE_BYTES : 0);
    }

    /**
     * Adds a relationship or, with the same node twice and a kind without a type, a single node.
     *
     * @param source neo4jId of the start node, not negative
     * @param target neo4jId of the end node, not negative
     * @param kind a number returned by {@link #number}
     */
    public void add(long source, long target, int kind) {
        firstId = Math.min(firstId, Math.min(source, target));
        lastId = Math.max(lastId, Math.max(source, target));
        rowCount++;
        rowsOfKind[kind]++;
        if (!keeps) {
            return;
        }
        int place = (int) (sources.length() & sources.pageMask());
        if (place == 0) {
            chunks.add(new Chunk());
        }
        chunks.get(chunks.size() - 1).kinds[place] = kind;
        sources.add(source);
        targets.add(target);
    }

    /**
     * Adds a relationship with properties.
     *
     * @param given for each property of the kind its value, NaN for none
     */
    public void add(long source, long target, int kind, double[] given) {
        add(source, target, kind);
        if (keeps) {
            List<String> names = kinds.get(kind).properties;
            Chunk last = chunks.get(chunks.size() - 1);
            int place = (int) (sources.length() - 1 & sources.pageMask());
            for (int i = 0; i < given.length; i++) {
                last.set(names.get(i), place, given[i]);
            }
        }
    }

    /** Number of rows added. */
    public long rowCount() {
        return rowCount;
    }

    /** The types of the rows, with the number of rows of each; single nodes have none. */
    public Map<String, Long> types() {
        Map<String, Long> types = new LinkedHashMap<>();
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (kinds.get(kind).type != null && rowsOfKind[kind] > 0) {
                types.merge(kinds.get(kind).type, rowsOfKind[kind], Long::sum);
            }
        }
        return types;
    }

    /**
     * The maximum number of nodes of the rows: no more than their ends, and no more than ids between the lowest and the
     * highest.
     */
    public long mostNodes() {
        return Math.min(2 * rowCount, span());
    }

    /** The number of ids from the first to the last; that of all ids if it is too large for a long. */
    private long span() {
        return rowCount == 0 ? 0 : Math.min(lastId - firstId, Long.MAX_VALUE - 1) + 1;
    }

    /**
     * The peak heap of the given number of rows like those added, and of their projection, without the bits of labels
     * that only the store knows. There cannot be more nodes than ids between the first and the last.
     *
     * @param rowCount number of rows, at least the number of added rows
     * @param undirected whether each relationship becomes two edges
     * @param concurrency number of building threads
     */
    public MemoryTree peak(long rowCount, boolean undirected, int concurrency) {
        long span = Math.max(span(), rowCount - this.rowCount);
        long nodes = Math.min(2 * rowCount, span);
        long ids = 2 * rowCount;
        long numbering = IdMap.isDense(0, span, ids)
                ? VertexBits.bytes(span) * 2
                : ids * Long.BYTES + 2 * Integer.BYTES * (ids / IdMap.IDS_PER_DIRECTORY_ENTRY);
        MemoryTree rows = MemoryTree.exactly("rows", rowsBytes(rowCount));
        MemoryTree names = MemoryTree.exactly("names", kindBytes);
        MemoryTree idMap = MemoryTree.exactly("id map", IdMap.mostBytes(nodes));
        MemoryTree bits = MemoryTree.exactly(
                "labels", (labels.size() + FURTHER_SETS) * VertexBits.bytes(nodes) + nodes * Integer.BYTES);
        return MemoryTree.oneByOne(
                "projection of rows",
                MemoryTree.together(
                        "number nodes",
                        rows,
                        names,
                        MemoryTree.exactly("node ids found", numbering + nodes * Long.BYTES)),
                MemoryTree.together(
                        "build graph", names, idMap, bits, buildMemory(rowCount, nodes, undirected, concurrency)));
    }

    /** Peak heap of the types' graphs, while rows are freed as they are used. */
    private MemoryTree buildMemory(long rowCount, long nodes, boolean undirected, int concurrency) {
        int vertices = (int) Math.min(nodes, Csc.MAX_VERTICES);
        Orientation orientation = undirected ? Orientation.UNDIRECTED : Orientation.NATURAL;
        Map<String, Long> types = types();
        List<BuildMemory> builds = new ArrayList<>();
        propertiesOfType.forEach((type, properties) -> {
            // further rows are assumed to have the same distribution
            double share = (double) types.getOrDefault(type, 0L) / Math.max(1, this.rowCount);
            long relationships = (long) Math.ceil(share * rowCount);
            builds.add(CscBuilder.memory(vertices, orientation, concurrency, relationships, properties.size()));
        });
        return MemoryTree.exactly("relationships", BuildMemory.peak(builds).maxBytes() + rowsBytes(rowCount));
    }

    private long rowsBytes(long rowCount) {
        // arrays are allocated for a page of rows at once
        long pages = (rowCount + LongPages.PAGE_LENGTH - 1) / LongPages.PAGE_LENGTH;
        long bytesOfRow = Integer.BYTES + (2L + properties.size()) * Long.BYTES;
        return pages * LongPages.PAGE_LENGTH * bytesOfRow;
    }

    /**
     * Projects the rows; to be called once, after the last row. Rows are freed as they are used.
     *
     * @param orientation how the relationships of a type become edges
     * @param storeLabels returns the labels of a node whose kinds take them from the store; called by one thread, once
     *     for each node
     * @param concurrency number of building threads, at least 1
     * @param stop requests the work to end early
     * @param progress receives the tasks of {@link Projector#project}
     * @param heap has {@link #peak} reserved, and grows by the memory of labels that only the store knows
     * @return the projection; without any row it has no vertices, and the label and the type {@link #UNNAMED}
     * @throws ProjectionException if there are more than {@link Csc#MAX_VERTICES} nodes
     * @throws io.proxima.memory.HeapShortageException if the reservation cannot grow
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphProjection project(
            Function<String, Orientation> orientation,
            LongFunction<List<String>> storeLabels,
            int concurrency,
            Stop stop,
            Progress progress,
            HeapBudget.Reservation heap) {
        progress.beginTask(Projector.SCAN_NODES, rowCount());
        Source source = new Source(storeLabels, concurrency, stop, heap);
        progress.advance(rowCount());
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        source.types.keySet().forEach(type -> {
            Map<String, PropertyProjection> properties = new LinkedHashMap<>();
            propertiesOfType
                    .getOrDefault(type, Set.of())
                    .forEach(name -> properties.put(name, new PropertyProjection(name, Double.NaN, Aggregation.NONE)));
            types.put(type, new TypeProjection(type, orientation.apply(type), properties));
        });
        return Projector.project(
                source.ids, source.bearers, source, types, new Projector.Options(concurrency, false), stop, progress);
    }

    /** The complete rows as a source, with the labels of each node. */
    private final class Source implements RelationshipSource {
        private final IdMap ids;

        /** For each label the vertices that have it, see {@link VertexBits}; null if all have it. */
        private final Map<String, long[]> bearers = new LinkedHashMap<>();

        /** The types, with the number of rows of each. */
        private final Map<String, Long> types;

        Source(LongFunction<List<String>> storeLabels, int concurrency, Stop stop, HeapBudget.Reservation heap) {
            ids = IdMap.of(List.of(sources, targets), concurrency, stop);
            Map<String, Long> given = types();
            types = given.isEmpty() ? Map.of(UNNAMED, 0L) : given;
            bear(storeLabels, stop, heap);
        }

        private void bear(LongFunction<List<String>> storeLabels, Stop stop, HeapBudget.Reservation heap) {
            List<String> only = labelsOfAll();
            if (only != null && only.size() < 2) {
                bearers.put(only.isEmpty() ? UNNAMED : only.get(0), null);
                return;
            }
            long[] inStore = VertexBits.allocate(ids.size());
            // for each kind the sets that the ends of its rows belong to
            long[][][] ofSources = new long[kinds.size()][][];
            long[][][] ofTargets = new long[kinds.size()][][];
            PacedStop paced = new PacedStop(stop);
            for (int kind = 0; kind < ofSources.length; kind++) {
                paced.worked(1);
                if (rowsOfKind[kind] > 0) {
                    ofSources[kind] = bearersOf(kinds.get(kind).sourceLabels, inStore);
                    ofTargets[kind] = bearersOf(kinds.get(kind).targetLabels, inStore);
                }
            }
            for (int chunk = 0; chunk < sources.pageCount(); chunk++) {
                long[] from = sources.page(chunk);
                long[] to = targets.page(chunk);
                int[] ofRows = chunks.get(chunk).kinds;
                for (int row = 0; row < sources.pageLength(chunk); row++) {
                    mark(ofSources[ofRows[row]], from[row], paced);
                    mark(ofTargets[ofRows[row]], to[row], paced);
                }
            }
            for (int vertex : VertexBits.toArray(inStore, stop)) {
                paced.worked(Long.SIZE);
                for (String label : storeLabels.apply(ids.toNeo4jId(vertex))) {
                    if (!bearers.containsKey(label) && !labels.contains(label)) {
                        heap.grow(VertexBits.bytes(ids.size()));
                    }
                    VertexBits.set(bearersOf(label), vertex);
                }
            }
            nameTheRest(stop);
        }

        /** The labels that every row gives both of its nodes; null if rows differ, or for the labels in the store. */
        private List<String> labelsOfAll() {
            if (kinds.isEmpty()) {
                return null;
            }
            List<String> first = kinds.get(0).sourceLabels;
            boolean same = kinds.stream()
                    .allMatch(kind ->
                            Objects.equals(kind.sourceLabels, first) && Objects.equals(kind.targetLabels, first));
            return same ? first : null;
        }

        private long[][] bearersOf(List<String> labels, long[] inStore) {
            return labels == null
                    ? new long[][] {inStore}
                    : labels.stream().map(this::bearersOf).toArray(long[][]::new);
        }

        private void mark(long[][] sets, long node, PacedStop paced) {
            paced.worked(1L + sets.length);
            if (sets.length > 0) {
                int vertex = ids.toVertex(node);
                for (long[] bits : sets) {
                    VertexBits.set(bits, vertex);
                }
            }
        }

        private long[] bearersOf(String label) {
            return bearers.computeIfAbsent(label, name -> VertexBits.allocate(ids.size()));
        }

        private void nameTheRest(Stop stop) {
            PacedStop paced = new PacedStop(stop);
            long[] named = VertexBits.allocate(ids.size());
            for (long[] bits : bearers.values()) {
                paced.worked(bits.length);
                VertexBits.or(named, bits);
            }
            if (VertexBits.count(named) < ids.size() || bearers.isEmpty()) {
                long[] unnamed = bearersOf(UNNAMED);
                for (int vertex = 0; vertex < ids.size(); vertex++) {
                    paced.worked(1);
                    if (!VertexBits.get(named, vertex)) {
                        VertexBits.set(unnamed, vertex);
                    }
                }
            }
        }

        @Override
        public long estimateRelationshipCount(List<String> ofTypes) {
            return ofTypes.stream().mapToLong(types::get).sum();
        }

        @Override
        public void scanRelationships(
                List<String> wanted, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
            Map<String, Integer> numbers = new HashMap<>();
            wanted.forEach(type -> numbers.put(type, numbers.size()));
            int[] typeOfKind = new int[kinds.size()];
            for (int kind = 0; kind < typeOfKind.length; kind++) {
                // a single node is a loop, which every type leaves out
                typeOfKind[kind] = numbers.getOrDefault(kinds.get(kind).type, 0);
            }
            int[][] batches = new int[concurrency][LongPages.PAGE_LENGTH];
            Workers.forRanges(concurrency, sources.pageCount(), 1, stop, (worker, index, end) -> {
                int chunk = (int) index;
                int[] typeOfRow = batches[worker];
                int[] ofRows = chunks.get(chunk).kinds;
                for (int row = 0; row < sources.pageLength(chunk); row++) {
                    typeOfRow[row] = typeOfKind[ofRows[row]];
                }
                double[][] ofChunk = properties.stream()
                        .map(property -> chunks.get(chunk).values.getOrDefault(property.key(), Chunk.ABSENT))
                        .toArray(double[][]::new);
                sink.accept(
                        worker,
                        sources.page(chunk),
                        targets.page(chunk),
                        typeOfRow,
                        ofChunk,
                        sources.pageLength(chunk));
                sources.release(chunk);
                targets.release(chunk);
                chunks.set(chunk, null);
            });
        }
    }
}
