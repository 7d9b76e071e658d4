// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import io.proxima.projection.Touches;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListener;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.txstate.TxStateHolder;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.storageengine.api.txstate.ReadableTransactionState;

/**
 * What the recent transactions of a database have touched, as far as a graph can use it. It listens to all transactions
 * from the start of the database, and never fails one. Bounded: what is too much counts as a change of everything.
 * Thread-safe.
 *
 * <p>Method: a transaction is pending from before its commit until Neo4j reports its end. A {@link Mark} has an id up
 * to which all transactions had been closed when its graph was read, and the transactions that were pending then.
 * Closed ones were visible to the reader; it may have seen others in part. So the graph may lack the transactions with
 * higher ids, those that were pending, and those that are pending now.
 */
public final class Touched implements TransactionEventListener<Object> {

    /** The rows of one transaction, and of all that are remembered, at most; a row takes 24 bytes. */
    public static final int MOST = 1 << 16;

    private final LongSupplier lastClosed;
    private final boolean hearsAll;
    private final Supplier<Iterator<TransactionEventListener<?>>> listeners;

    // guarded by this
    private final Set<Changes> pending = newSet();
    private final Deque<Changes> committed = new ArrayDeque<>();
    private final Set<Mark> marks = newSet();
    private long rows;

    /** The time of the last reported commit, in milliseconds since 1970. */
    private long lastEnd = Long.MIN_VALUE;

    /**
     * Creates a listener.
     *
     * @param lastClosed returns the id of the last transaction that can be read completely, like all before it
     * @param hearsAll whether every transaction with data is announced here; false on a member of a cluster, which also
     *     applies transactions that other members have committed
     * @param listeners the listeners of the database in the order in which they are called
     */
    public Touched(
            LongSupplier lastClosed, boolean hearsAll, Supplier<Iterator<TransactionEventListener<?>>> listeners) {
        this.lastClosed = lastClosed;
        this.hearsAll = hearsAll;
        this.listeners = listeners;
    }

