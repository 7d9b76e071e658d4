// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.projection.Csc;

/** The searches that betweenness requires. All slots are those of the order, without the vertices that take no part. */
public final class BetweennessSearches {

    /** Components are searched together until a range has this many slots. */
    public static final int LEAST_RANGE = 1 << 10;

    private final Csc out;
    private final Csc in;
    private final SearchOrder order;
    private final int[] weights;
    private final int[] sources;
    private final int[] multiplicities;

    BetweennessSearches(Csc out, Csc in, SearchOrder order, int[] weights, int[] sources, int[] multiplicities) {
        this.out = out;
        this.in = in;
        this.order = order;
        this.weights = weights;
        this.sources = sources;
        this.multiplicities = multiplicities;
    }

    /** The edges along which to search; slot id space. */
    public Csc out() {
        return out;
    }

    /** The same edges reversed; {@link #out} itself if symmetric. */
    public Csc in() {
        return in;
    }

    /** {@code int[slotCount]}: the number of targets that each slot represents; null for 1 each. */
    public int[] weights() {
        return weights;
    }

    /** Slots, ascending. */
    public int[] sources() {
        return sources;
    }

    /** {@code int[slotCount]}: the number of sources that each slot represents; null for 1 each. */
    public int[] multiplicities() {
        return multiplicities;
    }

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
        return mostSlots(order.slotCount(), order.largestComponent());
    }

    /** The most slots of a range of a graph. */
    public static int mostSlots(int slotCount, int largestComponent) {
        return Math.min(slotCount, Math.max(largestComponent, 2 * LEAST_RANGE));
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
