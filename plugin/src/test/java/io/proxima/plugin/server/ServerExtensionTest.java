// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.neo4j.collection.Dependencies;
import org.neo4j.configuration.Config;
import org.neo4j.io.pagecache.PageCache;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.logging.internal.LogService;
import org.neo4j.logging.internal.SimpleLogService;
import org.neo4j.logging.log4j.Log4jLogProvider;

class ServerExtensionTest {

    private final AtomicInteger releases = new AtomicInteger();
    private final List<TraversalBackends> released = new ArrayList<>();
    private final List<BackendSettings> settings = new ArrayList<>();
    private final AtomicLong freePages = new AtomicLong();
    private final AtomicInteger warmUps = new AtomicInteger();
    private final AtomicInteger releasesAtItsEnd = new AtomicInteger(-1);
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private volatile boolean lasting;

    @Test
    void shouldOpenEachServersBackendsWithItsOwnSettings() throws Exception {
        server(Config.defaults(ProximaSettings.VULKAN_ENABLED, false)).init();
        server(Config.defaults(Map.of(
                        ProximaSettings.DEVICE_MEMORY_SHARE, 0.3,
                        ProximaSettings.DEVICE_RECORDS_SHARE, 0.0,
                        ProximaSettings.MAPPED_MEMORY_SHARE, 0.1,
                        ProximaSettings.HEAP_SHARE, 0.25,
                        ProximaSettings.DEVICES, "2, 0,2")))
                .init();
        assertThat(settings)
                .extracting(
                        BackendSettings::devices,
                        BackendSettings::vulkan,
                        BackendSettings::deviceShare,
                        BackendSettings::recordsShare,
                        BackendSettings::mappedShare)
                .containsExactly(tuple(List.of(), false, 0.8, 0.25, 0.5), tuple(List.of(2, 0), true, 0.3, 0.0, 0.1));
        long half = Runtime.getRuntime().maxMemory() / 2;
        settings.get(0).heap().reserve(half).close();
        assertThatThrownBy(() -> settings.get(1).heap().reserve(half)).hasMessageContaining("heap_share=0.25");
    }

    @Test
    void shouldLeaveTheMemoryThatNeo4jMayStillTake() throws Exception {
        Lifecycle onHeap = server(Config.defaults());
        onHeap.init();
        Config offHeap = Config.newBuilder()
                .setRaw(Map.of(
                        "db.tx_state.memory_allocation", "OFF_HEAP",
                        "server.memory.off_heap.transaction_max_size", "5000"))
                .build();
        server(offHeap).init();
        assertThat(memoryToCome()).containsExactly(0L, 5_000L);
        freePages.set(1L << 25);
        assertThat(memoryToCome()).containsExactly(1L << 38, (1L << 38) + 5_000);
        onHeap.shutdown();
        assertThat(memoryToCome().get(0)).isZero();
    }

    private List<Long> memoryToCome() {
        return settings.stream().map(of -> of.hostMemoryToCome().getAsLong()).toList();
    }

    @Test
    void shouldStopNoServerWhenTheBackendsFail() throws Exception {
        Lifecycle server = new ServerExtension(new ServerExtension.Backends() {
                    @Override
                    List<String> warmUp(
                            TraversalBackends own, Wanted wanted, HeapBudget budget, int concurrency, Stop stop) {
                        throw new DeviceFailureException("the device fails");
                    }

                    @Override
                    void close(TraversalBackends own) {
                        throw new IllegalStateException("no driver");
                    }
                })
                .newInstance(null, dependencies(Config.defaults(ProximaSettings.DEVICE_MEMORY_SHARE, 0.3)));
        server.init();
        server.start();
        await(() -> logged().contains("warm-up failed"));
        server.stop();
        server.shutdown();
        assertThat(logged()).contains("the device fails", "could not release the devices");
    }

    @Test
    void shouldTakeTheDefaultsIfTheBackendsCannotBeOpened() throws Exception {
        Dependencies dbms = new Dependencies();
        TraversalBackends defaults = ServerExtension.backends(dbms);
        Lifecycle server = dbms.satisfyDependency(new ServerExtension(new ServerExtension.Backends() {
                    @Override
                    TraversalBackends open(BackendSettings own) {
                        throw new NoClassDefFoundError("no backend");
                    }
                })
                .newInstance(null, dependencies(Config.defaults())));
        server.init();
        server.start();
        server.stop();
        server.shutdown();
        assertThat(logged()).contains("could not be applied");
        assertThat(ServerExtension.backends(dbms)).isSameAs(defaults);
    }

