/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
        assertThatThrownBy(() -> ExecutorBackend.of(Wanted.AUTO, gpus("0", "1")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("`0,1`");
        assertThatThrownBy(() -> ExecutorBackend.of(Wanted.AUTO, gpus("GPU-8f3c")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("`GPU-8f3c`");
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
