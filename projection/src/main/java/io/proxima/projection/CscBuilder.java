// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Builds a {@link Csc} from edges that several workers add at once, in any order. Duplicates and loops are allowed.
 *
 * <p>Method: a two-level sort. Columns are divided into ranges of a power of two. A worker appends each added edge to
 * its own list for the range of the edge's column. {@link #build} then sorts each range in memory that stays in cache.
 * No two threads ever write to the same array while edges are read.
 *
 * <p>If a vertex and the position of a column within its range fit into 32 bits together, an edge is stored as one int,
 * and a whole range is sorted by {@link EdgeSorter}. This holds for up to four million vertices, if there are enough
 * edges for the required number of ranges. Under UNDIRECTED such an edge is stored once, and {@link UndirectedRanges}
 * creates both of its entries. Otherwise an edge is stored as two ints, twice under UNDIRECTED. A range is then sorted
 * by column through counting, and each column by {@link ColumnSorter}.
 *
 * <p>Memory: 4 bytes for each added edge if it is one int, otherwise 8 (16 under UNDIRECTED), until its range has been
 * built, and 2 KiB for each range and adding thread. 4 bytes for each entry found so far, and 4 more when the result is
 * assembled. If edges are one int, each building thread also takes 8 bytes for each edge of its range.
 *
 * <p>The class is long because both forms of an edge share the buffers, and the estimate follows their layout.
 */
public final class CscBuilder {

    private static final int MAX_RANGES = 4096;

    /** The minimum average number of edges of a range if ranges are made smaller so that edges fit into an int. */
    private static final int MIN_EDGES_PER_RANGE = 1 << 12;

    /**
     * Ints of a chunk; even, so that no pair is split. One chunk for each range stays in cache while edges are added.
     */
    private static final int CHUNK = 512;

    /** Bytes of a chunk beside its ints while it is filled: its length, its range's list and the size of that list. */
    private static final int OPEN_CHUNK_OVERHEAD = 32;

    /** Bytes of a full chunk beside its ints: an array header, and its element in a list that is up to half empty. */
    private static final int FULL_CHUNK_OVERHEAD = 32;

    private static final String SORTED = "edges sorted and put together";

    /** Chunks between two stop checks. */
    private static final int CHUNKS_MASK = (1 << 4) - 1;

    private final int vertexCount;
    private final Orientation orientation;
    private final int rangeShift;
    private final int rangeCount;
    private final int pageShift;

    /** Number of lower bits that hold the row of an edge that is one int; 0 if an edge is two ints, column first. */
    private final int rowBits;

    private final int maxLength;
    private final EdgeBuffer[] buffers;

    /** For each range of pairs, its parts that are not built. Guarded by this. */
    private final int[] partsLeft;

    /**
     * Creates a builder with pages of {@link IntPages#DEFAULT_PAGE_SHIFT}.
     *
     * @param vertexCount vertices are 0 to vertexCount - 1
     * @param orientation how an added edge becomes entries
     * @param workers number of buffers, one for each thread that adds edges
     * @param expectedEdges the approximate number of edges; affects only speed
     */
    public CscBuilder(int vertexCount, Orientation orientation, int workers, long expectedEdges) {
        this(vertexCount, orientation, workers, expectedEdges, IntPages.DEFAULT_PAGE_SHIFT);
    }

    CscBuilder(int vertexCount, Orientation orientation, int workers, long expectedEdges, int pageShift) {
        this(vertexCount, orientation, workers, expectedEdges, pageShift, CscAssembly.MAX_ARRAY_LENGTH);
    }

    /** A builder whose arrays have at most {@code maxLength} entries. */
    CscBuilder(
            int vertexCount, Orientation orientation, int workers, long expectedEdges, int pageShift, int maxLength) {
        if (vertexCount < 0 || vertexCount > Csc.MAX_VERTICES || workers < 1) {
            throw new IllegalArgumentException("vertexCount must be 0 to " + Csc.MAX_VERTICES
                    + " and workers at least 1: vertexCount=" + vertexCount + ", workers=" + workers);
        }
        this.vertexCount = vertexCount;
        this.orientation = orientation;
        Shape shape = Shape.of(vertexCount, expectedEdges);
        this.rangeShift = shape.rangeShift;
        this.rowBits = shape.rowBits;
        this.rangeCount = shape.rangeCount;
        this.pageShift = pageShift;
        this.maxLength = maxLength;
        this.partsLeft = new int[rangeCount];
        this.buffers = new EdgeBuffer[workers];
        for (int worker = 0; worker < workers; worker++) {
            buffers[worker] = new EdgeBuffer(orientation, rangeShift, rangeCount, rowBits);
        }
    }

