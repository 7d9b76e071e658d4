// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingNamesTest {

    @Test
    void shouldKeepTheNamesOfAGroupWhenAnotherIsRefusedThem() {
        Object graph = new Object();
        PendingNames one = new PendingNames();
        try (one) {
            assertThat(one.add(graph, "x")).isTrue();
            for (int refused = 0; refused < 2; refused++) {
                try (PendingNames other = new PendingNames()) {
                    assertThat(other.add(graph, "x")).isFalse();
                    assertThat(other.add(graph, "y")).isTrue();
                    assertThat(other.add(new Object(), "x")).isTrue();
                }
            }
        }
        try (PendingNames other = new PendingNames()) {
            assertThat(other.add(graph, "x")).isTrue();
        }
    }
}
