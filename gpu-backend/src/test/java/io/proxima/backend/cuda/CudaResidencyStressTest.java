// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.ResidencyStress.Expected;
import io.proxima.backend.cuda.ResidencyStress.Rates;
import io.proxima.backend.cuda.ResidencyStress.Tally;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.projection.TestGraphs;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link ResidencyStress} on a real device, of which Proxima may take little more than the largest run: for
 * {@code -Dproxima.stress.seconds}, shared by the tests.
 */
@Tag("gpu")
class CudaResidencyStressTest {

    private static final int USERS = 8;
    private static final long SEED = Long.getLong("proxima.stress.seed", 1);
    private static final long SECONDS = Long.getLong("proxima.stress.seconds", 20);
    private static final int NEVER = Integer.MAX_VALUE;

    /** Bytes of the device, in terms of the largest graph's relationships both ways. */
    private static final int BYTES_AN_ENTRY = 60;

    private static List<Expected> graphs;

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
        graphs = ResidencyStress.graphs(
                TestGraphs.rmat(13, 8, 3),
                TestGraphs.rmat(11, 6, 4),
                TestGraphs.grid(12, 400),
                TestGraphs.disconnected(200));
    }

    @ParameterizedTest(name = "one failure in {0} calls")
    @ValueSource(ints = {NEVER, 20_000})
    void shouldAnswerOrRefuseAndLeaveNothing(int failures) {
        Gpu.release();
        Rates rates = new Rates(6, 500, 2_000, failures);
        long bytes = graphs.get(0).csc().entryCount() * BYTES_AN_ENTRY;
        double share = (double) bytes / Gpu.backend().device().facts().totalBytes();
        LaunchPolicy policy = LaunchPolicy.shipped(BackendSettings.DEFAULTS.withShares(share, 0.25, 0));
        Gpu.release();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS) / 2;
        Tally tally = new Tally(0, 0, 0, 0, 0);
        for (long seed = SEED; System.nanoTime() < deadline; seed++) {
            // faults begin when the device is open
            AtomicReference<CheckedDriver.Faults> faults = new AtomicReference<>(CheckedDriver.Faults.NONE);
            try (CudaBackends backends =
                    Gpu.backends(policy, call -> faults.get().of(call))) {
                long end = Math.min(deadline, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
                tally = tally.plus(new ResidencyStress(graphs, 1)
                        .run(backends, faults::set, seed, USERS, Integer.MAX_VALUE, end, rates));
            }
        }
        Gpu.report("stress with one failure in " + failures + " calls, from seed " + SEED + ": " + tally);
        assertThat(tally.answers()).isPositive();
        assertThat(tally.failures()).isPositive();
        assertThat(tally.losses() > 0).isEqualTo(failures != NEVER);
    }
}
