// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.backend.cuda.driver.CudaException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Calls of a driver that fail at random, by a seed. */
public final class RandomFaults {

    /** The rate of what never happens. */
    public static final int NEVER = Integer.MAX_VALUE;

    /** CUDA_ERROR_LAUNCH_FAILED, which ends a context. */
    private static final int LAUNCH_FAILED = 719;

    /** CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, which ends no more than a call. */
    private static final int LAUNCH_OUT_OF_RESOURCES = 701;

    private static final Set<String> TAKING_MEMORY = Set.of("allocate", "launch", "load");

    private RandomFaults() {}

    /**
     * Faults of which each call draws its own, whichever thread it comes from.
     *
     * @param shortMemory one in so many calls that take memory finds it short
     * @param passing one in so many calls fails, and the next of its thread does not, because two in a row can lose a
     *     device
     * @param failures one in so many calls fails as calls do on a device that is lost
     */
    public static CheckedDriver.Faults of(long seed, int shortMemory, int passing, int failures) {
        AtomicLong calls = new AtomicLong();
        ThreadLocal<Boolean> hasFailed = ThreadLocal.withInitial(() -> false);
        return call -> {
            if (call.equals("leave")) {
                // it ends every lease; tests that let each call fail in turn include it
                return 0;
            }
            SplittableRandom random = new SplittableRandom(seed + calls.getAndIncrement());
            if (random.nextInt(16) == 0) {
                // another thread goes on meanwhile
                LockSupport.parkNanos(random.nextInt(50_000));
            }
            if (TAKING_MEMORY.contains(call) && oneIn(shortMemory, random)) {
                return CudaException.OUT_OF_MEMORY;
            }
            boolean fails = oneIn(passing, random) && !hasFailed.get();
            hasFailed.set(fails);
            if (fails) {
                return LAUNCH_OUT_OF_RESOURCES;
            }
            return oneIn(failures, random) ? LAUNCH_FAILED : 0;
        };
    }

    /** The same faults, of which no more than so many lose a device. */
    public static CheckedDriver.Faults withLosses(int most, CheckedDriver.Faults faults) {
        AtomicInteger left = new AtomicInteger(most);
        return call -> {
            int code = faults.of(call);
            boolean loses = CudaException.isSticky(code);
            return loses && left.getAndUpdate(losses -> Math.max(0, losses - 1)) == 0 ? 0 : code;
        };
    }

    public static boolean oneIn(int rate, SplittableRandom random) {
        return rate != NEVER && random.nextInt(rate) == 0;
    }
}
