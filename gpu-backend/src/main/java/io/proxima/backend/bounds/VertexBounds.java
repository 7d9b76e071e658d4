// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/**
 * A lower and an upper bound of the eccentricity of each vertex, and the bounds of diameter and radius that follow.
 * They begin with the sizes of the components; searches narrow them, see {@link EccentricityBounds}. A group is a
 * weakly connected component that is not small. Vertex id space.
 */
final class VertexBounds {

    /** No vertex, group or component. */
    static final int NONE = -1;

    /** Vertices that a thread looks at without a break; a multiple of 64, so that a word of a bitmap has one writer. */
    private static final int GRAIN = 1 << 12;

    private final Csc graph;
    private final boolean symmetric;
    private final boolean all;
    private final boolean diameter;
    private final boolean radius;
    private final int batch;
    private final RunContext control;
    private final PacedStop paced;

    /** By vertex: its group, {@link #NONE} in a small component. */
    private int[] group;

    private int groups;

    /** The strongly connected components of a directed graph. */
    private StrongComponents strong;

    /** By group of a directed graph: its largest strongly connected component. */
    private int[] core;

    /** The open vertices of small strong components, of which there are {@code inSmall}, component after component. */
    private int[] byComponent;

    private int inSmall;

    // by vertex: lower and upper bounds
    private int[] low;
    private int[] high;

    /** A bit for each vertex of greatest reach; null if the radius is not wanted. */
    private final long[] widest;

    private int linked;
    private int farthest;
    private int nearest;
    private boolean allNear;

    /**
     * Bounds all vertices by the sizes of their components.
     *
     * @param graph edges j to i; vertex id space
     * @param along the graph, loaded
     * @param symmetric whether the graph is known to be symmetric
     * @param wanted decides which vertices are open
     * @param batch components of no more vertices are small
     * @param control concurrency, stop and options of the run
     */
    VertexBounds(Csc graph, LoadedGraph along, boolean symmetric, Set<Wanted> wanted, int batch, RunContext control) {
        this.graph = graph;
        this.symmetric = symmetric;
        this.batch = batch;
        this.control = control;
        all = wanted.contains(Wanted.ALL);
        diameter = all || wanted.contains(Wanted.DIAMETER);
        radius = wanted.contains(Wanted.RADIUS);
        paced = new PacedStop(control.stop());
        group = along.components(control.forRun(Operation.COMPONENTS));
        low = new int[graph.vertexCount()];
        high = new int[graph.vertexCount()];
        widest = radius ? new long[(graph.vertexCount() + Long.SIZE - 1) / Long.SIZE] : null;
        int most = numberGroups();
        farthest = symmetric ? Math.min(1, most) : 0;
        if (!symmetric) {
            beginDirected();
        }
    }

    /** Numbers the groups, and bounds the vertices; returns the number of other vertices of the largest component. */
    private int numberGroups() {
        AtomicIntegerArray others = new AtomicIntegerArray(graph.vertexCount());
        overRanges((worker, begin, end) -> countOthers(others, begin, end));
        int[] numbers = low;
        overRanges((worker, begin, end) -> {
            int most = 0;
            int together = 0;
            for (int lowest = begin; lowest < end; lowest++) {
                int size = 1 + others.getPlain(lowest);
                most = Math.max(most, size - 1);
                together += size > 1 ? size : 0;
                numbers[lowest] = NONE;
            }
            synchronized (this) {
                nearest = Math.max(nearest, most);
                linked += together;
            }
        });
        int most = nearest;
        for (long key : descending(lowest -> others.getPlain(lowest) >= batch ? Integer.MAX_VALUE - lowest : NONE)) {
            numbers[(int) key] = groups++;
        }
        overRanges((worker, begin, end) -> {
            for (int vertex = begin; vertex < end; vertex++) {
                high[vertex] = others.getPlain(group[vertex]);
                group[vertex] = numbers[group[vertex]];
                if (radius && symmetric && high[vertex] == most) {
                    setWidest(vertex);
                }
            }
        });
        overRanges((worker, begin, end) -> {
            for (int vertex = begin; vertex < end; vertex++) {
                low[vertex] = symmetric ? Math.min(1, high[vertex]) : 0;
            }
        });
        return most;
    }

