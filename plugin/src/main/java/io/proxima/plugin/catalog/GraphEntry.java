/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.catalog;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapPart;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.GraphProjection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A projected graph under its name, with what the backends have made of it. Reference-counted: the catalog holds one
 * reference, every run another, and the last one to be released frees what the backends hold.
 */
public final class GraphEntry {

    private static final long LOCK_POLL_MILLIS = 20;
    private static final String HOST = "cpu";

    private final GraphKey key;
    private final GraphProjection projection;
    private final Details details;
    private final ReentrantLock loading = new ReentrantLock();
    private final HeapLedger.Holding held = HeapLedger.ofThisJvm().hold();

    // guarded by "this"
    private final Map<String, LoadedGraph> loaded = new LinkedHashMap<>();
    private int references = 1;
    private String lastBackend;
    private Map<String, Object> degreeDistribution;
    private final Set<String> searchedOn = new HashSet<>();
    private final Map<String, NodeProperty> properties = new LinkedHashMap<>();
    private Instant modified;

    /**
     * What is known of a graph beside its vertices and edges.
     *
     * @param configuration the effective configuration of the projection, the projections included
     * @param schema GDS's schema map
     * @param schemaWithOrientation GDS's schema map with directions
     * @param created when the projection ended
     * @param committedAtProjection the store's last transaction that the projection is sure to have seen
     * @param lastCommitted the store's last committed transaction now
     */
    public record Details(
            Map<String, Object> configuration,
            Map<String, Object> schema,
            Map<String, Object> schemaWithOrientation,
            Instant created,
            long committedAtProjection,
            LongSupplier lastCommitted) {}

    /** Creates an entry that the catalog is to own. */
    public GraphEntry(GraphKey key, GraphProjection projection, Details details) {
        this.key = key;
        this.projection = projection;
        this.details = details;
        this.modified = details.created();
    }

    /** Whose graph it is and what it is called. */
    public GraphKey key() {
        return key;
    }

    /** The graph. */
    public GraphProjection projection() {
        return projection;
    }

    /** What is known of it. */
    public Details details() {
        return details;
    }

    /** Whether the store has committed since the projection. */
    public boolean stale() {
        return details.lastCommitted().getAsLong() > details.committedAtProjection();
    }

    /** Takes a reference; false if the graph is already freed. */
    synchronized boolean acquire() {
        if (references == 0) {
            return false;
        }
        references++;
        return true;
    }

    /** Gives a reference back; the last one frees the graph. */
    public void release() {
        List<LoadedGraph> unused = List.of();
        synchronized (this) {
            if (references == 0) {
                throw new IllegalStateException("released more often than acquired: " + key);
            }
            if (--references == 0) {
                unused = new ArrayList<>(loaded.values());
                loaded.clear();
                held.close();
            }
        }
        unused.forEach(LoadedGraph::close);
    }

    /**
     * Enters what the graph holds on the heap now into the ledger, at the expense of the promise to the call that made it.
     * To be called whenever a call has made something that stays.
     */
    public void settle(HeapLedger.Promise promise) {
        synchronized (held) {
            promise.handOver(held, heapParts());
        }
    }

    /** Enters what the graph holds on the heap now into the ledger, after some of it was dropped. */
    public void settle() {
        synchronized (held) {
            held.set(heapParts());
        }
    }

