// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceBatch;
import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;

/**
 * Distances from up to 64 sources to every vertex. A vertex has a row with an entry for each source: one byte while the
 * search is no deeper than 254 levels, then two bytes, then four. Row v begins at entry {@code v * sourceCount}; pages
 * hold whole rows.
 */
final class DistanceMatrix implements DistanceBatch, BitParallelSearch.Visitor {

    /** Small, since a page that becomes wider is there twice for a moment. */
    private static final int PAGE_ROWS_SHIFT = 13;

    private static final int PAGE_ROWS = 1 << PAGE_ROWS_SHIFT;

    /** The deepest level a byte holds: all bits set stand for unreached. */
    private static final int DEEPEST_IN_BYTE = 0xfe;

    private static final int DEEPEST_IN_SHORT = 0xfffe;

    private final int vertexCount;
    private final Stop stop;
    private int firstSource;
    private int sourceCount;
    private int level;
    private int depth;
    private byte[][] bytes;
    private short[][] shorts;
    private int[][] ints;

    DistanceMatrix(int vertexCount, Stop stop) {
        this.vertexCount = vertexCount;
        this.stop = stop;
    }

    /**
     * Heap of a matrix, by the depth of the search: a matrix whose entries become too narrow is copied to a wider one,
     * page by page.
     *
     * @param vertexCount number of vertices
     * @param sourceCount sources of a batch
     * @param deepest the deepest level that a search can reach
     */
    static MemoryTree memory(long vertexCount, int sourceCount, long deepest) {
        long entries = vertexCount * sourceCount;
        long entriesOfPage = Math.min(vertexCount, PAGE_ROWS) * sourceCount;
        long most = entries;
        if (deepest > DEEPEST_IN_BYTE) {
            most = entries * Short.BYTES + entriesOfPage;
        }
        if (deepest > DEEPEST_IN_SHORT) {
            most = entries * Integer.BYTES + entriesOfPage * Short.BYTES;
        }
        return MemoryTree.between("distances of " + sourceCount + " sources", entries, most);
    }

    /** Empties the matrix for the next batch. */
    void reset(int newFirstSource, int newSourceCount) {
        boolean sameShape = bytes != null && newSourceCount == sourceCount;
        firstSource = newFirstSource;
        sourceCount = newSourceCount;
        level = 0;
        depth = 0;
        shorts = null;
        ints = null;
        if (!sameShape) {
            bytes = new byte[pageCount()][];
            for (int page = 0; page < bytes.length; page++) {
                stop.check();
                bytes[page] = new byte[rowsOf(page) * sourceCount];
            }
        }
        for (byte[] page : bytes) {
            stop.check();
            Arrays.fill(page, (byte) -1);
        }
    }

    /** Makes room for a level. */
    @Override
    public void levelBegins(int begun) {
        level = begun;
        if (level == DEEPEST_IN_BYTE + 1) {
            shorts = new short[pageCount()][];
            for (int page = 0; page < shorts.length; page++) {
                stop.check();
                shorts[page] = widen(bytes[page]);
                bytes[page] = null;
            }
            bytes = null;
        } else if (level == DEEPEST_IN_SHORT + 1) {
            ints = new int[pageCount()][];
            for (int page = 0; page < ints.length; page++) {
                stop.check();
                ints[page] = widen(shorts[page]);
                shorts[page] = null;
            }
            shorts = null;
        }
    }

    /** Sets the current level as the distance of a vertex from several sources. */
    @Override
    public void reached(int vertex, long[] words, int base) {
        set(vertex, words[base]);
    }

    /** As {@link #reached}, for sources in one word. */
    void set(int vertex, long sources) {
        int page = vertex >>> PAGE_ROWS_SHIFT;
        int row = (vertex & (PAGE_ROWS - 1)) * sourceCount;
        if (bytes != null) {
            byte[] row8 = bytes[page];
            for (long rest = sources; rest != 0; rest &= rest - 1) {
                row8[row + Long.numberOfTrailingZeros(rest)] = (byte) level;
            }
        } else if (shorts != null) {
            short[] row16 = shorts[page];
            for (long rest = sources; rest != 0; rest &= rest - 1) {
                row16[row + Long.numberOfTrailingZeros(rest)] = (short) level;
            }
        } else {
            int[] row32 = ints[page];
            for (long rest = sources; rest != 0; rest &= rest - 1) {
                row32[row + Long.numberOfTrailingZeros(rest)] = level;
            }
        }
    }

    @Override
    public void levelDone(int done) {
        depth = done;
    }

    @Override
    public int firstSource() {
        return firstSource;
    }

    @Override
    public int sourceCount() {
        return sourceCount;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int distance(int source, int vertex) {
        int page = vertex >>> PAGE_ROWS_SHIFT;
        int at = (vertex & (PAGE_ROWS - 1)) * sourceCount + source;
        if (bytes != null) {
            byte distance = bytes[page][at];
            return distance == -1 ? LoadedGraph.UNREACHED : distance & 0xff;
        }
        if (shorts != null) {
            short distance = shorts[page][at];
            return distance == -1 ? LoadedGraph.UNREACHED : distance & 0xffff;
        }
        return ints[page][at];
    }

    private int pageCount() {
        return (int) ((vertexCount + (long) PAGE_ROWS - 1) >>> PAGE_ROWS_SHIFT);
    }

    private int rowsOf(int page) {
        return Math.min(PAGE_ROWS, vertexCount - (page << PAGE_ROWS_SHIFT));
    }

    private static short[] widen(byte[] narrow) {
        short[] wide = new short[narrow.length];
        for (int i = 0; i < narrow.length; i++) {
            wide[i] = narrow[i] == -1 ? -1 : (short) (narrow[i] & 0xff);
        }
        return wide;
    }

    private static int[] widen(short[] narrow) {
        int[] wide = new int[narrow.length];
        for (int i = 0; i < narrow.length; i++) {
            wide[i] = narrow[i] == -1 ? LoadedGraph.UNREACHED : narrow[i] & 0xffff;
        }
        return wide;
    }
}
