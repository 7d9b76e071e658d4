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

import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.ServerJmx;
import io.proxima.it.SharedServer;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import javax.management.JMException;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** The warm-up of a server that was just started. */
class WarmUpTest {

    private final Installation installation = Installation.built();

    @Test
    void shouldEndOnItsOwn() {
        RunningQuery.await(
                "the warm-up", () -> SharedServer.server().debugLog().contains("Warm-up of Proxima completed on cpu"));
    }

    /** The kernels of the fake device take long, so the server stops in the middle of the warm-up. */
    @Test
    void shouldOpenTheDeviceUnaskedAndEndWithTheServer() {
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("warm-up"))
                .withTestDriver()
                .start()) {
            try (ServerJmx jmx = new ServerJmx(server)) {
                RunningQuery.await("the device", () -> openDevices(jmx) == 1);
            }
            Cypher cypher = new Cypher(server.driver());
            assertThat(cypher.rows("CALL proxima.listProgress()")).isEmpty();
            assertThat(cypher.value("CALL proxima.backend.list() YIELD name, available WHERE name = 'cuda:0'"
                            + " RETURN available"))
                    .isEqualTo(true);
            server.stop();
            assertThat(server.debugLog())
                    .doesNotContain("warm-up failed", "devices are not released", "could not release the devices");
        }
    }

    @Test
    void shouldLeaveTheDeviceClosedIfTheSettingSaysSo() {
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("no-warm-up"))
                        .withTestDriver()
                        .setting("server.proxima.warmup.enabled", "false")
                        .start();
                ServerJmx jmx = new ServerJmx(server)) {
            assertThat(openDevices(jmx)).isZero();
            assertThat(server.debugLog()).doesNotContain("Warm-up of Proxima");
        }
    }

    private static int openDevices(ServerJmx jmx) {
        try {
            return ((TabularData) jmx.attribute("Devices", "ByName")).size();
        } catch (JMException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
