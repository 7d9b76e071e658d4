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
