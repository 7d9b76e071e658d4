// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Addition;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.NativeProjection;
import io.proxima.plugin.catalog.GraphEntry.Reading;
import io.proxima.plugin.catalog.Live;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.catalog.TransactionEnd;
import io.proxima.plugin.current.Touched;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.GraphUpdate;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.Projector;
import io.proxima.projection.Touches;
import io.proxima.projection.store.StoreSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Brings a graph of a native projection up to date with the database, and exchanges it in the catalog: merged, by
 * reading only what was touched since, or projected as a whole.
 */
public final class GraphRefresh {

    /** The name of the job. */
    public static final String TASK = "Graph Projection";

    /**
     * Time to read a relationship of a list of the store, measured on two cores
     * (docs/benchmarks/design-experiments.md).
     */
    private static final long NANOS_PER_READ = 220;

    /** Both ways take a few milliseconds up to here. */
    private static final long FEW_READS = 1 << 14;

    private static final String NOTHING = "Nothing that the graph shows has changed.";
    private static final String FEW = "Few of the relationships have changed.";
    private static final String DIRTY = "The transaction of the call has uncommitted changes.";
    private static final String RESTRICTED = "The caller may not read everything that is projected.";
    private static final String VALIDATES = "The graph validates relationships.";
    private static final String FILTERED = "The graph is filtered.";
    private static final String UNKNOWN =
            "Not all changes are known. At most " + Touched.MOST + " are remembered: refresh"
                    + " more often, after smaller transactions. Changes by triggers of other plugins and by other servers of a"
                    + " cluster are unknown.";
    private static final String MANY = "So many relationships have changed that a projection is faster.";

    private final Caller caller;
    private final GraphEntry before;
    private final NativeProjection from;
    private final ProjectionSpec spec;
    private final StoreSource store;
    private final int threads;
    private final boolean complete;

    private GraphRefresh(Caller caller, GraphEntry before, int threads) {
        this.caller = caller;
        this.before = before;
        this.from = before.details().nativeProjection();
        this.spec = from.parsed().spec();
        this.store = StoreSource.of(caller.transaction(), caller.stop());
        this.threads = threads;
        this.complete = store.seesAll(spec);
    }

    /**
     * The refreshed graph.
     *
     * @param graph the graph
     * @param leftOut the number of directed relationships of the projected types that it leaves out
     * @param merged whether only what was touched has been read
     * @param reason why
     * @param pairs number of pairs of nodes whose relationships may have changed; 0 if it is not known
     * @param nodes number of nodes that may have been created, deleted or relabelled; 0 if it is not known
     * @param dropped names of the node properties that the graph had in memory, and has not any more
     */
    public record Outcome(
            GraphProjection graph,
            long leftOut,
            boolean merged,
            String reason,
            long pairs,
            long nodes,
            List<String> dropped) {}

    /**
     * Acquires a graph, to be closed. A live one is refreshed first if its owner calls.
     *
     * @param keys of the call, which name the owner of the graph
     * @throws io.proxima.plugin.ProximaException as {@link GraphCatalog#acquire}, and if the graph could not be
     *     refreshed
     */
    static GraphEntry acquire(Caller caller, JobKeys keys, String name) {
        long arrival = System.nanoTime();
        Viewer viewer = caller.viewer(keys.username());
        GraphEntry found = GraphCatalog.acquire(viewer, name);
        if (!closedOnFailure(found, () -> mustRefresh(caller, found))) {
            return found;
        }
        found.close();
        return found.details().nativeProjection().live().alone(caller.stop(), () -> {
            GraphEntry present = GraphCatalog.acquire(viewer, name);
            if (!closedOnFailure(
                    present, () -> mustRefresh(caller, present) && !isRefreshedSince(arrival, caller, present))) {
                return present;
            }
            try (present) {
                run(caller, present, caller.limits().defaultConcurrency(), true, () -> caller.beginPart(TASK, keys));
            }
            return GraphCatalog.acquire(viewer, name);
        });
    }

