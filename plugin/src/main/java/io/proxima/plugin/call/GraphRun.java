// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.BackendTask;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Task;
import io.proxima.memory.HeapPart;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.GraphPart;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One run on a graph of the catalog. The graph is acquired, filtered to the selected labels and types, and loaded by a
 * backend; closing releases all of it. Used by one thread at a time.
 */
public final class GraphRun implements AutoCloseable {

    private final Caller caller;
    private final RunConfig config;
    private final Map<String, Object> effective;
    private final Map<String, Object> found = new LinkedHashMap<>();
    private final GraphJob work;
    private final long startNanos = System.nanoTime();

    private final GraphProjection projection;
    private final TraversalBackend backend;
    private final BackendInUse inUse;
    private final List<LoadedGraph> ownGraphs = new ArrayList<>();
    // the graphs with the memory of the device that their runs have reserved
    private final List<LoadedGraph> reserved = new ArrayList<>(2);
    private long readyNanos;
    private boolean searched;
    private long preProcessingMillis;
    private boolean admitted;
    private boolean closed;

    private GraphRun(Caller caller, RunConfig config, Map<String, Object> effective, GraphJob work, List<Task> tasks) {
        this.caller = caller;
        this.config = config;
        this.effective = effective;
        this.work = work;
        job().expectTasks(tasks);
        GraphProjection whole = entry().projection();
        Selected selected = Selected.of(whole, config);
        GraphPart part = whole.part(selected.labels(), selected.types(), caller.stop());
        job().expectMemory(part.plan(caller.stop()).peak());
        projection = part.make(config.threads(), caller.stop());
        Selection selection = config.selectBackend(caller.backends());
        backend = selection.backend();
        boolean logged = config.backend() == Wanted.AUTO && config.job().logProgress();
        inUse = new BackendInUse(
                backend.info().name(),
                selection.reason(),
                logged ? line -> caller.log().info(Job.PREFIX + config.job().jobId() + "] " + line) : line -> {},
                entry()::ranOn);
    }

    /**
     * Acquires a graph.
     *
     * @param graphName the caller's graph name
     * @param config the common keys
     * @param effective the effective configuration
     * @param name the name of the run in lists and logs
     * @param tasks the expected tasks; tasks that copy the graph to a device are added
     * @return the run, to be closed
     * @throws ProximaException if the graph, a label or a type does not exist
     */
    public static GraphRun open(
            Caller caller,
            String graphName,
            RunConfig config,
            Map<String, Object> effective,
            String name,
            List<Task> tasks) {
        GraphJob work = GraphJob.begin(caller, graphName, config.job(), name);
        try {
            return new GraphRun(caller, config, effective, work, tasks);
        } catch (RuntimeException | Error e) {
            try (work) {
                work.entry().recordHeldHeap(work.job().heap());
            }
            throw e;
        }
    }

    /** The graph in the catalog; the run may see only a part of it. */
    public GraphEntry entry() {
        return work.entry();
    }

    /** The job, which closing the run reports as failed unless it has succeeded or was canceled. */
    public Job job() {
        return work.job();
    }

    /** The graph that the run sees. */
    GraphProjection projection() {
        return projection;
    }

    private boolean seesWholeGraph() {
        return projection == entry().projection();
    }

    /** The projected types that the run sees. */
    public Set<String> types() {
        return projection.types();
    }

    public IdMap idMap() {
        return projection.idMap();
    }

    /** Number of vertices of the graph that the run sees. */
    public int vertexCount() {
        return projection.vertexCount();
    }

    public Caller caller() {
        return caller;
    }

    /** Stop, progress and options for the backend. */
    public RunContext control() {
        return new RunContext(config.threads(), caller.stop(), job(), inUse, config.options(), searched);
    }

    /** The control for one of many searches, none of which is a task of its own. */
    public RunContext quietControl() {
        return control().withoutProgress();
    }

    /** Milliseconds until the graph was ready for traversal; 0 if it was not loaded. */
    long preProcessingMillis() {
        return preProcessingMillis;
    }

    /** Milliseconds since the graph was ready for traversal; -1 if it was not loaded. */
    long computeMillis() {
        return admitted ? millisSince(readyNanos) : -1;
    }