    /**
     * The graph as the backend has taken it in; done at the first call and kept. The caller holds a reference.
     *
     * @param backend which backend
     * @param concurrency threads for joining the projected types
     * @param stop ends the work and the waiting for another caller who is at it
     */
    public LoadedGraph loadedOn(TraversalBackend backend, int concurrency, Stop stop) {
        String name = backend.info().name();
        lock(stop);
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

    /** Tells that a search from one or several nodes together runs on what a backend has loaded. */
    public synchronized void searchesOn(String backend) {
        searchedOn.add(backend);
    }

    /** Whether such a search has run. */
    public synchronized boolean searchedOn(String backend) {
        return searchedOn.contains(backend);
    }

    /**
     * Adds properties of the nodes, all at once or none.
     *
     * @throws ProximaException if there is one of these names
     */
    public synchronized void addProperties(Collection<NodeProperty> added) {
        added.forEach(property -> requireNoProperty(property.name()));
        added.forEach(property -> properties.put(property.name(), property));
        modified = Instant.now();
    }

    /**
     * Checks that a name is free, before work is spent on values.
     *
     * @throws ProximaException if it is not
     */
    public synchronized void requireNoProperty(String name) {
        if (properties.containsKey(name)) {
            throw ProximaException.failed("Node property `" + name + "` already exists in the in-memory graph.");
        }
    }

    /** The properties of the nodes by name, in the order in which they were added. */
    public synchronized Map<String, NodeProperty> properties() {
        return new LinkedHashMap<>(properties);
    }

    /** Drops properties of the nodes; returns those that there were. */
    public synchronized List<NodeProperty> dropProperties(Collection<String> names) {
        List<NodeProperty> dropped = new ArrayList<>();
        for (String name : names) {
            NodeProperty property = properties.remove(name);
            if (property != null) {
                dropped.add(property);
                modified = Instant.now();
            }
        }
        return dropped;
    }

    /** When the graph was projected or its properties last changed. */
    public synchronized Instant modified() {
        return modified;
    }

    /** GDS's schema map, with the properties of the nodes as they are now. */
    public Map<String, Object> schema() {
        return withProperties(details.schema());
    }

    /** GDS's schema map with directions, with the properties of the nodes as they are now. */
    public Map<String, Object> schemaWithOrientation() {
        return withProperties(details.schemaWithOrientation());
    }

    private Map<String, Object> withProperties(Map<String, Object> schema) {
        Collection<NodeProperty> known = properties().values();
        Map<String, Object> nodes = new LinkedHashMap<>();
        for (String label : projection.labels()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            for (NodeProperty property : known) {
                if (property.labels().contains(label)) {
                    shown.put(property.name(), property.schema());
                }
            }
            nodes.put(label, shown);
        }
        Map<String, Object> now = new LinkedHashMap<>(schema);
        now.put("nodes", nodes);
        return now;
    }

    /** Tells which backend a run on the graph went to. */
    public synchronized void ranOn(String backend) {
        lastBackend = backend;
    }

    /** The backend of the last run, empty if there was none. */
    public synchronized String lastBackend() {
        return lastBackend == null ? "" : lastBackend;
    }

    /** Where the graph lies now for its runs: the names of devices' backends, and "cpu". */
    public synchronized List<String> residentOn() {
        return loaded.values().stream().map(LoadedGraph::residentOn).distinct().toList();
    }

    /** The order in which the graph lies on a device now; empty if it lies on none. */
    public synchronized String order() {
        return loaded.values().stream()
                .filter(graph -> !graph.residentOn().equals(HOST))
                .map(LoadedGraph::order)
                .findFirst()
                .orElse("");
    }

    /** Bytes on devices now. */
    public long deviceBytes() {
        Map<String, Long> places = new HashMap<>();
        synchronized (this) {
            for (LoadedGraph graph : loaded.values()) {
                if (!graph.residentOn().equals(HOST)) {
                    // 'auto' and 'cuda' share what is on a device
                    places.merge(graph.residentOn(), graph.bytes(), Math::max);
                }
            }
        }
        return places.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes on the heap: the projection, the properties of its nodes and what the CPU backend adds. */
    public long heapBytes() {
        return heapParts().stream().mapToLong(HeapPart::bytes).sum();
    }

    private List<HeapPart> heapParts() {
        List<HeapPart> parts = new ArrayList<>(projection.heapParts());
        properties().values().forEach(property -> parts.add(new HeapPart(property, property.bytes())));
        synchronized (this) {
            // what lies in one place is shared
            loaded.values().stream()
                    .filter(graph -> graph.residentOn().equals(HOST))
                    .map(graph -> new HeapPart(graph, graph.bytes()))
                    .max(Comparator.comparingLong(HeapPart::bytes))
                    .ifPresent(parts::add);
        }
        return parts;
    }

    /** Keeps the distribution of degrees, which is costly to compute. */
    public synchronized void keepDegreeDistribution(Map<String, Object> distribution) {
        degreeDistribution = distribution;
    }

    /** The distribution kept, null if none was. */
    public synchronized Map<String, Object> degreeDistribution() {
        return degreeDistribution;
    }

    private void lock(Stop stop) {
        try {
            while (!loading.tryLock(LOCK_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}
