// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.testing.OwnTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Stops work at a random moment or after a random number of looks at its stop, and fails unless the work then ends
 * within {@link #PATIENCE} of {@link OwnTime}.
 */
public final class RandomKill {

    /** How long work may go on when it is stopped: 200 ms are promised, and the JVM compiles and collects meanwhile. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long MOST_LOOKS = 20_000;

    /** For work that looks rarely. */
    private static final long MOST_NANOS_OF_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** Once the stop is requested: looking more often would be computing of its own. */
    private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long nanos;
    private final long looks;

    private RandomKill(long nanos, long looks) {
        this.nanos = nanos;
        this.looks = looks;
    }

    /**
     * A kill within 400 ms; every second one within 100 ms, at a number of looks if these come sooner; more early than
     * late.
     */
    public static RandomKill of(Random random) {
        double share = Math.pow(random.nextDouble(), 3);
        return random.nextBoolean()
                ? new RandomKill(MOST_NANOS_OF_LOOKS, (long) (share * MOST_LOOKS))
                : new RandomKill((long) (share * MOST_NANOS), Long.MAX_VALUE);
    }

    /**
     * Does the work on a thread of its own, and stops it.
     *
     * @param what names the work in the error
     * @return whether the work was stopped before it was done
     * @throws AssertionError if it goes on for too long, if it ends as if it had not been stopped although it was told
     *     so, or if it fails otherwise
     */
    public boolean stops(String what, Consumer<Stop> work) {
        Requested stop = new Requested(looks);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        work.accept(stop);
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    }
                },
                "killed run");
        thread.setDaemon(true);
        long begin = System.nanoTime();
        thread.start();
        while (thread.isAlive() && !stop.requested) {
            if (System.nanoTime() - begin >= nanos) {
                stop.requested = true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        OwnTime sinceStop = OwnTime.ofThisJvm();
        while (thread.isAlive()) {
            if (sinceStop.elapsed().compareTo(PATIENCE) > 0) {
                throw new AssertionError(
                        what + " goes on " + PATIENCE.toMillis() + " ms after " + this + ", at" + threadsInProxima());
            }
            LockSupport.parkNanos(LONG_PAUSE_NANOS);
        }
        if (failure.get() instanceof StoppedException) {
            assertThat(stop.told.get()).as("%s was told to stop", what).isPositive();
            return true;
        }
        if (failure.get() != null) {
            throw new AssertionError(what + " failed after " + this, failure.get());
        }
        assertThat(stop.told.get())
                .as("times that %s was told to stop, and ended as if it had not been, after %s", what, this)
                .isZero();
        return false;
    }

    @Override
    public String toString() {
        return looks == Long.MAX_VALUE
                ? "a kill after " + TimeUnit.NANOSECONDS.toMicros(nanos) + " us"
                : "a kill after " + looks + " looks at the stop, or " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }

    private static String threadsInProxima() {
        StringBuilder stacks = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            StringBuilder stack = new StringBuilder(System.lineSeparator() + thread.getName());
            boolean inProxima = false;
            for (StackTraceElement frame : frames) {
                inProxima |= frame.getClassName().startsWith("io.proxima.") && thread != Thread.currentThread();
                stack.append(System.lineSeparator()).append("    ").append(frame);
            }
            stacks.append(inProxima ? stack : "");
        });
        return stacks.toString();
    }

    private static final class Requested implements Stop {
        private final AtomicLong looksLeft;
        private final AtomicInteger told = new AtomicInteger();
        private volatile boolean requested;

        Requested(long looks) {
            looksLeft = new AtomicLong(looks);
        }

        @Override
        public boolean requested() {
            if (!requested && looksLeft.decrementAndGet() < 0) {
                requested = true;
            }
            if (requested) {
                told.incrementAndGet();
            }
            return requested;
        }
    }
}
