// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveServerTest {

    private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger busyFor = new AtomicInteger();

    @Test
    void shouldWaitForTheRunsToEnd() {
        busyFor.set(3);
        LiveServer server = new LiveServer(
                () -> {
                    assertThat(releases).hasValue(0);
                    return busyFor.getAndDecrement() > 0;
                },
                releases::incrementAndGet,
                AN_HOUR);
        assertThat(server.end()).isTrue();
        assertThat(busyFor).hasNegativeValue();
        assertThat(releases).hasValue(1);
    }

    @Test
    void shouldNotTakeDevicesFromRunsThatDoNotEnd() {
        LiveServer server = new LiveServer(() -> true, releases::incrementAndGet, 0);
        assertThat(server.end()).isFalse();
        assertThat(releases).hasValue(0);
    }

    @Test
    void shouldNotTakeDevicesFromWorkThatDoesNotEnd() {
        LiveServer server = new LiveServer(() -> false, releases::incrementAndGet, 0);
        server.use(() -> assertThat(server.end()).isFalse());
        assertThat(releases).hasValue(0);
        assertThatThrownBy(() -> server.use(() -> {
                    throw new IllegalStateException("work");
                }))
                .hasMessage("work");
        assertThat(server.end()).isTrue();
        assertThat(releases).hasValue(1);
    }
}
