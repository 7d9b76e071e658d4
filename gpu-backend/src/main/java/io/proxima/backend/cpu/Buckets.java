// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;

/**
 * Buckets of vertices by their cost, in the order of costs. Bucket b has costs of b * delta to (b + 1) * delta.
 * From bucket 2^53 on, doubles are at least delta apart, and each is a bucket of its own. There may be 2^63 buckets,
 * few of which are ever used.
 *
 * <p>Method: multi-level buckets (Denardo, Fox, Shortest-route methods: 1, Operations Research 27, 1979). A bucket is a
 * number of eight digits. A vertex waits in a list for the highest digit in which its bucket differs from the current
 * bucket. When the current bucket reaches the digit of the list, its vertices are distributed to lists of lower digits.
 * So a vertex moves at most eight times.
 *
 * <p>A vertex whose cost falls is added again if it belongs to another list then, and skipped where it was. Each worker
 * has lists of its own.
 */
final class Buckets {

    private static final int DIGIT_BITS = 8;
    private static final int DIGITS = 1 << DIGIT_BITS;
    private static final int LEVELS = Long.SIZE / DIGIT_BITS;
    private static final long LINEAR = 1L << 53;
    private static final int NONE = -1;

    private final double delta;

    /** The least cost of a bucket that is one double. */
    private final double linearEnd;

    /** For each worker its lists, null if they are empty. */
    private final IntList[][] lists;

    /** For each worker a bit for each list that is not null. */
    private final long[][] used;

    /** For each worker the vertices that it has added to the current bucket. */
    private final IntList[] currents;

    private long current;

    /**
     * Creates empty buckets, of which the first is current.
     *
     * @param delta the width of a bucket, above 0
     * @param workers number of workers that add vertices
     */
    Buckets(double delta, int workers) {
        this.delta = delta;
        this.linearEnd = LINEAR * delta;
        this.lists = new IntList[workers][LEVELS * DIGITS];
        this.used = new long[workers][LEVELS * DIGITS / Long.SIZE];
        this.currents = new IntList[workers];
        for (int worker = 0; worker < workers; worker++) {
            currents[worker] = new IntList();
        }
    }

    /** The bucket of a cost: monotonic, so that a lower cost is never in a higher bucket. */
    private long bucket(double cost) {
        return cost < linearEnd
                ? (long) (cost / delta)
                : LINEAR + Double.doubleToRawLongBits(cost) - Double.doubleToRawLongBits(linearEnd);
    }

    /** Whether a cost belongs to the current bucket. */
    boolean isCurrent(double cost) {
        return bucket(cost) == current;
    }

    /** Whether a cost belongs to an earlier bucket than the current one, so that it is final. */
    boolean isPast(double cost) {
        return bucket(cost) < current;
    }

    /** Adds a vertex whose cost belongs to the current bucket. */
    void addCurrent(int worker, int vertex) {
        currents[worker].add(vertex);
    }

    /**
     * Adds a vertex whose cost belongs to a later bucket.
     *
     * @param before its cost until now: a vertex that waits for the same list already is not added
     */
    void add(int worker, int vertex, double before, double cost) {
        int list = list(bucket(cost), current);
        if (before == ShortestPaths.UNREACHED || list(bucket(before), current) != list) {
            put(worker, list, vertex);
        }
    }

    private void put(int worker, int list, int vertex) {
        if (lists[worker][list] == null) {
            lists[worker][list] = new IntList();
            used[worker][list / Long.SIZE] |= 1L << list;
        }
        lists[worker][list].add(vertex);
    }

    /** Removes the list of a worker; null if it is empty. */
    private IntList take(int worker, int list) {
        IntList taken = lists[worker][list];
        lists[worker][list] = null;
        used[worker][list / Long.SIZE] &= ~(1L << list);
        return taken;
    }

    /** The list of a bucket while an earlier one is current. */
    private static int list(long bucket, long earlier) {
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(bucket ^ earlier)) / DIGIT_BITS;
        return level * DIGITS + ((int) (bucket >>> (level * DIGIT_BITS)) & (DIGITS - 1));
    }

    /** Replaces a list by the vertices that were added to the current bucket, and removes them. */
    void collectCurrent(IntList frontier) {
        frontier.size = 0;
        for (IntList list : currents) {
            frontier.addAll(list);
            list.size = 0;
        }
    }

    /**
     * Makes the next bucket with vertices current, and moves its vertices to an empty list; the list stays empty if no
     * vertex waits.
     *
     * @param costs the cost of each vertex
     */
    void advance(double[] costs, IntList frontier, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int list;
        while (frontier.size == 0 && (list = firstUsed()) != NONE) {
            // a list of the lowest digit is one bucket
            long next = list < DIGITS ? (current & -DIGITS) + list : lowest(list, costs, paced);
            distribute(list, next, costs, frontier, paced);
        }
    }

    /** Adds the vertices of all later buckets to a list, also those whose cost has fallen. */
    void collectAll(IntList vertices) {
        for (IntList[] ofWorker : lists) {
            for (IntList list : ofWorker) {
                if (list != null) {
                    vertices.addAll(list);
                }
            }
        }
    }

    private int firstUsed() {
        for (int word = 0; word < LEVELS * DIGITS / Long.SIZE; word++) {
            long bits = 0;
            for (long[] ofWorker : used) {
                bits |= ofWorker[word];
            }
            if (bits != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
        }
        return NONE;
    }

    /**
     * The lowest bucket of the vertices of a list, without those whose cost has fallen; {@link Long#MAX_VALUE} if there
     * is none.
     */
    private long lowest(int list, double[] costs, PacedStop paced) {
        long lowest = Long.MAX_VALUE;
        for (IntList[] ofWorker : lists) {
            IntList found = ofWorker[list];
            for (int i = 0; found != null && i < found.size; i++) {
                paced.worked(1);
                long bucket = bucket(costs[found.items[i]]);
                if (bucket > current && list(bucket, current) == list) {
                    lowest = Math.min(lowest, bucket);
                }
            }
        }
        return lowest;
    }

    private void distribute(int list, long next, double[] costs, IntList frontier, PacedStop paced) {
        for (int worker = 0; worker < lists.length; worker++) {
            IntList found = take(worker, list);
            for (int i = 0; found != null && i < found.size; i++) {
                paced.worked(1);
                int vertex = found.items[i];
                long bucket = bucket(costs[vertex]);
                if (bucket == next) {
                    frontier.add(vertex);
                } else if (bucket > next && list(bucket, current) == list) {
                    put(worker, list(bucket, next), vertex);
                }
            }
        }
        if (next < Long.MAX_VALUE) {
            current = next;
        }
    }
}
