// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.projection.IdMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.internal.kernel.api.exceptions.EntityNotFoundException;
import org.neo4j.internal.kernel.api.security.PrivilegeAction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
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
 * <p>The calling thread writes nothing. It watches the caller's transaction. When that ends, it terminates all writing
 * transactions, even those that wait for a lock, so a killed call ends at once.
 */
public final class PropertyWriter {

    /** The task that progress is reported for. */
    public static final Task TASK = Task.of("Write properties");

    /** Maximum number of nodes of a transaction: of the numbers from 1,000 to 20,000, this one took the least processor time. */
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
    private final WriteBacks writeBacks;

    /** The properties that earlier calls of this writer have written. */
    private final List<String> complete = new ArrayList<>();

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
        this.writeBacks = WriteBacks.of(database);
    }

    /** The values to write. */
    @FunctionalInterface
    public interface NodeValues {
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
            long propertiesWritten, long nodesSkipped, long batches, long retries, Map<String, Object> errorMessages) {

        /** The summary of a call that had nothing to write. */
        public static final Summary NOTHING = new Summary(0, 0, 0, 0, Map.of());

        /** The sum of two calls, each of which counts the deleted nodes. */
        public Summary plus(Summary other) {
            Map<String, Object> messages = new TreeMap<>(errorMessages);
            other.errorMessages.forEach(
                    (message, count) -> messages.merge(message, count, (a, b) -> (Object) ((Long) a + (Long) b)));
            return new Summary(
                    propertiesWritten + other.propertiesWritten,
                    nodesSkipped + other.nodesSkipped,
                    batches + other.batches,
                    retries + other.retries,
                    messages);
        }
    }

    /** Heap of the long values of the transactions that are open at the same time. */
    public static MemoryTree memory(int vertexCount, long bytesOfNode, int concurrency) {
        int nodes = Math.min(nodesOfBatch(BATCH_SIZE, bytesOfNode), vertexCount);
        long writers = nodes == 0 ? 0 : Math.min(concurrency, (vertexCount - 1) / nodes + 1);
        return MemoryTree.exactly("values being written", COPIES * writers * nodes * bytesOfNode);
    }

    private static int nodesOfBatch(int most, long bytesOfNode) {
        return (int) Math.max(1, Math.min(most, BATCH_BYTES / bytesOfNode));
    }

    /**
     * Writes one property of every vertex.
     *
     * @see #write(IdMap, int[], Map, int, Progress)
     */
    public Summary write(IdMap ids, String property, NodeValues values, int concurrency, Progress progress) {
        return write(ids, null, Map.of(property, values), concurrency, progress);
    }

    /**
     * Writes properties of vertices; those of one node are committed together.
     *
     * @param ids mapping from vertices to nodes
     * @param vertices the vertices, without repeats; null for all
     * @param properties the values to write, by the name of the property, which is created if it is new
     * @param concurrency number of concurrent transactions, at least 1
     * @param progress receives {@link #TASK} with the number of nodes as its volume
     * @return the counts, over these vertices
     * @throws ProximaException if a batch failed permanently; the message states how many properties were committed
     * @throws StoppedException if the stop was requested
     */
    public Summary write(
            IdMap ids, int[] vertices, Map<String, NodeValues> properties, int concurrency, Progress progress) {
        CallingTransaction.requireUnchanged(database, caller);
        int count = vertices == null ? ids.size() : vertices.length;
        progress.beginTask(TASK, count);
        if (count == 0) {
            return Summary.NOTHING;
        }
        long bytesOfNode =
                properties.values().stream().mapToLong(NodeValues::bytes).sum();
        int nodes = nodesOfBatch(batchSize, bytesOfNode);
        Run run = new Run(ids, vertices, count, nodes, createPropertyKeys(properties), progress);
        int writers = Math.min(concurrency, (count - 1) / nodes + 1);
        run.writing = new CountDownLatch(writers);
        Workers.run(writers + 1, Stop.NEVER, (worker, unused) -> {
            if (worker == 0) {
                run.watch();
            } else {
                run.write();
            }
        });
        Throwable failure = run.failure.get();
        if (stop.requested()) {
            throw new StoppedException();
        }
        if (failure != null) {
            throw ProximaException.failed(
                    "Failed to write " + named(properties.keySet()) + ": " + run.written.get() + " of "
                            + (long) count * properties.size()
                            + " properties were committed before a batch was rolled back"
                            + (complete.isEmpty() ? "" : ", after all of " + named(complete)) + ": " + message(failure),
                    failure);
        }
        complete.addAll(properties.keySet());
        return run.summary();
    }

    /**
     * Checks that the caller may write properties, to be called before they are computed. It creates nothing. A privilege
     * that depends on labels is checked for {@value #SAMPLED_NODES} of the nodes; the others are checked when they are
     * written.
     *
     * @param ids the nodes to be written
     * @param properties the names of the properties
     * @throws ProximaException if the caller's transaction has changes, if this member of the server does not accept
     *     writes to the database, or if the caller lacks a privilege
     */
    public void requireWritable(IdMap ids, Collection<String> properties) {
        CallingTransaction.requireUnchanged(database, caller);
        try (InternalTransaction transaction = begin()) {
            KernelTransaction kernel = transaction.kernelTransaction();
            kernel.dataWrite();
            kernel.tokenWrite();
            for (String property : properties) {
                int key = kernel.tokenRead().propertyKey(property);
                if (key == TokenConstants.NO_TOKEN) {
                    kernel.securityAuthorizationHandler()
                            .assertAllowsTokenCreates(kernel.securityContext(), PrivilegeAction.CREATE_PROPERTYKEY);
                } else {
                    requireRights(kernel, ids, key, property);
                }
            }
        } catch (KernelException | RuntimeException e) {
            throw ProximaException.failed(
                    "The call cannot write " + named(properties) + ", so nothing was computed: " + message(e)
                            + " Use the mode `mutate` or `stream`, ask an administrator for the privilege, or call it on"
                            + " a server that accepts writes to the database.",
                    e);
        }
    }

    private static void requireRights(KernelTransaction kernel, IdMap ids, int key, String name) {
        NodeCursor node = kernel.ambientNodeCursor();
        int sampled = Math.min(SAMPLED_NODES, ids.size());
        for (int i = 0; i < sampled; i++) {
            kernel.dataRead().singleNode(ids.toNeo4jId((int) ((long) ids.size() * i / sampled)), node);
            if (node.next()) {
                kernel.securityAuthorizationHandler()
                        .assertAllowsSetProperty(kernel.securityContext(), unused -> name, node.labels(), key);
            }
        }
    }

    private List<Column> createPropertyKeys(Map<String, NodeValues> properties) {
        try (InternalTransaction transaction = begin()) {
            List<Column> columns = new ArrayList<>();
            for (var property : properties.entrySet()) {
                KernelTransaction kernel = transaction.kernelTransaction();
                if (kernel.tokenRead().propertyKey(property.getKey()) == TokenConstants.NO_TOKEN) {
                    // Neo4j creates a key in a transaction of its own
                    writeBacks.begin();
                }
                int key = kernel.tokenWrite().propertyKeyGetOrCreateForName(property.getKey());
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

    private void commit(InternalTransaction transaction, boolean changes) {
        boolean committed = false;
        if (changes) {
            writeBacks.begin();
        }
        try {
            transaction.commit();
            committed = true;
        } finally {
            if (changes && !committed) {
                writeBacks.rolledBack();
            }
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

    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static boolean isTransient(Throwable failure) {
        Status status = Status.statusCodeOf(failure);
        return status != null && status.code().classification() == Status.Classification.TransientError;
    }

    /** The key of a property, and its values. */
    private record Column(int key, NodeValues values) {}

    /** One call of {@link #write(IdMap, int[], Map, int, Progress)}. */
    private final class Run {
        private final IdMap ids;

        /** Null for all. */
        private final int[] vertices;

        private final int count;

        /** Nodes of a transaction. */
        private final int nodes;

        private final List<Column> columns;
        private final Progress progress;
        private CountDownLatch writing;

        private final AtomicLong nextBatch = new AtomicLong();
        private final Set<OpenTransaction> open = ConcurrentHashMap.newKeySet();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicLong written = new AtomicLong();
        private final AtomicLong skipped = new AtomicLong();
        private final AtomicLong batches = new AtomicLong();
        private final AtomicInteger retries = new AtomicInteger();
        private final Map<String, Long> errors = new ConcurrentHashMap<>();

        Run(IdMap ids, int[] vertices, int count, int nodes, List<Column> columns, Progress progress) {
            this.ids = ids;
            this.vertices = vertices;
            this.count = count;
            this.nodes = nodes;
            this.columns = columns;
            this.progress = progress;
        }

        Summary summary() {
            return new Summary(written.get(), skipped.get(), batches.get(), retries.get(), new TreeMap<>(errors));
        }

        /** The work of the calling thread: terminates the writers when the caller's query has ended. */
        void watch() {
            boolean interrupted = false;
            while (true) {
                try {
                    if (writing.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
                        break;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (stop.requested()) {
                    open.forEach(OpenTransaction::terminate);
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** The work of a writer. */
        void write() {
            try {
                while (!ended()) {
                    long first = nextBatch.getAndIncrement() * nodes;
                    if (first >= count) {
                        break;
                    }
                    int to = (int) Math.min(first + nodes, count);
                    writeBatch((int) first, to);
                    progress.advance(to - first);
                }
            } catch (Throwable e) {
                // an Error too must end the other writers, and must not hide how much they have committed
                failure.compareAndSet(null, e);
            } finally {
                writing.countDown();
            }
        }

        private boolean ended() {
            return failure.get() != null || stop.requested();
        }

        private void writeBatch(int from, int to) throws Exception {
            for (int attempt = 1; ; attempt++) {
                try {
                    tryBatch(from, to);
                    return;
                } catch (Exception e) {
                    if (attempt == ATTEMPTS || !isTransient(e) || stop.requested()) {
                        throw e;
                    }
                    retries.incrementAndGet();
                    WriteCounts.retried();
                    errors.merge(message(e), 1L, Long::sum);
                    pause(FIRST_PAUSE_MILLIS << (attempt - 1));
                }
            }
        }

        private void tryBatch(int from, int to) throws KernelException {
            long set = 0;
            long missing = 0;
            try (InternalTransaction transaction = begin()) {
                OpenTransaction entry = new OpenTransaction(transaction);
                open.add(entry);
                try {
                    if (stop.requested()) {
                        throw new StoppedException();
                    }
                    Write write = transaction.kernelTransaction().dataWrite();
                    for (int i = from; i < to; i++) {
                        try {
                            set += write(write, vertices == null ? i : vertices[i]);
                        } catch (EntityNotFoundException e) {
                            missing++;
                        }
                    }
                } finally {
                    open.remove(entry);
                    entry.retire();
                }
                commit(transaction, transaction.kernelTransaction().dataRead().transactionStateHasChanges());
            }
            written.addAndGet(set);
            skipped.addAndGet(missing);
            batches.incrementAndGet();
            WriteCounts.committed(set, missing);
        }

        /** Writes the properties of a vertex, and returns how many have a value. */
        private int write(Write write, int vertex) throws KernelException {
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

    /**
     * A transaction that may be terminated from outside until it is closed. Afterwards Neo4j may reuse its inner object
     * for another transaction, which must not be terminated.
     */
    private static final class OpenTransaction {
        private final InternalTransaction transaction;
        private boolean retired;

        OpenTransaction(InternalTransaction transaction) {
            this.transaction = transaction;
        }

        synchronized void terminate() {
            if (!retired) {
                transaction.terminate();
            }
        }

        synchronized void retire() {
            retired = true;
        }
    }
}
