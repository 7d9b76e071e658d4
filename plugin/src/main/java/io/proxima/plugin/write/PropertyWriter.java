// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.TransactionEnd;
import io.proxima.plugin.catalog.TransactionEnd.Outcome;
import io.proxima.projection.IdMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.internal.kernel.api.exceptions.EntityNotFoundException;
import org.neo4j.internal.kernel.api.security.PrivilegeAction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.internal.schema.ConstraintDescriptor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.Value;

/**
 * Writes properties of many nodes in transactions of its own, with the caller's privileges: batches of ascending
 * neo4jIds, several at once, each committed alone. The ascending order prevents deadlocks between write-backs.
 *
 * <p>The calling thread writes nothing. It watches the caller's transaction. When that ends, or when a batch has
 * failed, it terminates all writing transactions, even those that wait for a lock, so the call ends at once.
 */
public final class PropertyWriter {

    /** The task that progress is reported for. */
    public static final Task TASK = Task.of("Write properties");

    /**
     * Maximum number of nodes of a transaction: of the numbers from 1,000 to 20,000, this one took the least processor
     * time.
     */
    static final int BATCH_SIZE = 10_000;

    /** Heap of the values of a transaction, if they are long. */
    static final long BATCH_BYTES = 1 << 22;

    /** A value is in the state of its transaction, in the records of the commit, and in the buffer of the log. */
    private static final int COPIES = 3;

    private static final int ATTEMPTS = 6;
    private static final int SAMPLED_NODES = 100;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long WATCH_MILLIS = 10;

    private final GraphDatabaseAPI database;
    private final InternalTransaction caller;
    private final Stop stop;
    private final int batchSize;

    /** The properties that earlier calls of this writer have written. */
    private final List<String> complete = new ArrayList<>();

    private final Map<WriteCount, Long> counts = new ConcurrentHashMap<>();
    private final Map<String, Long> errors = new ConcurrentHashMap<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Number of values in batches of which nobody knows whether they were committed. */
    private final AtomicLong unknown = new AtomicLong();

    /**
     * Transactions that are writing or being committed, guarded by itself. They are removed when they end: afterwards
     * Neo4j may reuse the inner object for another transaction, which must not be terminated.
     */
    private final Set<InternalTransaction> open = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Creates a writer for one call.
     *
     * @param database the database as injected into the procedure, so that its user and mode apply
     * @param caller the calling transaction; its security context is used, but nothing is written through it
     * @param stop ends the writing; committed batches remain
     */
    public PropertyWriter(GraphDatabaseAPI database, InternalTransaction caller, Stop stop) {
        this(database, caller, stop, BATCH_SIZE);
    }

    PropertyWriter(GraphDatabaseAPI database, InternalTransaction caller, Stop stop, int batchSize) {
        this.database = database;
        this.caller = caller;
        this.stop = stop;
        this.batchSize = batchSize;
    }

    /** The values to write. */
    @FunctionalInterface
    public interface PropertyValues {
        /** The value of a vertex; null removes the property. Called by several threads. */
        Value value(int vertex);

        /** The maximum heap of a value in bytes. The longer the values, the fewer nodes a transaction has. */
        default long bytes() {
            return Long.BYTES;
        }
    }

    /**
     * The result of writing.
     *
     * @param propertiesWritten number of values set
     * @param nodesSkipped number of nodes deleted since the projection
     * @param batches number of transactions committed
     * @param retries number of batches that were rolled back and retried
     * @param errorMessages the messages of transient errors, with their counts
     */
    public record Summary(
            long propertiesWritten, long nodesSkipped, long batches, long retries, Map<String, Object> errorMessages) {}

    /** Heap of the long values of the transactions that are open at the same time. */
    public static MemoryTree memory(int vertexCount, long bytesOfNode, int concurrency) {
        if (vertexCount == 0) {
            return MemoryTree.NONE;
        }
        int nodes = nodesOfBatch(BATCH_SIZE, vertexCount, bytesOfNode, concurrency);
        long writers = writers(vertexCount, nodes, concurrency);
        return MemoryTree.exactly("values being written", COPIES * writers * nodes * bytesOfNode);
    }

    private static int writers(int count, int nodes, int concurrency) {
        return Math.min(concurrency, (count - 1) / nodes + 1);
    }

    /** The number of nodes of a transaction: all writers have as many transactions, so that they end together. */
    static int nodesOfBatch(int most, int count, long bytesOfNode, int concurrency) {
        int allowed = (int) Math.max(1, Math.min(most, BATCH_BYTES / bytesOfNode));
        long writers = writers(count, allowed, concurrency);
        long batches = ((count - 1) / (writers * allowed) + 1) * writers;
        return (int) ((count - 1) / batches) + 1;
    }

