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
package io.proxima.plugin.procedures;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.TraversalBackends;
import io.proxima.backend.TraversalBackends.Selection;
import io.proxima.backend.TraversalBackends.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Task;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.server.ServerLimits;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.NodeValues;
import io.proxima.projection.Csc;
import io.proxima.projection.CscBuilder;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.Orientation;
import io.proxima.projection.ProjectionSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run on a graph of the catalog: the graph is held, filtered to the labels and types asked for, and loaded by a
 * backend; closing gives all of it back. Used by one thread at a time.
 */
final class GraphRun implements AutoCloseable {

    static final String AVAILABLE_LABELS = "Available labels are ";
    static final String AVAILABLE_TYPES = "Available relationship types are ";

    private final Caller caller;
    private final RunConfig config;
    private final Map<String, Object> effective;
    private final GraphEntry entry;
    private final Job job;
    private final HeapLedger.Holding made = HeapLedger.ofThisJvm().hold();
    private final long startNanos = System.nanoTime();

    private Selected selected;
    private GraphProjection projection;
    private TraversalBackend backend;
    private BackendInUse inUse;
    private final List<LoadedGraph> ownGraphs = new ArrayList<>();
    private long preProcessingMillis;
    private boolean closed;

    private GraphRun(
            Caller caller,
            RunConfig config,
            Map<String, Object> effective,
            GraphEntry entry,
            String name,
            List<Task> tasks) {
        this.caller = caller;
        this.config = config;
        this.effective = effective;
        this.entry = entry;
        this.job = caller.beginJob(name, config.jobId(), config.logProgress(), config.sudo());
        job.expectTasks(tasks);
    }

    /**
     * Takes hold of a graph.
     *
     * @param graphName as the caller gave it
     * @param config the common keys
     * @param effective the whole effective configuration
     * @param name what the run is called in lists and logs
     * @param tasks those that it is expected to have; tasks that bring the graph to a device come on top
     * @return the run, to be closed
     * @throws ProximaException if the graph, a label or a type does not exist
     */
    static GraphRun open(
            Caller caller,
            String graphName,
            RunConfig config,
            Map<String, Object> effective,
            String name,
            List<Task> tasks) {
        GraphEntry entry = hold(caller, graphName, config);
        GraphRun run;
        try {
            run = new GraphRun(caller, config, effective, entry, name, tasks);
        } catch (RuntimeException | Error e) {
            entry.release();
            throw e;
        }
        try {
            run.filter();
            run.selectBackend();
            return run;
        } catch (RuntimeException | Error e) {
            run.close();
            throw e;
        }
    }

    /** Takes a reference on a graph, to be released by the caller. */
    static GraphEntry hold(Caller caller, String graphName, RunConfig config) {
        return GraphCatalog.acquire(caller.viewer(config.username()), GraphName.ofExisting(graphName));
    }

    /** The graph in the catalog, of which the run may see a part. */
    GraphEntry entry() {
        return entry;
    }

    /** The graph that the run sees. */
    GraphProjection projection() {
        return projection;
    }

    IdMap idMap() {
        return projection.idMap();
    }

    int vertexCount() {
        return projection.vertexCount();
    }

    Caller caller() {
        return caller;
    }

    /** How the backend is to be driven. */
    RunControl control() {
        return new RunControl(config.threads(), caller.stop(), job, inUse, config.options());
    }

    /** The same for one of many searches, none of which is a task of its own; see {@link #progress}. */
    RunControl quietControl() {
        return new RunControl(config.threads(), caller.stop(), Progress.NONE, inUse, config.options());
    }

    /** Is told of work that this side divides into tasks. */
    Progress progress() {
        return job;
    }

    /** Milliseconds until the graph was ready to be traversed. */
    long preProcessingMillis() {
        return preProcessingMillis;
    }

    /** The effective configuration with the backend that ran, and how it did. */
    Map<String, Object> configuration() {
        Map<String, Object> shown = new LinkedHashMap<>(effective);
        shown.put("backend", inUse.name());
        shown.put("order", inUse.order());
        shown.put("kernel", inUse.kernel());
        return shown;
    }

