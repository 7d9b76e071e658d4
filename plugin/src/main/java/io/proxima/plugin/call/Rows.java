// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.concurrent.PacedStop;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.neo4j.scheduler.JobHandle;

/**
 * Rows that are produced on request of the reader, a few at a time. There is no additional thread, so a slow reader
 * costs nothing. A killed query ends within a few rows. If the reader of a killed query does not come back, Neo4j keeps
 * the stream open. A periodic check therefore frees everything that the rows hold.
 */
public final class Rows<T> extends Spliterators.AbstractSpliterator<T> {

    /** The first rows are produced one by one, so that the run of a short stream lasts until its reader has read it. */
    private static final int SINGLE_ROWS = 128;

    /** Maximum number of rows that are produced under one lock afterwards. */
    private static final int BATCH = 128;

    /** A batch ends with the row that brings its heap to this. */
    private static final long BATCH_BYTES = 1 << 20;

    private static final long LOOK_MILLIS = 50;

    private final Caller caller;
    private final PacedStop paced;
    private final int elements;
    private final int parts;
    private final ReentrantLock working = new ReentrantLock();

    // guarded by "working"; null after the rows have been freed
    private Maker<T> maker;
    private Runnable cancel;
    private Runnable close;
    private boolean failed;

    private volatile boolean freed;

    /** The check for a kill; set before the stream is returned. */
    private JobHandle<?> look;

    // used by the reading thread only
    private final List<T> batch = new ArrayList<>();
    private int singleRows;
    private int next;
    private int element;
    private int part;
    private boolean exhausted;

    private Rows(Caller caller, int elements, int parts, Maker<T> maker, Runnable cancel, Runnable close) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.caller = caller;
        this.paced = new PacedStop(caller.stop());
        this.elements = elements;
        this.parts = parts;
        this.maker = maker;
        this.cancel = cancel;
        this.close = close;
    }

    /** A row that may be long. */
    public interface Sized {
        /** The heap of the row. */
        long heapBytes();
    }

    /** Makes the rows of elements. Used by one thread at a time. */
    @FunctionalInterface
    public interface Maker<T> {
        /**
         * The row of a part of an element; null for none. The parts of an element are requested before the next
         * element.
         */
        T row(int element, int part);

        /** Whether the element of the last call has no more rows; asked after each call. */
        default boolean ended() {
            return false;
        }

        /** Called after the last row. */
        default void completed() {}
    }

    /**
     * The maximum heap of the rows that are alive while a stream is read: those of a batch, and the one that the reader
     * has just taken.
     *
     * @param longest the maximum of {@link Sized#heapBytes}
     */
    public static long heapBytes(long longest) {
        return Math.min(BATCH * longest, BATCH_BYTES + longest) + longest;
    }

    /**
     * The stream for a procedure. If this method fails, as on a full heap, the caller closes what the rows hold.
     *
     * @param elements number of elements
     * @param parts number of parts of each element, at least 1
     * @param cancel runs before {@code close} if no row has failed, even if the reader did not read to the end
     * @param close runs once, when the stream is closed or its query is killed
     */
    public static <T> Stream<T> stream(
            Caller caller, int elements, int parts, Maker<T> maker, Runnable cancel, Runnable close) {
        Rows<T> rows = new Rows<>(caller, elements, parts, maker, cancel, close);
        Stream<T> stream = StreamSupport.stream(rows, false).onClose(rows::end);
        // last, because nothing would end it after a failure
        rows.look = caller.every(LOOK_MILLIS, rows::letGoIfKilled);
        return stream;
    }

    private void end() {
        look.cancel();
        letGo();
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        if (freed || (next == batch.size() && !exhausted)) {
            computeBatch();
        }
        if (next == batch.size()) {
            return false;
        }
        // the batch must not keep a row that the reader has let go
        action.accept(batch.set(next++, null));
        return true;
    }

    private void computeBatch() {
        batch.clear();
        next = 0;
        int length = BATCH;
        if (singleRows < SINGLE_ROWS) {
            singleRows++;
            length = 1;
        }
        long bytes = 0;
        working.lock();
        try {
            caller.stop().check();
            while (batch.size() < length && bytes < BATCH_BYTES && !exhausted) {
                T row = maker == null ? null : compute();
                if (row == null) {
                    exhausted = true;
                } else {
                    batch.add(row);
                    bytes += row instanceof Sized sized ? sized.heapBytes() : 0;
                }
            }
        } catch (RuntimeException e) {
            failed = true;
            throw caller.inClientsTerms(e);
        } catch (Error e) {
            failed = true;
            throw e;
        } finally {
            working.unlock();
        }
    }

    /** Produces the next row; null after the last. */
    private T compute() {
        while (element < elements) {
            // a kill takes effect even if few elements become rows
            paced.worked(1);
            T row = maker.row(element, part);
            if (++part == parts || maker.ended()) {
                part = 0;
                element++;
            }
            if (row != null) {
                return row;
            }
        }
        maker.completed();
        return null;
    }

    /** Frees the rows of a killed query, unless the reader is active, which detects the kill itself. */
    private void letGoIfKilled() {
        if (working.tryLock()) {
            try {
                if (caller.stop().requested()) {
                    letGo();
                }
            } finally {
                working.unlock();
            }
        }
    }

    private void letGo() {
        working.lock();
        try {
            Runnable pendingCancel = cancel;
            Runnable pendingClose = close;
            freed = true;
            maker = null;
            cancel = null;
            close = null;
            if (pendingClose != null) {
                if (!failed) {
                    pendingCancel.run();
                }
                pendingClose.run();
            }
        } finally {
            working.unlock();
        }
    }
}
