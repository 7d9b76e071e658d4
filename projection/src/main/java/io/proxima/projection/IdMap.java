// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapPart;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.ProjectionException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The mapping between the vertices of a projection and their Neo4j nodes. Vertices are 0 to size() - 1, in ascending
 * order of their neo4jId. Immutable and thread-safe.
 *
 * <p>The map has one of three forms, depending on the span of the ids (last - first + 1) and their number:
 *
 * <ul>
 * <li>span = number: the ids are consecutive; no array at all
 * <li>span at most 32 times the number: a bitmap of the span with ranks, {@code long[2 * ceil(span / 64)]}, word and
 *     rank side by side; a look-up touches one cache line
 *   <li>else a directory into the ascending ids, {@code int[about number / 4]}: the first vertex of each stretch of
 *       2^directoryShift ids; looking up is a binary search within a stretch
 * </ul>
 *
 * In the latter two the ids are kept as well, {@code long[size]}.
 */
public final class IdMap {

    /** The result of {@link #toVertex} for a node outside the projection. */
    public static final int ABSENT = -1;

    /** At this span the bitmap is as large as the ids: 16 bytes for 64 ids of the span, 8 bytes an id. */
    private static final int BITMAP_SPAN_FACTOR = 32;

    static final int IDS_PER_DIRECTORY_ENTRY = 4;
    private static final int SORT_GRAIN = 1 << 10;

    private final int size;
    private final long first;
    private final long last;

    /** Ascending, by vertex; null if the ids are consecutive. */
    private final long[] neo4jIds;

    /**
     * Element 2k holds the bits of the ids from first + 64 k, element 2k + 1 the number of ids before these; or null.
     */
    private final long[] bitmap;

    /** First vertex of each stretch of 2^directoryShift ids, and after the last the size; or null. */
    private final int[] directory;

    private final int directoryShift;

    private IdMap(
            int size, long first, long last, long[] neo4jIds, long[] bitmap, int[] directory, int directoryShift) {
        this.size = size;
        this.first = first;
        this.last = last;
        this.neo4jIds = neo4jIds;
        this.bitmap = bitmap;
        this.directory = directory;
        this.directoryShift = directoryShift;
    }

    /**
     * Creates the map of the given nodes.
     *
     * @param neo4jIds strictly ascending and not negative; not copied, and must not be changed afterwards
     */
    public static IdMap of(long[] neo4jIds) {
        return of(neo4jIds, Stop.NEVER);
    }

    /**
     * Creates the map of the given nodes.
     *
     * @param neo4jIds strictly ascending and not negative; not copied, and must not be changed afterwards
     * @throws IllegalArgumentException for the first id that is not so
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static IdMap of(long[] neo4jIds, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int size = neo4jIds.length;
        for (int vertex = 0; vertex < size; vertex++) {
            paced.worked(1);
            if (neo4jIds[vertex] < 0 || (vertex > 0 && neo4jIds[vertex - 1] >= neo4jIds[vertex])) {
                throw new IllegalArgumentException("neo4jIds must ascend strictly and not be negative: vertex=" + vertex
                        + ", neo4jId=" + neo4jIds[vertex]);
            }
        }
        if (size == 0) {
            return consecutive(0, 0);
        }
        long first = neo4jIds[0];
        long last = neo4jIds[size - 1];
        if (last - first == size - 1) {
            return consecutive(first, size);
        }
        if (isDense(first, last, size)) {
            long[] bitmap = emptyBitmap(first, last);
            for (long id : neo4jIds) {
                mark(bitmap, id - first);
                paced.worked(1);
            }
            rank(bitmap, paced);
            return new IdMap(size, first, last, neo4jIds, bitmap, null, 0);
        }
        int shift = directoryShift(first, last, size);
        int[] directory = new int[(int) ((last - first) >>> shift) + 2];
        for (long id : neo4jIds) {
            directory[(int) ((id - first) >>> shift) + 1]++;
            paced.worked(1);
        }
        for (int i = 1; i < directory.length; i++) {
            paced.worked(1);
            directory[i] += directory[i - 1];
        }
        return new IdMap(size, first, last, neo4jIds, null, directory, shift);
    }

    /**
     * Creates the map of the nodes {@code first} to {@code first + size - 1}.
     *
     * @param first neo4jId of vertex 0, not negative
     * @param size number of vertices
     */
    public static IdMap consecutive(long first, int size) {
        return new IdMap(size, first, first + size - 1, null, null, null, 0);
    }

