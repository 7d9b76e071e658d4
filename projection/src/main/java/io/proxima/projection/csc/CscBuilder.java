// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.CscAssembly.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Builds a {@link Csc}, and a {@link WeightedCsc} for each property, from edges that several workers add at once, in
 * any order. Duplicates and loops are allowed.
 *
 * <p>Method: a two-level sort. Columns are divided into ranges of a power of two. A worker appends each added edge to
 * its own list for the range of the edge's column. {@link #build} then sorts each range in memory that stays in cache.
 * No two threads ever write to the same array while edges are read.
 *
 * <p>An edge is stored as one int if it has no values, and if a vertex and the position of a column within its range
 * fit into 32 bits together. This holds for up to four million vertices, if there are enough edges for the required
 * number of ranges. Otherwise it is stored as two ints, and two for each value. Under UNDIRECTED an edge is stored
 * twice.
 *
 * <p>Memory: the ints of each added edge, until its range has been built, and 2 KiB for each range and adding thread.
 * The entries found so far, and one array of them more when the result is assembled. Each building thread also takes 16
 * bytes for each edge of its range, with values 20 bytes and the values; unless an edge is one int, 4 bytes for each
 * column of the range, and a bit for each vertex to sort a long column without values.
 */
public final class CscBuilder {

    private static final int MAX_RANGES = 4096;

    /** The minimum average number of edges of a range if ranges are made smaller so that edges fit into an int. */
    private static final int MIN_EDGES_PER_RANGE = 1 << 12;

    /** Ints of a chunk at least. One chunk for each range stays in cache while edges are added. */
    private static final int CHUNK = 512;

    /** Bytes of a chunk beside its ints while it is filled: its length, its range's list and the size of that list. */
    private static final int OPEN_CHUNK_OVERHEAD = 32;

    /** Bytes of a full chunk beside its ints: an array header, and its element in a list that is up to half empty. */
    private static final int FULL_CHUNK_OVERHEAD = 32;

    /** Chunks between two stop checks. */
    private static final int CHUNKS_MASK = (1 << 4) - 1;

    /** Entries between two stop checks. */
    private static final int ENTRIES_MASK = (1 << 16) - 1;

    private final Orientation orientation;
    private final Shape shape;
    private final List<EdgeValue> values;
    private final boolean keepsParallel;
    private final int pageShift;
    private final int maxLength;
    private final EdgeBuffer[] buffers;

    /** For each range, its parts that are not built. Guarded by this. */
    private final int[] partsLeft;

    /**
     * Creates a builder of edges without values.
     *
     * @param vertexCount vertices are 0 to vertexCount - 1
     * @param orientation how an added edge becomes entries
     * @param workers number of buffers, one for each thread that adds edges
     * @param expectedEdges the approximate number of edges; affects only speed
     */
    public CscBuilder(int vertexCount, Orientation orientation, int workers, long expectedEdges) {
        this(vertexCount, orientation, List.of(), workers, expectedEdges, IntPages.DEFAULT_PAGE_SHIFT);
    }

    /** A builder of edges with a value for each of {@code values}: all keep parallel edges, or none does. */
    public CscBuilder(
            int vertexCount,
            Orientation orientation,
            List<EdgeValue> values,
            int workers,
            long expectedEdges,
            int pageShift) {
        this(vertexCount, orientation, values, workers, expectedEdges, pageShift, CscAssembly.MAX_ARRAY_LENGTH);
    }

    /** A builder whose arrays have at most {@code maxLength} entries. */
    public CscBuilder(
            int vertexCount,
            Orientation orientation,
            List<EdgeValue> values,
            int workers,
            long expectedEdges,
            int pageShift,
            int maxLength) {
        if (vertexCount < 0 || vertexCount > Csc.MAX_VERTICES || workers < 1) {
            throw new IllegalArgumentException("vertexCount must be 0 to " + Csc.MAX_VERTICES
                    + " and workers at least 1: vertexCount=" + vertexCount + ", workers=" + workers);
        }
        this.orientation = orientation;
        this.shape = Shape.of(vertexCount, expectedEdges, values.size());
        this.values = values;
        this.keepsParallel = values.stream().anyMatch(value -> value.aggregation == Aggregation.NONE);
        this.pageShift = pageShift;
        this.maxLength = maxLength;
        this.partsLeft = new int[shape.rangeCount];
        this.buffers = new EdgeBuffer[workers];
        int[] places = values.stream().mapToInt(EdgeValue::place).toArray();
        Arrays.setAll(buffers, worker -> new EdgeBuffer(orientation, shape, places));
    }

