// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    // guarded by this class
    private static final Set<MBeanServer> REGISTERED_WITH = new HashSet<>();

    /**
     * Registers the beans at the first call, for all servers of this JVM. They remain until it ends.
     *
     * @throws JMException if one is refused, for example because another class loader of this JVM has registered its
     *     own; none of this call remains registered then
     */
    public static synchronized void register(MBeanServer server) throws JMException {
        if (!REGISTERED_WITH.add(server)) {
            return;
        }
        List<ObjectName> registered = new ArrayList<>();
        try {
            for (Map.Entry<String, Object> bean : BEANS.entrySet()) {
                ObjectName name = new ObjectName("io.proxima:type=" + bean.getKey());
                server.registerMBean(bean.getValue(), name);
                registered.add(name);
            }
        } catch (JMException | RuntimeException e) {
            for (ObjectName name : registered) {
                server.unregisterMBean(name);
            }
            throw e;
        }
    }
}
