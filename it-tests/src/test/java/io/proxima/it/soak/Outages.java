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