    /**
     * A value of every edge.
     *
     * @param aggregation how the values of parallel edges become one
     * @param place the place of the property among those that are passed with edges
     */
    public record EdgeValue(Aggregation aggregation, int place) {}

    /**
     * How columns are divided, and edges are stored.
     *
     * @param rangeShift a range has 2^rangeShift columns
     * @param rowBits bits of a vertex
     * @param packed whether an edge is one int, its row in the lower {@code rowBits}; otherwise column, row, and two
     *     ints for each value
     * @param edgeInts ints of an edge
     * @param chunk ints of a chunk
     */
    private record Shape(
            int vertexCount, int rangeShift, int rangeCount, int rowBits, boolean packed, int edgeInts, int chunk) {

        static Shape of(int vertexCount, long expectedEdges, int values) {
            int rowBits = CscAssembly.bits(vertexCount);
            int shift = CscAssembly.rangeShift(vertexCount, expectedEdges, MAX_RANGES);
            int packedShift = Math.min(shift, Integer.SIZE - rowBits);
            long most = Math.max(1, Math.min(MAX_RANGES, expectedEdges / MIN_EDGES_PER_RANGE));
            boolean packed = values == 0 && CscAssembly.rangeCount(vertexCount, packedShift) <= most;
            if (packed) {
                shift = packedShift;
            }
            int ints = packed ? 1 : 2 + 2 * values;
            int chunk = ints * Math.max(1, CHUNK / ints);
            return new Shape(
                    vertexCount, shift, CscAssembly.rangeCount(vertexCount, shift), rowBits, packed, ints, chunk);
        }
    }

    /**
     * Heap of a builder after all edges have been added, of its {@link #build} at the peak, including the result, and
     * of the result. Duplicates count like other edges. A graph whose edges mostly start at a few vertices takes the
     * most, because the edges of one range are sorted together.
     *
     * @param vertexCount number of vertices
     * @param orientation how an added edge becomes entries
     * @param workers number of buffers
     * @param edges the number of added edges, as expected
     * @param values number of values of an edge
     */
    public static BuildMemory memory(int vertexCount, Orientation orientation, int workers, long edges, int values) {
        Shape shape = Shape.of(vertexCount, edges, values);
        long entries = orientation == Orientation.UNDIRECTED ? 2 * edges : edges;
        long ints = entries * shape.edgeInts;
        long openInts = (long) workers * shape.rangeCount * shape.chunk;
        long open = openInts * Integer.BYTES + (long) workers * shape.rangeCount * OPEN_CHUNK_OVERHEAD;
        long fullLeast = Math.max(0, ints - openInts) * Integer.BYTES;
        long fullMost = ints * Integer.BYTES + ints / CHUNK * FULL_CHUNK_OVERHEAD;
        long pointers = Csc.bytes(vertexCount, 0);
        long result = entries * (Integer.BYTES + (long) values * Double.BYTES);
        long assembled = pointers + result + entries * (values == 0 ? Integer.BYTES : Double.BYTES);
        long least = open + Math.max(assembled, fullLeast + pointers);
        long most;
        if (shape.packed) {
            long keys = 2L * Integer.BYTES * entries;
            long evenKeys = keys / Math.max(1, shape.rangeCount);
            least += evenKeys;
            most = open + Math.max(assembled + evenKeys * workers, fullMost + keys + pointers);
        } else if (values == 0) {
            most = open + Math.max(assembled, fullMost + pointers);
        } else {
            // a column that has all entries; pointers of parallel relationships, and of distinct ones
            long sorted = pointers + result + Math.max(fullMost, ColumnSorter.BYTES_PER_ENTRY * entries);
            most = open + pointers + Math.max(assembled, sorted);
        }
        if (!shape.packed) {
            long places = Integer.BYTES * Math.min(vertexCount, 1L << shape.rangeShift);
            long marks = values == 0 ? VertexBits.bytes(vertexCount) : 0;
            least += places;
            most += (places + marks) * Math.min(workers, shape.rangeCount);
        }
        return new BuildMemory(
                MemoryTree.between("edges added", open + fullLeast, open + fullMost),
                MemoryTree.between("edges sorted and put together", least, most),
                heldMemory(vertexCount, entries, values));
    }