    /**
     * Creates the map of all nodes in the lists, in any order and with duplicates.
     *
     * @throws ProjectionException if there are more than {@link Csc#MAX_VERTICES}
     */
    static IdMap of(List<LongPages> lists, int concurrency, Stop stop) {
        long count = 0;
        long first = Long.MAX_VALUE;
        long last = -1;
        for (LongPages list : lists) {
            count += list.length();
            for (int chunk = 0; chunk < list.pageCount(); chunk++) {
                stop.check();
                long[] ids = list.page(chunk);
                for (int i = 0; i < list.pageLength(chunk); i++) {
                    first = Math.min(first, ids[i]);
                    last = Math.max(last, ids[i]);
                }
            }
        }
        if (count == 0) {
            return consecutive(0, 0);
        }
        if (first < 0) {
            throw new IllegalArgumentException("a neo4jId must not be negative: neo4jId=" + first);
        }
        return isDense(first, last, count)
                ? ofDense(lists, first, last, stop)
                : of(sortedUnique(lists, count, first, last, concurrency, stop), stop);
    }

    private static IdMap ofDense(List<LongPages> lists, long first, long last, Stop stop) {
        long[] bitmap = emptyBitmap(first, last);
        LongPages.forPages(lists, stop, (ids, length) -> {
            for (int i = 0; i < length; i++) {
                mark(bitmap, ids[i] - first);
            }
        });
        PacedStop paced = new PacedStop(stop);
        int size = checkedSize(rank(bitmap, paced));
        if (last - first == size - 1) {
            return consecutive(first, size);
        }
        stop.check();
        long[] ids = new long[size];
        int vertex = 0;
        for (int k = 0; k < bitmap.length; k += 2) {
            long base = first + ((long) k << 5);
            paced.worked(Long.SIZE);
            for (long bits = bitmap[k]; bits != 0; bits &= bits - 1) {
                ids[vertex++] = base + Long.numberOfTrailingZeros(bits);
            }
        }
        return new IdMap(size, first, last, ids, bitmap, null, 0);
    }

    /**
     * Distributes the ids over stretches of equal span, then sorts each stretch. All steps are short, so a stop takes
     * effect soon.
     */
    private static long[] sortedUnique(
            List<LongPages> lists, long idCount, long first, long last, int concurrency, Stop stop) {
        int length = checkedSize(idCount);
        int shift = directoryShift(first, last, length);
        int stretches = (int) ((last - first) >>> shift) + 1;
        int[] ends = new int[stretches + 1];
        LongPages.forPages(lists, stop, (ids, count) -> {
            for (int i = 0; i < count; i++) {
                ends[(int) ((ids[i] - first) >>> shift) + 1]++;
            }
        });
        PacedStop paced = new PacedStop(stop);
        for (int stretch = 0; stretch < stretches; stretch++) {
            paced.worked(1);
            ends[stretch + 1] += ends[stretch];
        }
        long[] sorted = new long[length];
        int[] next = Arrays.copyOf(ends, stretches);
        LongPages.forPages(lists, stop, (ids, count) -> {
            for (int i = 0; i < count; i++) {
                sorted[next[(int) ((ids[i] - first) >>> shift)]++] = ids[i];
            }
        });
        Workers.forRanges(concurrency, stretches, SORT_GRAIN, stop, (worker, from, to) -> {
            for (int stretch = (int) from; stretch < to; stretch++) {
                Arrays.sort(sorted, ends[stretch], ends[stretch + 1]);
            }
        });
        int kept = 1;
        for (int i = 1; i < length; i++) {
            paced.worked(1);
            if (sorted[i] != sorted[i - 1]) {
                sorted[kept++] = sorted[i];
            }
        }
        return kept == length ? sorted : Arrays.copyOf(sorted, kept);
    }

