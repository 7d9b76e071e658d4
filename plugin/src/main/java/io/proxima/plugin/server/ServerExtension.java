// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.metrics.Metrics;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.neo4j.configuration.Config;
import org.neo4j.io.pagecache.PageCache;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.extension.ExtensionType;
import org.neo4j.kernel.extension.context.ExtensionContext;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.kernel.lifecycle.LifecycleAdapter;
import org.neo4j.logging.InternalLog;
import org.neo4j.logging.internal.LogService;

/**
 * Applies the settings and registers the metrics when a server starts, and warms up in the background. Releases the
 * devices when the last server of this JVM has shut down; by then the databases have stopped and their graphs have been
 * freed. Failures are logged and stop no server.
 */
public final class ServerExtension extends ExtensionFactory<ServerExtension.Dependencies> {

    /**
     * Queries of a stopped database end within 200 ms; the server does not wait longer than this for the remaining
     * ones.
     */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final LiveServers SERVERS = new LiveServers(
            () -> !JobRegistry.running("", true).isEmpty(), TraversalBackends::releaseDevices, LONGEST_WAIT_NANOS);

    private static final int WARM_UP_THREADS = 2;

    private static final String WARM_UP_FAILED = "Proxima's warm-up failed, so the first calls take longer.";

    /** The dependencies that Neo4j injects. */
    public interface Dependencies {
        /** The server's settings. */
        Config config();

        /** The server's logs. */
        LogService logService();

        /** The server's page cache. */
        PageCache pageCache();
    }

    private final LiveServers servers;
    private final Backends backends;

    /** Required by the service loader. */
    public ServerExtension() {
        this(SERVERS, new Backends());
    }

    ServerExtension(LiveServers servers, Backends backends) {
        super(ExtensionType.GLOBAL, "proxima-server");
        this.servers = servers;
        this.backends = backends;
    }

    /** Applies settings to the backends of this JVM. */
    static class Backends {
        void limitDeviceMemory(double share) {
            TraversalBackends.limitDeviceMemory(share);
        }

        void limitDeviceRecords(double share) {
            TraversalBackends.limitDeviceRecords(share);
        }

        void limitMappedMemory(double share) {
            TraversalBackends.limitMappedMemory(share);
        }

        void allowVulkan() {
            TraversalBackends.allowVulkan();
        }

        void leaveHostMemory(LongSupplier bytes) {
            TraversalBackends.leaveHostMemory(bytes);
        }

        void allowDevices(List<Integer> ordinals) {
            TraversalBackends.allowDevices(ordinals);
        }

        void runBackground(HeapBudget heap, Consumer<String> log) {
            TraversalBackends.reserveBackgroundFrom(heap);
            TraversalBackends.logBackgroundTo(log);
        }

        List<String> warmUp(Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
            return TraversalBackends.warmUp(wanted, heap, concurrency, stop);
        }

        String whyNoGpu() {
            return TraversalBackends.select(Wanted.AUTO).remedy();
        }
    }

    @Override
    public Lifecycle newInstance(ExtensionContext context, Dependencies dependencies) {
        return new Server(dependencies);
    }

    private final class Server extends LifecycleAdapter {
        private final Dependencies dependencies;
        private final Config config;
        private final InternalLog log;

        // null when nothing more of it will be taken
        private volatile PageCache growing;
        private boolean first;
        private Workers.Background warmUp;

        Server(Dependencies dependencies) {
            this.dependencies = dependencies;
            config = dependencies.config();
            log = dependencies.logService().getInternalLog(ServerExtension.class);
        }

        @Override
        public void init() {
            first = servers.begin();
            HeapLedger.ofThisJvm().limit(ProximaSettings.of(config, ProximaSettings.HEAP_SHARE));
            ServerLimits.limitConcurrency(
                    ProximaSettings.of(config, ProximaSettings.CONCURRENCY),
                    ProximaSettings.of(config, ProximaSettings.MAX_CONCURRENCY));
            attempt("Proxima's settings could not be applied; defaults are used.", () -> {
                backends.runBackground(HeapLedger.ofThisJvm(), log::warn);
                backends.allowDevices(ProximaSettings.devices(ProximaSettings.of(config, ProximaSettings.DEVICES)));
                if (ProximaSettings.of(config, ProximaSettings.VULKAN_ENABLED)) {
                    backends.allowVulkan();
                }
                backends.limitDeviceMemory(ProximaSettings.of(config, ProximaSettings.DEVICE_MEMORY_SHARE));
                backends.limitDeviceRecords(ProximaSettings.of(config, ProximaSettings.DEVICE_RECORDS_SHARE));
                backends.limitMappedMemory(ProximaSettings.of(config, ProximaSettings.MAPPED_MEMORY_SHARE));
                growing = dependencies.pageCache();
                long offHeap = ProximaSettings.offHeapTransactions(config);
                backends.leaveHostMemory(() -> memoryToCome(offHeap));
            });
            attempt(
                    "Proxima's metrics could not be registered with JMX.",
                    () -> Metrics.register(ManagementFactory.getPlatformMBeanServer()));
        }

        /** Does a part of the work; a failure is logged. */
        private void attempt(String otherwise, Part part) {
            try {
                part.run();
            } catch (Exception | LinkageError e) {
                log.warn(otherwise, e);
            }
        }

        /**
         * The memory outside of the heap that Neo4j's settings allow and that Neo4j has not taken yet. How much of
         * {@code offHeap} is in use is not counted.
         */
        private long memoryToCome(long offHeap) {
            PageCache current = growing;
            return current == null ? 0 : current.freePages() * current.pageSize() + offHeap;
        }

        /** Other servers of this JVM find the code compiled and the device open. */
        @Override
        public void start() {
            if (first && ProximaSettings.of(config, ProximaSettings.WARMUP_ENABLED)) {
                attempt(
                        WARM_UP_FAILED,
                        () -> warmUp = Workers.inBackground(
                                stop -> servers.use(() -> attempt(WARM_UP_FAILED, () -> warmUp(stop)))));
            }
        }

        private void warmUp(Stop stop) {
            long begin = System.nanoTime();
            try {
                Wanted wanted = ProximaSettings.of(config, ProximaSettings.BACKEND);
                List<String> warm = backends.warmUp(
                        wanted, HeapLedger.ofThisJvm(), Math.min(WARM_UP_THREADS, ServerLimits.maxConcurrency()), stop);
                log.info(
                        "Warm-up of Proxima completed on %s. Duration: %d ms.",
                        String.join(", ", warm), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
                String whyNoGpu = wanted == Wanted.AUTO ? backends.whyNoGpu() : "";
                if (!whyNoGpu.isEmpty()) {
                    log.info("Proxima runs on the CPU. %s", whyNoGpu);
                }
            } catch (StoppedException e) {
                // the server stops
            }
        }

        @Override
        public void stop() {
            if (warmUp != null) {
                warmUp.cancel();
                warmUp = null;
            }
        }

        @Override
        public void shutdown() {
            growing = null;
            attempt("Proxima could not release the devices; they are freed when the process ends.", () -> {
                if (!servers.end()) {
                    log.warn(
                            "Calls of Proxima are still running, so the devices are not released; they are freed when the process ends.");
                }
            });
        }
    }

    /** A part of the work of a server. */
    @FunctionalInterface
    private interface Part {
        void run() throws Exception;
    }
}
