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
package io.proxima.plugin.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A heap whose figures a test sets, with a clock that a test moves. */
final class FakeHeap implements JvmHeap {

    static final long MAX = 1000L << 20;

    volatile long used;
    private final AtomicLong nanos = new AtomicLong();
    private LongConsumer listener;

    /** A ledger of this heap. */
    HeapLedger ledger() {
        return new HeapLedger(this, nanos::get);
    }

    /** A collection that leaves so much, some time after all that was before. */
    void collect(long left) {
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        used = left;
        listener.accept(left);
    }

    @Override
    public long max() {
        return MAX;
    }

    @Override
    public long used() {
        return used;
    }

    @Override
    public void onCollection(LongConsumer collected) {
        listener = collected;
    }
}