    private static <T> Set<T> newSet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    @Override
    public Object beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService database) {
        Changes changes;
        try {
            changes = read(data, transaction);
        } catch (RuntimeException | LinkageError e) {
            // an exception would roll back the user's transaction
            changes = Changes.unknown();
        }
        synchronized (this) {
            pending.add(changes);
        }
        return changes;
    }

    private Changes read(TransactionData data, Transaction transaction) {
        Iterator<TransactionEventListener<?>> called = listeners.get();
        // what an earlier listener has changed is not in the data completely
        if (!isUsed() || !called.hasNext() || called.next() != this) {
            return Changes.unknown();
        }
        Changes changes = Changes.of(data, MOST);
        if (called.hasNext()) {
            changes.open = ((InternalTransaction) transaction).kernelTransaction();
            changes.revision = revision(changes.open);
        }
        return changes;
    }

    private static long revision(KernelTransaction transaction) {
        ReadableTransactionState state = ((TxStateHolder) transaction).txState();
        return state.getDataRevision();
    }

    synchronized boolean isUsed() {
        return !marks.isEmpty();
    }

    @Override
    public void afterCommit(TransactionData data, Object state, GraphDatabaseService database) {
        Changes changes = (Changes) state;
        boolean everything = changes.everything || isChanged(changes);
        synchronized (this) {
            pending.remove(changes);
            changes.open = null;
            changes.everything = everything;
            changes.transaction = data.getTransactionId();
            lastEnd = System.currentTimeMillis();
            if (everything) {
                lose(changes);
            } else if (isUsed()) {
                committed.add(changes);
                rows += rows(changes);
                makeRoom();
            }
        }
    }

    /** Whether a later listener, such as a trigger, has changed more in the transaction. */
    private static boolean isChanged(Changes changes) {
        try {
            return changes.open != null && revision(changes.open) != changes.revision;
        } catch (RuntimeException | LinkageError e) {
            return true;
        }
    }

    @Override
    public synchronized void afterRollback(TransactionData data, Object state, GraphDatabaseService database) {
        pending.remove(state);
    }

    private static int rows(Changes changes) {
        return Math.max(1, changes.size());
    }

    private void makeRoom() {
        if (rows <= MOST) {
            return;
        }
        forget(changes -> marks.stream().noneMatch(mark -> mark.needs(changes)));
        // half, so that it takes many commits to the next time; but a transaction that fits alone stays
        while (rows > MOST / 2 && (rows > MOST || committed.size() > 1)) {
            Changes oldest = committed.removeFirst();
            rows -= rows(oldest);
            lose(oldest);
        }
    }

    private void forget(Predicate<Changes> unused) {
        committed.removeIf(changes -> {
            boolean forgotten = unused.test(changes);
            rows -= forgotten ? rows(changes) : 0;
            return forgotten;
        });
    }

    /** Forgets the transactions that no mark can need. */
    private void trim() {
        long least = marks.stream().mapToLong(mark -> mark.at).min().orElse(Long.MAX_VALUE);
        forget(changes ->
                changes.transaction <= least && marks.stream().noneMatch(mark -> mark.uncertain.contains(changes)));
    }

    /** Ends the marks that need a transaction whose changes are not known. */
    private void lose(Changes changes) {
        marks.removeIf(mark -> {
            mark.lost |= mark.needs(changes);
            return mark.lost;
        });
    }

    /** Marks the present state, before a graph is read from it. */
    public synchronized Mark mark() {
        return register(new Mark(lastClosed.getAsLong(), copy(pending)));
    }

    /**
     * Marks the state that a graph has read since a time. It is unknown if the end of a transaction was reported since:
     * the transaction can have been committed earlier, and become visible while the graph was read. A member of a
     * cluster does not hear of every transaction, so its mark may be wrong.
     *
     * @param begin milliseconds since 1970
     */
    public synchronized Mark markSince(long begin) {
        return lastEnd < begin ? mark() : lost();
    }

    /** A mark of a state that no transaction has left, as that with uncommitted changes. */
    public Mark lost() {
        Mark lost = new Mark(Long.MIN_VALUE, Set.of());
        lost.lost = true;
        return lost;
    }

    private Mark register(Mark mark) {
        marks.add(mark);
        return mark;
    }

    private static Set<Changes> copy(Set<Changes> changes) {
        Set<Changes> copy = newSet();
        copy.addAll(changes);
        return copy;
    }

    /**
     * What a graph may lack, and the mark of a graph without it.
     *
     * @param mark to be closed, or kept with the new graph
     * @param touches what must be read again; null if it is not known
     */
    public record Update(Mark mark, Touches touches) {}

    /** The state of the database that a graph has. */
    public final class Mark implements AutoCloseable {
        // guarded by Touched.this
        private long at;
        private Set<Changes> uncertain;
        private boolean lost;
        private Selection selection = Selection.EVERYTHING;

        private Mark(long at, Set<Changes> uncertain) {
            this.at = at;
            this.uncertain = uncertain;
        }

        /** Sets what the graph shows; until then, everything counts. */
        public void watch(Selection shown) {
            synchronized (Touched.this) {
                selection = shown;
            }
        }

        /** A mark of the same state for another graph. */
        public Mark copy() {
            synchronized (Touched.this) {
                Mark copy = lost ? lost() : register(new Mark(at, Touched.copy(uncertain)));
                copy.selection = selection;
                return copy;
            }
        }

        private boolean mayLack(Changes changes) {
            return changes.transaction > at || uncertain.contains(changes);
        }

        private boolean needs(Changes changes) {
            return mayLack(changes) && (!hearsAll || changes.everything || selection.concerns(changes));
        }

        /** The transactions that the graph may lack; null if they are not all known. */
        private List<Changes> lacking(long closed) {
            List<Changes> lacking = new ArrayList<>(pending);
            long heard = 0;
            for (Changes changes : committed) {
                if (mayLack(changes)) {
                    lacking.add(changes);
                }
                heard += changes.transaction > at && changes.transaction <= closed ? 1 : 0;
            }
            boolean known = !lost
                    && (hearsAll || heard == closed - at)
                    && lacking.stream().noneMatch(changes -> changes.everything);
            return known ? lacking : null;
        }

        /**
         * Whether a transaction may have changed what the graph shows. True while others may still change something in
         * a transaction that is about to commit.
         */
        public boolean isStale() {
            long closed;
            Set<Changes> open;
            List<Changes> lacking;
            Selection shown;
            synchronized (Touched.this) {
                closed = lastClosed.getAsLong();
                open = Touched.copy(pending);
                lacking = lacking(closed);
                shown = selection;
                if (lacking == null || open.stream().anyMatch(changes -> changes.open != null)) {
                    return true;
                }
            }
            if (lacking.stream().anyMatch(shown::concerns)) {
                return true;
            }
            synchronized (Touched.this) {
                if (at < closed) {
                    at = closed;
                    uncertain = open;
                    trim();
                }
            }
            return false;
        }

        /** Marks the present state, before what the graph lacks is read from it. */
        public Update update() {
            Mark next;
            List<Changes> lacking;
            Selection shown;
            synchronized (Touched.this) {
                next = mark();
                lacking = lacking(next.at);
                shown = selection;
            }
            return new Update(next, lacking == null || shown == Selection.EVERYTHING ? null : shown.touches(lacking));
        }

        @Override
        public void close() {
            synchronized (Touched.this) {
                marks.remove(this);
                trim();
            }
        }
    }
}
