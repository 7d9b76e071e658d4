// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.LoadedGraph.Residence;
import io.proxima.backend.TraversalBackend;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.TransactionEnd.Outcome;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.plugin.current.Selection;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.memory.ObjectBytes;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.OnDemand;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A named projected graph, with the forms that backends have loaded. Reference-counted: the catalog holds one
 * reference, and every run holds another. Releasing the last one frees what the backends hold.
 */
public final class GraphEntry implements AutoCloseable {

    // measured with the JVM's histogram of live objects

    /** Heap of an entry besides its maps. */
    private static final int ENTRY_BYTES = 128;

    /** Heap of a part besides its values: the header, and its places in the ledger. */
    private static final int PART_BYTES = 108;

    /** Heap of the objects that hold the arrays of a CSC or of weights. */
    private static final int STRUCTURE_BYTES = 200;

    private final GraphKey key;
    private final GraphProjection projection;
    private final Details details;
    private final long nameBytes;
    private final ReentrantLock loading = new ReentrantLock();
    private final HeapLedger.Holding held = HeapLedger.ofThisJvm().hold();

    private final OnDemand<Map<String, Object>> degreeDistribution = new OnDemand<>();

    // guarded by "this"
    private Map<String, LoadedGraph> loaded = new LinkedHashMap<>();
    private int references = 1;
    private String lastBackend = "";
    private final Set<String> searchedOn = new HashSet<>();
    private final Map<String, NodeProperty> properties = new LinkedHashMap<>();
    private Instant modified;

    // guarded by the catalog
    private final Version version = new Version();

    /**
     * Properties of a graph besides its vertices and edges.
     *
     * @param configuration the effective configuration of the projection, including node and relationship projection
     * @param types the schema of each projected type
     * @param created the time at which the projection ended
     * @param mark the state of the database that the graph has; the entry closes it
     * @param changes the end of the transaction whose uncommitted changes the graph has; null for a graph without any
     * @param nativeProjection what was read from the store, and how it was filtered; null for a graph that was not made
     *     by a native projection
     * @param reading how it was read; null for such a graph
     */
    public record Details(
            Map<String, Object> configuration,
            Map<String, TypeSchema> types,
            Instant created,
            Mark mark,
            TransactionEnd changes,
            NativeProjection nativeProjection,
            Reading reading) {

        /** For each type of the native projection what was read from the store; empty without one. */
        public Map<String, TypeProjection> stored() {
            return nativeProjection == null
                    ? Map.of()
                    : nativeProjection.parsed().spec().types();
        }

        /** Those of the same projection of a later state. */
        public Details refreshed(Instant at, Mark read, TransactionEnd uncommitted, Reading how) {
            return new Details(configuration, types, at, read, uncommitted, nativeProjection, how);
        }
    }

    /**
     * How a native projection was read.
     *
     * @param begin the {@link System#nanoTime} before it was read
     * @param nanos the time of the last projection as a whole
     * @param complete whether its caller could read everything that is projected
     */
    public record Reading(long begin, long nanos, boolean complete) {}

    /**
     * The place of a graph among its versions. It does not refer to the graph: runs on an old one must keep no later
     * one.
     */
    private static final class Version {
        private Version next;

        /** The neo4jIds of nodes that may be others in the next version. */
        private long[] reborn;
    }

    /**
     * What a native projection reads.
     *
     * @param parsed the nodes and relationships
     * @param validatesRelationships whether an end that is not projected is an error
     * @param filters the filters that the graph has passed since, in order
     * @param live what the versions of a live graph have in common; null if only a call refreshes the graph
     */
    public record NativeProjection(
            ProjectionParser.Parsed parsed, boolean validatesRelationships, List<Filter> filters, Live live) {

        /** This projection with one more filter; not live. */
        public NativeProjection filteredBy(Filter filter) {
            List<Filter> all = new ArrayList<>(filters);
            all.add(filter);
            return new NativeProjection(parsed, validatesRelationships, List.copyOf(all), null);
        }

        private long filterBytes() {
            return filters.stream()
                    .mapToLong(filter -> filter.nodes.bytes() + filter.relationships.bytes())
                    .sum();
        }
    }

