// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Claim;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.KeptValue;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.Orientation;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.neo4j.storageengine.api.TransactionIdStore;

/**
 * A new graph for the catalog, and the keys that are common to all procedures that create graphs. Call {@link #read}
 * first.
 * If the configuration has no fault, call {@link #begin}, and finally {@link #keep}.
 */
final class NewGraph {

    /** No transaction: such a graph is stale from the start. */
    static final long NO_TRANSACTION = -1;

    private final Caller caller;
    private String name;
    private final boolean replace;
    private final String jobId;
    private final boolean logProgress;
    private final boolean sudo;
    private final String username;
    private final long startNanos = System.nanoTime();

    private Viewer viewer;
    private Claim claim;
    private Job job;

    private NewGraph(Caller caller, String name, ConfigReader reader) {
        this.caller = caller;
        this.name = name;
        replace = reader.readBoolean("replace", false);
        jobId = reader.readJobId("jobId");
        logProgress = reader.readBoolean("logProgress", true);
        sudo = reader.readBoolean("sudo", false);
        username = reader.readOptionalString("username", ColumnTexts.CALLER);
    }

    /** Reads the keys; faults are added to the reader. */
    static NewGraph read(Caller caller, String name, ConfigReader reader) {
        return new NewGraph(caller, name, reader);
    }

    /** Names the graph, if its name was not known when the keys were read. */
    void name(String known) {
        name = known;
    }

    /**
     * Starts the work, if the name is available.
     *
     * @param task the name of the job
     * @return the job, to be closed by the caller
     * @throws ProximaException if there is a graph of that name and it must not be replaced
     */
    Job begin(String task) {
        viewer = viewerOfKeys();
        claim = GraphCatalog.claim(viewer.key(name), replace);
        job = caller.beginJob(task, jobId, logProgress, sudo);
        return job;
    }

    /** The owner of the graph by the keys; to be called after the reader has found no fault. */
    Viewer viewerOfKeys() {
        return caller.viewer(username);
    }

    /** The owner of the graph; known once the work has started. */
    Viewer viewer() {
        return viewer;
    }

    /** Milliseconds since the keys were read. */
    long millis() {
        return GraphRun.millisSince(startNanos);
    }

    /**
     * The last transaction that a graph of data read from now on certainly includes; {@link #NO_TRANSACTION} if the
     * data includes uncommitted changes, which may be rolled back.
     */
    long includedFromNowOn() {
        return hasChanges() ? NO_TRANSACTION : Caller.lastClosed(caller.transactionIds());
    }

    /**
     * The last transaction that a graph of data read since the caller's transaction began certainly includes, if no
     * other one has been committed since; otherwise {@link #NO_TRANSACTION}, as for uncommitted changes.
     */
    long includedSinceBegin() {
        TransactionIdStore transactions = caller.transactionIds();
        long included = includedFromNowOn();
        long begin = caller.transaction().kernelTransaction().startTime();
        return transactions.getLastCommittedTransaction().commitTimestamp() < begin ? included : NO_TRANSACTION;
    }

    /** Whether the caller's transaction has uncommitted changes. */
    boolean hasChanges() {
        return caller.transaction().kernelTransaction().dataRead().transactionStateHasChanges();
    }

    /**
     * Adds the graph to the catalog. A call that was stopped adds nothing, and leaves the graph to be replaced.
     *
     * @param configuration the effective configuration of the call
     * @param orientation of each projected type
     * @param properties the descriptions of the properties of each projected type
     * @param seen the last transaction of the store that the graph certainly includes
     * @throws ProximaException if the name is in use and the graph must not be replaced, or if its user was dropped
     *     meanwhile
     * @throws io.proxima.concurrent.StoppedException if the call was stopped
     */
    void keep(
            GraphProjection projection,
            Map<String, Object> configuration,
            Function<String, Orientation> orientation,
            Function<String, Map<String, String>> properties,
            long seen) {
        keep(projection, List.of(), configuration, orientation, properties, seen);
    }

    /**
     * Like the other method, with node properties.
     *
     * @param nodeProperties properties of the nodes of the graph
     */
    void keep(
            GraphProjection projection,
            List<NodeProperty> nodeProperties,
            Map<String, Object> configuration,
            Function<String, Orientation> orientation,
            Function<String, Map<String, String>> properties,
            long seen) {
        // before the graph to be replaced is removed
        caller.stop().check();
        TransactionIdStore transactions = caller.transactionIds();
        GraphEntry entry = new GraphEntry(
                claim.key(),
                projection,
                new GraphEntry.Details(
                        KeptValue.shortened(configuration),
                        schema(projection, properties::apply),
                        schema(
                                projection,
                                type -> Map.of(
                                        "direction",
                                        orientation.apply(type) == Orientation.UNDIRECTED ? "UNDIRECTED" : "DIRECTED",
                                        "properties",
                                        properties.apply(type))),
                        Instant.now(),
                        seen,
                        transactions::getLastCommittedTransactionId));
        entry.addProperties(nodeProperties);
        entry.recordHeldHeap(job.heap());
        // a kill from here on comes too late
        GraphCatalog.add(entry, claim);
    }

    private static Map<String, Object> schema(GraphProjection projection, Function<String, Object> ofType) {
        Map<String, Object> nodes = new LinkedHashMap<>();
        projection.labels().forEach(label -> nodes.put(label, Map.of()));
        Map<String, Object> relationships = new LinkedHashMap<>();
        projection.types().forEach(type -> relationships.put(type, ofType.apply(type)));
        return Map.of("graphProperties", Map.of(), "nodes", nodes, "relationships", relationships);
    }
}