    /** The answer about a graph. If there is none, because the call is killed or the graph is refused, it is closed. */
    private static boolean closedOnFailure(GraphEntry acquired, BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (RuntimeException | Error e) {
            acquired.close();
            throw e;
        }
    }

    /**
     * Whether another call has refreshed a graph while the caller waited. Uncommitted changes are those of one caller.
     */
    private static boolean isRefreshedSince(long arrival, Caller caller, GraphEntry present) {
        return !caller.hasChanges()
                && present.details().changes() == null
                && present.details().reading().begin() - arrival > 0;
    }

    /** Does work on a graph; on a live one alone, because other calls may refresh it, too. */
    public static <T> T alone(Caller caller, Viewer viewer, String name, Function<GraphEntry, T> work) {
        Live live;
        try (GraphEntry found = GraphCatalog.acquire(viewer, name)) {
            if (!found.isLive()) {
                return work.apply(found);
            }
            live = found.details().nativeProjection().live();
        }
        return live.alone(caller.stop(), () -> {
            try (GraphEntry present = GraphCatalog.acquire(viewer, name)) {
                return work.apply(present);
            }
        });
    }

    /** Whether a graph must be refreshed; refuses others that were rolled back. */
    private static boolean mustRefresh(Caller caller, GraphEntry entry) {
        if (entry.isLive() && entry.key().user().equals(caller.user()) && (caller.hasChanges() || entry.stale())) {
            return true;
        }
        entry.requireNotRolledBack();
        return false;
    }

    /**
     * Refreshes a graph.
     *
     * @param before a graph of a native projection, acquired by its owner
     * @param begin begins the job
     * @param onlyIfStale whether a graph that is not stale stays in place, whatever the caller may read
     * @throws io.proxima.plugin.ProximaException if the graph is not in the catalog any more
     */
    public static Outcome run(Caller caller, GraphEntry before, int threads, boolean onlyIfStale, Supplier<Job> begin) {
        return new GraphRefresh(caller, before, threads).run(onlyIfStale, begin);
    }

    /**
     * Why each refresh of a graph has to project it as a whole; empty if that hangs on the changes.
     *
     * @param complete whether the caller may read everything that is projected
     */
    public static String alwaysProjected(NativeProjection projection, boolean complete) {
        if (!complete) {
            return RESTRICTED;
        }
        if (!projection.filters().isEmpty()) {
            return FILTERED;
        }
        return projection.validatesRelationships() ? VALIDATES : "";
    }

    private Outcome run(boolean onlyIfStale, Supplier<Job> begin) {
        StoreNames.requireAll(caller, store, spec);
        ProjectionSize size = ProjectionSize.of(store, spec);
        if (onlyIfStale && !caller.hasChanges() && !before.stale()) {
            return outcome(before.projection(), size, NOTHING, true, null, List.of());
        }
        Addition addition = GraphCatalog.beginRefresh(before);
        try (Job job = begin.get()) {
            // before the mark: what was committed until then is read
            long nanos = System.nanoTime();
            Touched.Update update = before.details().mark().update();
            try (Mark mark = update.mark()) {
                return run(addition, job, size, mark, update.touches(), nanos);
            }
        }
    }

