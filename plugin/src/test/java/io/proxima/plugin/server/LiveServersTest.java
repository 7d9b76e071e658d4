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
