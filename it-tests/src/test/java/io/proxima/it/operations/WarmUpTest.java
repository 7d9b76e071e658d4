// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.RunningQuery;
import io.proxima.it.ServerJmx;
import io.proxima.it.SharedServer;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** The warm-up of a server that was just started; {@link MonitoringTest} waits for the device that it opens. */
class WarmUpTest {

    private final Installation installation = Installation.built();

    @Test
    void shouldEndOnItsOwn() {
        RunningQuery.await(
                "the warm-up", () -> SharedServer.server().debugLog().contains("Warm-up of Proxima completed on cpu"));
        assertThat(SharedServer.server().debugLog()).doesNotContain("Proxima's settings could not be applied");
    }

    @Test
    void shouldLeaveTheDeviceClosedIfTheSettingSaysSo() throws Exception {
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("no-warm-up"))
                        .withTestDriver()
                        .withoutOptimizingCompiler()
                        .setting("server.proxima.warmup.enabled", "false")
                        .start();
                ServerJmx jmx = new ServerJmx(server)) {
            assertThat(((TabularData) jmx.attribute("Devices", "ByName")).size())
                    .isZero();
            assertThat(server.debugLog()).doesNotContain("Warm-up of Proxima");
        }
    }
}
