// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/**
 * Brandes' algorithm from one source, with as many shortest paths as there may be: counts have an exponent of 32 bits
 * beside the mantissa. A ladder of 1,100 diamonds has 2^1100 shortest paths, more than a double can hold. Their ratios,
 * on which dependencies depend, are at most 1.
 */
final class ScaledBrandesSearch {

    private static final int UNREACHED = -1;

    /** A count whose exponent is this much smaller than another's does not change their sum. */
    private static final int MANTISSA_BITS = 60;

    private final Csc out;
    private final int[] weights;
    private final PacedStop paced;

    /** Numbers of paths as mantissas from 1 to 2, times 2 to the power of the exponents. */
    private final double[] mantissas;

    private final int[] exponents;
    private final double[] dependencies;
    private final int[] level;
    private final int[] queue;

    /**
     * Allocates the state of a search; it can run many times.
     *
     * @param out edges along which to search; slot id space
     * @param weights number of vertices that each slot stands for as a target; null for 1 each
     * @param largestRange maximum number of slots of a range
     */
    ScaledBrandesSearch(Csc out, int[] weights, int largestRange, Stop stop) {
        this.out = out;
        this.weights = weights;
        paced = new PacedStop(stop);
        mantissas = new double[largestRange];
        exponents = new int[largestRange];
        dependencies = new double[largestRange];
        level = new int[largestRange];
        queue = new int[largestRange];
        Arrays.fill(level, UNREACHED);
    }

    /** Heap bytes of the state. */
    static long bytes(long largestRange) {
        return (2L * Double.BYTES + 3L * Integer.BYTES) * largestRange;
    }

    /** Receives the dependency of the source on each vertex that it reaches. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Takes a dependency.
         *
         * @param v the slot, relative to the first of the range
         */
        void accept(int v, double dependency);
    }

    /**
     * Searches.
     *
     * @param source slot
     * @param low the first slot of the range
     */
    void run(int source, int low, Receiver receiver) {
        IntPages rows = out.rowIndices();
        int tail = 0;
        queue[tail++] = source - low;
        level[source - low] = 0;
        mantissas[source - low] = 1;
        exponents[source - low] = 0;
        for (int head = 0; head < tail; head++) {
            int u = queue[head];
            paced.worked(1L + out.degree(low + u));
            for (long i = out.columnStart(low + u), end = out.columnEnd(low + u); i < end; i++) {
                int v = rows.get(i) - low;
                if (level[v] == UNREACHED) {
                    level[v] = level[u] + 1;
                    mantissas[v] = mantissas[u];
                    exponents[v] = exponents[u];
                    queue[tail++] = v;
                } else if (level[v] == level[u] + 1) {
                    add(v, u);
                }
            }
        }
        for (int head = tail - 1; head > 0; head--) {
            int v = queue[head];
            paced.worked(1L + out.degree(low + v));
            double dependency = 0;
            for (long i = out.columnStart(low + v), end = out.columnEnd(low + v); i < end; i++) {
                int w = rows.get(i) - low;
                if (level[w] == level[v] + 1) {
                    double weight = weights == null ? 1 : weights[low + w];
                    double ratio = Math.scalb(mantissas[v] / mantissas[w], exponents[v] - exponents[w]);
                    dependency += ratio * (weight + dependencies[w]);
                }
            }
            dependencies[v] = dependency;
            receiver.accept(v, dependency);
        }
        for (int i = 0; i < tail; i++) {
            level[queue[i]] = UNREACHED;
        }
    }

    /** Adds the count of {@code u} to that of {@code v}. */
    private void add(int v, int u) {
        int difference = exponents[u] - exponents[v];
        double sum;
        if (difference > MANTISSA_BITS) {
            sum = mantissas[u];
            exponents[v] = exponents[u];
        } else {
            sum = difference < -MANTISSA_BITS ? mantissas[v] : mantissas[v] + Math.scalb(mantissas[u], difference);
        }
        int exponent = Math.getExponent(sum);
        mantissas[v] = Math.scalb(sum, -exponent);
        exponents[v] += exponent;
    }
}
