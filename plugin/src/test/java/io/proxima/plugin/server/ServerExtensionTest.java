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

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.neo4j.configuration.Config;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.logging.internal.LogService;
import org.neo4j.logging.internal.SimpleLogService;
import org.neo4j.logging.log4j.Log4jLogProvider;

class ServerExtensionTest {

    private final AtomicInteger releases = new AtomicInteger();
    private final List<Double> shares = new ArrayList<>();
    private final LiveServers servers = new LiveServers(() -> false, releases::incrementAndGet, 0);

    @Test
    void shouldBeFoundByNeo4j() {
        assertThat(ServiceLoader.load(ExtensionFactory.class)).hasAtLeastOneElementOfType(ServerExtension.class);
    }

    @Test
    void shouldHandTheMemoryShareOnOnlyIfALineGivesIt() throws Exception {
        server(Config.defaults()).init();
        assertThat(shares).isEmpty();
        server(Config.defaults(ProximaSettings.DEVICE_MEMORY_SHARE, 0.3)).init();
        assertThat(shares).containsExactly(0.3);
    }

    @Test
    void shouldGiveDevicesBackWhenTheLastServerHasShutDown() throws Exception {
        Lifecycle one = server(Config.defaults());
        Lifecycle other = server(Config.defaults());
        Lifecycle neverStarted = server(Config.defaults());
        one.init();
        other.init();
        one.start();
        one.stop();
        one.shutdown();
        one.shutdown();
        neverStarted.shutdown();
        assertThat(releases).hasValue(0);
        other.shutdown();
        assertThat(releases).hasValue(1);
    }

    @Test
    void shouldStopNoServerWhenTheBackendsFail() throws Exception {
        LiveServers failing = new LiveServers(
                () -> false,
                () -> {
                    throw new IllegalStateException("no driver");
                },
                0);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Lifecycle server = new ServerExtension(failing, share -> {
                    throw new UnsatisfiedLinkError("no library");
                })
                .newInstance(null, dependencies(Config.defaults(ProximaSettings.DEVICE_MEMORY_SHARE, 0.3), log));
        server.init();
        server.shutdown();
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("could not be taken in", "could not give the devices back");
    }

    private Lifecycle server(Config config) {
        return new ServerExtension(servers, shares::add)
                .newInstance(null, dependencies(config, new ByteArrayOutputStream()));
    }

    private static ServerExtension.Dependencies dependencies(Config config, ByteArrayOutputStream log) {
        return new ServerExtension.Dependencies() {
            @Override
            public Config config() {
                return config;
            }

            @Override
            public LogService logService() {
                return new SimpleLogService(new Log4jLogProvider(log));
            }
        };
    }
}
