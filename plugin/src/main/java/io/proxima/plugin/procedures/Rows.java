/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import io.proxima.concurrent.PacedStop;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.neo4j.scheduler.JobHandle;

/**
 * Rows that are produced one by one, on request of the reader. There is no queue and no additional thread, so a slow
 * reader costs nothing. A killed query ends within a few rows. If the reader of a killed query does not come back,
 * Neo4j keeps the stream open. A periodic check therefore frees everything that the rows hold.
 */
abstract class Rows<T> {

    private static final int STOP_CHECK_MASK = (1 << 10) - 1;
    private static final long LOOK_MILLIS = 50;

    private final Caller caller;
    private final PacedStop paced;

    Rows(Caller caller) {
        this.caller = caller;
        paced = new PacedStop(caller.stop());
    }

    /** Reports a processed element, so that a kill takes effect even if few elements become rows. */
    final void looked() {
        paced.worked(1);
    }

    /** Produces the next row; null after the last. */
    abstract T compute();

    /** The stream for a procedure, of a run that ends when the stream is closed or its query is killed. */
    final Stream<T> stream(GraphRun run) {
        return stream(succeeded -> {
            if (succeeded) {
                run.cancel();
            }
            run.close();
        });
    }

    /**
     * The stream for a procedure, of a run that has ended.
     *
     * @param end runs once, when the stream is closed or its query is killed
     */
    final Stream<T> stream(Runnable end) {
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
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(reader, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(() -> {
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

    private static final class Reader<T> implements Iterator<T> {
        private final ReentrantLock working = new ReentrantLock();
        private final Caller caller;

        // guarded by "working"; both are null after the rows have been freed
        private Rows<T> rows;
        private End end;
        private boolean failed;

        // used by the reading thread only
        private T next;
        private boolean exhausted;
        private int asked;

        Reader(Rows<T> rows, End end) {
            this.caller = rows.caller;
            this.rows = rows;
            this.end = end;
        }

        @Override
        public boolean hasNext() {
            if (next == null && !exhausted) {
                next = compute();
                exhausted = next == null;
            }
            return next != null;
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            T row = next;
            next = null;
            return row;
        }

        private T compute() {
            working.lock();
            try {
                if ((asked++ & STOP_CHECK_MASK) == 0 || rows == null) {
                    caller.stop().check();
                }
                return rows == null ? null : rows.compute();
            } catch (RuntimeException e) {
                failed = true;
                throw caller.inClientsTerms(e);
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