    static int checkedSize(long size) {
        if (size > Csc.MAX_VERTICES) {
            throw new ProjectionException("The projection has " + size + " nodes; at most " + Csc.MAX_VERTICES
                    + " are possible. Project fewer labels.");
        }
        return (int) size;
    }

    static boolean isDense(long first, long last, long count) {
        return (last - first) / BITMAP_SPAN_FACTOR < count && (last - first) >>> 6 < Csc.MAX_VERTICES / 2;
    }

    private static long[] emptyBitmap(long first, long last) {
        return new long[2 * ((int) ((last - first) >>> 6) + 1)];
    }

    private static void mark(long[] bitmap, long offset) {
        bitmap[(int) (offset >>> 6) << 1] |= 1L << offset;
    }

    private static long rank(long[] bitmap, PacedStop paced) {
        long rank = 0;
        for (int k = 0; k < bitmap.length; k += 2) {
            paced.worked(1);
            bitmap[k + 1] = rank;
            rank += Long.bitCount(bitmap[k]);
        }
        return rank;
    }

    /** The smallest shift that results in at most count / 4 + 1 stretches. */
    private static int directoryShift(long first, long last, int count) {
        int shift = 0;
        while ((last - first) >>> shift > count / IDS_PER_DIRECTORY_ENTRY) {
            shift++;
        }
        return shift;
    }

    /** Number of vertices. */
    public int size() {
        return size;
    }

    /** The neo4jId of a vertex. */
    public long toNeo4jId(int vertex) {
        return neo4jIds == null ? first + Objects.checkIndex(vertex, size) : neo4jIds[vertex];
    }

    /** The vertex of a neo4jId, or {@link #ABSENT} if the node is not projected; any long is allowed. */
    public int toVertex(long neo4jId) {
        if (neo4jId < first || neo4jId > last) {
            return ABSENT;
        }
        long offset = neo4jId - first;
        if (bitmap != null) {
            int k = (int) (offset >>> 6) << 1;
            long bits = bitmap[k];
            long bit = 1L << offset;
            return (bits & bit) == 0 ? ABSENT : (int) bitmap[k + 1] + Long.bitCount(bits & (bit - 1));
        }
        if (directory == null) {
            return (int) offset;
        }
        int stretch = (int) (offset >>> directoryShift);
        int vertex = Arrays.binarySearch(neo4jIds, directory[stretch], directory[stretch + 1], neo4jId);
        return vertex < 0 ? ABSENT : vertex;
    }

    /**
     * Creates the map of some of the vertices.
     *
     * @param vertices strictly ascending
     */
    IdMap select(int[] vertices, Stop stop) {
        long[] ids = new long[vertices.length];
        PacedStop paced = new PacedStop(stop);
        for (int i = 0; i < ids.length; i++) {
            ids[i] = toNeo4jId(vertices[i]);
            paced.worked(1);
        }
        return of(ids, stop);
    }

    /** The maximum of {@link #bytes} for the given number of vertices; it is 0 if the ids are consecutive. */
    public static long mostBytes(long size) {
        return 2 * (size + 1) * Long.BYTES;
    }

    /** The arrays, as one part. */
    public HeapPart heapPart() {
        return new HeapPart(this, bytes());
    }

    /** Bytes of the arrays. */
    public long bytes() {
        return (neo4jIds == null ? 0 : (long) neo4jIds.length * Long.BYTES)
                + (bitmap == null ? 0 : (long) bitmap.length * Long.BYTES)
                + (directory == null ? 0 : (long) directory.length * Integer.BYTES);
    }
}
