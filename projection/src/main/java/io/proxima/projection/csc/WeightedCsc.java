// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A directed graph whose relationships have weights, as compressed sparse columns: column j lists the targets of the
 * relationships of j and their weights, in ascending order of target and weight, without loops. Unlike a {@link Csc},
 * it may list a target several times: once for each parallel relationship.
 *
 * <p>Weights are {@code entryCount} values of any kind, NaN for a relationship without one; host. Pointers and row
 * indices are those of the {@link Csc} of the same relationships if none of them are parallel. Immutable and
 * thread-safe once built.
 */
public final class WeightedCsc extends Columns {

    /** No entry. */
    public static final long NONE = -1;

    private static final int SAMPLED = 1 << 13;

    private final OnDemand<Lengths> lengths = new OnDemand<>();
    private final boolean kept;

    private WeightedCsc(Columns lists, List<DoublePages> weights, boolean kept) {
        super(lists.columnPointers(), lists.rowIndices(), weights);
        this.kept = kept;
    }

    /**
     * A graph of the given arrays, which are not copied and must not be changed afterwards. {@link #validate} checks
     * them.
     *
     * @param lists column pointers and row indices
     * @param weights a value for each entry, in pages of the same shift
     */
    public WeightedCsc(Columns lists, DoublePages weights) {
        this(lists, List.of(weights), true);
    }

    /** A graph whose weights are all 1. It shares the arrays of the given graph. */
    public static WeightedCsc ofOnes(Csc graph) {
        return new WeightedCsc(graph, List.of(), true);
    }

    /** Whether other runs may read the graph, and so copies of it on a device; not if it is {@link #transposed}. */
    public boolean isKept() {
        return kept;
    }

    /** The weights themselves, in pages of the same shift as the row indices: read only. Null if all are 1. */
    public DoublePages weights() {
        return values().isEmpty() ? null : values().get(0);
    }

    /**
     * Whether weights can be lengths, which are finite and not negative.
     *
     * @param firstInvalid the first entry whose weight cannot be a length; {@link #NONE} if there is none
     * @param greatest the greatest weight, if all are lengths; 0 if there are none
     * @param degree the degree that three in four entries find at their column or exceed, divided by the share of
     *     positive weights: edges of weight 0 join vertices, which gives each more of the others. Infinite without a
     *     positive weight
     * @param light the quantile 1 / (2 degree) of the positive weights, so that few edges of a vertex are lighter; 0
     *     without a positive weight. This and the degree are from a sample, the same at each call; no single edge moves
     *     them, nor do vertices without edges
     * @param integers whether all weights are integers
     * @param floats whether all weights are numbers of single precision
     */
    public record Lengths(
            long firstInvalid, double greatest, double degree, double light, boolean integers, boolean floats) {

        /** Whether no cost of a path can exceed the greatest double: it has no more edges than there are vertices. */
        public boolean areCostsFinite(int vertexCount) {
            return Double.isFinite(greatest * vertexCount);
        }
    }

    /**
     * The weights as lengths. Computed at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Lengths lengths(int concurrency, Stop stop) {
        return lengths.get(
                stop,
                () -> weights() == null
                        ? sampled(new Lengths(NONE, 1, 0, 0, true, true))
                        : measured(concurrency, stop));
    }

    private Lengths measured(int concurrency, Stop stop) {
        DoublePages weights = weights();
        Lengths[] parts = new Lengths[(int) (((long) vertexCount() + COLUMNS_AT_ONCE - 1) / COLUMNS_AT_ONCE)];
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            long invalid = NONE;
            double greatest = 0;
            boolean integers = true;
            boolean floats = true;
            for (long index = columnStart((int) from); index < columnStart((int) to); index++) {
                paced.worked(1);
                double weight = weights.get(index);
                if (invalid == NONE && !(weight >= 0 && weight <= Double.MAX_VALUE)) {
                    invalid = index;
                }
                greatest = Math.max(greatest, weight);
                integers &= weight == Math.rint(weight);
                floats &= weight == (float) weight;
            }
            parts[(int) (from / COLUMNS_AT_ONCE)] = new Lengths(invalid, greatest, 0, 0, integers, floats);
        });
        Lengths all = new Lengths(NONE, 0, 0, 0, true, true);
        for (Lengths part : parts) {
            all = new Lengths(
                    all.firstInvalid == NONE ? part.firstInvalid : all.firstInvalid,
                    Math.max(all.greatest, part.greatest),
                    0,
                    0,
                    all.integers && part.integers,
                    all.floats && part.floats);
        }
        return sampled(all);
    }

    private Lengths sampled(Lengths exact) {
        long entries = entryCount();
        // a fixed stride would meet the patterns of regular graphs
        SplittableRandom random = new SplittableRandom(entries);
        long[] sample = LongStream.range(0, Math.min(SAMPLED, entries))
                .map(draw -> entries <= SAMPLED ? draw : random.nextLong(entries))
                .toArray();
        int[] degrees = LongStream.of(sample)
                .mapToInt(entry -> degree(columnOf(entry)))
                .sorted()
                .toArray();
        double[] positive = LongStream.of(sample)
                .mapToDouble(entry -> weights() == null ? 1 : weights().get(entry))
                .filter(weight -> weight > 0)
                .sorted()
                .toArray();
        double degree = Double.POSITIVE_INFINITY;
        double light = 0;
        if (positive.length > 0) {
            degree = degrees[sample.length / 4] * (double) sample.length / positive.length;
            light = positive[(int) (positive.length / (2 * degree))];
        }
        return new Lengths(exact.firstInvalid, exact.greatest, degree, light, exact.integers, exact.floats);
    }

    /**
     * The parts on the heap.
     *
     * @param graph the graph of the same relationships, whose arrays are left out
     */
    public List<HeapPart> heapParts(Csc graph) {
        List<HeapPart> parts = new ArrayList<>();
        values().forEach(weights -> parts.add(new HeapPart(weights, weights.bytes())));
        if (graph == null || columnPointers() != graph.columnPointers()) {
            parts.add(HeapPart.of(columnPointers()));
        }
        if (graph == null || rowIndices() != graph.rowIndices()) {
            parts.add(new HeapPart(rowIndices(), rowIndices().bytes()));
        }
        return parts;
    }