    /** Heap of the graphs of edges with so many values. */
    public static MemoryTree heldMemory(int vertexCount, long entries, int values) {
        long graph = Csc.bytes(vertexCount, entries);
        long weights = values * WeightedCsc.weightBytes(entries);
        // lists of their own, if some relationships are parallel
        return MemoryTree.between("relationships", graph + weights, graph + weights + (values == 0 ? 0 : graph));
    }

    /**
     * The buffer of one worker, from 0 (inclusive) to the number of workers (exclusive); one thread at a time adds to
     * it.
     */
    public EdgeBuffer buffer(int worker) {
        return buffers[worker];
    }

    /**
     * The graphs of the added edges.
     *
     * @param graph the distinct edges
     * @param weights for each value the edges with it
     */
    public record Built(Csc graph, List<WeightedCsc> weights) {}

    /**
     * Builds the graph of all added edges; to be called once, after the last edge. Edges are freed as they are used.
     *
     * @param concurrency number of building threads, at least 1
     * @param stop requests the work to end early
     * @return the graph, marked symmetric if the orientation is UNDIRECTED
     * @throws ProjectionException if a column has more than 2^31 edges before duplicates are removed, or, of a graph of
     *     up to 2^22 vertices, a range of columns
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc build(int concurrency, Stop stop) {
        return build(concurrency, stop, Progress.NONE).graph;
    }

    /** Like {@link #build(int, Stop)}, with the values; also advances the progress once for each column. */
    public Built build(int concurrency, Stop stop, Progress progress) {
        RangeSorter[] sorters = new RangeSorter[concurrency];
        Arrays.setAll(sorters, worker -> new RangeSorter(stop));
        List<Range> ranges = ranges(stop);
        AtomicBoolean anyParallel = new AtomicBoolean();
        Columns entries =
                CscAssembly.assemble(ranges, values.size(), pageShift, concurrency, stop, (worker, range, degrees) -> {
                    if (sorters[worker].fill(range, degrees)) {
                        anyParallel.set(true);
                    }
                    progress.advance((long) range.to - range.from);
                });
        Columns distinct = anyParallel.get() ? CscOperations.distinct(entries, concurrency, stop) : entries;
        return new Built(
                new Csc(distinct, orientation == Orientation.UNDIRECTED),
                entries.values().stream()
                        .map(weights -> new WeightedCsc(entries, weights))
                        .toList());
    }

    /**
     * The ranges. One of more edges than an array can hold is divided, unless edges are packed: hubs lie side by side
     * if columns are in descending order of their degrees.
     */
    private List<Range> ranges(Stop stop) {
        List<Range> ranges = new ArrayList<>();
        for (int number = 0; number < shape.rangeCount; number++) {
            int before = ranges.size();
            Range range = CscAssembly.range(shape.vertexCount, number, shape.rangeShift, edges(number));
            if (shape.packed || range.edges <= maxLength) {
                ranges.add(range);
            } else {
                divide(number, range, ranges, stop);
            }
            partsLeft[number] = ranges.size() - before;
        }
        return ranges;
    }

    private void divide(int number, Range range, List<Range> parts, Stop stop) {
        long[] counts = new long[range.to - range.from];
        forChunks(number, stop, (edges, start, end) -> {
            for (int i = start; i < end; i += shape.edgeInts) {
                counts[edges[i] - range.from]++;
            }
        });
        int from = range.from;
        long length = 0;
        for (int column = range.from; column < range.to; column++) {
            if (length > 0 && length + counts[column - range.from] > maxLength) {
                parts.add(new Range(from, column, length));
                from = column;
                length = 0;
            }
            length += counts[column - range.from];
        }
        parts.add(new Range(from, range.to, length));
    }

    private long edges(int range) {
        long ints = 0;
        for (EdgeBuffer buffer : buffers) {
            ints += buffer.ints(range);
        }
        return ints / shape.edgeInts;
    }

    /** The work on the edges of a chunk, {@code edges[start..end)}. */
    @FunctionalInterface
    interface ChunkTask {
        void run(int[] edges, int start, int end);
    }

