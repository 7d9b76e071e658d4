// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.system;

import io.proxima.backend.BackendInfo;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.neo4j.configuration.Config;

/** Facts about a server for bug reports. */
final class SystemInfo {

    private SystemInfo() {}

    /** The facts, in reading order. */
    static Map<String, String> of(Caller caller) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("proximaVersion", Version.CURRENT);
        facts.put("neo4jVersion", org.neo4j.kernel.internal.Version.getNeo4jVersion());
        facts.put("javaVersion", System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")");
        facts.put("operatingSystem", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        Runtime runtime = Runtime.getRuntime();
        facts.put("processors", String.valueOf(runtime.availableProcessors()));
        facts.put("maxHeapBytes", String.valueOf(runtime.maxMemory()));
        facts.put("freeHeapBytes", String.valueOf(caller.heap().free()));
        facts.put("graphs", String.valueOf(GraphCatalog.all().size()));
        facts.put("runningJobs", String.valueOf(JobRegistry.running("", true).size()));
        facts.putAll(settings(caller.config()));
        for (BackendInfo backend : caller.backends().list()) {
            facts.put("backend " + backend.name(), described(backend));
        }
        return facts;
    }

    private static Map<String, String> settings(Config config) {
        Map<String, String> settings = new TreeMap<>();
        config.getDeclaredSettings().forEach((name, setting) -> {
            if (name.startsWith(ProximaSettings.PREFIX)) {
                settings.put(name, String.valueOf(config.get(setting)));
            }
        });
        return settings;
    }

    private static String described(BackendInfo backend) {
        if (!backend.available()) {
            return "not available: " + backend.reason();
        }
        String driver = backend.driverVersion().isEmpty() ? "" : ", driver version " + backend.driverVersion();
        return backend.device() + ", " + backend.freeBytes() + " of " + backend.totalBytes() + " bytes free" + driver;
    }
}
