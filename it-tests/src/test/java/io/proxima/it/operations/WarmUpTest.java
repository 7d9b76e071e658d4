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
