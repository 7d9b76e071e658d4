// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.spark.ScalingModel.Graph;
import io.proxima.spark.ScalingModel.Job;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ScalingModelTest {

    private static final Graph GRAPH = new Graph("test", 10_000_000, 100_000_000, 50);

    /** {@code java io.proxima.spark.ScalingModel} prints the file. */
    @Test
    void shouldEqualThePublishedTable() throws IOException, URISyntaxException {
        // the module, from wherever its tests run
        Path classes = Path.of(ScalingModelTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(Files.readAllLines(classes.resolve("../../../docs/benchmarks/spark-scaling.csv")))
                .isEqualTo(ScalingModel.table());
    }

    @Test
    void shouldTakeTheTimeOfTheSearchesAtLeast() {
        Job one = ScalingModel.simulate(GRAPH, 1);
        Job many = ScalingModel.simulate(GRAPH, 100);

        assertThat(one.seconds()).isGreaterThan(10_000_000 / 50.0);
        assertThat(one.efficiency()).isBetween(0.99, 1.0);
        assertThat(many.seconds()).isBetween(10_000_000 / 50.0 / 100, one.seconds() / 50);
        // one of the hundred works at half the rate: without other losses 99.5 %
        assertThat(many.efficiency()).isBetween(0.7, 0.995);
        assertThat(many.untilFirstTask()).isGreaterThan(12);
    }

    @Test
    void shouldEndWavesAfterAboutHalfAnHour() {
        Job job = ScalingModel.simulate(GRAPH, 10);

        // 20,000 s; the first waves are short, because they measure the rate
        assertThat(job.waves()).isBetween(11, 16);
        assertThat(job.tasks()).isBetween(8L * 10 * (job.waves() - 1), 8L * 10 * job.waves());
        // a wave ends with the last of the eight tasks of an executor
        assertThat(job.atEndsOfWaves()).isBetween(1.0, job.waves() * 30 * 60 / 8.0);
    }
}
