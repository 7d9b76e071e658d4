// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

import io.proxima.concurrent.Stop;
import java.util.function.Supplier;

/**
 * Measures the heap that work takes at its peak: of live objects only, so to the byte. The work looks at its stop in
 * every phase, and this stop now and then collects garbage and looks at what is left. To be used in a JVM with the
 * serial collector, which knows the bytes in use exactly.
 */
public final class PeakHeap {

    private static final int SAMPLES = 100;

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
        long[] asked = {0};
        work.run(input.get(), () -> asked[0]++ < 0);
        long every = Math.max(1, asked[0] / SAMPLES);

        T measuredOn = input.get();
        long before = live();
        long[] peak = {0};
        asked[0] = 0;
        Object result = work.run(measuredOn, () -> {
            if (asked[0]++ % every == 0) {
                peak[0] = Math.max(peak[0], live());
            }
            return false;
        });
        peak[0] = Math.max(peak[0], live());
        if (result == null || measuredOn == null) {
            throw new IllegalStateException("input and result must be there until the end");
        }
        return peak[0] - before;
    }

    private static long live() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
