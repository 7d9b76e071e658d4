// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import io.proxima.plugin.memory.HeapLedger;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.neo4j.configuration.Config;
import org.neo4j.io.pagecache.PageCache;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.logging.internal.LogService;
import org.neo4j.logging.internal.SimpleLogService;
import org.neo4j.logging.log4j.Log4jLogProvider;

class ServerExtensionTest {

    private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

    private final AtomicInteger releases = new AtomicInteger();
    private final Map<String, Double> shares = new HashMap<>();
    private final AtomicBoolean vulkanAllowed = new AtomicBoolean();
    private final List<List<Integer>> devices = new ArrayList<>();
    private final List<LongSupplier> memoryToCome = new ArrayList<>();
    private final AtomicLong freePages = new AtomicLong();
    private final AtomicInteger warmUps = new AtomicInteger();
    private final AtomicInteger releasesAtItsEnd = new AtomicInteger(-1);
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final LiveServers servers = new LiveServers(() -> false, releases::incrementAndGet, AN_HOUR);
    private volatile boolean lasting;

    @Test
    void shouldApplySettingsAndTheirDefaults() throws Exception {
        server(Config.defaults(ProximaSettings.VULKAN_ENABLED, false)).init();
        assertThat(shares).isEqualTo(Map.of("device", 0.8, "records", 0.25, "mapped", 0.5));
        assertThat(vulkanAllowed).isFalse();
        server(Config.defaults(Map.of(
                        ProximaSettings.DEVICE_MEMORY_SHARE, 0.3,
                        ProximaSettings.DEVICE_RECORDS_SHARE, 0.0,
                        ProximaSettings.MAPPED_MEMORY_SHARE, 0.1,
                        ProximaSettings.DEVICES, "2, 0,2")))
                .init();
        assertThat(shares).isEqualTo(Map.of("device", 0.3, "records", 0.0, "mapped", 0.1));
        assertThat(vulkanAllowed).isTrue();
        assertThat(devices).containsExactly(List.of(), List.of(2, 0));
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
        assertThat(memoryToCome).extracting(LongSupplier::getAsLong).containsExactly(0L, 5_000L);
        freePages.set(1L << 25);
        assertThat(memoryToCome).extracting(LongSupplier::getAsLong).containsExactly(1L << 38, (1L << 38) + 5_000);
        onHeap.shutdown();
        assertThat(memoryToCome.get(0).getAsLong()).isZero();
    }

    @Test
    void shouldStopNoServerWhenTheBackendsFail() throws Exception {
        LiveServers failing = new LiveServers(
                () -> false,
                () -> {
                    throw new IllegalStateException("no driver");
                },
                AN_HOUR);
        Lifecycle server = new ServerExtension(failing, new ServerExtension.Backends() {
                    @Override
                    public void runBackground(HeapBudget heap, Consumer<String> lines) {
                        throw new NoClassDefFoundError("no backend");
                    }

                    @Override
                    public List<String> warmUp(Wanted wanted, HeapBudget budget, int concurrency, Stop stop) {
                        throw new DeviceFailureException("the device fails");
                    }
                })
                .newInstance(null, dependencies(Config.defaults(ProximaSettings.DEVICE_MEMORY_SHARE, 0.3)));
        server.init();
        server.start();
        await(() -> logged().contains("warm-up failed"));
        server.stop();
        server.shutdown();
        assertThat(logged()).contains("could not be applied", "the device fails", "could not release the devices");
    }

    @Test
    void shouldWarmUpWithTheFirstServerOnly() throws Exception {
        Lifecycle server = server(Config.defaults(ProximaSettings.BACKEND, Wanted.CPU));
        Lifecycle second = server(Config.defaults());
        server.init();
        second.init();
        server.start();
        second.start();
        await(() -> logged().contains("INFO"));
        assertThat(logged()).contains("Warm-up of Proxima completed on CPU, ");
        second.stop();
        second.shutdown();
        server.stop();
        server.shutdown();
        assertThat(warmUps).hasValue(1);
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
        return new ServerExtension(servers, new ServerExtension.Backends() {
                    @Override
                    public void limitDeviceMemory(double share) {
                        shares.put("device", share);
                    }

                    @Override
                    public void limitDeviceRecords(double share) {
                        shares.put("records", share);
                    }

                    @Override
                    public void allowVulkan() {
                        vulkanAllowed.set(true);
                    }

                    @Override
                    public void limitMappedMemory(double share) {
                        shares.put("mapped", share);
                    }

                    @Override
                    public void leaveHostMemory(LongSupplier bytes) {
                        memoryToCome.add(bytes);
                    }

                    @Override
                    public void allowDevices(List<Integer> ordinals) {
                        devices.add(ordinals);
                    }

                    @Override
                    public void runBackground(HeapBudget heap, Consumer<String> lines) {
                        assertThat(heap).isSameAs(HeapLedger.ofThisJvm());
                    }

                    @Override
                    public List<String> warmUp(Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
                        assertThat(heap).isSameAs(HeapLedger.ofThisJvm());
                        return ServerExtensionTest.this.warmUp(wanted, concurrency, stop);
                    }

                    @Override
                    public String whyNoGpu() {
                        return "There is no driver.";
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
