// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one task of an executor at a time load a graph or search: with all processors of the executor, and the heap that
 * the other tasks do not need for their rows. Thread-safe.
 */
final class ExecutorTurn {

    /** The turn of the tasks of this class loader. */
    static final ExecutorTurn OF_EXECUTOR =
            new ExecutorTurn(Runtime.getRuntime().maxMemory());

    private final ReentrantLock turn = new ReentrantLock(true);
    private final long heap;

    /**
     * Creates a turn that nobody has.
     *
     * @param heap bytes
     */
    ExecutorTurn(long heap) {
        this.heap = heap;
    }

    /**
     * Works when the tasks that called this method before have finished their work. The work may take another turn.
     *
     * @param what the name of the work, which begins a message
     * @param needed bytes of heap that the work needs at least
     * @param held bytes of heap that the graph of the work holds
     * @param stop ends the waiting
     * @throws ProximaSparkException if the heap does not hold both
     * @throws io.proxima.concurrent.StoppedException if the stop was requested, or the thread interrupted, before the
     *     work
     */
    <T> T take(String what, long needed, long held, Stop stop, Supplier<T> work) {
        if (needed > heap - held) {
            throw new ProximaSparkException(
                    Reason.MEMORY,
                    what + " needs a heap of " + MemoryTree.humanReadable(needed) + ", but the executor has "
                            + MemoryTree.humanReadable(heap)
                            + (held == 0 ? "" : ", of which the graph holds " + MemoryTree.humanReadable(held))
                            + ". Raise spark.executor.memory, or lower the option `concurrency`.");
        }
        stop.lock(turn);
        try {
            return work.get();
        } finally {
            turn.unlock();
        }
    }
}
