// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.backend.DeviceUse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
            "Writes", new WritesMXBean() {});

    private Metrics() {}

    // guarded by this class
    private static final Set<MBeanServer> REGISTERED_WITH = new HashSet<>();

    /**
     * Registers the beans, for all servers of this JVM. They remain until it ends. Further calls for the same MBean
     * server do nothing.
     *
     * @param devices supplies the use of devices by each server of this JVM
     * @throws JMException if one is refused, for example because another class loader of this JVM has registered its
     *     own; none of this call remains registered then
     */
    public static synchronized void register(MBeanServer server, Supplier<List<DeviceUse>> devices) throws JMException {
        if (REGISTERED_WITH.contains(server)) {
            return;
        }
        List<ObjectName> registered = new ArrayList<>();
        try {
            Map<String, Object> beans = new TreeMap<>(BEANS);
            beans.put("Devices", (DevicesMXBean) () -> devices.get().stream()
                    .collect(Collectors.toMap(DeviceUse::name, use -> use, DeviceUse::plus, TreeMap::new)));
            for (Map.Entry<String, Object> bean : beans.entrySet()) {
                ObjectName name = new ObjectName("io.proxima:type=" + bean.getKey());
                server.registerMBean(bean.getValue(), name);
                registered.add(name);
            }
            REGISTERED_WITH.add(server);
        } catch (JMException | RuntimeException e) {
            for (ObjectName name : registered) {
                server.unregisterMBean(name);
            }
            throw e;
        }
    }
}