    /** The effective configuration, with the backend, order and kernel that ran. */
    Map<String, Object> configuration() {
        Map<String, Object> shown = new LinkedHashMap<>(effective);
        shown.putAll(inUse.shown());
        shown.putAll(found);
        return shown;
    }

    /** Adds to the effective configuration what the run has found out about itself. */
    public void show(String name, Object value) {
        found.put(name, value);
    }

    /** The vertex of a node, which must be in the graph. */
    public int vertex(String key, long neo4jId) {
        return vertices(key, new long[] {neo4jId})[0];
    }

    /**
     * The vertices of nodes, which must be in the graph: same order, with duplicates.
     *
     * @throws ProximaException with the nodes that are not in the graph
     */
    public int[] vertices(String key, long[] neo4jIds) {
        int[] vertices = new int[neo4jIds.length];
        Set<Long> absent = new LinkedHashSet<>();
        PacedStop paced = new PacedStop(caller.stop());
        for (int i = 0; i < neo4jIds.length; i++) {
            paced.worked(2);
            vertices[i] = idMap().toVertex(neo4jIds[i]);
            if (vertices[i] == IdMap.ABSENT && NodeArguments.shows(absent)) {
                absent.add(neo4jIds[i]);
            }
        }
        if (!absent.isEmpty()) {
            boolean all = config.nodeLabels().contains(ProjectionSpec.ALL);
            throw ProximaException.invalidArgument(key + " nodes do not exist in the in-memory graph"
                    + (all ? "" : " for the labels " + Shown.names(config.nodeLabels())) + ": "
                    + NodeArguments.shown(absent)
                    + (all
                            ? ". Project their labels, too, or refresh the graph if they are newer."
                                    + " An INTEGER is read as the id of a node, not as a property."
                            : ". Give other `nodeLabels`, or project their labels, too."));
        }
        return vertices;
    }

    /** Like {@link #vertices}, but ascending and without duplicates. */
    public int[] distinctVertices(String key, long[] neo4jIds) {
        BitSet found = new BitSet(vertexCount());
        PacedStop paced = new PacedStop(caller.stop());
        for (int vertex : vertices(key, neo4jIds)) {
            found.set(vertex);
            paced.worked(1);
        }
        return found.stream().toArray();
    }

    /**
     * The graph, loaded by the backend and ready for traversal; ends the preparation. The memory of the whole plan is
     * reserved before the first graph is loaded.
     *
     * @throws ProximaException if the plan does not fit the memory
     */
    public LoadedGraph load(CallPlan plan) {
        admit(plan);
        return ready(csc(), plan);
    }

    private LoadedGraph ready(Csc csc, CallPlan plan) {
        expectTimes(csc, plan);
        LoadedGraph result = (csc == csc() ? loaded(csc, plan) : loadOwn(csc))
                .reserve(plan.work().with(config.options()), plan.searches(), reserving());
        reserved.add(result);
        ready();
        return result;
    }

    private LoadedGraph loaded(Csc csc, CallPlan plan) {
        if (!seesWholeGraph()) {
            return loadOwn(csc);
        }
        LoadedGraph graph = entry().loadedOn(backend, config.threads(), caller.stop());
        if (plan.work().operation().isSingleSearch()) {
            entry().searchesOn(backend.info().name());
        }
        return graph;
    }

    /**
     * The graph that the run sees, and the reversed one.
     *
     * @param against the same as {@code along} if the graph is symmetric
     */
    public record Both(LoadedGraph along, LoadedGraph against) {

        /** A graph that is searched along the relationships only, or is symmetric. */
        public static Both same(LoadedGraph graph) {
            return new Both(graph, graph);
        }
    }

    /**
     * Like {@link #load}, for the graph and for the graph with every relationship reversed. A device has room for both
     * at once, until the call has searched, or the call does not run there.
     *
     * @param reversing tasks of the runs on the reversed graph that are not expected yet
     * @throws ProximaException if the plan does not fit the memory
     */
    public Both loadBoth(CallPlan plan, List<Task> reversing) {
        admit(plan);
        Csc csc = csc();
        Csc reversed = csc.transposed(config.threads(), caller.stop());
        if (reversed == csc) {
            return Both.same(load(plan));
        }
        job().expectTasks(reversing);
        expectTimes(csc, plan);
        LoadedGraph along = loaded(csc, plan);
        LoadedGraph against = loadOwn(reversed);
        List<LoadedGraph> both =
                along.reserveWith(List.of(against), plan.work().with(config.options()), plan.searches(), reserving());
        // one by one: without heap, or nobody would close them
        reserved.add(both.get(0));
        reserved.add(both.get(1));
        ready();
        return new Both(both.get(0), both.get(1));
    }

