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
package io.proxima.backend.cpu;

import java.util.Arrays;

/** Ordered pairs by distance, in an array that grows with the distance: {@code counts[d]} pairs at distance d. */
final class HopCounts {

    private long[] counts = {};

    /** Adds pairs at a distance. */
    void add(int distance, long pairs) {
        counts = withRoom(counts, distance);
        counts[distance] += pairs;
    }

    /** Adds other counts: entry d those at distance d. */
    void addAll(long[] others) {
        counts = withRoom(counts, others.length - 1);
        for (int distance = 0; distance < others.length; distance++) {
            counts[distance] += others[distance];
        }
    }

    /** The counts; there may be zeros at the end. Not to be changed. */
    long[] counts() {
        return counts;
    }

    /** The counts up to the greatest distance that has pairs, as an array of its own. */
    long[] trimmed() {
        int length = counts.length;
        while (length > 0 && counts[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(counts, length);
    }

    /** The array, or a longer copy with an entry for the distance. */
    static long[] withRoom(long[] counts, int distance) {
        return distance < counts.length ? counts : Arrays.copyOf(counts, Math.max(distance + 1, 2 * counts.length));
    }
}