    /** Filters of nodes and relationships. */
    public record Filter(FilterExpression nodes, FilterExpression relationships) {}

    /** Creates an entry for the catalog. */
    public GraphEntry(GraphKey key, GraphProjection projection, Details details) {
        this.key = key;
        this.projection = projection;
        this.details = details;
        this.modified = details.created();
        this.nameBytes = nameBytes();
        watch();
    }

    private void watch() {
        NativeProjection read = details.nativeProjection();
        if (read != null) {
            details.mark()
                    .watch(Selection.of(
                            read.parsed().spec().labels().values(),
                            projection.types().stream()
                                    .map(details.stored()::get)
                                    .toList(),
                            projection.idMap(),
                            read.validatesRelationships()));
        }
    }

    /** Heap of everything that is not an array: names, descriptions and the objects between them. */
    private long nameBytes() {
        ObjectBytes names = new ObjectBytes()
                .add(key.name())
                .add(details.configuration())
                .add(details.types())
                .addHashMap(projection.labels().size())
                .addHashMap(projection.types().size())
                .addHashMap(projection.types().size());
        long filterBytes = 0;
        if (details.nativeProjection() != null) {
            ProjectionParser.Parsed parsed = details.nativeProjection().parsed();
            names.add(parsed.nodeProjection())
                    .add(parsed.relationshipProjection())
                    .add(parsed.spec().labels());
            filterBytes = details.nativeProjection().filterBytes();
        }
        names.addHashMap(details.stored().size());
        details.stored().values().forEach(type -> names.add(type).add(type.properties()));
        details.types().values().forEach(type -> names.add(type.properties()));
        projection.labels().forEach(names::add);
        Set<Object> structures = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String type : projection.types()) {
            names.add(type);
            structures.add(projection.csc(type));
            Set<String> properties = projection.properties(type);
            if (!properties.isEmpty()) {
                names.addHashMap(properties.size());
            }
            for (String property : properties) {
                names.add(property);
                structures.add(projection.weighted(type, property));
            }
        }
        return ENTRY_BYTES + filterBytes + names.sum() + (long) STRUCTURE_BYTES * structures.size();
    }

    /** Owner, database and name. */
    public GraphKey key() {
        return key;
    }

    /** The graph. */
    public GraphProjection projection() {
        return projection;
    }

    /** Configuration, schema and creation time. */
    public Details details() {
        return details;
    }

    /** Whether a transaction may have changed what the graph shows since it was read. */
    public boolean stale() {
        return details.mark().isStale();
    }

    /**
     * Checks that the graph has no uncommitted changes. After a rollback, Neo4j gives the ids of their nodes to others.
     *
     * @throws ProximaException if the transaction that has made the changes is open, or was rolled back
     */
    public void requireCommitted() {
        requireNotRolledBack();
        if (details.changes() != null && details.changes().outcome() != Outcome.COMMITTED) {
            throw ProximaException.failed("The graph `" + key.name() + "` has uncommitted changes of a transaction that"
                    + " is open. Commit the transaction, then write or export the graph; a rollback drops it.");
        }
    }

    /**
     * Checks that the graph has no changes that were rolled back.
     *
     * @throws ProximaException if it has
     */
    public void requireNotRolledBack() {
        if (isRolledBack()) {
            throw ProximaException.failed(
                    "The graph `" + key.name()
                            + (isLive()
                                    ? "` has changes of a transaction that was rolled back. The next call of its owner projects it"
                                            + " again."
                                    : "` was dropped, because the transaction with its changes was rolled back. Project it again."));
        }
    }

    /** Whether calls of the owner refresh the graph. */
    public boolean isLive() {
        return details.nativeProjection() != null && details.nativeProjection().live() != null;
    }

    /** Whether the graph has changes that were rolled back. */
    boolean isRolledBack() {
        return details.changes() != null && details.changes().outcome() == Outcome.ROLLED_BACK;
    }

    /** Acquires a reference; false if the graph has already been freed. */
    synchronized boolean acquire() {
        if (references == 0) {
            return false;
        }
        references++;
        return true;
    }

    /** Releases a reference; the last one frees the graph. */
    @Override
    public void close() {
        Iterator<LoadedGraph> unused;
        synchronized (this) {
            if (references == 0) {
                throw new IllegalStateException("closed more often than acquired: " + key);
            }
            if (--references > 0) {
                return;
            }
            // made before the first close, because the heap may be exhausted
            unused = loaded.values().iterator();
            loaded = Map.of();
        }
        try {
            Closing.all(unused, LoadedGraph::close);
        } finally {
            held.close();
            details.mark().close();
        }
    }

    /**
     * Records the graph's current heap in the ledger, and deducts it from the promise of the call that built it. To be
     * called whenever a call has built something that is kept, or has dropped a part.
     */
    public void recordHeldHeap(HeapLedger.Promise promise) {
        synchronized (held) {
            promise.handOver(held, heapParts());
        }
    }

    /**
     * The graph as loaded by a backend; loaded at the first call and kept. The caller holds a reference.
     *
     * @param backend the backend
     * @param concurrency number of threads that build the union of the projected types
     * @param stop ends the work, or the wait for another caller that loads the graph
     */
    public LoadedGraph loadedOn(TraversalBackend backend, int concurrency, Stop stop) {
        String name = backend.info().name();
        stop.lock(loading);
        try {
            synchronized (this) {
                LoadedGraph known = loaded.get(name);
                if (known != null) {
                    return known;
                }
            }
            LoadedGraph graph = backend.load(projection.csc(concurrency, stop));
            synchronized (this) {
                loaded.put(name, graph);
            }
            return graph;
        } finally {
            loading.unlock();
        }
    }

    /** Records that a search from one node, or from several together, runs on a backend. */
    public synchronized void searchesOn(String backend) {
        searchedOn.add(backend);
    }

    /** Whether such a search has run. */
    public synchronized boolean searchedOn(String backend) {
        return searchedOn.contains(backend);
    }

    /**
     * Adds node properties, all or none, to a graph that is not in the catalog yet; otherwise call
     * {@link GraphCatalog#addProperties}.
     *
     * @throws ProximaException if one of the names is in use
     */
    public synchronized void addProperties(Collection<NodeProperty> added) {
        added.forEach(property -> requireNoProperty(property.name()));
        added.forEach(property -> properties.put(property.name(), property));
        modified = Instant.now();
    }

    /**
     * Checks that a property name is not in use, before values are computed.
     *
     * @throws ProximaException if the name is in use
     */
    public synchronized void requireNoProperty(String name) {
        if (properties.containsKey(name)) {
            throw ProximaException.failed("Node property `" + name
                    + "` already exists in the in-memory graph. Choose another name, or drop it with"
                    + " `proxima.graph.nodeProperties.drop`.");
        }
    }

    /** The node properties by name, in the order in which they were added. */
    public synchronized Map<String, NodeProperty> properties() {
        return new LinkedHashMap<>(properties);
    }

    /** Drops node properties; returns those that existed. To be called by the catalog. */
    synchronized List<NodeProperty> dropProperties(Collection<String> names) {
        List<NodeProperty> dropped =
                names.stream().map(properties::remove).filter(Objects::nonNull).toList();
        modified = dropped.isEmpty() ? modified : Instant.now();
        return dropped;
    }

    /**
     * Sets the version into which what has changed since was merged. To be called by the catalog.
     *
     * @param reborn neo4jIds of nodes that may be others than before
     */
    void becomes(GraphEntry next, long[] reborn) {
        version.next = next.version;
        version.reborn = reborn;
    }

    /**
     * The nodes that may be others in a later version. To be called by the catalog.
     *
     * @return neo4jIds, ascending; null if this graph has not become {@code later} by merging changes
     */
    long[] rebornUntil(GraphEntry later) {
        LongStream.Builder reborn = LongStream.builder();
        for (Version at = version; at != later.version; at = at.next) {
            if (at.next == null) {
                return null;
            }
            Arrays.stream(at.reborn).forEach(reborn::add);
        }
        return reborn.build().sorted().toArray();
    }

    /** Properties of this graph as those of a later version, or of a part of this graph. */
    public List<NodeProperty> carried(
            Collection<NodeProperty> ofThis, GraphProjection other, long[] reborn, Stop stop) {
        return ofThis.stream()
                .map(property -> property.carried(projection.idMap(), other.idMap(), reborn, stop))
                .toList();
    }

    /** The time at which the graph was projected or its properties last changed. */
    public synchronized Instant modified() {
        return modified;
    }

    /**
     * The schema map, as in GDS, with the current node properties.
     *
     * @param withOrientation whether it has the direction of each type
     */
    public Map<String, Object> schema(boolean withOrientation) {
        Collection<NodeProperty> known = properties().values();
        Map<String, Object> nodes = new LinkedHashMap<>();
        for (String label : projection.labels()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            known.stream()
                    .filter(property -> property.labels().contains(label))
                    .forEach(property -> shown.put(property.name(), property.schema()));
            nodes.put(label, shown);
        }
        Map<String, Object> relationships = new LinkedHashMap<>();
        details.types().forEach((type, schema) -> {
            String direction = schema.undirected() ? "UNDIRECTED" : "DIRECTED";
            relationships.put(
                    type,
                    withOrientation
                            ? Map.of("direction", direction, "properties", schema.properties())
                            : schema.properties());
        });
        return Map.of("graphProperties", Map.of(), "nodes", nodes, "relationships", relationships);
    }

    /** Records the backend of a run on the graph. */
    public synchronized void ranOn(String backend) {
        lastBackend = backend;
    }

    /** The backend of the last run, empty before the first run. */
    public synchronized String lastBackend() {
        return lastBackend;
    }

    /** Where the graph is resident: the names of devices' backends, and {@link BackendInfo#CPU}. */
    public List<String> residentOn() {
        return loadedNow().stream()
                .map(LoadedGraph::residences)
                .flatMap(residences -> residences.isEmpty()
                        ? Stream.of(BackendInfo.CPU)
                        : residences.stream().map(Residence::device))
                .distinct()
                .toList();
    }

    private Stream<Residence> residences() {
        return loadedNow().stream().flatMap(graph -> graph.residences().stream());
    }

    /** Asked for their places without a lock: an answer can wait for a device. */
    private synchronized List<LoadedGraph> loadedNow() {
        return List.copyOf(loaded.values());
    }

    /** The current order of the graph on a device; empty if it is not resident on any. */
    public String order() {
        return residences().map(Residence::order).findFirst().orElse("");
    }

    /** Current bytes on devices. */
    public long deviceBytes() {
        return onDevices(Residence::bytes);
    }

    /** Current bytes of page-locked host memory that devices read. */
    public long mappedBytes() {
        return onDevices(Residence::mappedBytes);
    }

    private long onDevices(ToLongFunction<Residence> bytes) {
        Map<String, Long> devices = new HashMap<>();
        // 'auto' and 'cuda' share the device memory
        residences().forEach(residence -> devices.merge(residence.device(), bytes.applyAsLong(residence), Math::max));
        return devices.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes on the heap: the projection, all names and the node properties. */
    public long heapBytes() {
        return heapParts().stream().mapToLong(HeapPart::bytes).sum();
    }

    private List<HeapPart> heapParts() {
        List<HeapPart> parts = new ArrayList<>(projection.heapParts());
        properties().values().forEach(property -> parts.addAll(property.heapParts()));
        parts.add(new HeapPart(details, nameBytes + (long) PART_BYTES * parts.size()));
        return parts;
    }

    /** The distribution of the out-degrees, computed once. */
    public Map<String, Object> degreeDistribution(int threads, Stop stop) {
        return degreeDistribution.get(stop, () -> Distribution.ofDegrees(projection, threads, stop));
    }
}