    private Outcome run(Addition addition, Job job, ProjectionSize size, Mark mark, Touches touches, long begin) {
        String whole = whyWhole(touches);
        if (whole.isEmpty() && touches.nodes().length + touches.pairs().length == 0) {
            job.succeed();
            return outcome(before.projection(), size, NOTHING, true, touches, List.of());
        }
        Reading last = before.details().reading();
        if (whole.isEmpty()) {
            job.expectMemory(MemoryTree.together(
                    "refresh",
                    size.peak(threads),
                    MemoryTree.exactly(
                            "node properties", (long) before.properties().size() * size.nodeCount() * Long.BYTES)));
            long most = Math.max(FEW_READS, last.nanos() / NANOS_PER_READ);
            GraphProjection merged =
                    GraphUpdate.of(before.projection(), touches, store, spec, most, threads, caller.stop());
            if (merged != null) {
                Reading now = new Reading(begin, last.nanos(), true);
                boolean exchanged;
                do {
                    Map<String, NodeProperty> had = before.properties();
                    // before the version, which nobody would release if this is stopped
                    List<NodeProperty> carried = before.carried(had.values(), merged, touches.reborn(), caller.stop());
                    GraphEntry version = version(addition, merged, mark, now);
                    version.addProperties(carried);
                    version.recordHeldHeap(job.heap());
                    exchanged = GraphCatalog.exchange(version, addition, had, touches.reborn());
                } while (!exchanged);
                job.succeed();
                return outcome(merged, size, FEW, true, touches, List.of());
            }
            whole = MANY;
        }
        long beginOfWhole = System.nanoTime();
        GraphProjection projected = project(caller, job, store, from, size, threads);
        GraphEntry version = version(
                addition,
                projected,
                caller.hasChanges() ? caller.touched().lost() : mark,
                new Reading(beginOfWhole, System.nanoTime() - beginOfWhole, complete));
        version.recordHeldHeap(job.heap());
        // a kill from here on comes too late
        GraphCatalog.add(version, addition);
        job.succeed();
        // the old graph gets no more properties
        return outcome(
                projected,
                size,
                whole,
                false,
                touches,
                List.copyOf(before.properties().keySet()));
    }

    private GraphEntry version(Addition addition, GraphProjection graph, Mark mark, Reading how) {
        // before the graph is exchanged, and before the mark, which nobody would close if this is killed
        caller.stop().check();
        TransactionEnd changes = caller.endOfChanges();
        return new GraphEntry(
                addition.key(), graph, before.details().refreshed(Instant.now(), mark.copy(), changes, how));
    }

    private static Outcome outcome(
            GraphProjection graph,
            ProjectionSize size,
            String reason,
            boolean merged,
            Touches touches,
            List<String> dropped) {
        return new Outcome(
                graph,
                size.leftOut(graph),
                merged,
                reason,
                touches == null ? 0 : touches.pairCount(),
                touches == null ? 0 : touches.nodes().length,
                dropped);
    }

    /** Why the graph must be projected as a whole; empty if it need not. */
    private String whyWhole(Touches touches) {
        if (caller.hasChanges()) {
            return DIRTY;
        }
        String always =
                alwaysProjected(from, complete && before.details().reading().complete());
        return !always.isEmpty() ? always : touches == null ? UNKNOWN : "";
    }

    /**
     * Projects a graph from the store, which has all the names, and repeats its filters.
     *
     * @param job reserves the memory and reports the progress
     */
    public static GraphProjection project(
            Caller caller, Job job, StoreSource store, NativeProjection from, ProjectionSize size, int threads) {
        job.expectTasks(Projector.TASKS);
        job.expectMemory(size.peak(threads));
        weigh(job, Projector.SCAN_NODES, (double) size.nodeCount(), threads);
        weigh(job, Projector.SCAN_RELATIONSHIPS, (double) size.relationshipCount(), threads);
        weigh(job, Projector.BUILD, (double) size.nodeCount() + size.relationshipCount(), threads);
        GraphProjection projection = Projector.project(
                store,
                from.parsed().spec(),
                new Projector.Options(threads, from.validatesRelationships()),
                caller.stop(),
                job);
        for (GraphEntry.Filter filter : from.filters()) {
            Passing passing = Passing.of(caller, filter, projection, Map.of());
            job.expectMemory(
                    MemoryTree.together("filter", size.held(), passing.part().memory(caller.stop())));
            projection = passing.part().make(threads, caller.stop());
        }
        return projection;
    }

    private static void weigh(Job job, Task task, double units, int threads) {
        job.weigh(task, ExpectedTimes.onHost(units, threads).seconds(task));
    }
}
