// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;

/**
 * The walks from a source to a target of a connection subgraph: those of the least cost, as it is summed from the
 * source on, and with a limit those whose cost is at most the limit.
 */
final class Walks {

    /** Sums of the same weights in different orders may differ by this share. */
    static final double ROUNDING = 1e-12;

    private final Csc graph;
    private final Csc reversed;

    /** Null without weights. */
    private final WeightedCsc weights;

    private final ShortestPathDag ahead;
    private final ShortestPathDag behind;
    private final double limit;
    private final double least;

    /** The vertices from which a walk of the least cost leads on to a target; none if it is above the limit. */
    private final BitSet onShortest;

    /** Counts the shortest ways on to a target; null if they are not counted. */
    private final ShortestPathDag onward;

    /**
     * Prepares.
     *
     * @param reversed the graph with every edge reversed
     * @param weights null without weights
     * @param ahead the search from the sources
     * @param behind the search from the targets, against the edges; null if only the shortest walks over hops are
     *     wanted
     * @param targets vertices, ascending
     * @param limit infinite for none
     * @param counts whether shortest walks are counted
     */
    Walks(
            Csc graph,
            Csc reversed,
            WeightedCsc weights,
            ShortestPathDag ahead,
            ShortestPathDag behind,
            int[] targets,
            double limit,
            boolean counts,
            Stop stop) {
        this.graph = graph;
        this.reversed = reversed;
        this.weights = weights;
        this.ahead = ahead;
        this.behind = behind;
        this.limit = limit;
        this.least = Arrays.stream(targets).mapToDouble(ahead::cost).min().orElseThrow();
        int[] nearest = Arrays.stream(targets)
                .filter(target -> least <= limit && ahead.reaches(target) && ahead.cost(target) == least)
                .toArray();
        this.onShortest = leadingTo(nearest, stop);
        this.onward = counts
                ? ahead.onward(graph, onShortest::get, vertex -> Arrays.binarySearch(nearest, vertex) >= 0)
                : null;
    }

    /** Heap of the walks beside the searches. */
    static MemoryTree memory(int vertexCount, boolean counts) {
        MemoryTree counting = ShortestPathDag.countingMemory(vertexCount);
        return MemoryTree.together(
                "walks",
                // marks, and a queue that is doubled by copying
                MemoryTree.between("nodes on shortest walks", 0, vertexCount * (1L + 3L * 20)),
                counts ? counting.times(2) : MemoryTree.NONE);
    }

    private BitSet leadingTo(int[] targets, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        BitSet leading = new BitSet(graph.vertexCount());
        Deque<Integer> queue = new ArrayDeque<>();
        for (int target : targets) {
            leading.set(target);
            queue.add(target);
        }
        while (!queue.isEmpty()) {
            int vertex = queue.poll();
            for (long entry = reversed.columnStart(vertex); entry < reversed.columnEnd(vertex); entry++) {
                paced.worked(2);
                int before = reversed.rowIndices().get(entry);
                if (!leading.get(before) && isTight(before, leastWeight(before, vertex), vertex)) {
                    leading.set(before);
                    queue.add(before);
                }
            }
        }
        return leading;
    }

    /** Whether a step keeps a path from a source shortest. */
    private boolean isTight(int from, double weight, int to) {
        return ahead.reaches(from) && ahead.cost(from) + weight == ahead.cost(to);
    }

    /** The graph. */
    Csc graph() {
        return graph;
    }

    /** The graph with every edge reversed. */
    Csc reversed() {
        return reversed;
    }

    /** The least cost of a path from a source to a target; infinite if there is none. */
    double least() {
        return least;
    }

    /** The least weight of a step of the graph. */
    double leastWeight(int from, int to) {
        return weights == null ? 1 : weights.weight(weights.firstEntry(from, to));
    }

    /**
     * The weight of a step over a stored relationship: its own.
     *
     * @return NaN if the graph does not have this one
     */
    double weight(int from, int to, double own) {
        if (weights == null) {
            return 1;
        }
        long first = weights.firstEntry(from, to);
        long end = weights.columnEnd(from);
        for (long entry = first; entry < end && weights.rowIndices().get(entry) == to; entry++) {
            if (weights.weight(entry) == own) {
                return own;
            }
        }
        return Double.NaN;
    }

    /** Whether a walk may lead over a vertex. */
    boolean mayTouch(int vertex) {
        return onShortest.get(vertex)
                || (limit != ShortestPaths.UNREACHED
                        && fromSource(vertex) + toTarget(vertex) <= limit * (1 + ROUNDING));
    }

    /** Whether a walk leads over a step. */
    boolean leadOver(int from, double weight, int to) {
        return (onShortest.get(to) && isTight(from, weight, to))
                || (limit != ShortestPaths.UNREACHED && cost(from, weight, to) <= limit);
    }

    /** The least cost of a walk over a step. */
    double cost(int from, double weight, int to) {
        return fromSource(from) + weight + toTarget(to);
    }

    double fromSource(int vertex) {
        return ahead.cost(vertex);
    }

    double toTarget(int vertex) {
        return behind == null ? least - ahead.cost(vertex) : behind.cost(vertex);
    }

    /** The number of shortest walks that lead over a step. */
    double count(int from, double weight, int to) {
        double on = onward == null || !isTight(from, weight, to) || !ahead.precedes(from, to) ? 0 : onward.count(to);
        return on == 0 ? 0 : ahead.count(from) * on;
    }
}