    /**
     * How columns are divided.
     *
     * @param rangeShift a range has 2^rangeShift columns
     * @param rangeCount number of ranges
     * @param rowBits as {@link CscBuilder#rowBits}
     */
    private record Shape(int rangeShift, int rangeCount, int rowBits) {
        static Shape of(int vertexCount, long expectedEdges) {
            int vertexBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, vertexCount - 1));
            int wantedShift = CscAssembly.rangeShift(vertexCount, expectedEdges, MAX_RANGES);
            int packedShift = Math.min(wantedShift, Integer.SIZE - vertexBits);
            long manyRanges = Math.max(1, Math.min(MAX_RANGES, expectedEdges / MIN_EDGES_PER_RANGE));
            boolean packed = CscAssembly.rangeCount(vertexCount, packedShift) <= manyRanges;
            int shift = packed ? packedShift : wantedShift;
            return new Shape(shift, CscAssembly.rangeCount(vertexCount, shift), packed ? vertexBits : 0);
        }
    }

    /**
     * Heap of a builder after all edges have been added, and of its {@link #build} at the peak, including the result.
     * Duplicates count like other edges. A graph whose edges mostly start at a few vertices takes the most, because the
     * edges of one range are sorted together.
     *
     * @param vertexCount number of vertices
     * @param orientation how an added edge becomes entries
     * @param workers number of buffers
     * @param edges the number of added edges, as expected
     */
    public static BuildMemory memory(int vertexCount, Orientation orientation, int workers, long edges) {
        Shape shape = Shape.of(vertexCount, edges);
        boolean packed = shape.rowBits > 0;
        boolean undirected = orientation == Orientation.UNDIRECTED;
        long entries = undirected ? 2 * edges : edges;
        long ints = packed ? edges : 2 * entries;
        long openInts = (long) workers * shape.rangeCount * CHUNK;
        long open = openInts * Integer.BYTES + (long) workers * shape.rangeCount * OPEN_CHUNK_OVERHEAD;
        long fullLeast = Math.max(0, ints - openInts) * Integer.BYTES;
        long fullMost = ints * Integer.BYTES + ints / CHUNK * FULL_CHUNK_OVERHEAD;
        MemoryTree added = MemoryTree.between("edges added", open + fullLeast, open + fullMost);

        long pointers = (vertexCount + 1L) * Long.BYTES;
        // what was sorted, and the result
        long assembled = 2 * entries * Integer.BYTES + pointers;
        if (packed && undirected) {
            return new BuildMemory(added, MemoryTree.exactly(SORTED, Math.max(assembled, added.maxBytes())));
        }
        long evenSorter = packed ? 2L * Integer.BYTES * (edges / Math.max(1, shape.rangeCount)) : 0;
        long hubSorter = packed ? fullMost + 2 * edges * Integer.BYTES : fullMost;
        return new BuildMemory(
                added,
                MemoryTree.between(
                        SORTED,
                        open + Math.max(assembled, fullLeast + pointers) + evenSorter,
                        open + Math.max(assembled + evenSorter * workers, hubSorter + pointers)));
    }

    /**
     * Heap of a builder.
     *
     * @param added heap of the edges after all have been added
     * @param built peak heap of the edges and the build
     */
    public record BuildMemory(MemoryTree added, MemoryTree built) {}

    /** The buffer of one worker, from 0 (inclusive) to the number of workers (exclusive); one thread at a time adds to it. */
    public EdgeBuffer buffer(int worker) {
        return buffers[worker];
    }

    /**
     * Builds the graph of all added edges; to be called once, after the last edge. Edges are freed as they are used.
     *
     * @param concurrency number of building threads, at least 1
     * @param stop requests the work to end early
     * @return the graph, marked symmetric if the orientation is UNDIRECTED
     * @throws ProjectionException if a column has more than 2^31 edges before duplicates are removed, or, of a graph of up
     *     to 2^22 vertices, a range of columns
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc build(int concurrency, Stop stop) {
        return build(concurrency, stop, Progress.NONE);
    }

    /** Like {@link #build(int, Stop)}; also advances the progress once for each column. */
    Csc build(int concurrency, Stop stop, Progress progress) {
        if (isHalved()) {
            return buildHalved(concurrency, stop, progress);
        }
        RangeBuilder[] rangeBuilders = new RangeBuilder[concurrency];
        return CscAssembly.assemble(
                starts(stop),
                pageShift,
                orientation == Orientation.UNDIRECTED,
                concurrency,
                stop,
                (worker, part, from, to, degrees, shared) -> {
                    if (rangeBuilders[worker] == null) {
                        rangeBuilders[worker] = rowBits > 0 ? packedRanges() : pairedRanges();
                    }
                    int[] rows = rangeBuilders[worker].build(from >>> rangeShift, from, to, degrees, shared);
                    progress.advance((long) to - from);
                    return rows;
                });
    }

    /**
     * Where ranges begin, and the number of columns. A range of pairs that would not fit into an array is divided: hubs lie
     * side by side if columns are in descending order of their degrees.
     */
    private int[] starts(Stop stop) {
        IntStream.Builder starts = IntStream.builder();
        for (int range = 0; range < rangeCount; range++) {
            int from = range << rangeShift;
            starts.add(from);
            partsLeft[range] = 1;
            if (rowBits == 0 && edges(range) > maxLength) {
                divide(range, from, (int) Math.min(vertexCount, from + (1L << rangeShift)), starts, stop);
            }
        }
        return starts.add(vertexCount).build().toArray();
    }

    private void divide(int range, int from, int to, IntStream.Builder starts, Stop stop) {
        long[] counts = new long[to - from];
        forChunks(range, stop, (edges, start, end) -> {
            for (int i = start; i < end; i += 2) {
                counts[edges[i] - from]++;
            }
        });
        long length = 0;
        for (int column = from; column < to; column++) {
            int ofColumn = CscAssembly.checkedLength(counts[column - from], column, column + 1);
            if (length > 0 && length + ofColumn > maxLength) {
                starts.add(column);
                partsLeft[range]++;
                length = 0;
            }
            length += ofColumn;
        }
    }

    /** Whether the buffers hold each undirected edge only once, as (smaller vertex, larger vertex). */
    private boolean isHalved() {
        return orientation == Orientation.UNDIRECTED && rowBits > 0;
    }

    private Csc buildHalved(int concurrency, Stop stop, Progress progress) {
        UndirectedRanges ranges = new UndirectedRanges(rowBits, rangeShift, rangeCount);
        EdgeSorter[] sorters = new EdgeSorter[concurrency];
        Workers.forRanges(concurrency, rangeCount, 1, stop, (worker, index, end) -> {
            int range = (int) index;
            int from = range << rangeShift;
            int to = (int) Math.min(vertexCount, (index + 1) << rangeShift);
            if (sorters[worker] == null) {
                sorters[worker] = new EdgeSorter(rowBits, rangeShift);
            }
            int length = sort(sorters[worker], range, from, to, stop);
            ranges.put(range, sorters[worker].sorted(), length, stop);
            sorters[worker].end();
            progress.advance((to - from) / 2);
        });
        Arrays.fill(sorters, null);
        Arrays.fill(buffers, null);
        return CscAssembly.assemble(
                vertexCount,
                rangeShift,
                pageShift,
                true,
                concurrency,
                stop,
                (worker, range, from, to, degrees, shared) -> {
                    int[] rows = ranges.entries(range, from, to, degrees, shared);
                    progress.advance((to - from) - (to - from) / 2);
                    return rows;
                });
    }

    private int sort(EdgeSorter sorter, int range, int from, int to, Stop stop) {
        sorter.begin(CscAssembly.checkedLength(edges(range), from, to));
        forChunks(range, stop, sorter::count);
        sorter.beginScatter();
        forChunks(range, stop, sorter::scatter);
        release(range);
        return sorter.sortUnique(stop);
    }

    /** The work on the edges of a chunk, {@code edges[start..end)}. */
    @FunctionalInterface
    private interface ChunkTask {
        void run(int[] edges, int start, int end);
    }

    private void forChunks(int range, Stop stop, ChunkTask task) {
        for (EdgeBuffer buffer : buffers) {
            for (int chunk = 0; chunk < buffer.fullCount[range]; chunk++) {
                if ((chunk & CHUNKS_MASK) == 0) {
                    stop.check();
                }
                task.run(buffer.full[range][chunk], 0, CHUNK);
            }
            int start = range * CHUNK;
            task.run(buffer.open, start, start + buffer.openLength[range]);
        }
    }

    /** Frees the edges of a range after its last part is built. */
    private synchronized void releasePart(int range) {
        if (--partsLeft[range] == 0) {
            release(range);
        }
    }

    private void release(int range) {
        for (EdgeBuffer buffer : buffers) {
            buffer.full[range] = null;
        }
    }

    /** Sorts ranges, one after another, into lists without duplicates. Not thread-safe: each worker has its own. */
    @FunctionalInterface
    private interface RangeBuilder {
        int[] build(int range, int from, int to, long[] degrees, Stop stop);
    }

    private RangeBuilder packedRanges() {
        EdgeSorter sorter = new EdgeSorter(rowBits, rangeShift);
        int rowMask = (1 << rowBits) - 1;
        return (range, from, to, degrees, stop) -> {
            int[] rows = new int[sort(sorter, range, from, to, stop)];
            int[] sorted = sorter.sorted();
            for (int i = 0; i < rows.length; i++) {
                rows[i] = sorted[i] & rowMask;
            }
            sorter.degrees(from, to, degrees);
            sorter.end();
            return rows;
        };
    }

    private RangeBuilder pairedRanges() {
        ColumnSorter sorter = new ColumnSorter(vertexCount);
        int[] ends = new int[(int) Math.min(vertexCount, 1L << rangeShift)];
        return (range, from, to, degrees, stop) -> buildPairs(sorter, ends, range, from, to, degrees, stop);
    }

    private int[] buildPairs(ColumnSorter sorter, int[] ends, int range, int from, int to, long[] degrees, Stop stop) {
        Arrays.fill(ends, 0, to - from, 0);
        forChunks(range, stop, (edges, start, end) -> countPairs(edges, start, end, from, to, ends));
        int listEnd = 0;
        for (int column = 0; column < to - from; column++) {
            int count = ends[column];
            ends[column] = listEnd;
            listEnd += count;
        }
        int[] rows = new int[listEnd];
        forChunks(range, stop, (edges, start, end) -> scatterPairs(edges, start, end, from, to, ends, rows));
        releasePart(range);
        int listStart = 0;
        int kept = 0;
        for (int column = from; column < to; column++) {
            listEnd = ends[column - from];
            int degree = sorter.sortUnique(rows, listStart, listEnd, kept, stop);
            degrees[column + 1] = degree;
            kept += degree;
            listStart = listEnd;
        }
        return rows;
    }

    private static void countPairs(int[] edges, int start, int end, int from, int to, int[] counts) {
        for (int i = start; i < end; i += 2) {
            int column = edges[i] - from;
            if (Integer.compareUnsigned(column, to - from) < 0) {
                counts[column]++;
            }
        }
    }

    private static void scatterPairs(int[] edges, int start, int end, int from, int to, int[] next, int[] rows) {
        for (int i = start; i < end; i += 2) {
            int column = edges[i] - from;
            if (Integer.compareUnsigned(column, to - from) < 0) {
                rows[next[column]++] = edges[i + 1];
            }
        }
    }

    private long edges(int range) {
        long ints = 0;
        for (EdgeBuffer buffer : buffers) {
            ints += (long) buffer.fullCount[range] * CHUNK + buffer.openLength[range];
        }
        return rowBits > 0 ? ints : ints / 2;
    }

    /** The edges of one worker. Not thread-safe. */
    public static final class EdgeBuffer {
        private final boolean forward;
        private final boolean backward;
        private final boolean ascending;
        private final int rangeShift;
        private final int rowBits;
        private final int columnMask;

        /** For each range r, from r * CHUNK on, the chunk that is being filled, and its current length. */
        private final int[] open;

        private final int[] openLength;

        /** For each range, the full chunks. */
        private final int[][][] full;

        private final int[] fullCount;

        private EdgeBuffer(Orientation orientation, int rangeShift, int rangeCount, int rowBits) {
            this.ascending = orientation == Orientation.UNDIRECTED && rowBits > 0;
            this.forward = orientation != Orientation.REVERSE && !ascending;
            this.backward = orientation != Orientation.NATURAL && !ascending;
            this.rangeShift = rangeShift;
            this.rowBits = rowBits;
            this.columnMask = (1 << rangeShift) - 1;
            this.open = new int[rangeCount * CHUNK];
            this.openLength = new int[rangeCount];
            this.full = new int[rangeCount][][];
            Arrays.fill(full, new int[0][]);
            this.fullCount = new int[rangeCount];
        }

        /**
         * Adds an edge in the orientation of the builder. Loops are left out.
         *
         * @param source vertex
         * @param target vertex
         */
        public void add(int source, int target) {
            if (source == target) {
                return;
            }
            if (ascending) {
                append(Math.min(source, target), Math.max(source, target));
            }
            if (forward) {
                append(source, target);
            }
            if (backward) {
                append(target, source);
            }
        }

        private void append(int column, int row) {
            int range = column >>> rangeShift;
            int length = openLength[range];
            int place = range * CHUNK + length;
            if (rowBits > 0) {
                open[place] = (column & columnMask) << rowBits | row;
                length++;
            } else {
                open[place] = column;
                open[place + 1] = row;
                length += 2;
            }
            if (length == CHUNK) {
                close(range);
                length = 0;
            }
            openLength[range] = length;
        }

        private void close(int range) {
            if (fullCount[range] == full[range].length) {
                full[range] = Arrays.copyOf(full[range], Math.max(4, fullCount[range] * 2));
            }
            full[range][fullCount[range]++] = Arrays.copyOfRange(open, range * CHUNK, (range + 1) * CHUNK);
        }
    }
}