    /**
     * Writes properties of vertices; those of one node are committed together. {@link #requireWritable} was called
     * before.
     *
     * @param ids mapping from vertices to nodes
     * @param vertices the vertices, without repeats; null for all
     * @param properties the values to write, by the name of the property, which is created if it is new
     * @param concurrency number of concurrent transactions, at least 1
     * @param progress receives {@link #TASK} with the number of nodes as its volume
     * @return {@link #summary}
     * @throws ProximaException if a batch failed permanently; the message states how many properties were committed
     * @throws StoppedException if the stop was requested
     */
    public Summary write(
            IdMap ids, int[] vertices, Map<String, PropertyValues> properties, int concurrency, Progress progress) {
        int count = vertices == null ? ids.size() : vertices.length;
        progress.beginTask(TASK, count);
        if (count > 0) {
            int nodes = nodesOfBatch(
                    batchSize,
                    count,
                    properties.values().stream()
                            .mapToLong(PropertyValues::bytes)
                            .sum(),
                    concurrency);
            Run run = new Run(ids, vertices, count, nodes, createPropertyKeys(properties), new AtomicLong());
            write(run, properties.keySet(), concurrency, progress);
        }
        complete.addAll(properties.keySet());
        return summary();
    }

    /** The counts of all calls of this writer; each counts the deleted nodes. */
    public Summary summary() {
        return new Summary(
                count(WriteCount.PROPERTIES_WRITTEN),
                count(WriteCount.NODES_SKIPPED),
                count(WriteCount.BATCHES),
                count(WriteCount.RETRIES),
                new TreeMap<>(errors));
    }

    private void write(Run run, Collection<String> properties, int concurrency, Progress progress) {
        long before = count(WriteCount.PROPERTIES_WRITTEN);
        int writers = writers(run.count, run.nodes, concurrency);
        CountDownLatch writing = new CountDownLatch(writers);
        Workers.run(writers + 1, Stop.NEVER, (worker, unused) -> {
            if (worker == 0) {
                watch(writing);
            } else {
                write(run, progress, writing);
            }
        });
        if (stop.requested()) {
            throw new StoppedException();
        }
        Throwable failed = failure.get();
        if (failed != null) {
            Throwable cause = failed instanceof FailedCommit ? failed.getCause() : failed;
            throw ProximaException.failed(
                    "Failed to write " + named(properties) + ": " + (count(WriteCount.PROPERTIES_WRITTEN) - before)
                            + " of "
                            + (long) run.count * properties.size()
                            + " properties were committed"
                            + (unknown.get() == 0 ? "" : ", and perhaps " + unknown.get() + " more,")
                            + " before a batch " + what(failed)
                            + (complete.isEmpty() ? "" : ", after all of " + named(complete)) + ": " + message(cause),
                    cause);
        }
    }

    private static String what(Throwable failure) {
        if (!(failure instanceof FailedCommit commit)) {
            return "was rolled back";
        }
        return commit.committed ? "failed after its commit" : "failed with an unknown outcome";
    }

    /**
     * Checks that the caller may write properties, to be called before they are computed. It creates nothing. A
     * privilege that depends on labels is checked for {@value #SAMPLED_NODES} of the nodes; the others are checked when
     * they are written.
     *
     * @param vertices the vertices to be written, without repeats; null for all
     * @param properties what is known of the values, by the name of the property
     * @throws ProximaException if the caller's transaction has changes, if this member of the server does not accept
     *     writes to the database, if the caller lacks a privilege, or if a constraint does not allow the values
     * @throws StoppedException if the stop was requested
     */
    public void requireWritable(IdMap ids, int[] vertices, Map<String, WrittenValues> properties) {
        CallingTransaction.requireUnchanged(database, caller);
        try (InternalTransaction transaction = begin()) {
            KernelTransaction kernel = transaction.kernelTransaction();
            Nodes nodes = new Nodes(kernel, ids, vertices);
            kernel.dataWrite();
            kernel.tokenWrite();
            for (var property : properties.entrySet()) {
                String name = property.getKey();
                int key = kernel.tokenRead().propertyKey(name);
                if (key == TokenConstants.NO_TOKEN) {
                    kernel.securityAuthorizationHandler()
                            .assertAllowsTokenCreates(kernel.securityContext(), PrivilegeAction.CREATE_PROPERTYKEY);
                } else {
                    nodes.requireRights(key, name);
                    requireNoConstraint(nodes, key, name, property.getValue());
                }
            }
        } catch (ProximaException | StoppedException e) {
            throw e;
        } catch (KernelException | RuntimeException e) {
            // a killed caller has no rights to ask for, and that is no matter of privileges
            stop.check();
            throw ProximaException.failed(
                    "The call cannot write " + named(properties.keySet()) + ", so nothing was computed: " + message(e)
                            + " Use the mode `mutate` or `stream`, ask an administrator for the privilege, or call it on"
                            + " a server that accepts writes to the database.",
                    e);
        }
    }