    /** Counts the vertices of components, but for the lowest of each. */
    private void countOthers(AtomicIntegerArray others, int begin, int end) {
        int counted = group[begin];
        int count = 0;
        for (int vertex = begin; vertex < end; vertex++) {
            if (group[vertex] != vertex) {
                if (group[vertex] != counted) {
                    others.getAndAdd(counted, count);
                    counted = group[vertex];
                    count = 0;
                }
                count++;
            }
        }
        others.getAndAdd(counted, count);
    }

    /** Finds the cores of the groups and the vertices of greatest reach, and bounds vertices by those after them. */
    private void beginDirected() {
        strong = StrongComponents.of(graph, control.concurrency(), control.stop());
        int[] next = new int[strong.count() + 1];
        for (int number = 0; number < strong.count(); number++) {
            next[number + 1] = next[number] + strong.size(number);
            paced.worked(1);
        }
        int[] reached = radius ? strong.reached(true, control.concurrency(), control.stop()) : null;
        int most = radius ? Arrays.stream(reached).max().orElse(0) : 0;
        core = none();
        byComponent = new int[graph.vertexCount()];
        inSmall = byComponent.length;
        for (int vertex = 0; vertex < byComponent.length; vertex++) {
            int number = strong.of(vertex);
            int g = group[vertex];
            byComponent[next[number]++] = vertex;
            if (g != NONE && (core[g] == NONE || strong.size(number) > strong.size(core[g]))) {
                core[g] = number;
            }
            if (radius && reached[number] == most) {
                setWidest(vertex);
            }
            paced.worked(1);
        }
        propagate();
    }

    /**
     * Bounds the vertices of small strongly connected components by those that their edges lead to. A path out of a
     * component has at most as many edges in it as it has other vertices.
     */
    void propagate() {
        int kept = 0;
        for (int start = 0, end; start < inSmall; start = end) {
            int number = strong.of(byComponent[start]);
            int size = strong.size(number);
            end = start + size;
            int most = 0;
            for (int i = start; size <= batch && i < end; i++) {
                most = Math.max(most, mostBeyond(byComponent[i], number));
            }
            boolean open = false;
            for (int i = start; size <= batch && i < end; i++) {
                int vertex = byComponent[i];
                bound(vertex, 0, size - 1 + most);
                take(vertex);
                open |= low[vertex] < high[vertex];
            }
            if (open) {
                System.arraycopy(byComponent, start, byComponent, kept, size);
                kept += size;
            }
        }
        inSmall = kept;
    }

