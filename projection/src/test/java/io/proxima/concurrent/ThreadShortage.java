// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** A time in which only so many more threads can be created for {@link Workers}. Idle ones are used first. */
public final class ThreadShortage {

    private ThreadShortage() {}

    /** Does work during a shortage. */
    public static void during(int threads, Runnable work) {
        ThreadFactory before = Workers.POOL.getThreadFactory();
        AtomicInteger left = new AtomicInteger(threads);
        Workers.POOL.setThreadFactory(task -> {
            if (left.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return before.newThread(task);
        });
        try {
            work.run();
        } finally {
            Workers.POOL.setThreadFactory(before);
        }
    }
}
