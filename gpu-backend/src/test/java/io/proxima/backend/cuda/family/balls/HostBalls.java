// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.MOST_BALL;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_HEADER;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_UNIT;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/** The ball of a vertex as the records of bfs_balls.cu have it. */
public final class HostBalls {

    /** Hops of which the head of a record says how many members lie within them. */
    private static final int HOPS_IN_HEAD = 12;

    private final int radius;
    private final int[] members;
    // of them within each hop
    private final int[] ends;

    private HostBalls(int radius, int[] members, int[] ends) {
        this.radius = radius;
        this.members = members;
        this.ends = ends;
    }

    /**
     * The ball of the greatest radius up to the one asked for that has no more than MOST_BALL members, the vertex among them;
     * the list if that alone is too long.
     *
     * @param lists out-neighbours of each vertex
     */
    public static HostBalls of(IntFunction<int[]> lists, int vertex, int radius) {
        int[] own = lists.apply(vertex);
        if (radius == 1 || own.length >= MOST_BALL) {
            return new HostBalls(1, own, new int[] {0, own.length});
        }
        int[] members = new int[MOST_BALL];
        BitSet seen = new BitSet();
        int count = 1;
        members[0] = vertex;
        seen.set(vertex);
        int[] ends = new int[radius + 1];
        int begin = 0;
        int reached = radius;
        for (int hop = 1; hop <= reached; hop++) {
            int end = count;
            for (int m = begin; m < end && count <= MOST_BALL; m++) {
                count = add(lists.apply(members[m]), members, count, seen);
            }
            if (count > MOST_BALL) {
                count = end;
                reached = hop - 1;
            } else {
                ends[hop] = count - 1;
                begin = end;
            }
        }
        int[] others = Arrays.copyOfRange(members, 1, count);
        for (int hop = 1; hop <= reached; hop++) {
            Arrays.sort(others, ends[hop - 1], ends[hop]);
        }
        return new HostBalls(reached, others, ends);
    }

    /** Adds what is new, and counts on where there is no room. */
    private static int add(int[] neighbours, int[] members, int count, BitSet seen) {
        int now = count;
        for (int neighbour : neighbours) {
            if (!seen.get(neighbour)) {
                seen.set(neighbour);
                if (now < members.length) {
                    members[now] = neighbour;
                }
                now++;
            }
        }
        return now;
    }

    /** Units of the record if it goes no farther than so many hops. */
    public int units(int hops) {
        return (RECORD_HEADER + within(hops) + RECORD_UNIT - 1) / RECORD_UNIT;
    }

    /** The record without padding. */
    public int[] record() {
        int[] record = new int[RECORD_HEADER + members.length];
        record[0] = members.length;
        record[1] = radius;
        for (int hop = 1; hop <= HOPS_IN_HEAD; hop++) {
            int count = hop < radius ? within(hop) : Math.min(members.length, 0xffff);
            record[2 + (hop - 1) / 2] |= count << (hop % 2 == 1 ? 0 : Short.SIZE);
        }
        System.arraycopy(members, 0, record, RECORD_HEADER, members.length);
        return record;
    }

    private int within(int hops) {
        return hops < radius ? ends[hops] : members.length;
    }
}
