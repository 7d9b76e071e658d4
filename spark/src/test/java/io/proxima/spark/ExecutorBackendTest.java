// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.select.TraversalBackends.Wanted;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

class ExecutorBackendTest {

    private static Map<String, ResourceInformation> gpus(String... addresses) {
        return Map.of("gpu", new ResourceInformation("gpu", addresses));
    }

    @Test
    void shouldUseTheCpuWithoutAGpuOfSpark() {
        assertThat(ExecutorBackend.of(Wanted.AUTO, Map.of()).info().name()).isEqualTo("cpu");
        assertThat(ExecutorBackend.of(Wanted.CPU, gpus("0")).info().name()).isEqualTo("cpu");
        assertThatThrownBy(() -> ExecutorBackend.of(Wanted.CUDA, Map.of()))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("spark.executor.resource.gpu.amount");
    }

    @Test
    void shouldRefuseAddressesThatAreNotOneNumber() {
        for (String[] addresses : new String[][] {{"0", "1"}, {"GPU-8f3c"}}) {
            assertThatThrownBy(() -> ExecutorBackend.of(Wanted.AUTO, gpus(addresses)))
                    .isInstanceOf(ProximaSparkException.class)
                    .hasMessageContaining("`" + String.join(",", addresses) + "`");
        }
    }

    @Test
    void shouldUseOneGpuOfAnExecutor() {
        // a GPU of this number is on no machine, so that 'auto' falls back
        assertThat(ExecutorBackend.of(Wanted.AUTO, gpus("77")).info().name()).isEqualTo("cpu");
        assertThatThrownBy(() -> ExecutorBackend.of(Wanted.CUDA, gpus("77")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("The GPU 77 of the task cannot be used");
        assertThatThrownBy(() -> ExecutorBackend.of(Wanted.AUTO, gpus("78")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("has the GPUs 77 and 78");
    }
}
