// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * Breadth-first searches that keep the order of a queue: nodes are placed by level, within a level by the place of the
 * parent (the first placed neighbour), then as the parent's list has them. Wide levels are searched by several threads with
 * the same result: each neighbour takes the lowest place of a parent, then each parent places those that took its own.
 *
 * <p>Components do not touch each other's elements, so several may be searched at once.
 */
final class RootedLevels {

    private static final int UNREACHED = Integer.MAX_VALUE;

    /** Entries of a level that are worth several threads. */
    private static final int WIDE_ENTRIES = 1 << 15;

    private static final int GRAIN = 1 << 7;
    private static final int NODES_PER_POLL = 1 << 12;

    private final SearchGraph graph;
    private final Stop stop;

    /** By place: the node. */
    private final int[] order;

    /** By node: the place of its parent; below the first place for a root. */
    private final int[] parentPlace;

    private final double meanDegree;

    RootedLevels(SearchGraph graph, Stop stop) {
        this.graph = graph;
        this.stop = stop;
        order = new int[graph.nodeCount()];
        parentPlace = new int[graph.nodeCount()];
        Arrays.fill(parentPlace, UNREACHED);
        meanDegree = graph.entryCount() / Math.max(1.0, graph.nodeCount());
    }

    /** The node at a place. */
    int node(int place) {
        return order[place];
    }

    /**
     * A search's shape.
     *
     * @param levels how many there are, the root's included
     * @param lastLevel the first place of the last
     */
    record Shape(int levels, int lastLevel) {}

    /**
     * Places the component of {@code root} at {@code start} and after; may be asked again with another root of it.
     *
     * @param size nodes of the component
     * @param concurrency threads for wide levels
     */
    Shape search(int root, int start, int size, int concurrency) {
        if (parentPlace[root] != UNREACHED) {
            forget(start, start + size, concurrency);
        }
        parentPlace[root] = start - 1;
        order[start] = root;
        int levels = 0;
        int level = start;
        int end = start + 1;
        int sinceLook = 0;
        while (true) {
            int next = concurrency > 1 && (end - level) * meanDegree > WIDE_ENTRIES
                    ? widen(level, end, concurrency)
                    : step(level, end);
            levels++;
            sinceLook += end - level;
            if (sinceLook > NODES_PER_POLL) {
                sinceLook = 0;
                stop.check();
            }
            if (next == end) {
                return new Shape(levels, level);
            }
            level = end;
            end = next;
        }
    }

    private void forget(int from, int to, int concurrency) {
        Workers.forRanges(to - from > WIDE_ENTRIES ? concurrency : 1, to - from, 1 << 16, stop, (worker, a, b) -> {
            for (int place = from + (int) a; place < from + b; place++) {
                parentPlace[order[place]] = UNREACHED;
            }
        });
    }

    private int step(int level, int levelEnd) {
        IntPages neighbours = graph.neighbours();
        int end = levelEnd;
        for (int place = level; place < levelEnd; place++) {
            int node = order[place];
            long last = graph.start(node + 1);
            for (long i = graph.start(node); i < last; i++) {
                int neighbour = neighbours.get(i);
                if (parentPlace[neighbour] == UNREACHED) {
                    parentPlace[neighbour] = place;
                    order[end++] = neighbour;
                }
            }
            if ((place & (NODES_PER_POLL - 1)) == 0) {
                stop.check();
            }
        }
        return end;
    }

    /** Invariant: a node of this level or an earlier one has its parent before {@code level}, so no place here lowers it. */
    private int widen(int level, int levelEnd, int concurrency) {
        int width = levelEnd - level;
        int[] ends = new int[(int) (((long) width + GRAIN - 1) / GRAIN) + 1];
        Workers.forRanges(concurrency, width, GRAIN, stop, (worker, from, to) -> {
            IntPages neighbours = graph.neighbours();
            for (int place = level + (int) from; place < level + to; place++) {
                int node = order[place];
                long last = graph.start(node + 1);
                for (long i = graph.start(node); i < last; i++) {
                    AtomicMinimum.lower(parentPlace, neighbours.get(i), place, UNREACHED);
                }
            }
        });
        Workers.forRanges(
                concurrency,
                width,
                GRAIN,
                stop,
                (worker, from, to) ->
                        ends[(int) (from / GRAIN) + 1] = placeChildren(level + (int) from, level + (int) to, -1));
        ends[0] = levelEnd;
        for (int range = 1; range < ends.length; range++) {
            ends[range] += ends[range - 1];
        }
        Workers.forRanges(
                concurrency,
                width,
                GRAIN,
                stop,
                (worker, from, to) -> placeChildren(level + (int) from, level + (int) to, ends[(int) (from / GRAIN)]));
        return ends[ends.length - 1];
    }

    /** Counts the children of a range of parents, and places them from {@code first} on unless that is negative. */
    private int placeChildren(int from, int to, int first) {
        IntPages neighbours = graph.neighbours();
        int children = 0;
        for (int place = from; place < to; place++) {
            int node = order[place];
            long last = graph.start(node + 1);
            for (long i = graph.start(node); i < last; i++) {
                int neighbour = neighbours.get(i);
                if (parentPlace[neighbour] == place) {
                    if (first >= 0) {
                        order[first + children] = neighbour;
                    }
                    children++;
                }
            }
        }
        return children;
    }
}