    /**
     * Like {@link #load}, for the relationships with a value above a threshold.
     *
     * @param property a property of all types
     * @throws ProximaException if the plan does not fit the memory
     */
    public LoadedGraph loadAbove(String property, double threshold, CallPlan plan) {
        admit(plan);
        return ready(weights(property).above(threshold, config.threads(), caller.stop()), plan);
    }

    /**
     * Like {@link #load}, for the graph with every relationship reversed; the graph itself if it is symmetric.
     *
     * @throws ProximaException if the plan does not fit the memory
     */
    public LoadedGraph loadReversed(CallPlan plan) {
        admit(plan);
        return ready(csc().transposed(config.threads(), caller.stop()), plan);
    }

    /** Loads a graph that only this run uses. */
    private LoadedGraph loadOwn(Csc csc) {
        LoadedGraph graph = backend.load(csc);
        searched = false;
        ownGraphs.add(graph);
        return graph;
    }

    /** The control for a reservation: the run itself reports its backend. */
    private RunContext reserving() {
        return new RunContext(config.threads(), caller.stop(), job()).with(config.options());
    }

    /** Ends the reservation of device memory. Searches that follow reserve for themselves. */
    void release() {
        try {
            Closing.all(reserved.iterator(), LoadedGraph::close);
        } finally {
            reserved.clear();
        }
    }

    private void ready() {
        inUse.begin();
        preProcessingMillis = millisSince(startNanos);
        readyNanos = System.nanoTime();
    }

    private WeightedCsc weights(String property) {
        WeightedCsc weights = projection.weighted(property, config.threads(), caller.stop());
        recordHeldHeap();
        return weights;
    }

    /**
     * The relationships that the run sees with the values of a property as lengths; part of the preparation.
     *
     * @param property a property of all types
     * @throws ProximaException if a value is negative, infinite or NaN
     */
    public WeightedCsc lengths(String property) {
        WeightedCsc weights = weights(property);
        long invalid = weights.lengths(config.threads(), caller.stop()).firstInvalid();
        if (invalid != WeightedCsc.NONE) {
            double weight = weights.weights().get(invalid);
            throw ProximaException.invalidArgument("The relationship from the node "
                    + idMap().toNeo4jId(weights.columnOf(invalid)) + " to the node "
                    + idMap().toNeo4jId(weights.rowIndices().get(invalid)) + " has the weight " + weight + " in `"
                    + property + "`, but weights must be finite and at least 0. "
                    + (!Double.isNaN(weight)
                            ? "Leave such relationships out, or project other weights."
                            : "NaN stands for a relationship without the property"
                                    + (areAllMissing(weights)
                                            ? ", and none has it. Project another property."
                                            : ": project it with a `defaultValue`, in a Cypher projection with `coalesce`,"
                                                    + " or leave such relationships out.")));
        }
        ready();
        return weights;
    }

    private boolean areAllMissing(WeightedCsc weights) {
        PacedStop paced = new PacedStop(caller.stop());
        for (long entry = 0; entry < weights.entryCount(); entry++) {
            if (!Double.isNaN(weights.weights().get(entry))) {
                return false;
            }
            paced.worked(1);
        }
        return true;
    }

    /**
     * Like {@link #lengths}, with every relationship reversed.
     *
     * @throws ProximaException if a value is negative, infinite or NaN
     */
    public WeightedCsc reversedLengths(String property) {
        WeightedCsc weights = lengths(property);
        return isUndirected() ? weights : weights.transposed(config.threads(), caller.stop());
    }

    /** Whether the graph that the run sees is symmetric; building the reversed graph may detect that. */
    public boolean isSymmetric() {
        return csc().isSymmetric();
    }

    /** Whether all types that the run sees are projected as undirected. */
    public boolean isUndirected() {
        return types().stream()
                .allMatch(type -> entry().details().types().get(type).undirected());
    }