    /** The nodes to be written, as the caller may see them. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Nodes(KernelTransaction kernel, IdMap ids, int[] vertices) {

        int count() {
            return vertices == null ? ids.size() : vertices.length;
        }

        private boolean find(int place, NodeCursor node) {
            kernel.dataRead().singleNode(ids.toNeo4jId(vertices == null ? place : vertices[place]), node);
            return node.next();
        }

        void requireRights(int key, String name) {
            NodeCursor node = kernel.ambientNodeCursor();
            int sampled = Math.min(SAMPLED_NODES, count());
            for (int i = 0; i < sampled; i++) {
                if (find((int) ((long) count() * i / sampled), node)) {
                    kernel.securityAuthorizationHandler()
                            .assertAllowsSetProperty(kernel.securityContext(), unused -> name, node.labels(), key);
                }
            }
        }

        boolean hasMoreThan(int most, int label, Stop stop) {
            NodeCursor node = kernel.ambientNodeCursor();
            PacedStop paced = new PacedStop(stop);
            int found = 0;
            for (int place = 0; place < count() && found <= most; place++) {
                found += find(place, node) && node.hasLabel(label) ? 1 : 0;
                paced.worked(10);
            }
            return found > most;
        }
    }

    private void requireNoConstraint(Nodes nodes, int key, String name, WrittenValues values) throws KernelException {
        Iterator<ConstraintDescriptor> all = nodes.kernel.schemaRead().constraintsGetAllNonLocking();
        while (all.hasNext()) {
            ConstraintDescriptor constraint = all.next();
            int allowed = values.nodesAllowedBy(constraint, key);
            if (allowed != WrittenValues.ANY_NUMBER
                    && nodes.hasMoreThan(allowed, constraint.schema().getLabelId(), stop)) {
                String why = constraint.enforcesPropertyType()
                        ? "`"
                                + constraint
                                        .asPropertyTypeConstraint()
                                        .propertyType()
                                        .userDescription() + "`, but the results are of type `" + values.type() + "`"
                        : "different values, but several nodes can have the same result";
                throw ProximaException.failed("The call cannot write " + named(List.of(name))
                        + ", so nothing was computed: the constraint `" + constraint.getName()
                        + "` requires nodes with the label `"
                        + nodes.kernel
                                .tokenRead()
                                .nodeLabelName(constraint.schema().getLabelId()) + "` to have " + why
                        + ". Write another property, or drop the constraint.");
            }
        }
    }

    private List<Column> createPropertyKeys(Map<String, PropertyValues> properties) {
        try (InternalTransaction transaction = begin()) {
            List<Column> columns = new ArrayList<>();
            for (var property : properties.entrySet()) {
                int key = transaction.kernelTransaction().tokenWrite().propertyKeyGetOrCreateForName(property.getKey());
                columns.add(new Column(key, property.getValue()));
            }
            transaction.commit();
            return columns;
        } catch (KernelException e) {
            String what = properties.size() == 1 ? "key of " : "keys of ";
            throw ProximaException.failed(
                    "Failed to create the " + what + named(properties.keySet()) + ": " + message(e), e);
        }
    }

    private static String named(Collection<String> properties) {
        return properties.stream()
                .sorted()
                .map(property -> "`" + property + "`")
                .collect(Collectors.joining(" and ", properties.size() == 1 ? "the property " : "the properties ", ""));
    }

    private InternalTransaction begin() {
        SecurityContext rights = caller.securityContext();
        return database.beginTransaction(KernelTransaction.Type.EXPLICIT, rights);
    }

    /** The message of a failure and of its cause; that of a failed listener says nothing but that there was one. */
    private static String message(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = ownMessage(failure);
        return text.contains(ownMessage(root)) ? text : text + " " + ownMessage(root);
    }

    private static String ownMessage(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static boolean isTransient(Throwable failure) {
        Status status = Status.statusCodeOf(failure);
        return status != null && status.code().classification() == Status.Classification.TransientError;
    }

    /** The key of a property, and its values. */
    private record Column(int key, PropertyValues values) {}

    /**
     * What one call writes.
     *
     * @param vertices null for all
     * @param nodes number of nodes of a transaction
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Run(IdMap ids, int[] vertices, int count, int nodes, List<Column> columns, AtomicLong nextBatch) {
        /** Writes the properties of one of the nodes, and returns how many have a value. */
        int write(Write write, int place) throws KernelException {
            int vertex = vertices == null ? place : vertices[place];
            int set = 0;
            for (Column column : columns) {
                Value value = column.values.value(vertex);
                if (value == null) {
                    write.nodeRemoveProperty(ids.toNeo4jId(vertex), column.key);
                } else {
                    write.nodeSetProperty(ids.toNeo4jId(vertex), column.key, value);
                    set++;
                }
            }
            return set;
        }
    }

