// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Runs one piece of work on several threads and waits for all of them. The calling thread is worker 0. The others are
 * daemons named {@code proxima-worker-N} that end after ten idle seconds.
 *
 * <p>Invariant "all or none": the work begins only if all of its threads could be created.
 *
 * <p>Invariant "no stray worker": when a method here returns or throws, no other thread still runs the caller's code.
 * The exception is {@link #inBackground}, whose caller cancels and awaits the work.
 */
public final class Workers {

    private static final int IDLE_SECONDS = 10;

    static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemonThreads());

    private Workers() {}

    /** The work of one worker. */
    @FunctionalInterface
    public interface Task {
        /**
         * Does this worker's share.
         *
         * @param worker the worker's number, from 0 (inclusive) to the concurrency (exclusive)
         * @param stop requested when the caller's stop is, or when another worker has failed
         */
        void run(int worker, Stop stop);
    }

    /** The work on one range of indices. */
    @FunctionalInterface
    public interface RangeTask {
        /**
         * Handles the indices from {@code from} (inclusive) to {@code to} (exclusive).
         *
         * @param worker the number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param from the first index of the range
         * @param to the index after the range's last
         */
        void run(int worker, long from, long to);
    }

    /**
     * Runs {@code task} once on each of {@code concurrency} threads, the calling thread included, and waits for all.
     *
     * @param concurrency the number of threads, at least 1
     * @param stop requests the work to end early
     * @param task the work of each worker
     * @throws ThreadShortageException if a thread could not be created; no worker has begun then
     * @throws RuntimeException the first failure of a worker, after all have ended; a failure of another kind takes
     *     precedence over a {@link StoppedException}
     */
    public static void run(int concurrency, Stop stop, Task task) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: concurrency=" + concurrency);
        }
        if (concurrency == 1) {
            task.run(0, stop);
            return;
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Stop shared = () -> failure.get() != null || stop.requested();
        CountDownLatch created = new CountDownLatch(1);
        AtomicBoolean begins = new AtomicBoolean(true);
        CountDownLatch running = new CountDownLatch(concurrency - 1);
        for (int i = 1; i < concurrency; i++) {
            int worker = i;
            try {
                POOL.execute(() -> {
                    try {
                        awaitUninterruptibly(created);
                        if (begins.get()) {
                            task.run(worker, shared);
                        }
                    } catch (Throwable t) {
                        record(failure, t);
                    } finally {
                        running.countDown();
                    }
                });
            } catch (RuntimeException | Error e) {
                // workers may wait for each other, and would wait forever
                begins.set(false);
                created.countDown();
                throw new ThreadShortageException(concurrency, worker, e);
            }
        }
        created.countDown();
        try {
            task.run(0, shared);
        } catch (RuntimeException | Error e) {
            record(failure, e);
        }
        awaitUninterruptibly(running);
        Throwable first = failure.get();
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }

    /**
     * Distributes the indices from 0 to {@code size} in ranges of at most {@code grain}. Ranges begin in ascending
     * order; a worker that has finished one takes the next. The stop is checked before each range.
     *
     * @param concurrency the maximum number of threads, at least 1; small sizes use fewer
     * @param size the number of indices
     * @param grain the maximum length of a range, at least 1
     * @param stop requests the work to end early
     * @param task the work on each range
     * @throws StoppedException if the stop was requested before all ranges were done
     */
    public static void forRanges(int concurrency, long size, long grain, Stop stop, RangeTask task) {
        if (grain < 1) {
            throw new IllegalArgumentException("grain must be at least 1: grain=" + grain);
        }
        if (size <= 0) {
            return;
        }
        long ranges = (size - 1) / grain + 1;
        AtomicLong next = new AtomicLong();
        run((int) Math.min(concurrency, ranges), stop, (worker, shared) -> {
            long range;
            while ((range = next.getAndIncrement()) < ranges) {
                shared.check();
                long from = range * grain;
                task.run(worker, from, Math.min(from + grain, size));
            }
        });
    }

    /**
     * Starts background work on a thread of the lowest priority.
     *
     * @param work receives the stop that requests it to end; its exceptions are ignored
     * @throws ThreadShortageException if no thread could be created; the work does not begin
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it: it only leaves the processors to those who wait
    public static Background inBackground(Consumer<Stop> work) {
        Background background = new Background();
        try {
            POOL.execute(() -> {
                Thread thread = Thread.currentThread();
                int priority = thread.getPriority();
                thread.setPriority(Thread.MIN_PRIORITY);
                try {
                    work.accept(background.cancelled::get);
                } finally {
                    thread.setPriority(priority);
                    background.running.countDown();
                }
            });
        } catch (RuntimeException | Error e) {
            throw new ThreadShortageException(1, 0, e);
        }
        return background;
    }

    /** Work that runs concurrently with its caller. */
    public static final class Background {
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final CountDownLatch running = new CountDownLatch(1);

        private Background() {}

        /** Requests the work to end, without waiting. */
        public void cancel() {
            cancelled.set(true);
        }

        /** Waits until the work has ended; an interrupt is kept for later. */
        public void await() {
            awaitUninterruptibly(running);
        }
    }

    private static void record(AtomicReference<Throwable> failure, Throwable thrown) {
        Throwable first = failure.compareAndExchange(null, thrown);
        if (first instanceof StoppedException && !(thrown instanceof StoppedException)) {
            failure.compareAndSet(first, thrown);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory daemonThreads() {
        ThreadFactory threads = Executors.defaultThreadFactory();
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = threads.newThread(work);
            thread.setName("proxima-worker-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
