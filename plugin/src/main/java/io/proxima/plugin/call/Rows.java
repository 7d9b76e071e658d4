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
public abstract class Rows<T> {

    /** The first rows are produced one by one, so that the run of a short stream lasts until its reader has read it. */
    private static final int SINGLE_ROWS = 128;

    /** Maximum number of rows that are produced under one lock afterwards. */
    private static final int BATCH = 128;

    /** A batch ends with the row that brings its heap to this. */
    private static final long BATCH_BYTES = 1 << 20;

    private static final long LOOK_MILLIS = 50;

    private final Caller caller;
    private final PacedStop paced;

    protected Rows(Caller caller) {
        this.caller = caller;
        paced = new PacedStop(caller.stop());
    }

    /** Reports a processed element, so that a kill takes effect even if few elements become rows. */
    protected final void countWork() {
        paced.worked(1);
    }

    /** Produces the next row; null after the last. */
    protected abstract T compute();

    /** The heap of a row in bytes, if it may be long; 0 if it is short. */
    protected long bytes(T row) {
        return 0;
    }

    /**
     * The maximum heap of the rows that are alive while a stream is read: those of a batch, and the one that the reader
     * has just taken.
     *
     * @param longest the maximum of {@link #bytes}
     */
    public static long heapBytes(long longest) {
        return Math.min(BATCH * longest, BATCH_BYTES + longest) + longest;
    }

    /** The stream for a procedure, of a run that ends when the stream is closed or its query is killed. */
    public final Stream<T> stream(GraphRun run) {
        return stream(run::cancel, run::close);
    }

    /**
     * The stream for a procedure, of work that ends when the stream is closed or its query is killed.
     *
     * @param cancel runs before {@code close} if no row has failed, even if the reader did not read to the end
     * @param close runs once
     */
    public final Stream<T> stream(Runnable cancel, Runnable close) {
        return stream(succeeded -> {
            if (succeeded) {
                cancel.run();
            }
            close.run();
        });
    }

    /**
     * The stream for a procedure, of a run that has ended.
     *
     * @param end runs once, when the stream is closed or its query is killed
     */
    public final Stream<T> stream(Runnable end) {
        return stream(succeeded -> end.run());
    }

    private Stream<T> stream(End end) {
        Reader<T> reader = new Reader<>(this, end);
        JobHandle<?> look;
        try {
            look = caller.every(LOOK_MILLIS, reader::letGoIfKilled);
        } catch (RuntimeException | Error e) {
            reader.letGo();
            throw e;
        }
        return StreamSupport.stream(reader, false).onClose(() -> {
            look.cancel();
            reader.letGo();
        });
    }

    @FunctionalInterface
    private interface End {
        /**
         * Called once.
         *
         * @param succeeded whether no row has failed, even if the reader did not read to the end
         */
        void end(boolean succeeded);
    }

    private static final class Reader<T> extends Spliterators.AbstractSpliterator<T> {
        private final ReentrantLock working = new ReentrantLock();
        private final Caller caller;

        // guarded by "working"; both are null after the rows have been freed
        private Rows<T> rows;
        private End end;
        private boolean failed;

        private volatile boolean freed;

        // used by the reading thread only
        private final List<T> batch = new ArrayList<>();
        private int singleRows;
        private int next;
        private boolean exhausted;

        Reader(Rows<T> rows, End end) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
            this.caller = rows.caller;
            this.rows = rows;
            this.end = end;
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
                    T row = rows == null ? null : rows.compute();
                    if (row == null) {
                        exhausted = true;
                    } else {
                        batch.add(row);
                        bytes += rows.bytes(row);
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

        /** Frees the rows of a killed query, unless the reader is active, which detects the kill itself. */
        void letGoIfKilled() {
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

        void letGo() {
            working.lock();
            try {
                End pending = end;
                freed = true;
                rows = null;
                end = null;
                if (pending != null) {
                    pending.end(!failed);
                }
            } finally {
                working.unlock();
            }
        }
    }
}
