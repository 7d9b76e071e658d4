// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.CscBuilder;
import io.proxima.projection.Orientation;

/**
 * Iterates over the slices of a {@link Bvss}, without padding and without allocation:
 *
 * <pre>
 *   BvssReader slices = new BvssReader(bvss);
 *   slices.open(vss);
 *   while (slices.next()) {
 *       use(slices.row(), slices.mask());
 *   }
 * </pre>
 *
 * One reader is for one thread. The id space is that of the BVSS.
 */
public final class BvssReader {

    private static final int VSS_AT_ONCE = 1 << 9;

    private final Bvss bvss;
    private int vss;
    private int slice;
    private int row;
    private int mask;

    /** A reader that has nothing open. */
    public BvssReader(Bvss bvss) {
        this.bvss = bvss;
        this.slice = BvssLayout.VSS_SLICES;
    }

    /**
     * Opens a virtual slice set, before its first slice.
     *
     * @param virtualSliceSet 0 to virtualSliceSetCount - 1
     */
    public void open(int virtualSliceSet) {
        this.vss = virtualSliceSet;
        this.slice = -1;
    }

    /**
     * Advances to the next slice.
     *
     * @return false if there is none; {@link #row} and {@link #mask} are then undefined
     */
    public boolean next() {
        if (slice >= BvssLayout.VSS_SLICES - 1) {
            return false;
        }
        slice++;
        mask = bvss.mask(vss, slice);
        if (mask == 0) {
            return false;
        }
        row = bvss.rowIds().get(BvssLayout.rowIdIndex(vss, slice));
        return true;
    }

    /** The row of the slice. */
    public int row() {
        return row;
    }

    /** The mask of the slice, 1 to 255: bit b is set iff there is an edge from column {@link #firstColumn} + b. */
    public int mask() {
        return mask;
    }

    /** The slice's number within its virtual slice set, 0 to 127. */
    public int slice() {
        return slice;
    }

    /** The column that bit 0 of the masks of the open virtual slice set stands for. */
    public int firstColumn() {
        return BvssLayout.firstColumn(bvss.virtualToReal()[vss]);
    }

    /**
     * The graph as CSC, equal to the one from which the BVSS was built. It is not marked as symmetric. Takes 8 bytes for each
     * edge while it runs, beside the result.
     *
     * @param bvss the graph
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Csc toCsc(Bvss bvss, int concurrency, Stop stop) {
        CscBuilder builder = new CscBuilder(bvss.vertexCount(), Orientation.NATURAL, concurrency, bvss.entryCount());
        Workers.forRanges(concurrency, bvss.virtualSliceSetCount(), VSS_AT_ONCE, stop, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            BvssReader slices = new BvssReader(bvss);
            for (int vss = (int) from; vss < to; vss++) {
                slices.open(vss);
                while (slices.next()) {
                    for (int bits = slices.mask(); bits != 0; bits &= bits - 1) {
                        edges.add(slices.firstColumn() + Integer.numberOfTrailingZeros(bits), slices.row());
                    }
                }
            }
        });
        return builder.build(concurrency, stop);
    }
}
