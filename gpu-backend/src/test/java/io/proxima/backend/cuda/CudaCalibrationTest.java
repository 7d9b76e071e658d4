// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Calibration;
import io.proxima.backend.RunControl;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.calibration.CalibrationGraphs;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Calibration of a real device, under the checking wrapper; it looks at every level itself. */
@Tag("gpu")
class CudaCalibrationTest {

    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    @AfterAll
    static void shouldLeaveNothing() {
        Gpu.release();
    }

    @Test
    void shouldEndWithNumbersThatTheDeviceAllowsAndSearchesThatAreRight(TestReporter reporter) {
        CudaBackend backend = Gpu.backend();
        CudaDevice device = backend.device();
        long used = device.memory().usedBytes();
        long begin = System.nanoTime();
        CalibrationGraphs graphs = CalibrationGraphs.full(THREADS);
        Calibration found = backend.calibrate(graphs, null, RunControl.of(THREADS));
        reporter.publishEntry("calibration", (System.nanoTime() - begin) / 1_000_000 + " ms: " + found);
        assertThat(device.memory().usedBytes()).isEqualTo(used);
        for (TuningParameter parameter : KernelFamilies.SHIPPED.numbers()) {
            assertThat(parameter.allows(device.tuning().get(parameter), device.facts()))
                    .as(parameter.key())
                    .isTrue();
        }
        Csc csc = graphs.lattice(Stop.NEVER);
        try (var graph = backend.load(csc)) {
            assertThat(graph.bfs(7, -1, new int[0], RunControl.of(THREADS)).levels())
                    .isEqualTo(TextbookBfs.levels(csc, -1, 7));
        }
    }
}