    private void forChunks(int range, Stop stop, ChunkTask task) {
        for (EdgeBuffer buffer : buffers) {
            for (int number = 0; number < buffer.fullCount[range]; number++) {
                if ((number & CHUNKS_MASK) == 0) {
                    stop.check();
                }
                task.run(buffer.full[range][number], 0, shape.chunk);
            }
            int start = range * shape.chunk;
            task.run(buffer.open, start, start + buffer.openLength[range]);
        }
    }

    /** Frees the edges of a range after its last part has been read. */
    private synchronized void releasePart(int range) {
        if (--partsLeft[range] == 0) {
            for (EdgeBuffer buffer : buffers) {
                buffer.full[range] = null;
            }
        }
    }

    /** Sorts ranges, one after another. Not thread-safe: each worker has its own. */
    private final class RangeSorter {
        private final Stop stop;
        private final PacedStop paced;
        private final ColumnSorter columnSorter;
        private final EdgeSorter edgeSorter = shape.packed ? new EdgeSorter(shape.rowBits, shape.rangeShift) : null;

        /** For each column of the range its number of edges, then the place of the next, unless edges are packed. */
        private int[] next = new int[0];

        RangeSorter(Stop stop) {
            this.stop = stop;
            this.paced = new PacedStop(stop);
            this.columnSorter = new ColumnSorter(shape.vertexCount, stop);
        }

        /** Fills a range as {@link CscAssembly.Filler}; returns whether parallel edges were kept. */
        boolean fill(Range range, long[] degrees) {
            int number = range.from >>> shape.rangeShift;
            if (!shape.packed) {
                return sortColumns(number, range, degrees);
            }
            range.allocate(sort(number, range), 0);
            list(edgeSorter.sorted(), range, degrees);
            edgeSorter.end();
            return false;
        }

        /** Sorts packed edges; returns the number of distinct ones. */
        private int sort(int number, Range range) {
            edgeSorter.begin(CscAssembly.checkedLength(range.edges, range.from, range.to));
            forChunks(number, stop, edgeSorter::count);
            edgeSorter.beginScatter();
            forChunks(number, stop, edgeSorter::scatter);
            releasePart(number);
            return edgeSorter.sortUnique(stop);
        }

        private void list(int[] sorted, Range range, long[] degrees) {
            int[] rows = range.rows;
            int rowMask = (1 << shape.rowBits) - 1;
            for (int i = 0; i < rows.length; i++) {
                if ((i & ENTRIES_MASK) == 0) {
                    stop.check();
                }
                rows[i] = sorted[i] & rowMask;
                degrees[range.from + 1 + (sorted[i] >>> shape.rowBits)]++;
            }
            range.length = rows.length;
        }

        /** Puts edges into their columns, and sorts each column; returns whether parallel edges were kept. */
        private boolean sortColumns(int number, Range range, long[] degrees) {
            if (next.length < range.to - range.from) {
                next = new int[range.to - range.from];
            }
            Arrays.fill(next, 0);
            range.allocate(range.edges, values.size());
            forChunks(number, stop, (edges, from, to) -> count(edges, from, to, range.from, range.to - range.from));
            RadixSort.beginPlaces(next);
            forChunks(number, stop, (edges, from, to) -> scatter(edges, from, to, range));
            releasePart(number);
            boolean parallel = false;
            int start = 0;
            for (int column = range.from; column < range.to; column++) {
                int end = next[column - range.from];
                if (values.isEmpty()) {
                    range.length = columnSorter.sortUnique(range.rows, start, end, range.length);
                } else {
                    parallel |= columnSorter.sort(range.rows, range.values, start, end);
                    if (keepsParallel) {
                        range.length = end;
                    } else {
                        aggregate(range, start, end);
                    }
                }
                range.endColumn(column, degrees);
                start = end;
            }
            return parallel && keepsParallel;
        }

        private void count(int[] edges, int start, int end, int firstColumn, int columns) {
            for (int i = start; i < end; i += shape.edgeInts) {
                int column = edges[i] - firstColumn;
                if (Integer.compareUnsigned(column, columns) < 0) {
                    next[column]++;
                }
            }
        }

