// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The MXBeans of this JVM. All figures are read on request, from existing counters. They need no thread of their own,
 * and open no device.
 */
public final class Metrics {

    private static final Map<String, Object> BEANS = Map.of(
            "Graphs", new GraphsMXBean() {},
            "Jobs", new JobsMXBean() {},
            "Devices", new DevicesMXBean() {},
            "Writes", new WritesMXBean() {});

    private final MBeanServer server;

    // both guarded by this
    private final List<ObjectName> registered = new ArrayList<>();
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
            try {
                for (Map.Entry<String, Object> bean : BEANS.entrySet()) {
                    ObjectName name = new ObjectName("io.proxima:type=" + bean.getKey());
                    registered.add(server.registerMBean(bean.getValue(), name).getObjectName());
                }
            } catch (JMException | RuntimeException e) {
                unregister();
                throw e;
            }
        }
        holders++;
    }

    /** Unregisters all beans with their last holder. */
    public synchronized void release() throws JMException {
        if (--holders == 0) {
            unregister();
        }
    }

    private void unregister() throws JMException {
        for (ObjectName name : registered) {
            server.unregisterMBean(name);
        }
        registered.clear();
    }
}
