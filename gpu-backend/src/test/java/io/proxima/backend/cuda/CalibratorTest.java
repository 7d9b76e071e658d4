// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.Calibration;
import io.proxima.backend.Calibration.TunedNumber;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.calibration.CalibrationGraphs;
import io.proxima.backend.cuda.choice.SearchTrial;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.Tuning;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.family.balls.BallsLevelKernels;
import io.proxima.backend.cuda.family.blocks.BlocksBatchKernels;
import io.proxima.backend.cuda.family.bvss.BvssLevelKernels;
import io.proxima.backend.cuda.family.directional.DirectionalLevelKernels;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.graph.Shortage;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a device whose kernels take as long as the test says. */
class CalibratorTest {

    private static final String DIRECTIONAL = "bfs_directional_p32_grid";
    private static final String DEEP = "bfs_bvss_eager_mma_grid";

    private static final String BLOCKS = "msbfs_blocks_";
    private static final String BY_ROWS = "bfs_balls_rows_grid";

    // costs that bfs_directional.cu is given
    private static final String SWEEP = "sweep";
    private static final String PROBE = "probe";
    private static final String PUSH_EDGE = "pushEdge";

    /** Large enough for the lattice to fill a grid. */
    private static final CalibrationGraphs GRAPHS = new CalibrationGraphs(4, 24, 1);

