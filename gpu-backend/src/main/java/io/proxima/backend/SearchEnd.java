// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.Arrays;

/**
 * When a search for shortest paths may end before it has reached every vertex. A vertex that costs more than every
 * target is unreached, or has its least cost if the search went on.
 *
 * @param targets vertices; the search may end when it has reached all of them. None: it does not end for them
 * @param maxCost the greatest cost of a path (inclusive), infinite for any; at least 0. A vertex of a higher cost is
 *     unreached
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SearchEnd(int[] targets, double maxCost) {

    /** The search reaches every vertex. */
    public static final SearchEnd NEVER = new SearchEnd(new int[0], Double.POSITIVE_INFINITY);

    /** Whether the search may end, because it has reached all targets, given the cost of each vertex. */
    boolean isReached(double[] costs) {
        return targets.length > 0
                && Arrays.stream(targets).noneMatch(target -> costs[target] == ShortestPaths.UNREACHED);
    }
}