    /** A commit that threw although, or perhaps although, its batch was committed. */
    private static final class FailedCommit extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean committed;

        FailedCommit(Throwable cause, boolean committed) {
            super(cause);
            this.committed = committed;
        }
    }

    /**
     * The work of the calling thread: terminates the writers when the caller's query has ended or a batch has failed.
     */
    private void watch(CountDownLatch writing) {
        boolean interrupted = false;
        while (true) {
            try {
                if (writing.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (ended()) {
                terminateAll();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void terminateAll() {
        synchronized (open) {
            open.forEach(InternalTransaction::terminate);
        }
    }

    /** The work of a writer. */
    private void write(Run run, Progress progress, CountDownLatch writing) {
        try {
            while (!ended()) {
                long first = run.nextBatch.getAndIncrement() * run.nodes;
                if (first >= run.count) {
                    break;
                }
                int to = (int) Math.min(first + run.nodes, run.count);
                writeBatch(run, (int) first, to);
                progress.advance(to - first);
            }
        } catch (Throwable e) {
            // an Error too must end the other writers, and must not hide how much they have committed
            failure.compareAndSet(null, e);
            terminateAll();
        } finally {
            writing.countDown();
        }
    }

    private boolean ended() {
        return failure.get() != null || stop.requested();
    }

    private void writeBatch(Run run, int from, int to) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                tryBatch(run, from, to);
                return;
            } catch (Exception e) {
                if (attempt == ATTEMPTS || e instanceof FailedCommit || !isTransient(e) || ended()) {
                    throw e;
                }
                add(WriteCount.RETRIES, 1);
                errors.merge(message(e), 1L, Long::sum);
                pause(FIRST_PAUSE_MILLIS << (attempt - 1));
            }
        }
    }

    private void tryBatch(Run run, int from, int to) throws KernelException, FailedCommit {
        long set = 0;
        long missing = 0;
        try (InternalTransaction transaction = begin();
                TransactionEnd end = TransactionEnd.of(database, transaction, unused -> remove(transaction))) {
            try {
                synchronized (open) {
                    open.add(transaction);
                }
                requireContinuing();
                Write write = transaction.kernelTransaction().dataWrite();
                for (int i = from; i < to; i++) {
                    try {
                        set += run.write(write, i);
                    } catch (EntityNotFoundException e) {
                        missing++;
                    }
                }
                requireContinuing();
                commit(transaction, end, set);
            } catch (FailedCommit e) {
                if (e.committed) {
                    countBatch(set, missing);
                }
                throw e;
            } finally {
                remove(transaction);
            }
        }
        countBatch(set, missing);
    }

    private void remove(InternalTransaction transaction) {
        synchronized (open) {
            open.remove(transaction);
        }
    }

    /** After a failure, nothing more is committed. */
    private void requireContinuing() {
        if (ended()) {
            throw new StoppedException();
        }
    }

    private void countBatch(long set, long missing) {
        add(WriteCount.PROPERTIES_WRITTEN, set);
        add(WriteCount.NODES_SKIPPED, missing);
        add(WriteCount.BATCHES, 1);
    }

    private long count(WriteCount what) {
        return counts.getOrDefault(what, 0L);
    }

    private void add(WriteCount what, long more) {
        counts.merge(what, more, Long::sum);
        what.add(more);
    }

    /** Throws a failure of a commit as it is if the batch was rolled back. */
    private void commit(InternalTransaction transaction, TransactionEnd end, long set) throws FailedCommit {
        try {
            transaction.commit();
        } catch (RuntimeException | Error e) {
            Outcome outcome = outcome(end, e);
            if (outcome == Outcome.ROLLED_BACK) {
                throw e;
            }
            unknown.addAndGet(outcome == Outcome.UNKNOWN ? set : 0);
            throw new FailedCommit(e, outcome == Outcome.COMMITTED);
        }
    }

    /**
     * Neo4j also reports a transaction as rolled back that it has written to the log and could not apply. Recovery will
     * apply it; the error is then one of the database.
     */
    private static Outcome outcome(TransactionEnd end, Throwable failure) {
        Status status = Status.statusCodeOf(failure);
        boolean ofDatabase = status == null || status.code().classification() == Status.Classification.DatabaseError;
        return end.outcome() == Outcome.ROLLED_BACK && ofDatabase ? Outcome.UNKNOWN : end.outcome();
    }

    private void pause(long millis) {
        try {
            for (long slept = 0; slept < millis && !ended(); slept += WATCH_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}
