// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.MemoryTree;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heap of this JVM, which the tasks of an executor share. A task states the peak of its work before it begins, and waits
 * for the work of others if there is not enough heap for both. Spark keeps a quarter, unless a piece of work runs alone.
 * Thread-safe.
 */
final class ExecutorHeap {

    /** The heap of the tasks of this class loader. */
    static final ExecutorHeap OF_EXECUTOR =
            new ExecutorHeap(Runtime.getRuntime().maxMemory(), SharedGraphs.OF_EXECUTOR::closeIdle);

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorHeap.class);
    private static final int WAIT_MILLIS = 50;

    /** One part in so many stays to Spark's buffers while several pieces of work run. */
    private static final int SHARE_OF_SPARK = 4;

    private final long most;
    private final Runnable makeRoom;
    private final Queue<Object> waiting = new ArrayDeque<>();
    private long kept;
    private long working;
    private int works;
    private boolean logged;

    /**
     * Creates an unused heap.
     *
     * @param most bytes
     * @param makeRoom releases what is kept without need
     */
    ExecutorHeap(long most, Runnable makeRoom) {
        this.most = most;
        this.makeRoom = makeRoom;
    }

    /**
     * Works as soon as there is enough heap, in the order of the calls. Work that calls this method could wait for itself.
     *
     * @param what the name of the work, which begins a message
     * @param least the bytes that the work needs at any rate, without what is kept
     * @param bytes the peak of the work, without what is kept
     * @param stop ends the waiting
     * @throws ProximaSparkException if the least does not fit beside what is kept
     * @throws StoppedException if the stop was requested, or the thread interrupted, before the work
     */
    <T> T run(String what, long least, long bytes, Stop stop, Supplier<T> work) {
        begin(what, least, bytes, stop);
        try {
            return work.get();
        } finally {
            end(bytes);
        }
    }

    private synchronized void begin(String what, long least, long bytes, Stop stop) {
        Object turn = new Object();
        waiting.add(turn);
        try {
            while (!fits(least, bytes) || waiting.peek() != turn) {
                makeRoom.run();
                refuseIfTooLarge(what, least);
                logOnce(what, bytes);
                stop.check();
                wait(WAIT_MILLIS);
            }
            works++;
            working += bytes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        } finally {
            waiting.remove(turn);
            notifyAll();
        }
    }

    private synchronized boolean fits(long least, long bytes) {
        return works == 0 ? least <= most - kept : bytes <= most - most / SHARE_OF_SPARK - kept - working;
    }

    private synchronized void refuseIfTooLarge(String what, long bytes) {
        if (bytes > most - kept) {
            throw new ProximaSparkException(
                    Reason.MEMORY,
                    what + " needs a heap of " + MemoryTree.humanReadable(bytes) + ", but the executor has "
                            + MemoryTree.humanReadable(most)
                            + (kept == 0 ? "" : ", of which graphs hold " + MemoryTree.humanReadable(kept))
                            + ". Raise spark.executor.memory.");
        }
    }

    private synchronized void logOnce(String what, long bytes) {
        if (!logged) {
            logged = true;
            LOG.info(
                    "Proxima: tasks of this executor wait for each other. {} needs a heap of {}, and the executor has {}."
                            + " Set spark.task.cpus to the processors of the executor, or raise spark.executor.memory.",
                    what,
                    MemoryTree.humanReadable(bytes),
                    MemoryTree.humanReadable(most));
        }
    }

    private synchronized void end(long bytes) {
        works--;
        working -= bytes;
        notifyAll();
    }

    /** Counts what stays when a piece of work has ended. */
    Kept keep(long bytes) {
        Kept made = new Kept();
        made.set(bytes);
        return made;
    }

    /** Heap that is in use until it is closed. */
    final class Kept implements AutoCloseable {
        private long bytes;

        private Kept() {}

        /** Replaces the number of bytes. */
        void set(long now) {
            synchronized (ExecutorHeap.this) {
                kept += now - bytes;
                bytes = now;
                ExecutorHeap.this.notifyAll();
            }
        }

        @Override
        public void close() {
            set(0);
        }
    }
}
