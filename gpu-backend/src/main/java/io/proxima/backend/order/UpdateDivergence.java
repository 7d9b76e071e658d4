// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static io.proxima.backend.bvss.BvssLayout.SLICES_PER_THREAD;
import static io.proxima.backend.bvss.BvssLayout.WARP_SIZE;

import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;

/**
 * How scattered the rows are that one warp updates: section 4.2 of Elbek and Kaya, arXiv:2606.05081. The 128 slices of a
 * virtual slice set are a matrix of 32 lanes by 4 columns. The divergence of a column is the standard deviation
 * (of the population) of its row ids, without padding. That of a virtual slice set is the mean over its columns that have
 * slices. That of the graph is the mean over its virtual slice sets.
 */
public final class UpdateDivergence {

    private static final int SETS_PER_RANGE = 1 << 12;

    private UpdateDivergence() {}

    /**
     * Measures a graph in time linear in its slices. The sums are taken in the same order whatever the concurrency.
     *
     * @param concurrency threads that read, at least 1
     * @return in rows, at least 0; 0 for a graph without edges
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static double of(Bvss bvss, int concurrency, Stop stop) {
        int sets = bvss.virtualSliceSetCount();
        if (sets == 0) {
            return 0;
        }
        double[] sums = new double[(int) (((long) sets + SETS_PER_RANGE - 1) / SETS_PER_RANGE)];
        Workers.forRanges(concurrency, sets, SETS_PER_RANGE, stop, (worker, from, to) -> {
            double[] rows = new double[WARP_SIZE];
            double sum = 0;
            for (int vss = (int) from; vss < to; vss++) {
                sum += ofSet(bvss, vss, rows);
            }
            sums[(int) (from / SETS_PER_RANGE)] = sum;
        });
        double sum = 0;
        for (double ofRange : sums) {
            sum += ofRange;
        }
        return sum / sets;
    }

    private static double ofSet(Bvss bvss, int vss, double[] rows) {
        double sum = 0;
        int columns = 0;
        for (int column = 0; column < SLICES_PER_THREAD; column++) {
            int count = 0;
            for (int lane = 0; lane < WARP_SIZE; lane++) {
                int slice = lane * SLICES_PER_THREAD + column;
                if (bvss.mask(vss, slice) != 0) {
                    rows[count++] = bvss.rowIds().get(BvssLayout.rowIdIndex(vss, slice));
                }
            }
            if (count > 0) {
                sum += standardDeviation(rows, count);
                columns++;
            }
        }
        return sum / columns;
    }

    private static double standardDeviation(double[] values, int count) {
        double mean = 0;
        for (int i = 0; i < count; i++) {
            mean += values[i];
        }
        mean /= count;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        return Math.sqrt(squares / count);
    }
}
