// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_BATCH_INTS;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.TOO_MANY_PATHS;

import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import io.proxima.projection.Csc;
import java.nio.DoubleBuffer;
import java.util.Arrays;

/** Brandes' algorithm. Numbers of paths are mantissas and exponents. */
final class FakeBetweennessKernels extends FakeArguments {

    private static final int MOST_EXPONENT = 1000;

    private FakeBetweennessKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeBetweennessKernels kernel = new FakeBetweennessKernels(device, arguments);
        if (entry.equals("betweenness_sum_thread")) {
            kernel.sum();
        } else {
            kernel.search(shape.blocks(), entry.contains("scaled"));
        }
    }

    private void sum() {
        int n = int32("n");
        DoubleBuffer scores = doubles(pointer("scores"), (long) int32("teams") * n);
        for (int i = n; i < scores.capacity(); i++) {
            scores.put(i % n, scores.get(i % n) + scores.get(i));
        }
    }

    private void search(int blocks, boolean scaled) {
        int n = int32("n");
        int first = int32("firstBatch");
        int teams = blocks / int32("teamBlocks");
        Csc out = lists("outPtrs", "outIdx", n);
        DoubleBuffer scores = doubles(pointer("scores"), (long) teams * n);
        int overflow = 0;
        for (int number = first; number < int32("lastBatch"); number++) {
            int[] batch = Arrays.copyOfRange(
                    array("batches", (number + 1) * BETWEENNESS_BATCH_INTS),
                    number * BETWEENNESS_BATCH_INTS,
                    (number + 1) * BETWEENNESS_BATCH_INTS);
            int[] sources = array("sources", batch[2] + batch[3]);
            int[] multiplicities = array("multiplicities", batch[2] + batch[3]);
            double[] added = new double[n];
            boolean fits = true;
            for (int s = batch[2]; s < batch[2] + batch[3] && fits; s++) {
                fits = add(out, sources[s], multiplicities[s], scaled, added);
            }
            if (fits) {
                int team = (number - first) % teams * n;
                for (int slot = 0; slot < n; slot++) {
                    scores.put(team + slot, scores.get(team + slot) + added[slot]);
                }
            } else {
                ints(pointer("voided"), number + 1L).put(number, 1);
                overflow = TOO_MANY_PATHS;
            }
        }
        zeroedControl(pointer("control")).putInt(CONTROL_OVERFLOW_OFFSET, overflow);
    }

    /** Adds the dependencies of one source; false if there are too many paths. */
    private boolean add(Csc out, int source, int times, boolean scaled, double[] added) {
        int n = added.length;
        int[] levels = new int[n];
        Arrays.fill(levels, -1);
        double[] counts = new double[n];
        int[] exponents = new int[n];
        int[] queue = new int[n];
        int tail = 1;
        queue[0] = source;
        levels[source] = 0;
        counts[source] = 1;
        for (int head = 0; head < tail; head++) {
            int u = queue[head];
            int exponent = Math.getExponent(counts[u]);
            counts[u] = Math.scalb(counts[u], -exponent);
            exponents[u] += exponent;
            if (exponents[u] >= MOST_EXPONENT && !scaled) {
                return false;
            }
            for (long i = out.columnStart(u); i < out.columnEnd(u); i++) {
                int v = out.rowIndices().get(i);
                if (levels[v] < 0) {
                    levels[v] = levels[u] + 1;
                    exponents[v] = exponents[u];
                    queue[tail++] = v;
                }
                if (levels[v] == levels[u] + 1) {
                    int greater = Math.max(exponents[u], exponents[v]);
                    counts[v] = Math.scalb(counts[v], exponents[v] - greater)
                            + Math.scalb(counts[u], exponents[u] - greater);
                    exponents[v] = greater;
                }
            }
        }
        int[] weights = pointer("weights") == 0 ? null : array("weights", n);
        double[] dependencies = new double[n];
        for (int q = tail - 1; q > 0; q--) {
            int v = queue[q];
            for (long i = out.columnStart(v); i < out.columnEnd(v); i++) {
                int w = out.rowIndices().get(i);
                if (levels[w] == levels[v] + 1) {
                    double paths = Math.scalb(counts[v] / counts[w], exponents[v] - exponents[w]);
                    dependencies[v] += paths * ((weights == null ? 1 : weights[w]) + dependencies[w]);
                }
            }
            added[v] += times * dependencies[v];
        }
        return true;
    }
}
