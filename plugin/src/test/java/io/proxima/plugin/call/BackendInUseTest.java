// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackendInUseTest {

    private final List<String> log = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();

    @Test
    void shouldBeTheSelectedBackend() {
        BackendInUse inUse = inUse("cpu");
        assertThat(ran).isEmpty();
        inUse.begin();
        assertThat(inUse.shown()).isEqualTo(shown("cpu", "natural", "cpu"));
        assertThat(ran).containsExactly("cpu");
        assertThat(log).containsExactly("Backend cpu: why");
    }

    @Test
    void shouldEndOnTheBackendThatARunFellBackToAndTellEachReasonOnce() {
        BackendInUse inUse = inUse("auto");
        inUse.begin();
        assertThat(inUse.shown()).isEqualTo(shown("auto", "natural", "cpu"));
        assertThat(ran).isEmpty();
        for (int batch = 0; batch < 3; batch++) {
            inUse.runsOn("cuda:0", "It pays.");
            inUse.runsWith("rcm", "blest-ab", "It was asked for.");
            assertThat(inUse.shown()).isEqualTo(shown("cuda:0", "rcm", "blest-ab"));
            inUse.runsOn("cpu", "Too little memory: " + batch);
        }
        assertThat(inUse.shown()).isEqualTo(shown("cpu", "natural", "cpu"));
        assertThat(ran).startsWith("cuda:0").endsWith("cpu");
        assertThat(log)
                .containsExactly(
                        "Backend cuda:0: It pays.",
                        "Order rcm, kernel blest-ab: It was asked for.",
                        "Backend cpu: Too little memory: 0");
    }

    private static Map<String, Object> shown(String backend, String order, String kernel) {
        return Map.of("backend", backend, "order", order, "kernel", kernel);
    }

    private BackendInUse inUse(String name) {
        return new BackendInUse(name, "why", log::add, ran::add);
    }
}
