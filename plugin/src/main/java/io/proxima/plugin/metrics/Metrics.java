// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

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

    private Metrics() {}

    /**
     * Registers the beans, for all servers of this JVM. They remain until it ends.
     *
     * @throws JMException if one is refused
     */
    public static synchronized void register(MBeanServer server) throws JMException {
        for (Map.Entry<String, Object> bean : BEANS.entrySet()) {
            ObjectName name = new ObjectName("io.proxima:type=" + bean.getKey());
            if (!server.isRegistered(name)) {
                server.registerMBean(bean.getValue(), name);
            }
        }
    }
}
