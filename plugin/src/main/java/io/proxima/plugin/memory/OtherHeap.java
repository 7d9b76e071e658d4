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

/**
 * What the rest of the server holds on the heap, as garbage collections show it. Not thread-safe.
 *
 * <p>A collection leaves the live heap, and garbage that it did not reach. Of the heap in use after it, what lies on top of
 * the graphs and of the last figure is explained first by graphs that were dropped but not yet collected, then by calls;
 * only what they cannot explain raises the figure. Growth between two collections counts as garbage.
 */
final class OtherHeap {

    private static final long UNKNOWN = Long.MAX_VALUE;

    private long bytes = UNKNOWN;

    /** Of the heap in use after the last collection, what calls explain. */
    private long explainedByCalls;

    /**
     * Takes in what a collection has left.
     *
     * @param used heap in use after it, in bytes
     * @param graphs what graphs hold for certain
     * @param promised what calls may have of it by their promises
     * @param dropped graphs let go that may not have been collected
     * @param ended promises of ended calls whose garbage may not have been collected
     */
    void collected(long used, long graphs, long promised, long dropped, long ended) {
        long rest = Math.max(0, used - graphs);
        long excess = bytes == UNKNOWN ? 0 : rest - bytes;
        if (excess <= 0) {
            bytes = rest;
            explainedByCalls = 0;
            return;
        }
        long byDropped = Math.min(excess, dropped);
        // garbage of an ended call that this collection has left was there at the last one
        long byCalls = Math.min(excess - byDropped, promised + Math.min(ended, explainedByCalls));
        bytes += excess - byDropped - byCalls;
        explainedByCalls = byCalls;
    }

    /**
     * The figure now, in bytes. Before the first collection all that is in use counts.
     *
     * @param used heap in use now, garbage included
     * @param graphs what graphs hold now
     */
    long bytes(long used, long graphs) {
        return Math.min(bytes, Math.max(0, used - graphs));
    }
}
