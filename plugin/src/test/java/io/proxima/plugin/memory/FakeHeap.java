// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A heap whose figures a test sets, with a clock that a test moves. */
final class FakeHeap {

    static final long MAX = 1000L << 20;

    volatile long used;
    private final AtomicLong nanos = new AtomicLong();
    private final HeapLedger ledger = new HeapLedger(MAX, () -> used, nanos::get);

    /** The ledger of this heap. */
    HeapLedger ledger() {
        return ledger;
    }

    /** A collection that leaves so much, some time after all that was before. */
    void collect(long left) {
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        used = left;
        ledger.collected(left);
    }
}
