// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_BATCH_INTS;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_LEVEL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_TEAM_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.TOO_MANY_PATHS;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.brandes.DeviceBetweenness;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;

/** What the kernels of betweenness promise, in plain Java: same arguments in the same order, same results. */
final class FakeBetweennessKernels extends FakeArguments {

    private static final double MOST_PATHS = 0x1p1000;

    private FakeBetweennessKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static boolean knows(String entry) {
        return entry.startsWith("betweenness_");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeBetweennessKernels kernel = new FakeBetweennessKernels(device, arguments);
        switch (entry) {
            case "betweenness_plain_grid" -> kernel.search(shape, false);
            case "betweenness_scaled_grid" -> kernel.search(shape, true);
            case "betweenness_sum_thread" -> kernel.sum();
            default -> throw new AssertionError(entry);
        }
    }

    private DoubleBuffer doubles(long address, long count) {
        return device.memory(address, count * Double.BYTES).asDoubleBuffer();
    }

    private void sum() {
        int n = int32("n");
        int teams = int32("teams");
        DoubleBuffer scores = doubles(pointer("scores"), (long) teams * n);
        for (int slot = 0; slot < n; slot++) {
            double sum = 0;
            for (int team = 0; team < teams; team++) {
                sum += scores.get(team * n + slot);
            }
            scores.put(slot, sum);
        }
    }

    private void search(DeviceDriver.Shape shape, boolean scaled) {
        int n = int32("n");
        int range = int32("range");
        int first = int32("firstBatch");
        int last = int32("lastBatch");
        int teamBlocks = int32("teamBlocks");
        assertThat(shape.blocks() % teamBlocks).isZero();
        int teams = shape.blocks() / teamBlocks;
        FakeManyKernels.Lists out = lists(pointer("outPtrs"), pointer("outIdx"), n);
        FakeManyKernels.Lists in = lists(pointer("inPtrs"), pointer("inIdx"), n);
        IntBuffer weights = pointer("weights") == 0 ? null : ints(pointer("weights"), n);
        int[] batches = array(pointer("batches"), last * BETWEENNESS_BATCH_INTS);
        IntBuffer voided = ints(pointer("voided"), last);
        doubles(pointer("rows"), 32L * range * teams);
        longs(pointer("queues"), 32L * range * teams);
        ints(pointer("seen"), (long) range * teams);
        ints(pointer("marks"), 3L * range * teams);
        device.memory(pointer("levels"), (range + 2L) * teams * BETWEENNESS_LEVEL_BYTES);
        ByteBuffer shared = device.memory(pointer("teams"), (long) teams * BETWEENNESS_TEAM_BYTES);
        for (int i = 0; i < shared.capacity(); i++) {
            assertThat(shared.get(i)).isZero();
        }
        DoubleBuffer scores = doubles(pointer("scores"), (long) teams * n);
        boolean tooMany = false;
        for (int number = first; number < last; number++) {
            int[] batch =
                    Arrays.copyOfRange(batches, number * BETWEENNESS_BATCH_INTS, (number + 1) * BETWEENNESS_BATCH_INTS);
            int low = batch[0];
            int high = batch[1];
            assertThat(high - low).isBetween(1, range);
            assertThat(batch[3]).isBetween(1, DeviceBetweenness.SOURCES);
            checkLongSlots(out, in, batch);
            int[] sources = array(pointer("sources"), batch[2] + batch[3]);
            int[] multiplicities = array(pointer("multiplicities"), batch[2] + batch[3]);
            double[] added = new double[n];
            boolean fits = true;
            for (int s = batch[2]; s < batch[2] + batch[3] && fits; s++) {
                assertThat(sources[s]).isBetween(low, high - 1);
                fits = add(out, weights, sources[s], multiplicities[s], scaled, added);
            }
            if (fits) {
                int team = (number - first) % teams;
                for (int slot = 0; slot < n; slot++) {
                    scores.put(team * n + slot, scores.get(team * n + slot) + added[slot]);
                }
            } else {
                voided.put(number, 1);
                tooMany = true;
            }
        }
        ByteBuffer block = zeroedControl(pointer("control"));
        block.putInt(CONTROL_OVERFLOW_OFFSET, tooMany ? TOO_MANY_PATHS : 0);
    }

    private void checkLongSlots(FakeManyKernels.Lists out, FakeManyKernels.Lists in, int[] batch) {
        int least = int32("longList");
        int next = batch[4];
        int[] found = array(pointer("longSlots"), batch[4] + batch[5]);
        for (int slot = batch[0]; slot < batch[1]; slot++) {
            if (out.length(slot) >= least || in.length(slot) >= least) {
                assertThat(found[next++]).isEqualTo(slot);
            }
        }
        assertThat(next).isEqualTo(batch[4] + batch[5]);
    }

    /** Brandes' algorithm from one source; false if there are too many paths. Numbers of paths are mantissas and exponents. */
    private static boolean add(
            FakeManyKernels.Lists out, IntBuffer weights, int source, int times, boolean scaled, double[] added) {
        int n = out.pointers.length - 1;
        int[] levels = new int[n];
        Arrays.fill(levels, -1);
        double[] counts = new double[n];
        int[] exponents = new int[n];
        int[] queue = new int[n];
        int tail = 0;
        queue[tail++] = source;
        levels[source] = 0;
        counts[source] = 1;
        for (int head = 0; head < tail; head++) {
            int u = queue[head];
            int exponent = Math.getExponent(counts[u]);
            if (counts[u] > MOST_PATHS && !scaled) {
                return false;
            }
            if (scaled) {
                counts[u] = Math.scalb(counts[u], -exponent);
                exponents[u] += exponent;
            }
            for (long e = out.pointers[u]; e < out.pointers[u + 1]; e++) {
                int v = out.indices[(int) e];
                if (levels[v] < 0) {
                    levels[v] = levels[u] + 1;
                    exponents[v] = exponents[u];
                    queue[tail++] = v;
                }
                if (levels[v] == levels[u] + 1) {
                    if (exponents[u] > exponents[v]) {
                        counts[v] = Math.scalb(counts[v], exponents[v] - exponents[u]);
                        exponents[v] = exponents[u];
                    }
                    counts[v] += Math.scalb(counts[u], exponents[u] - exponents[v]);
                }
            }
        }
        double[] dependencies = new double[n];
        for (int q = tail - 1; q > 0; q--) {
            int v = queue[q];
            for (long e = out.pointers[v]; e < out.pointers[v + 1]; e++) {
                int w = out.indices[(int) e];
                if (levels[w] == levels[v] + 1) {
                    double weight = weights == null ? 1 : weights.get(w);
                    dependencies[v] +=
                            Math.scalb(counts[v] / counts[w], exponents[v] - exponents[w]) * (weight + dependencies[w]);
                }
            }
            added[v] += times * dependencies[v];
        }
        return true;
    }
}