    /** The greatest upper bound of a path whose first edge leaves the component; 0 if there is none. */
    private int mostBeyond(int vertex, int number) {
        int most = 0;
        for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
            int target = graph.rowIndices().get(i);
            boolean leaves = strong.of(target) != number;
            low[vertex] = Math.max(low[vertex], leaves && graph.degree(vertex) == 1 ? 1 + low[target] : 1);
            most = Math.max(most, leaves ? 1 + high[target] : 0);
            paced.worked(1);
        }
        return most;
    }

    /** Narrows the bounds of a vertex. */
    void bound(int vertex, int below, int above) {
        if (below > low[vertex]) {
            low[vertex] = below;
        }
        if (above < high[vertex]) {
            high[vertex] = above;
        }
    }

    /** Takes the bounds of a vertex into account for the diameter and the radius. */
    void take(int vertex) {
        farthest = Math.max(farthest, low[vertex]);
        nearest = isWidest(vertex) ? Math.min(nearest, high[vertex]) : nearest;
        paced.worked(1);
    }

    private void setWidest(int vertex) {
        widest[vertex / Long.SIZE] |= 1L << vertex;
    }

    private boolean isWidest(int vertex) {
        return radius && (widest[vertex / Long.SIZE] & 1L << vertex) != 0;
    }

    /** Whether a vertex of a group is in the core of the group: its largest strongly connected component. */
    boolean isInCore(int vertex) {
        return symmetric || strong.of(vertex) == core[group[vertex]];
    }

    /** Whether a wanted result depends on a vertex whose bounds differ. */
    boolean isOpen(int vertex) {
        return low[vertex] < high[vertex] && (all || isOpenForDiameter(vertex) || isOpenForRadius(vertex));
    }

    /** Whether a vertex may be in a pair farther apart than {@link #farthest}. */
    boolean isOpenForDiameter(int vertex) {
        return diameter && high[vertex] > farthest && !(allNear && group[vertex] != NONE);
    }

    /** Whether the eccentricity of a vertex may be the radius, below {@link #nearest}. */
    boolean isOpenForRadius(int vertex) {
        return low[vertex] < nearest && isWidest(vertex);
    }

    /** Takes a distance between two vertices into account for the diameter. */
    void takeDistance(int distance) {
        farthest = Math.max(farthest, distance);
    }

    /** Takes the eccentricity of a vertex into account for the diameter and the radius. */
    void takeEccentricity(int vertex, int eccentricity) {
        takeDistance(eccentricity);
        nearest = isWidest(vertex) ? Math.min(nearest, eccentricity) : nearest;
    }

    /**
     * Takes all eccentricities into account for the diameter and the radius.
     *
     * @param exact {@code int[vertexCount]}
     */
    void takeAll(int[] exact) {
        overRanges((worker, begin, end) -> {
            int most = 0;
            int least = Integer.MAX_VALUE;
            for (int vertex = begin; vertex < end; vertex++) {
                most = Math.max(most, exact[vertex]);
                least = isWidest(vertex) ? Math.min(least, exact[vertex]) : least;
            }
            synchronized (this) {
                farthest = Math.max(farthest, most);
                nearest = Math.min(nearest, least);
            }
        });
    }

    /** Called when no vertex of a group is in a pair farther apart than {@link #farthest}. */
    void allAreNear() {
        allNear = true;
    }

    /** Whether no vertex of a group is in a pair farther apart than {@link #farthest}. */
    boolean areAllNear() {
        return allNear;
    }

    /** Frees the bounds of the vertices. Those of the diameter and the radius remain. */
    void free() {
        group = null;
        low = null;
        high = null;
        strong = null;
        byComponent = null;
    }

    /** The group of a vertex, {@link #NONE} in a small component. */
    int group(int vertex) {
        return group[vertex];
    }

    /** Number of groups. */
    int groups() {
        return groups;
    }

    /** Number of vertices in components of at least two. */
    int linked() {
        return linked;
    }

    /** The lower bound of a vertex. */
    int low(int vertex) {
        return low[vertex];
    }

    /** The upper bound of a vertex. */
    int high(int vertex) {
        return high[vertex];
    }

    /** {@code int[vertexCount]}: the lower bounds. */
    int[] lower() {
        return low;
    }

    /** A lower bound of the diameter: a distance that was found. */
    int farthest() {
        return farthest;
    }

    /** An upper bound of the radius. */
    int nearest() {
        return nearest;
    }

    /** Whether two vertices of a group are strongly connected. */
    boolean areConnected(int one, int other) {
        return symmetric || strong.of(one) == strong.of(other);
    }

    /** Whether a vertex of a directed graph is strongly connected with no other. */
    boolean isAlone(int vertex) {
        return strong.size(strong.of(vertex)) == 1;
    }

    /** {@link #NONE} for each group. */
    int[] none() {
        int[] numbers = new int[groups];
        Arrays.fill(numbers, NONE);
        return numbers;
    }

    /** Vertices by a value, the greatest first: the value is in the key. One below 0 leaves a vertex out. */
    long[] descending(IntUnaryOperator value) {
        long[][] parts = new long[(graph.vertexCount() - 1) / GRAIN + 1][];
        overRanges((worker, begin, end) -> {
            long[] keys = new long[end - begin];
            int count = 0;
            for (int vertex = begin; vertex < end; vertex++) {
                int rank = Integer.MAX_VALUE - value.applyAsInt(vertex);
                if (rank >= 0) {
                    keys[count++] = (long) rank << Integer.SIZE | vertex;
                }
            }
            parts[begin / GRAIN] = Arrays.copyOf(keys, count);
        });
        int count = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        long[] keys = new long[count];
        int copied = 0;
        for (long[] part : parts) {
            System.arraycopy(part, 0, keys, copied, part.length);
            copied += part.length;
        }
        return RadixSort.sort(keys, new long[count], count, Integer.SIZE, 2 * Integer.SIZE - 1, control.stop());
    }

    /** Work on a range of vertices. */
    interface Range {
        void at(int worker, int begin, int end);
    }

    /** Divides the vertices among threads. */
    void overRanges(int threads, Range range) {
        Workers.forRanges(
                threads,
                graph.vertexCount(),
                GRAIN,
                control.stop(),
                (worker, begin, end) -> range.at(worker, (int) begin, (int) end));
    }

    private void overRanges(Range range) {
        overRanges(control.concurrency(), range);
    }
}
