// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.testing;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures time that other processes do not lengthen: the time that a process computes, and the time that it does
 * nothing, since it waits. At most the time on the clock.
 */
public final class OwnTime {

    /** Long enough for a process that wants to compute to be given a processor on a busy machine. */
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A process that waits has less than this share of one processor, for a tick of the clock or a test's questions.
     */
    private static final double WAITING = 0.2;

    private final LongSupplier processorNanos;
    private long own;
    private long begin = System.nanoTime();
    private long computed;

    private OwnTime(LongSupplier processorNanos) {
        this.processorNanos = processorNanos;
        this.computed = processorNanos.getAsLong();
    }

    /** Starts to measure the time of this JVM. */
    public static OwnTime ofThisJvm() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new OwnTime(system::getProcessCpuTime);
    }

    /** Starts to measure the time of another process. */
    public static OwnTime of(ProcessHandle process) {
        return new OwnTime(
                () -> process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos());
    }

    /** The time since the start of the measurement. To be called often, because each interval counts as a whole. */
    public Duration elapsed() {
        long now = System.nanoTime();
        long passed = now - begin;
        if (passed < INTERVAL_NANOS) {
            return Duration.ofNanos(own + passed);
        }
        long processor = processorNanos.getAsLong();
        long used = processor - computed;
        own += used < WAITING * passed ? passed : Math.min(used, passed);
        begin = now;
        computed = processor;
        return Duration.ofNanos(own);
    }
}
