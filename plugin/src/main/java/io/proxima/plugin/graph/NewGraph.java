// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Addition;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.NativeProjection;
import io.proxima.plugin.catalog.GraphEntry.Reading;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.catalog.TransactionEnd;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.KeptValue;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.write.CallingTransaction;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A new graph for the catalog, and the keys that are common to all procedures that create graphs. Call {@link #read}
 * first. If the configuration has no fault, call {@link #begin}, and finally {@link #keep}.
 */
final class NewGraph {

    private static final Key<Boolean> REPLACE =
            Key.of("replace", false, "Replaces an existing graph of the same name.");

    private final Caller caller;
    private final int concurrency;
    private final boolean replace;
    private final JobKeys keys;
    private final long startNanos = System.nanoTime();

    private Addition addition;
    private Job job;

    private NewGraph(Caller caller, Key<Integer> threads, ConfigReader reader) {
        this.caller = caller;
        concurrency = Concurrency.read(caller, reader, threads);
        replace = reader.readBoolean(REPLACE);
        keys = JobKeys.read(reader);
    }

    /**
     * Reads the keys; faults are added to the reader.
     *
     * @param threads the key for the number of threads
     */
    static NewGraph read(Caller caller, Key<Integer> threads, ConfigReader reader) {
        return new NewGraph(caller, threads, reader);
    }

    /**
     * Starts the work, if the name is available.
     *
     * @param name the name of the graph
     * @param task the name of the job
     * @return the job, to be closed by the caller
     * @throws ProximaException if there is a graph of that name and it must not be replaced
     */
    Job begin(String name, String task) {
        addition = GraphCatalog.begin(viewer().key(name), replace);
        job = caller.beginJob(task, keys);
        return job;
    }

    /** The owner of the graph by the keys; to be called after the reader has found no fault. */
    Viewer viewer() {
        return caller.viewer(keys.username());
    }

    /** Acquires another graph of the same owner, to be closed; a live one is refreshed first. */
    GraphEntry acquire(String name) {
        return keys.acquire(caller, name);
    }

    /** The number of threads that create the graph. */
    int concurrency() {
        return concurrency;
    }

    /** Milliseconds since the keys were read. */
    long millis() {
        return GraphRun.millisSince(startNanos);
    }

    /**
     * Marks the state of the data that a graph reads from now on. Uncommitted changes, which may be rolled back, are in
     * no state of the database.
     */
    Mark mark() {
        return caller.hasChanges() ? caller.touched().lost() : caller.touched().mark();
    }

    /**
     * Marks the state of the data that a graph has read since the caller's transaction, or that around it, began, if
     * nothing has been committed since.
     */
    Mark markSinceBegin() {
        // before the mark, which nobody would close if this is killed
        long begin = CallingTransaction.begin(caller.transaction());
        Mark mark =
                caller.hasChanges() ? caller.touched().lost() : caller.touched().markSince(begin);
        if (caller.transactionIds().getLastCommittedTransaction().commitTimestamp() < begin) {
            return mark;
        }
        mark.close();
        return caller.touched().lost();
    }

    /**
     * Adds the graph to the catalog. A call that was stopped adds nothing, and leaves the graph to be replaced.
     *
     * @param nodeProperties properties of the nodes of the graph
     * @param types the schema of each projected type
     * @param configuration the effective configuration of the call
     * @param mark the state of the database that the graph has; copied
     * @param changes the end of the transaction whose uncommitted changes the graph has; null if it has none
     * @param nativeProjection what was read from the store, so that the graph can be refreshed; null for other graphs
     * @param reading how it was read; null for other graphs
     * @throws ProximaException as {@link GraphCatalog#add}
     * @throws io.proxima.concurrent.StoppedException if the call was stopped
     */
    void keep(
            GraphProjection projection,
            List<NodeProperty> nodeProperties,
            Map<String, TypeSchema> types,
            Map<String, Object> configuration,
            Mark mark,
            TransactionEnd changes,
            NativeProjection nativeProjection,
            Reading reading) {
        // before the graph to be replaced is removed
        caller.stop().check();
        GraphEntry entry = new GraphEntry(
                addition.key(),
                projection,
                new GraphEntry.Details(
                        KeptValue.shortened(configuration),
                        types,
                        Instant.now(),
                        mark.copy(),
                        changes,
                        nativeProjection,
                        reading));
        entry.addProperties(nodeProperties);
        entry.recordHeldHeap(job.heap());
        // a kill from here on comes too late
        GraphCatalog.add(entry, addition);
    }
}
