// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.WeightedCsc;

/**
 * Weights of the graphs of {@link BenchmarkGraphs}: the same on every host, and in both directions of an edge but for
 * an outlier.
 */
final class BenchmarkWeights {

    private static final int GREATEST = 255;
    private static final double OUTLIER = 1e12;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private BenchmarkWeights() {}

    /**
     * The weights of an operation of {@link RunBenchmark}: "paths" has whole numbers from 1 to 255, "fractions" has
     * these divided by 256, and "outlier" has one of 1e12 among whole numbers.
     */
    static WeightedCsc of(Csc csc, String operation) {
        double divisor = operation.equals("fractions") ? GREATEST + 1 : 1;
        DoublePages weights =
                DoublePages.allocate(csc.entryCount(), csc.rowIndices().pageShift());
        int threads = Runtime.getRuntime().availableProcessors();
        Workers.forRanges(threads, csc.vertexCount(), 1 << 12, Stop.NEVER, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                for (long entry = csc.columnStart(vertex); entry < csc.columnEnd(vertex); entry++) {
                    weights.set(entry, weight(vertex, csc.rowIndices().get(entry)) / divisor);
                }
            }
        });
        if (operation.equals("outlier") && csc.entryCount() > 0) {
            weights.set(0, OUTLIER);
        }
        return new WeightedCsc(csc, weights);
    }

    private static int weight(int vertex, int neighbour) {
        long mixed = ((long) Math.min(vertex, neighbour) << Integer.SIZE | Math.max(vertex, neighbour)) * MIX;
        mixed = (mixed ^ mixed >>> Integer.SIZE) * MIX;
        return 1 + (int) Long.remainderUnsigned(mixed >>> 1, GREATEST);
    }
}
