// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.ResidencyStress.Expected;
import io.proxima.backend.cuda.ResidencyStress.Rates;
import io.proxima.backend.cuda.ResidencyStress.Tally;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.fake.RandomFaults;
import io.proxima.projection.TestGraphs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link ResidencyStress} on a fake device that is too small for all graphs at once. Each seed is one interleaving:
 * {@code -Dproxima.stress.seeds=5000} runs so many, {@code -Dproxima.stress.seed=SEED} the one that a failure names.
 */
class ResidencyStressTest {

    private static final int NEVER = RandomFaults.NEVER;
    private static final int USERS = 4;
    private static final int ACTIONS = 12;

    /** Bytes of a device on which little more than the largest run has room. */
    private static final long SMALLEST_DEVICE = 1L << 20;

    private static final int SEEDS = Integer.getInteger("proxima.stress.seeds", 40);

    /**
     * One in so many: runs killed, calls of the driver short of memory, calls that fail, calls that lose the device.
     */
    private static final List<Rates> RATES = List.of(
            new Rates(NEVER, NEVER, NEVER, NEVER),
            new Rates(6, 25, 300, NEVER),
            new Rates(6, 100, 500, 1_000),
            new Rates(NEVER, NEVER, NEVER, 300));

    private static final Map<Rates, Tally> TALLIES = new ConcurrentHashMap<>();

    private static final List<Expected> GRAPHS = ResidencyStress.graphs(
            TestGraphs.rmat(8, 6, 3), TestGraphs.rmat(7, 5, 4), TestGraphs.grid(6, 60), TestGraphs.disconnected(30));

    static LongStream seeds() {
        Long seed = Long.getLong("proxima.stress.seed");
        return seed == null ? LongStream.range(0, SEEDS) : LongStream.of(seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldAnswerOrRefuseAndLeaveNothing(long seed) {
        Rates rates = RATES.get((int) (seed % RATES.size()));
        // from room for everything down to little more than one graph
        long bytes = SMALLEST_DEVICE << (seed / RATES.size() % 4);
        FakeDriver driver = FakeDriver.hopper(bytes);
        Tally tally;
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO))) {
            assertThat(backends.choose().backend()).isNotNull();
            driver.device().pauseSearches(seed);
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(20);
            tally = new ResidencyStress(GRAPHS, 1).run(backends, driver::fail, seed, USERS, ACTIONS, deadline, rates);
        }
        assertThat(driver.device().isClosed()).isTrue();
        TALLIES.merge(rates, tally, Tally::plus);
        // a device can be lost in the first call, but not without a failure
        assertThat(tally.answers() + tally.losses())
                .as("right answers or losses of %s", tally)
                .isPositive();
        if (rates.failures() == NEVER) {
            assertThat(tally.losses()).isZero();
            assertThat(driver.openedCount()).isEqualTo(1);
        }
    }

    /** A device that is lost three times ends a stress early, so some have few answers, but not all of them. */
    @AfterAll
    static void shouldHaveAnsweredAtEachRate() {
        TALLIES.forEach((rates, tally) -> {
            assertThat(tally.answers())
                    .as("right answers of %s at %s", tally, rates)
                    .isGreaterThan(tally.losses());
            if (TALLIES.size() == RATES.size()) {
                assertThat(tally.failures() > 0).as("%s at %s", tally, rates).isEqualTo(rates.passing() != NEVER);
                assertThat(tally.losses() > 0).as("%s at %s", tally, rates).isEqualTo(rates.failures() != NEVER);
                assertThat(tally.kills() > 0).as("%s at %s", tally, rates).isEqualTo(rates.kills() != NEVER);
            }
        });
    }
}