    /** All relationships that the run sees as one graph, built if they have several types. */
    public Csc csc() {
        Csc graph = projection.csc(config.threads(), caller.stop());
        recordHeldHeap();
        return graph;
    }

    /** The graph with every relationship reversed, for the CPU; the graph itself if it is symmetric. */
    public Csc reversed() {
        Csc reversed = csc().transposed(config.threads(), caller.stop());
        recordHeldHeap();
        return reversed;
    }

    /**
     * Records in the ledger the memory that the run has built so far and that is kept, with the run or with the graph.
     */
    private void recordHeldHeap() {
        entry().recordHeldHeap(job().heap());
        if (!seesWholeGraph()) {
            job().heap().handOver(work.held(), projection.heapParts());
        }
    }

    /** Reserves the memory of the plan, once. */
    private void admit(CallPlan plan) {
        if (!admitted) {
            searched = seesWholeGraph() && entry().searchedOn(backend.info().name());
            plan.reserve(job(), config, backend, csc(), searched);
            admitted = true;
        }
    }

    /**
     * Holds the data of rows after the run has ended: the ids of the nodes, and the result.
     *
     * @param found arrays that the estimate includes
     * @return the holding, to be closed after the last row
     */
    HeapLedger.Holding holdForRows(List<HeapPart> found) {
        List<HeapPart> parts = new ArrayList<>(found);
        parts.add(idMap().heapPart());
        HeapLedger.Holding rows = HeapLedger.ofThisJvm().hold();
        job().heap().handOver(rows, parts);
        return rows;
    }

    /** Expects the tasks of the plan's operation after those that are expected already. */
    public void expectTasks(CallPlan plan) {
        job().expectTasks(plan.work().operation().tasks());
        expectTimes(csc(), plan);
    }

    /** Weighs the tasks of the job by their expected times. */
    private void expectTimes(Csc csc, CallPlan plan) {
        Operation operation = plan.work().operation();
        String on = backend.runsOn(GraphShape.of(csc), operation);
        // skip the depth of the graph for one search: finding it costs as much
        boolean deep = operation.mayBeManySearches() && isDeep();
        double graph = ExpectedTimes.sizeOf(on, csc, deep, operation);
        ExpectedTimes times = new ExpectedTimes(on, graph, deep, plan.searches(), config.threads());
        Stream.concat(operation.tasks().stream(), Stream.of(BackendTask.BFS_PARENTS, BackendTask.NEAREST_TIES))
                .forEach(task -> job().weigh(task, times.seconds(task)));
        job().weigh(
                        PropertyWriter.TASK,
                        ExpectedTimes.onHost(csc.vertexCount(), config.threads())
                                .seconds(PropertyWriter.TASK));
    }

    /** Whether the graph that the run sees is deep. */
    public boolean isDeep() {
        return csc().depth(caller.stop()) == GraphDepth.DEEP;
    }

    /** The distribution of the out-degrees of the graph that the run sees; found once for the whole graph. */
    public Map<String, Object> degreeDistribution() {
        return seesWholeGraph()
                ? entry().degreeDistribution(config.threads(), caller.stop())
                : Distribution.ofDegrees(projection, config.threads(), caller.stop());
    }

    /** Creates a property of the nodes that the run sees. */
    NodeProperty property(String name, VertexValues values) {
        IdMap whole = entry().projection().idMap();
        boolean seesAllNodes = vertexCount() == whole.size();
        return values.property(
                name,
                projection.labels(),
                whole.size(),
                seesAllNodes ? null : vertex -> whole.toVertex(idMap().toNeo4jId(vertex)),
                caller.stop());
    }

    /** Adds properties of the nodes to the graph in the catalog. */
    void addProperties(List<NodeProperty> added) {
        GraphEntry present = GraphCatalog.addProperties(entry(), added, caller.stop());
        if (present != entry()) {
            present.recordHeldHeap(job().heap());
        }
    }

    /** Writes with the caller's privileges. */
    PropertyWriter writer() {
        return new PropertyWriter(caller.database(), caller.transaction(), caller.stop());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (work) {
            try {
                // before the heap is booked, which allocates: the heap may be exhausted
                release();
            } finally {
                try {
                    Closing.all(ownGraphs.iterator(), LoadedGraph::close);
                } finally {
                    recordHeldHeap();
                }
            }
        }
    }

    public static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }
}