    /** Bytes of weights, without the arrays that a {@link Csc} may share. */
    public static long weightBytes(long entryCount) {
        return entryCount * Double.BYTES;
    }

    /** The weight of an entry. */
    public double weight(long entry) {
        return weights() == null ? 1 : weights().get(entry);
    }

    /**
     * The graph with every relationship reversed. Not kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public WeightedCsc transposed(int concurrency, Stop stop) {
        if (weights() == null) {
            throw new IllegalStateException("a graph whose weights are all 1 is transposed without them");
        }
        CscBuilder builder = new CscBuilder(
                vertexCount(),
                Orientation.REVERSE,
                List.of(new CscBuilder.EdgeValue(Aggregation.NONE, 0)),
                concurrency,
                entryCount(),
                rowIndices().pageShift());
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            double[][] weight = new double[1][1];
            for (int column = (int) from; column < to; column++) {
                for (long entry = columnStart(column); entry < columnEnd(column); entry++) {
                    paced.worked(1);
                    weight[0][0] = weights().get(entry);
                    builder.buffer(worker).add(column, rowIndices().get(entry), weight, 0);
                }
            }
        });
        WeightedCsc reversed =
                builder.build(concurrency, stop, Progress.NONE).weights().get(0);
        return new WeightedCsc(reversed, reversed.values(), false);
    }

    /** Heap of {@link #transposed} at its peak, including the result. */
    public static MemoryTree transposingMemory(int vertexCount, long entryCount, int concurrency) {
        return CscBuilder.memory(vertexCount, Orientation.REVERSE, concurrency, entryCount, 1)
                .built();
    }

    /**
     * The distinct relationships with a weight above a threshold; NaN is not above any.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc above(double threshold, int concurrency, Stop stop) {
        return new Csc(CscOperations.above(this, threshold, concurrency, stop), false);
    }

    /**
     * The graph of all relationships of the given graphs.
     *
     * @param graphs graphs with weights, at least one, all over the same vertices
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static WeightedCsc union(List<WeightedCsc> graphs, int concurrency, Stop stop) {
        Columns union = CscOperations.union(graphs, concurrency, stop);
        return new WeightedCsc(union, union.values(), true);
    }

    /**
     * Checks that the relationships are the edges of a graph, each of them once or several times.
     *
     * @throws IllegalStateException for the first column that has others
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void validateEdges(Csc graph, int concurrency, Stop stop) {
        if (rowIndices() == graph.rowIndices() && columnPointers() == graph.columnPointers()) {
            return;
        }
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                long edge = graph.columnStart(column) - 1;
                boolean same = true;
                for (long index = columnStart(column); index < columnEnd(column) && same; index++) {
                    paced.worked(1);
                    int row = rowIndices().get(index);
                    boolean parallel = edge >= graph.columnStart(column)
                            && graph.rowIndices().get(edge) == row;
                    same = parallel
                            || (++edge < graph.columnEnd(column)
                                    && graph.rowIndices().get(edge) == row);
                }
                if (!same || edge + 1 != graph.columnEnd(column)) {
                    throw new IllegalStateException(
                            "the relationships with weights must be those of their type: column=" + column);
                }
            }
        });
    }

    @Override
    void validateColumn(int column, PacedStop paced) {
        DoublePages weights = weights();
        for (long index = columnStart(column); index < columnEnd(column); index++) {
            paced.worked(1);
            int row = rowIndices().get(index);
            boolean first = index == columnStart(column);
            int order = first ? -1 : Integer.compare(rowIndices().get(index - 1), row);
            if (order == 0 && weights != null) {
                order = Double.compare(weights.get(index - 1), weights.get(index));
            }
            if (order > 0 || row == column || row < 0 || row >= vertexCount()) {
                throw new IllegalStateException("entries must ascend by row and weight, without the column itself:"
                        + " column=" + column + ", index=" + index + ", row=" + row);
            }
        }
    }
}
