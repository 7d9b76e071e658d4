// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveServersTest {

    private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger busyFor = new AtomicInteger();

    @Test
    void shouldReleaseWithTheLastServerOnly() {
        LiveServers servers = new LiveServers(() -> false, releases::incrementAndGet, 0);
        assertThat(servers.begin()).isTrue();
        assertThat(servers.begin()).isFalse();
        assertThat(servers.end()).isTrue();
        assertThat(releases).hasValue(0);
        assertThat(servers.begin()).isFalse();
        assertThat(servers.end()).isTrue();
        assertThat(releases).hasValue(0);
        assertThat(servers.end()).isTrue();
        assertThat(releases).hasValue(1);
        assertThat(servers.begin()).isTrue();
        assertThat(servers.end()).isTrue();
        assertThat(releases).hasValue(2);
    }

    @Test
    void shouldWaitForTheRunsToEnd() {
        busyFor.set(3);
        LiveServers servers = new LiveServers(
                () -> {
                    assertThat(releases).hasValue(0);
                    return busyFor.getAndDecrement() > 0;
                },
                releases::incrementAndGet,
                AN_HOUR);
        servers.begin();
        assertThat(servers.end()).isTrue();
        assertThat(busyFor).hasNegativeValue();
        assertThat(releases).hasValue(1);
    }

    @Test
    void shouldNotTakeDevicesFromRunsThatDoNotEnd() {
        LiveServers servers = new LiveServers(() -> true, releases::incrementAndGet, 0);
        servers.begin();
        assertThat(servers.end()).isFalse();
        assertThat(releases).hasValue(0);
    }

    @Test
    void shouldNotTakeDevicesFromWorkThatDoesNotEnd() {
        LiveServers servers = new LiveServers(() -> false, releases::incrementAndGet, 0);
        servers.begin();
        servers.use(() -> assertThat(servers.end()).isFalse());
        assertThat(releases).hasValue(0);
        servers.begin();
        assertThatThrownBy(() -> servers.use(() -> {
                    throw new IllegalStateException("work");
                }))
                .hasMessage("work");
        assertThat(servers.end()).isTrue();
        assertThat(releases).hasValue(1);
    }
}