    private final FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private final CudaBackends backends = FakeDevices.backends(driver);
    private final CudaBackend backend = (CudaBackend) backends.choose().backend();
    private final CudaDevice device = backend.device();
    private final Tuning shipped = device.tuning();

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        assertThat(device.memory().usedBytes()).isZero();
        backends.close();
    }

    /** How many times too large or too small a value is, on a scale of doublings. */
    private static double distance(double value, double best) {
        return Math.abs(Math.log(value / best) / Math.log(2));
    }

    private double planted(String entry, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeArguments.Fields fields = new FakeArguments.Fields(arguments);
        if (entry.equals(DIRECTIONAL)) {
            return 1
                    + distance(fields.float32(PUSH_EDGE), 8 * shipped.get(DirectionalLevelKernels.PUSH_EDGE))
                    + distance(fields.float32(SWEEP), shipped.get(DirectionalLevelKernels.SWEEP) / 2)
                    + distance(fields.float32(PROBE), shipped.get(DirectionalLevelKernels.PROBE));
        }
        if (entry.equals(BY_ROWS)) {
            return 1 + distance(fields.int32("hops"), 2);
        }
        if (entry.startsWith(BLOCKS)) {
            return 1 + distance(fields.int32("lanes"), 16);
        }
        return entry.equals(DEEP) ? shape.blocks() : 0;
    }

    @Test
    void shouldFindWhatIsFastest() {
        driver.device().timeLaunches(this::planted);
        Calibration found = backend.calibrate(GRAPHS, null, RunControl.of(2));
        Tuning now = device.tuning();
        assertThat(now.get(DirectionalLevelKernels.PUSH_EDGE))
                .isCloseTo(8 * shipped.get(DirectionalLevelKernels.PUSH_EDGE), within(1e-9));
        assertThat(now.get(DirectionalLevelKernels.SWEEP)).isEqualTo(shipped.get(DirectionalLevelKernels.SWEEP) / 2);
        assertThat(now.whole(BvssLevelKernels.SMALL_GRID)).isEqualTo(1);
        assertThat(now.whole(BallsLevelKernels.ROW_HOPS)).isEqualTo(2);
        assertThat(now.whole(BlocksBatchKernels.LIST_LANES)).isEqualTo(16);
        for (TuningParameter indifferent : List.of(
                DirectionalLevelKernels.PROBE,
                DirectionalLevelKernels.HEAD_SLOT,
                DirectionalLevelKernels.LIST_SLOT,
                BallsLevelKernels.NARROW_BY_ROWS,
                BallsLevelKernels.NARROW_BY_RECORDS,
                WordsBatchKernels.PUSH_BITS,
                DirectionalLevelKernels.SHARED_WORDS)) {
            assertThat(now.get(indifferent)).as(indifferent.key()).isEqualTo(shipped.get(indifferent));
        }
        assertThat(found.device()).isEqualTo("cuda:0");
        assertThat(found.kept()).isFalse();
        assertThat(found.numbers()).hasSameSizeAs(KernelFamilies.SHIPPED.numbers());
        for (TunedNumber number : found.numbers()) {
            TuningParameter parameter = KernelFamilies.SHIPPED.numbers().stream()
                    .filter(known -> known.key().equals(number.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(number.before()).isEqualTo(shipped.get(parameter));
            assertThat(number.after()).isEqualTo(now.get(parameter));
        }
    }

    @Test
    void shouldKeepWhatHoldsWhereTimesOnlyScatter() {
        Random random = new Random(5);
        driver.device().timeLaunches((entry, shape, arguments) -> 1 + 0.2 * random.nextDouble());
        backend.calibrate(GRAPHS, null, RunControl.of(1));
        assertThat(device.tuning()).isEqualTo(shipped);
    }

    @Test
    void shouldLetOtherRunsGoOn() throws InterruptedException {
        Csc csc = GRAPHS.lattice(Stop.NEVER);
        int[] right = TextbookBfs.levels(csc, -1, 0);
        AtomicInteger runs = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        List<Throwable> failures = new ArrayList<>();
        try (LoadedGraph graph = backend.load(csc)) {
            Thread other = new Thread(() -> {
                try {
                    while (!ended.get() && runs.get() < 10) {
                        assertThat(graph.bfs(0, -1, new int[0], RunControl.of(1))
                                        .levels())
                                .isEqualTo(right);
                        runs.incrementAndGet();
                    }
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                }
            });
            driver.device().timeLaunches(this::planted);
            other.start();
            backend.calibrate(GRAPHS, null, RunControl.of(1));
            ended.set(true);
            other.join();
        }
        assertThat(failures).isEmpty();
        assertThat(runs.get()).isGreaterThan(1);
    }

    @Test
    void shouldStopInTheMiddleAndKeepWhatHeld() {
        AtomicInteger left = new AtomicInteger(300);
        driver.device().timeLaunches(this::planted);
        driver.device().onLaunch(entry -> left.decrementAndGet());
        RunControl control = new RunControl(1, () -> left.get() < 0, Progress.NONE);
        assertThatThrownBy(() -> backend.calibrate(GRAPHS, null, control)).isInstanceOf(StoppedException.class);
        assertThat(device.tuning()).isEqualTo(shipped);
        assertThat(device.memory().usedBytes()).isZero();
    }

    @Test
    void shouldFailOnAWrongLevel() {
        driver.device().timeLaunches((entry, shape, arguments) -> {
            FakeArguments.Fields fields = new FakeArguments.Fields(arguments);
            if (entry.equals(DIRECTIONAL) && fields.float32(SWEEP) > 10_000) {
                driver.device().memory(fields.pointer("levels"), Integer.BYTES).putInt(0, 77);
            }
            return planted(entry, shape, arguments);
        });
        assertThatThrownBy(() -> backend.calibrate(GRAPHS, null, RunControl.of(1)))
                .isInstanceOf(DeviceFailureException.class)
                .hasMessageContaining("Kernel 'directional'")
                .hasMessageContaining("is 77 instead of")
                .hasMessageContaining("The previous parameters still apply.");
        assertThat(device.tuning()).isEqualTo(shipped);
        assertThat(device.lost()).isEmpty();
    }

    @Test
    void shouldSayWhenTheDeviceIsTooFull() {
        driver.device().holdByOthers(FakeDevices.PLENTY - device.memory().usedBytes() - 1000);
        assertThatThrownBy(() -> backend.calibrate(GRAPHS, null, RunControl.of(1)))
                .isInstanceOf(DeviceMemoryException.class)
                .hasMessageContaining("too little memory");
        assertThat(device.tuning()).isEqualTo(shipped);
    }

    @Test
    void shouldRefuseASecondAtTheSameTime() {
        List<Throwable> refused = new ArrayList<>();
        AtomicInteger left = new AtomicInteger(1);
        driver.device().onLaunch(entry -> {
            if (left.getAndDecrement() == 1) {
                try {
                    backend.calibrate(GRAPHS, null, RunControl.of(1));
                } catch (BackendUnavailableException e) {
                    refused.add(e);
                }
            }
        });
        backend.calibrate(GRAPHS, null, RunControl.of(1));
        assertThat(refused).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("by another call"));
    }

    @Test
    void shouldNameTheDevicesThereAre() {
        assertThatThrownBy(() -> backends.calibrate("cuda:7", RunControl.of(1)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("There is no device 'cuda:7'. The devices are [cuda:0].");
    }

    @Test
    void shouldKeepTheNumbersForTheNextStart(@TempDir Path folder) throws IOException {
        List<String> log = new ArrayList<>();
        SavedGraphs graphs = SavedGraphs.in(folder, log::add);
        driver.device().timeLaunches(this::planted);
        assertThat(backend.calibrate(GRAPHS, graphs, RunControl.of(1)).kept()).isTrue();
        assertThat(device.tuning()).isNotEqualTo(shipped);

        backends.keepGraphsIn(graphs);
        backends.close();
        CudaBackend reopened = (CudaBackend) backends.choose().backend();
        assertThat(reopened.device().tuning()).isEqualTo(device.tuning());
        assertThat(log).isEmpty();
    }

    @Test
    void shouldDecideAnewOnGraphsThatAreThere() {
        Csc csc = GRAPHS.lattice(Stop.NEVER);
        ResidentGraph graph = new ResidentGraph(csc, device, backend.improver());
        graph.hold();
        RunControl control = RunControl.of(1);
        SearchTrial.Decision decision = new SearchTrial.Decision(
                new BvssLevelKernels(device, BvssLevelKernels.Variant.AB), -1, 1, "", Shortage.NONE);
        try (HeldGraph view = graph.acquire(control, 1)) {
            view.keep(SearchTrial.DECISION, decision);
            assertThat(view.found(SearchTrial.DECISION)).isEqualTo(decision);
        }
        device.retune(shipped.with(BvssLevelKernels.SMALL_GRID, 1, device.facts()));
        try (HeldGraph view = graph.acquire(control, 1)) {
            assertThat(view.found(SearchTrial.DECISION)).isNull();
        } finally {
            graph.letGo();
        }
    }

    @Test
    void shouldMakeTheSameGraphsWithAnyNumberOfThreads() {
        CalibrationGraphs one = new CalibrationGraphs(12, 100, 1);
        CalibrationGraphs three = new CalibrationGraphs(12, 100, 3);
        assertThat(fingerprint(three.scaleFree(Stop.NEVER))).isEqualTo(fingerprint(one.scaleFree(Stop.NEVER)));
        assertThat(fingerprint(three.uniform(Stop.NEVER))).isEqualTo(fingerprint(one.uniform(Stop.NEVER)));
        assertThat(fingerprint(three.lattice(Stop.NEVER))).isEqualTo(fingerprint(one.lattice(Stop.NEVER)));
        assertThat(one.scaleFree(Stop.NEVER).isSymmetric()).isTrue();
        assertThat(one.uniform(Stop.NEVER).entryCount()).isBetween(16L << 12, 32L << 12);
        // six in ten of the links of a square lattice
        assertThat(one.lattice(Stop.NEVER).entryCount()).isBetween(22_000L, 26_000L);
    }

    private static GraphFingerprint fingerprint(Csc graph) {
        return GraphFingerprint.of(graph, 1, Stop.NEVER);
    }
}
