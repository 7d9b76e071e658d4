// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.projection.csc.Csc;

/**
 * The searches that betweenness requires. All slots are those of the order, without the vertices that take no part.
 *
 * @param out the edges along which to search; slot id space
 * @param in the same edges reversed; {@code out} itself if symmetric
 * @param weights {@code int[slotCount]}: the number of targets that each slot represents; null for 1 each
 * @param sources slots, ascending
 * @param multiplicities {@code int[slotCount]}: the number of sources that each slot represents; null for 1 each
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BetweennessSearches(
        Csc out, Csc in, SearchOrder order, int[] weights, int[] sources, int[] multiplicities) {

    /** Components are searched together until a range has this many slots. */
    public static final int LEAST_RANGE = 1 << 10;

    /** Number of slots. */
    public int slotCount() {
        return order.slotCount();
    }

    /** Whether a search in the largest component has many levels. */
    public boolean isDeep() {
        return order.isDeep();
    }

    /** The most slots of a range. */
    public int largestRange() {
        return Math.min(order.slotCount(), Math.max(order.largestComponent(), 2 * LEAST_RANGE));
    }

    /** The sources in groups of at most {@code size}. */
    public Groups groups(int size) {
        return new Groups(size);
    }

    /**
     * Sources {@code first} to {@code end - 1}, all of them in one range of slots that no edge leaves.
     *
     * @param number of the group, from 0 on
     * @param low first slot of the range
     * @param high the slot after the last of the range
     */
    public record Group(int number, int low, int high, int first, int end) {}

    /** Hands out the groups in their order. Thread-safe. */
    public final class Groups {
        private final int size;
        private int number;
        private int next;
        private int component;
        private int low;
        private int high;

        private Groups(int size) {
            this.size = size;
        }

        /** The next group; null after the last. */
        public synchronized Group next() {
            if (next == sources.length) {
                return null;
            }
            while (sources[next] >= high) {
                enterRange();
            }
            int first = next;
            while (next < sources.length && next < first + size && sources[next] < high) {
                next++;
            }
            return new Group(number++, low, high, first, next);
        }

        private void enterRange() {
            low = high;
            do {
                component++;
                high = order.componentStart(component);
            } while (component < order.componentCount() && high - low < LEAST_RANGE);
        }
    }
}
