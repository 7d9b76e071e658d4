// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Claim;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphEntry.NativeProjection;
import io.proxima.plugin.catalog.GraphEntry.StoreState;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.KeptValue;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.write.WriteBacks;
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

    /** The state of no store: such a graph is stale from the start. */
    static final StoreState NO_STATE = new StoreState(-1, 0);

    private static final Key<Boolean> REPLACE =
            Key.of("replace", false, "Replaces an existing graph of the same name.");

    private final Caller caller;
    private String name;
    private final boolean replace;
    private NativeProjection source;
    private final JobKeys keys;
    private final long startNanos = System.nanoTime();

    private Viewer viewer;
    private Claim claim;
    private Job job;

    private NewGraph(Caller caller, String name, boolean replace, ConfigReader reader) {
        this.caller = caller;
        this.name = name;
        this.replace = replace;
        keys = JobKeys.read(reader);
    }

    /** Reads the keys; faults are added to the reader. */
    static NewGraph read(Caller caller, String name, ConfigReader reader) {
        return new NewGraph(caller, name, reader.readBoolean(REPLACE), reader);
    }

    /** Reads the keys of a call that replaces a graph. */
    static NewGraph readReplacing(Caller caller, String name, ConfigReader reader) {
        return new NewGraph(caller, name, true, reader);
    }

    /** Sets what the graph is read from, so that it can be refreshed. */
    void source(NativeProjection read) {
        source = read;
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
        job = keys.begin(caller, task);
        return job;
    }

    /** The owner of the graph by the keys; to be called after the reader has found no fault. */
    Viewer viewerOfKeys() {
        return caller.viewer(keys.username());
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
     * The state that a graph of data read from now on certainly includes; {@link #NO_STATE} if the data includes
     * uncommitted changes, which may be rolled back.
     */
    StoreState includedFromNowOn() {
        return hasChanges() ? NO_STATE : stateAt(Caller.lastClosed(caller.transactionIds()));
    }

    /** The state of the store at a transaction. */
    StoreState stateAt(long transaction) {
        return new StoreState(transaction, WriteBacks.of(caller.database()).count());
    }

    /**
     * The state that a graph of data read since the caller's transaction began certainly includes, if nothing has been
     * committed since; otherwise {@link #NO_STATE}, as for uncommitted changes.
     */
    StoreState includedSinceBegin() {
        StoreState included = includedFromNowOn();
        long begin = caller.transaction().kernelTransaction().startTime();
        return caller.transactionIds().getLastCommittedTransaction().commitTimestamp() < begin ? included : NO_STATE;
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
     * @param included the state of the store that the graph certainly includes
     * @throws ProximaException if the name is in use and the graph must not be replaced, or if its user was dropped
     *     meanwhile
     * @throws io.proxima.concurrent.StoppedException if the call was stopped
     */
    void keep(
            GraphProjection projection,
            Map<String, Object> configuration,
            Function<String, Orientation> orientation,
            Function<String, Map<String, String>> properties,
            StoreState included) {
        keep(projection, List.of(), configuration, orientation, properties, included);
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
            StoreState included) {
        // before the graph to be replaced is removed
        caller.stop().check();
        TransactionIdStore transactions = caller.transactionIds();
        WriteBacks writeBacks = WriteBacks.of(caller.database());
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
                        included,
                        () -> new StoreState(transactions.getLastCommittedTransactionId(), writeBacks.count()),
                        source));
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