    /** The vertex of a node that must be in the graph. */
    int vertex(String key, long neo4jId) {
        return vertices(key, new long[] {neo4jId})[0];
    }

    /**
     * The vertices of nodes that must be in the graph: same order, repeats kept.
     *
     * @throws ProximaException naming those that are not
     */
    int[] vertices(String key, long[] neo4jIds) {
        int[] vertices = new int[neo4jIds.length];
        Set<Long> absent = new LinkedHashSet<>();
        for (int i = 0; i < neo4jIds.length; i++) {
            vertices[i] = idMap().toVertex(neo4jIds[i]);
            if (vertices[i] == IdMap.ABSENT) {
                absent.add(neo4jIds[i]);
            }
        }
        if (!absent.isEmpty()) {
            String labels = config.nodeLabels().contains(ProjectionSpec.ALL)
                    ? ""
                    : " for the labels " + quoted(config.nodeLabels());
            throw ProximaException.invalidArgument(
                    key + " nodes do not exist in the in-memory graph" + labels + ": " + absent);
        }
        return vertices;
    }

    /**
     * The graph, loaded by the backend and ready to be traversed; ends the preparation.
     *
     * @param work what will run and what is kept of it
     * @param searches sources that it will search from in all
     * @throws ProximaException if that does not fit the memory
     */
    LoadedGraph load(Workload work, long searches) {
        int threads = config.threads();
        boolean whole = projection == entry.projection();
        String name = backend.info().name();
        Csc csc = graph();
        require(backend.estimate(csc, whole && entry.searchedOn(name), work.with(config.options()), threads));
        LoadedGraph graph;
        if (whole) {
            graph = entry.loadedOn(backend, threads, caller.stop());
            if (work.run().isSingleSearch()) {
                entry.searchesOn(name);
            }
        } else {
            graph = backend.load(csc);
            ownGraphs.add(graph);
        }
        return ready(graph, work, searches);
    }

    /**
     * As {@link #load} for the graph with every relationship reversed; the graph itself if that makes no difference.
     *
     * @throws ProximaException if that does not fit the memory
     */
    LoadedGraph loadReversed(Workload work, long searches) {
        int threads = config.threads();
        Csc csc = graph();
        if (csc.isSymmetric()) {
            return load(work, searches);
        }
        require(estimateReversed(backend, GraphShape.of(csc), work.with(config.options()), threads));
        Csc reversed = csc.transposed(threads, caller.stop());
        if (reversed == csc) {
            return load(work, searches);
        }
        LoadedGraph graph = backend.load(reversed);
        ownGraphs.add(graph);
        return ready(graph, work, searches);
    }

    /** Whether the graph that the run sees has, with every relationship, its reverse; making the reversed graph may tell. */
    boolean isSymmetric() {
        return graph().isSymmetric();
    }

    /** All relationships that the run sees as one graph, made where they are of several types. */
    private Csc graph() {
        Csc graph = projection.csc(config.threads(), caller.stop());
        settle();
        return graph;
    }

    /** Enters into the ledger what the run has made so far and what stays, with the run or with the graph. */
    private void settle() {
        entry.settle(job.heap());
        if (projection != null) {
            job.heap().handOver(made, projection.heapParts());
        }
    }

    /**
     * Has the heap promised, and checks the device if the run must go there.
     *
     * @throws ProximaException if the device is too small
     * @throws io.proxima.memory.HeapShortageException if the heap is
     */
    private void require(MemoryEstimate estimate) {
        boolean onDevice = config.backend() == Wanted.CUDA;
        if (onDevice && !estimate.fitsDevice() && !config.sudo()) {
            throw tooSmall(backend.info().name(), estimate);
        }
        job.expectMemory(estimate.heapBytes(), onDevice ? estimate.deviceBytes() : 0);
    }

    /** Refuses a run that needs more memory of a device than there is. */
    static ProximaException tooSmall(String device, MemoryEstimate estimate) {
        return ProximaException.failed("Procedure was blocked since minimum estimated memory ("
                + MemoryTree.humanReadable(estimate.deviceBytes()) + ") exceeds current device memory of " + device
                + " (" + MemoryTree.humanReadable(estimate.availableDeviceBytes())
                + "). Drop graphs that are not needed, take a device with more memory, or use 'sudo: true' to override"
                + " the check.");
    }

