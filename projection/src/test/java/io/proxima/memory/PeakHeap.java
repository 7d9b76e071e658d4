// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

import io.proxima.concurrent.Stop;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Measures the heap that work takes at its peak: of live objects only, so to the byte. The work looks at its stop in
 * every phase, and this stop now and then collects garbage and looks at what is left. To be used in a JVM with the
 * serial collector, which knows the bytes in use exactly, and without buffers of threads if the work has several.
 */
public final class PeakHeap {

    private static final int SAMPLES = 25;

    private PeakHeap() {}

    /** What is measured. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does the work and returns what it made. */
        Object run(T input, Stop stop);
    }

    /**
     * The most live bytes during the work and at its end, above those before it.
     *
     * @param input makes what the work is done on, which does not count; anew for each of the two times that the work
     *     is done: to load classes and count how often it looks at its stop, and to measure
     * @param work returns what it made, which counts
     */
    public static <T> long of(Supplier<T> input, Work<T> work) {
        AtomicLong asked = new AtomicLong();
        work.run(input.get(), () -> asked.getAndIncrement() < 0);
        long every = Math.max(1, asked.get() / SAMPLES);

        T measuredOn = input.get();
        long before = live();
        AtomicLong peak = new AtomicLong();
        asked.set(0);
        Object result = work.run(measuredOn, () -> {
            // no more can be live than is in use, so that most looks need no collection
            if (asked.getAndIncrement() % every == 0 && used() > peak.get()) {
                peak.accumulateAndGet(live(), Math::max);
            }
            return false;
        });
        peak.accumulateAndGet(live(), Math::max);
        if (result == null || measuredOn == null) {
            throw new IllegalStateException("input and result must be there until the end");
        }
        return peak.get() - before;
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long live() {
        System.gc();
        // as of the collection: other threads go on allocating, and what they drop at once is not live
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }
}