        private void scatter(int[] edges, int start, int end, Range range) {
            int[] rows = range.rows;
            int columns = range.to - range.from;
            for (int i = start; i < end; i += shape.edgeInts) {
                int column = edges[i] - range.from;
                if (Integer.compareUnsigned(column, columns) < 0) {
                    int place = next[column]++;
                    rows[place] = edges[i + 1];
                    int at = i + 2;
                    for (double[] ofKind : range.values) {
                        ofKind[place] = Double.longBitsToDouble(
                                (long) edges[at + 1] << Integer.SIZE | Integer.toUnsignedLong(edges[at]));
                        at += 2;
                    }
                }
            }
        }

        /** Appends one entry for each row of a sorted column. */
        private void aggregate(Range range, int start, int end) {
            int write = range.length;
            for (int i = start; i < end; ) {
                int endOfRow = ColumnSorter.endOfRow(range.rows, i, end);
                paced.worked((long) endOfRow - i);
                range.rows[write] = range.rows[i];
                for (int value = 0; value < range.values.length; value++) {
                    double[] ofKind = range.values[value];
                    ofKind[write] = values.get(value).aggregation.of(ofKind, i, endOfRow);
                }
                write++;
                i = endOfRow;
            }
            range.length = write;
        }
    }

    /** The edges of one worker. Not thread-safe. */
    public static final class EdgeBuffer {
        private final boolean forward;
        private final boolean backward;
        private final int rangeShift;
        private final int rowBits;
        private final boolean packed;
        private final int columnMask;
        private final int chunk;

        /** For each value of the builder its place among those that are passed with edges. */
        private final int[] places;

        /** For each range r, from r * chunk on, the chunk that is being filled, and its current length. */
        private final int[] open;

        private final int[] openLength;

        /** For each range, the full chunks. */
        private final int[][][] full;

        private final int[] fullCount;

        private EdgeBuffer(Orientation orientation, Shape shape, int[] places) {
            this.places = places;
            this.forward = orientation != Orientation.REVERSE;
            this.backward = orientation != Orientation.NATURAL;
            this.rangeShift = shape.rangeShift;
            this.rowBits = shape.rowBits;
            this.packed = shape.packed;
            this.columnMask = (1 << shape.rangeShift) - 1;
            this.chunk = shape.chunk;
            this.open = new int[shape.rangeCount * shape.chunk];
            this.openLength = new int[shape.rangeCount];
            this.full = new int[shape.rangeCount][][];
            Arrays.fill(full, new int[0][]);
            this.fullCount = new int[shape.rangeCount];
        }

        /**
         * Adds an edge, which has no values, in the orientation of the builder. Loops are left out.
         *
         * @param source vertex
         * @param target vertex
         */
        public void add(int source, int target) {
            add(source, target, null, 0);
        }

        /**
         * Adds an edge with the values of the builder, if it has any.
         *
         * @param of for each of some properties the values of several edges
         * @param i the place of the edge's values
         */
        public void add(int source, int target, double[][] of, int i) {
            if (source == target) {
                return;
            }
            if (forward) {
                append(source, target, of, i);
            }
            if (backward) {
                append(target, source, of, i);
            }
        }

        /** Whether a value of the builder is the property at a place. */
        public boolean takes(int property) {
            return IntStream.of(places).anyMatch(place -> place == property);
        }

        private void append(int column, int row, double[][] of, int i) {
            int range = column >>> rangeShift;
            int place = range * chunk + openLength[range];
            if (packed) {
                open[place++] = (column & columnMask) << rowBits | row;
            } else {
                open[place++] = column;
                open[place++] = row;
                for (int property : places) {
                    long bits = Double.doubleToRawLongBits(of[property][i]);
                    open[place++] = (int) bits;
                    open[place++] = (int) (bits >>> Integer.SIZE);
                }
            }
            end(range, place - range * chunk);
        }

        /** Ends an edge, after which the open chunk of the range has so many ints. */
        private void end(int range, int length) {
            if (length < chunk) {
                openLength[range] = length;
                return;
            }
            openLength[range] = 0;
            if (fullCount[range] == full[range].length) {
                full[range] = Arrays.copyOf(full[range], Math.max(4, fullCount[range] * 2));
            }
            full[range][fullCount[range]++] = Arrays.copyOfRange(open, range * chunk, (range + 1) * chunk);
        }

        private long ints(int range) {
            return (long) fullCount[range] * chunk + openLength[range];
        }
    }
}