    /**
     * Holds what rows are made of when the run has ended: the ids of the nodes, and what was found.
     *
     * @param found arrays, of which the estimate knows
     * @return to be closed after the last row
     */
    HeapLedger.Holding holdForRows(HeapPart... found) {
        List<HeapPart> parts = new ArrayList<>(List.of(found));
        parts.add(idMap().heapPart());
        HeapLedger.Holding rows = HeapLedger.ofThisJvm().hold();
        job.heap().handOver(rows, parts);
        return rows;
    }

    /**
     * What a run on the reversed graph takes, with the making of that graph.
     *
     * @param shape of the graph, which is not symmetric
     */
    static MemoryEstimate estimateReversed(TraversalBackend backend, GraphShape shape, Workload work, int threads) {
        int vertices = shape.vertexCount();
        MemoryEstimate run =
                backend.estimate(new GraphShape(vertices, shape.entryCount(), false, true, false), work, threads);
        if (shape.transposed()) {
            return run;
        }
        MemoryTree made = CscBuilder.memory(vertices, Orientation.REVERSE, threads, shape.entryCount())
                .built();
        MemoryTree reversed = MemoryTree.exactly("reversed graph", Csc.bytes(vertices, shape.entryCount()));
        return new MemoryEstimate(
                MemoryTree.oneByOne(
                        "reversing and run",
                        made.named("reversing the graph"),
                        MemoryTree.together("run on the reversed graph", reversed, run.heap())),
                run.device(),
                run.availableDeviceBytes());
    }

    private LoadedGraph ready(LoadedGraph graph, Workload work, long searches) {
        // the run itself tells where it goes
        graph.prepare(
                work.run(), searches, new RunControl(config.threads(), caller.stop(), job).with(config.options()));
        inUse.begin();
        preProcessingMillis = millisSince(startNanos);
        return graph;
    }

    /** Heap that {@link #property} takes beside the values, of nodes that the run does not see. */
    static MemoryTree propertyMemory(int vertexCount, int wholeVertexCount, int valueBytes) {
        return MemoryTree.exactly(
                "values of all nodes", vertexCount == wholeVertexCount ? 0 : (long) wholeVertexCount * valueBytes);
    }

    /**
     * A property of the nodes that the run sees.
     *
     * @param values {@code int[vertexCount()]}; taken over
     * @param none stands for no value
     */
    NodeProperty property(String name, int[] values, int none) {
        int[] ofWhole = values;
        if (seesSomeNodes()) {
            ofWhole = new int[entry.projection().vertexCount()];
            PacedStop paced = new PacedStop(caller.stop());
            for (int vertex = 0; vertex < values.length; vertex++) {
                ofWhole[wholeVertex(vertex)] = values[vertex];
                paced.worked(2);
            }
        }
        return NodeProperty.ofInts(name, Set.copyOf(selected.labels), ofWhole, none);
    }

    /** The same with {@code long[vertexCount()]}. */
    NodeProperty property(String name, long[] values, long none) {
        long[] ofWhole = values;
        if (seesSomeNodes()) {
            ofWhole = new long[entry.projection().vertexCount()];
            PacedStop paced = new PacedStop(caller.stop());
            for (int vertex = 0; vertex < values.length; vertex++) {
                ofWhole[wholeVertex(vertex)] = values[vertex];
                paced.worked(2);
            }
        }
        return NodeProperty.ofLongs(name, Set.copyOf(selected.labels), ofWhole, none);
    }

    /** The same with {@code double[vertexCount()]}. */
    NodeProperty property(String name, double[] values) {
        double[] ofWhole = values;
        if (seesSomeNodes()) {
            ofWhole = new double[entry.projection().vertexCount()];
            PacedStop paced = new PacedStop(caller.stop());
            for (int vertex = 0; vertex < values.length; vertex++) {
                ofWhole[wholeVertex(vertex)] = values[vertex];
                paced.worked(2);
            }
        }
        return NodeProperty.ofDoubles(name, Set.copyOf(selected.labels), ofWhole);
    }

