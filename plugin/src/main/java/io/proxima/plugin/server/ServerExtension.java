// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.metrics.Metrics;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.neo4j.common.DependencyResolver;
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
 * Opens the backends of a server with its settings when it starts, registers the metrics, and warms up in the
 * background. Releases the devices when the server has shut down; by then its databases have stopped and their graphs
 * have been freed. Failures are logged and stop no server.
 */
public final class ServerExtension extends ExtensionFactory<ServerExtension.Dependencies> {

    /**
     * Queries of a stopped database end within 200 ms; the server does not wait longer than this for the remaining
     * ones.
     */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The backends of all running servers of this JVM, for its metrics. */
    private static final Set<TraversalBackends> RUNNING = ConcurrentHashMap.newKeySet();

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

    private final Backends backends;

    /** Required by the service loader. */
    public ServerExtension() {
        this(new Backends());
    }

    ServerExtension(Backends backends) {
        super(ExtensionType.GLOBAL, "proxima-server");
        this.backends = backends;
    }

    /** What servers do with their backends. */
    static class Backends {
        TraversalBackends open(BackendSettings settings) {
            return TraversalBackends.ofThisHost(settings);
        }

        List<String> warmUp(TraversalBackends own, Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
            return own.warmUp(wanted, heap, concurrency, stop);
        }

        String whyNoGpu(TraversalBackends own) {
            return own.select(Wanted.AUTO).remedy();
        }

        void close(TraversalBackends own) {
            own.close();
        }
    }

    /** Backends with the default settings, for all servers without their own. */
    private static final class Defaults {
        private static final TraversalBackends BACKENDS = TraversalBackends.ofThisHost(BackendSettings.DEFAULTS);
    }

    /**
     * The backends of a DBMS. They have the default settings if Neo4j has not found this class, for example in an
     * embedded server whose class path lacks the jar, or if its own could not be opened.
     */
    public static TraversalBackends backends(DependencyResolver dbms) {
        // Neo4j makes each instance of an extension a component
        TraversalBackends own = dbms.containsDependency(Server.class) ? dbms.resolveDependency(Server.class).own : null;
        return own == null ? Defaults.BACKENDS : own;
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
        // null until it is open
        private volatile TraversalBackends own;
        private LiveServer live;
        private Workers.Background warmUp;

        Server(Dependencies dependencies) {
            this.dependencies = dependencies;
            config = dependencies.config();
            log = dependencies.logService().getInternalLog(ServerExtension.class);
        }

        @Override
        public void init() {
            attempt("Proxima's settings could not be applied; defaults are used.", () -> {
                growing = dependencies.pageCache();
                long offHeap = ProximaSettings.offHeapTransactions(config);
                TraversalBackends opened = backends.open(BackendSettings.DEFAULTS
                        .withDevices(ProximaSettings.devices(ProximaSettings.of(config, ProximaSettings.DEVICES)))
                        .withVulkan(ProximaSettings.of(config, ProximaSettings.VULKAN_ENABLED))
                        .withShares(
                                ProximaSettings.of(config, ProximaSettings.DEVICE_MEMORY_SHARE),
                                ProximaSettings.of(config, ProximaSettings.DEVICE_RECORDS_SHARE),
                                ProximaSettings.of(config, ProximaSettings.MAPPED_MEMORY_SHARE))
                        .withHostMemoryToCome(() -> memoryToCome(offHeap))
                        .withBackground(heap(), log::warn));
                live = new LiveServer(opened::isInUse, () -> backends.close(opened), LONGEST_WAIT_NANOS);
                own = opened;
                RUNNING.add(opened);
            });
            attempt(
                    "Proxima's metrics could not be registered with JMX.",
                    () -> Metrics.register(ManagementFactory.getPlatformMBeanServer(), ServerExtension::deviceUse));
        }

        private HeapBudget heap() {
            double share = ProximaSettings.of(config, ProximaSettings.HEAP_SHARE);
            return bytes -> HeapLedger.ofThisJvm().reserve(share, bytes);
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

        @Override
        public void start() {
            if (own != null && ProximaSettings.of(config, ProximaSettings.WARMUP_ENABLED)) {
                attempt(
                        WARM_UP_FAILED,
                        () -> warmUp = Workers.inBackground(
                                stop -> live.use(() -> attempt(WARM_UP_FAILED, () -> warmUp(stop)))));
            }
        }

        private void warmUp(Stop stop) {
            long begin = System.nanoTime();
            try {
                Wanted wanted = ProximaSettings.of(config, ProximaSettings.BACKEND);
                int threads = Math.min(WARM_UP_THREADS, ServerLimits.of(config).maxConcurrency());
                List<String> warm = backends.warmUp(own, wanted, heap(), threads, stop);
                log.info(
                        "Warm-up of Proxima completed on %s. Duration: %d ms.",
                        String.join(", ", warm), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
                String whyNoGpu = wanted == Wanted.AUTO ? backends.whyNoGpu(own) : "";
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
            if (own == null) {
                return;
            }
            RUNNING.remove(own);
            attempt("Proxima could not release the devices; they are freed when the process ends.", () -> {
                if (!live.end()) {
                    log.warn(
                            "Calls of Proxima are still running, so the devices are not released; they are freed when the process ends.");
                }
            });
        }
    }

    /** The use of devices by all servers of this JVM. */
    private static List<DeviceUse> deviceUse() {
        return RUNNING.stream().flatMap(own -> own.deviceUse().stream()).toList();
    }

    /** A part of the work of a server. */
    @FunctionalInterface
    private interface Part {
        void run() throws Exception;
    }
}
