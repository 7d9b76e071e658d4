// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

/**
 * The parts of a source that may have changed since a projection.
 *
 * @param nodes neo4jIds of nodes that may have been created or deleted, or whose labels may have changed; strictly
 *     ascending
 * @param reborn those of them that may have been deleted: another node may have their id now; strictly ascending
 * @param pairs neo4jIds of the two ends of relationships that may have been created, deleted or changed, side by side,
 *     each pair once, in either direction
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Touches(long[] nodes, long[] reborn, long[] pairs) {

    /** Number of pairs of nodes. */
    public int pairCount() {
        return pairs.length / 2;
    }
}
