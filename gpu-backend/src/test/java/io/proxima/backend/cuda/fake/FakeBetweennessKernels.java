// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_BATCH_INTS;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.TOO_MANY_PATHS;

import io.proxima.backend.TextbookBrandes;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import io.proxima.projection.csc.Csc;
import java.nio.DoubleBuffer;
import java.util.Arrays;

/** The batches of betweenness, whose scores each team adds up by itself. */
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
            kernel.search(shape.blocks(), entry.contains("scaled") ? Integer.MAX_VALUE : MOST_EXPONENT);
        }
    }

    private void sum() {
        int n = int32("n");
        DoubleBuffer scores = doubles(pointer("scores"), (long) int32("teams") * n);
        for (int i = n; i < scores.capacity(); i++) {
            scores.put(i % n, scores.get(i % n) + scores.get(i));
        }
    }

    private void search(int blocks, int mostExponent) {
        int n = int32("n");
        int first = int32("firstBatch");
        int teams = blocks / int32("teamBlocks");
        Csc out = lists("outPtrs", "outIdx", n);
        int[] weights = pointer("weights") == 0 ? null : array("weights", n);
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
                fits = TextbookBrandes.add(out, sources[s], multiplicities[s], weights, mostExponent, added);
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
}