    @Test
    void shouldWarmUpAndReleaseEachServersBackends() throws Exception {
        Dependencies first = new Dependencies();
        Dependencies second = new Dependencies();
        Lifecycle server = first.satisfyDependency(server(Config.defaults(ProximaSettings.BACKEND, Wanted.CPU)));
        Lifecycle another = second.satisfyDependency(server(Config.defaults(ProximaSettings.BACKEND, Wanted.CPU)));
        server.init();
        another.init();
        assertThat(ServerExtension.backends(first)).isNotSameAs(ServerExtension.backends(second));
        server.start();
        another.start();
        await(() -> warmUps.get() == 2);
        another.stop();
        another.shutdown();
        assertThat(released).containsExactly(ServerExtension.backends(second));
        server.stop();
        server.shutdown();
        assertThat(released).containsExactly(ServerExtension.backends(second), ServerExtension.backends(first));
        assertThat(logged()).contains("Warm-up of Proxima completed on CPU, ");
    }

    @Test
    void shouldSayOnceWhyNoGpuIsUsed() throws Exception {
        Lifecycle server = server(Config.defaults());
        server.init();
        server.start();
        await(() -> logged().contains("runs on the CPU"));
        assertThat(logged()).containsOnlyOnce("Proxima runs on the CPU. There is no driver.");
        server.stop();
        server.shutdown();
    }

    @Test
    void shouldNotWarmUpIfTheSettingSaysSo() throws Exception {
        Lifecycle server = server(Config.defaults(ProximaSettings.WARMUP_ENABLED, false));
        server.init();
        server.start();
        server.stop();
        server.shutdown();
        assertThat(warmUps).hasValue(0);
    }

    @Test
    void shouldEndTheWarmUpBeforeTheDevicesAreReleased() throws Exception {
        lasting = true;
        Lifecycle server = server(Config.defaults());
        server.init();
        server.start();
        await(() -> warmUps.get() == 1);
        server.stop();
        server.shutdown();
        assertThat(releases).hasValue(1);
        assertThat(releasesAtItsEnd).hasValue(0);
        assertThat(logged()).isEmpty();
    }

    private static void await(BooleanSupplier reached) throws InterruptedException {
        while (!reached.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    private String logged() {
        return log.toString(StandardCharsets.UTF_8);
    }

    private List<String> warmUp(Wanted wanted, int concurrency, Stop stop) {
        warmUps.incrementAndGet();
        while (lasting) {
            try {
                stop.check();
            } catch (StoppedException e) {
                releasesAtItsEnd.set(releases.get());
                throw e;
            }
        }
        return List.of(wanted.toString(), concurrency + " threads");
    }

    private Lifecycle server(Config config) {
        return new ServerExtension(new ServerExtension.Backends() {
                    @Override
                    TraversalBackends open(BackendSettings own) {
                        settings.add(own);
                        return super.open(own);
                    }

                    @Override
                    List<String> warmUp(
                            TraversalBackends own, Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
                        return ServerExtensionTest.this.warmUp(wanted, concurrency, stop);
                    }

                    @Override
                    String whyNoGpu(TraversalBackends own) {
                        return "There is no driver.";
                    }

                    @Override
                    void close(TraversalBackends own) {
                        released.add(own);
                        releases.incrementAndGet();
                    }
                })
                .newInstance(null, dependencies(config));
    }

    private ServerExtension.Dependencies dependencies(Config config) {
        return new ServerExtension.Dependencies() {
            @Override
            public Config config() {
                return config;
            }

            @Override
            public LogService logService() {
                return new SimpleLogService(new Log4jLogProvider(log));
            }

            @Override
            public PageCache pageCache() {
                return (PageCache) Proxy.newProxyInstance(
                        PageCache.class.getClassLoader(),
                        new Class<?>[] {PageCache.class},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "freePages" -> freePages.get();
                            case "pageSize" -> PageCache.PAGE_SIZE;
                            default -> throw new AssertionError(method);
                        });
            }
        };
    }
}
