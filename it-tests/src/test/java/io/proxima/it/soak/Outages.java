// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import java.util.ArrayList;
import java.util.List;

/** When the server of a soak was down on purpose, in System.nanoTime(). Thread-safe. */
final class Outages {

    /** Connections that were cut may be noticed late, by a call that began when the server was up again. */
    private static final long AFTERMATH_NANOS = 5_000_000_000L;

    private final List<long[]> spans = new ArrayList<>();

    synchronized void begin() {
        spans.add(new long[] {System.nanoTime(), Long.MAX_VALUE});
    }

    synchronized void end() {
        spans.get(spans.size() - 1)[1] = System.nanoTime() + AFTERMATH_NANOS;
    }

    /** Whether the server was down at any time since {@code begun}. */
    synchronized boolean overlap(long begun) {
        return spans.stream().anyMatch(span -> begun < span[1]);
    }
}