    private boolean seesSomeNodes() {
        return vertexCount() < entry.projection().vertexCount();
    }

    /** A vertex of this run's graph in the graph of the catalog. */
    private int wholeVertex(int vertex) {
        return entry.projection().idMap().toVertex(idMap().toNeo4jId(vertex));
    }

    /** Writes a property of every vertex with the caller's rights. */
    PropertyWriter.Summary write(String property, NodeValues values, int writeConcurrency) {
        return new PropertyWriter(caller.database(), caller.transaction(), caller.stop())
                .write(idMap(), property, values, ServerLimits.threads(writeConcurrency), job);
    }

    /** Tells that the run has done what it was to do; otherwise closing reports a failure. */
    void succeed() {
        job.succeed();
    }

    /** Tells that the caller wants no more of what is left. */
    void cancel() {
        job.cancel();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        // the job ends last: while a job is listed, its devices are in use
        try (job;
                made) {
            try {
                settle();
                closeAll(ownGraphs.iterator());
            } finally {
                entry.release();
            }
        }
    }

    /** Closes them all, those too that follow one that failed to close. */
    private static void closeAll(Iterator<LoadedGraph> graphs) {
        if (graphs.hasNext()) {
            LoadedGraph next = graphs.next();
            try {
                closeAll(graphs);
            } finally {
                next.close();
            }
        }
    }

    static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private void filter() {
        GraphProjection whole = entry.projection();
        selected = select(whole, config);
        job.expectMemory(whole.plan(selected.labels, selected.types).making().maxBytes(), 0);
        projection = whole.filter(selected.labels, selected.types, config.threads(), caller.stop());
    }

    /**
     * What a run sees of a graph.
     *
     * @param labels projected labels
     * @param types projected types
     */
    record Selected(Collection<String> labels, Collection<String> types) {}

    /**
     * The labels and types that the keys {@code nodeLabels} and {@code relationshipTypes} select.
     *
     * @throws ProximaException if the graph lacks one
     */
    static Selected select(GraphProjection whole, RunConfig config) {
        List<String> faults = new ArrayList<>();
        Collection<String> labels = selectLabels(whole, config.nodeLabels(), faults);
        Collection<String> types =
                resolve(config.relationshipTypes(), whole.types(), "`relationshipTypes`", AVAILABLE_TYPES, faults);
        if (!faults.isEmpty()) {
            throw ProximaException.invalidArguments(faults);
        }
        return new Selected(labels, types);
    }

    /** The projected labels that are wanted; adds a fault if the graph lacks one. */
    static Collection<String> selectLabels(GraphProjection whole, List<String> wanted, List<String> faults) {
        return resolve(wanted, whole.labels(), "`nodeLabels`", AVAILABLE_LABELS, faults);
    }

    private void selectBackend() {
        Selection selection = TraversalBackends.select(config.backend());
        backend = selection.backend();
        boolean logged = config.backend() == Wanted.AUTO && config.logProgress();
        inUse = new BackendInUse(
                selection,
                logged ? line -> caller.log().info("[" + config.jobId() + "] " + line) : line -> {},
                entry::ranOn);
    }

    private static Collection<String> resolve(
            List<String> wanted, Set<String> known, String key, String available, List<String> faults) {
        List<String> names =
                wanted.stream().filter(name -> !name.equals(ProjectionSpec.ALL)).toList();
        requireKnown(names, known, key, available, faults);
        return wanted.contains(ProjectionSpec.ALL) ? known : wanted;
    }

    /** Adds a fault if some of the names are not known. */
    static void requireKnown(
            Collection<String> names, Set<String> known, String key, String available, List<String> faults) {
        List<String> unknown =
                names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            faults.add("Could not find the specified " + key + " of " + quoted(unknown) + ". " + available
                    + quoted(known) + ".");
        }
    }

    static String quoted(Collection<String> names) {
        return names.stream().map(name -> "'" + name + "'").toList().toString();
    }
}
