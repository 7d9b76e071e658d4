// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.backend.DeviceUse;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.write.WriteCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The MXBeans of this JVM. All figures are read on request, from existing counters. They need no thread of their own,
 * and open no device.
 */
public final class Metrics {

    private static final String DOMAIN = "io.proxima";

    private static final Map<String, Object> BEANS =
            Map.of("Graphs", new Graphs(), "Jobs", new Jobs(), "Devices", new Devices(), "Writes", new Writes());

    private final MBeanServer server;

    // guarded by this
    private int holders;

    /** Creates metrics for an MBean server. */
    public Metrics(MBeanServer server) {
        this.server = server;
    }

    /**
     * Registers all beans for their first holder.
     *
     * @throws JMException if one is refused, for example because another class loader of this JVM has registered its
     *     own; none of this call remains registered then, and {@link #release} must not be called
     */
    public synchronized void hold() throws JMException {
        if (holders == 0) {
            List<String> types = List.copyOf(BEANS.keySet());
            for (int i = 0; i < types.size(); i++) {
                try {
                    server.registerMBean(BEANS.get(types.get(i)), name(types.get(i)));
                } catch (JMException | RuntimeException e) {
                    unregister(types.subList(0, i));
                    throw e;
                }
            }
        }
        holders++;
    }

    /** Unregisters all beans with their last holder. */
    public synchronized void release() throws JMException {
        if (--holders == 0) {
            unregister(BEANS.keySet());
        }
    }

    private void unregister(Iterable<String> types) throws JMException {
        for (String type : types) {
            ObjectName name = name(type);
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        }
    }

    private static ObjectName name(String type) throws JMException {
        return new ObjectName(DOMAIN + ":type=" + type);
    }

    private static final class Graphs implements GraphsMXBean {
        @Override
        public int getGraphCount() {
            return GraphCatalog.all().size();
        }

        @Override
        public long getHeapBytes() {
            return sum(GraphEntry::heapBytes);
        }

        @Override
        public long getDeviceBytes() {
            return sum(GraphEntry::deviceBytes);
        }

        @Override
        public long getMappedBytes() {
            return sum(GraphEntry::mappedBytes);
        }

        @Override
        public int getResidentGraphCount() {
            return (int) GraphCatalog.all().stream()
                    .filter(entry -> entry.deviceBytes() > 0)
                    .count();
        }

        private static long sum(ToLongFunction<GraphEntry> bytes) {
            return GraphCatalog.all().stream().mapToLong(bytes).sum();
        }
    }

    private static final class Jobs implements JobsMXBean {
        @Override
        public int getRunningCount() {
            return JobRegistry.running("", true).size();
        }

        @Override
        public long getRunningHeapBytes() {
            return JobRegistry.running("", true).stream()
                    .mapToLong(Job::heapBytes)
                    .sum();
        }

        @Override
        public long getFinishedCount() {
            return sum(JobRegistry.Counts::finished);
        }

        @Override
        public long getFailedCount() {
            return sum(JobRegistry.Counts::failed);
        }

        @Override
        public long getCanceledCount() {
            return sum(JobRegistry.Counts::canceled);
        }

        @Override
        public Map<String, Ends> getByName() {
            Map<String, Ends> ends = new TreeMap<>();
            JobRegistry.counts().forEach((name, counts) -> ends.put(name, new JobEnds(counts)));
            return ends;
        }

        private static long sum(ToLongFunction<JobRegistry.Counts> count) {
            return JobRegistry.counts().values().stream().mapToLong(count).sum();
        }
    }

    private record JobEnds(JobRegistry.Counts counts) implements JobsMXBean.Ends {
        @Override
        public long getFinishedCount() {
            return counts.finished();
        }

        @Override
        public long getFailedCount() {
            return counts.failed();
        }

        @Override
        public long getCanceledCount() {
            return counts.canceled();
        }
    }

    private static final class Devices implements DevicesMXBean {
        @Override
        public Map<String, Use> getByName() {
            Map<String, Use> uses = new LinkedHashMap<>();
            for (DeviceUse use : TraversalBackends.deviceUse()) {
                uses.put(use.name(), new OneDevice(use));
            }
            return uses;
        }
    }

    private record OneDevice(DeviceUse use) implements DevicesMXBean.Use {
        @Override
        public long getTotalBytes() {
            return use.totalBytes();
        }

        @Override
        public long getBudgetBytes() {
            return use.budgetBytes();
        }

        @Override
        public long getUsedBytes() {
            return use.usedBytes();
        }

        @Override
        public long getMappedBudgetBytes() {
            return use.mappedBudgetBytes();
        }

        @Override
        public long getMappedBytes() {
            return use.mappedBytes();
        }

        @Override
        public long getHits() {
            return use.hits();
        }

        @Override
        public long getMisses() {
            return use.misses();
        }

        @Override
        public long getEvictions() {
            return use.evictions();
        }

        @Override
        public long getUploadedBytes() {
            return use.uploadedBytes();
        }
    }

    private static final class Writes implements WritesMXBean {
        @Override
        public long getPropertiesWritten() {
            return WriteCounts.propertiesWritten();
        }

        @Override
        public long getNodesSkipped() {
            return WriteCounts.nodesSkipped();
        }

        @Override
        public long getBatches() {
            return WriteCounts.batches();
        }

        @Override
        public long getRetries() {
            return WriteCounts.retries();
        }
    }
}
