// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import io.proxima.backend.select.TraversalBackends.Wanted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.Description;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.SettingConstraint;
import org.neo4j.configuration.SettingConstraints;
import org.neo4j.configuration.SettingImpl;
import org.neo4j.configuration.SettingValueParser;
import org.neo4j.configuration.SettingValueParsers;
import org.neo4j.configuration.SettingsDeclaration;
import org.neo4j.graphdb.config.Setting;

/** Proxima's settings in neo4j.conf. They begin with "server.", because Neo4j refuses other prefixes. */
public final class ProximaSettings implements SettingsDeclaration {

    /** The common prefix of all settings. */
    public static final String PREFIX = "server.proxima.";

    private static final String ALL_DEVICES = "*";
    private static final int MOST_THREADS = 65_536;

    /** The default of the key {@code backend}. */
    @Description("The default of the configuration key `backend` of Proxima: auto, cuda, vulkan or cpu.")
    public static final Setting<Wanted> BACKEND =
            setting("backend", SettingValueParsers.ofEnum(Wanted.class), Wanted.AUTO);

    /** Whether Vulkan devices may be used. */
    @Description(
            "Whether Proxima may use GPUs through Vulkan: under 'auto' if no CUDA device can be used, and by name.")
    public static final Setting<Boolean> VULKAN_ENABLED = setting("vulkan.enabled", SettingValueParsers.BOOL, true);

    /** The share of each device's memory that Proxima may use. */
    @Description("The share of each GPU's memory that Proxima may use, from 0.1 to 0.95.")
    public static final Setting<Double> DEVICE_MEMORY_SHARE =
            setting("device_memory_share", SettingValueParsers.DOUBLE, 0.8, SettingConstraints.range(0.1, 0.95));

    /** The share of free device memory for ball records. */
    @Description(
            "The share of the GPU memory free for Proxima that the ball records of one graph may take, from 0.0 (none)"
                    + " to 0.9. Ball records make searches of road networks and meshes faster.")
    public static final Setting<Double> DEVICE_RECORDS_SHARE =
            setting("device_records_share", SettingValueParsers.DOUBLE, 0.25, SettingConstraints.range(0.0, 0.9));

    /** The share of the host's free memory for lists of neighbours that do not fit a device. */
    @Description(
            "The share of the host's free memory that lists of neighbours may take if they do not fit the GPU, which then"
                    + " reads them over the bus, from 0.0 (none) to 0.9. The memory is page-locked and not part of the"
                    + " heap.")
    public static final Setting<Double> MAPPED_MEMORY_SHARE =
            setting("mapped_memory_share", SettingValueParsers.DOUBLE, 0.5, SettingConstraints.range(0.0, 0.9));

    /** The devices that may be used. */
    @Description(
            "The GPUs that Proxima may use: * for all, or their numbers as in proxima.backend.list, in the order of"
                    + " preference, as in 1,0.")
    public static final Setting<String> DEVICES = setting(
            "devices",
            SettingValueParsers.STRING,
            ALL_DEVICES,
            SettingConstraints.matches(
                    "\\*|\\d{1,4}(\\s*,\\s*\\d{1,4})*",
                    "must be * for all devices, or device numbers with commas between them, as in 0 or 0,1"));

    /** The share of the heap that Proxima may use. */
    @Description(
            "The share of the heap that graphs and running calls of Proxima may take together, from 0.1 to 1.0. Proxima"
                    + " never takes heap that is not free.")
    public static final Setting<Double> HEAP_SHARE =
            setting("heap_share", SettingValueParsers.DOUBLE, 1.0, SettingConstraints.range(0.1, 1.0));

    /** The default of the key {@code concurrency}. */
    @Description("The default of the configuration keys `concurrency` and `readConcurrency` of Proxima. The number of"
            + " processors if it is not set.")
    public static final Setting<Integer> CONCURRENCY = setting(
            "concurrency",
            SettingValueParsers.INT,
            Runtime.getRuntime().availableProcessors(),
            SettingConstraints.range(1, MOST_THREADS));

    /** The maximum number of threads of any call. */
    @Description(
            "The maximum number of threads of any call of Proxima, whatever its configuration. The number of processors is"
                    + " always a limit too.")
    public static final Setting<Integer> MAX_CONCURRENCY = setting(
            "max_concurrency", SettingValueParsers.INT, MOST_THREADS, SettingConstraints.range(1, MOST_THREADS));

    /** The folder of exported graphs. */
    @Description(
            "The folder to which proxima.graph.export writes, and from which proxima.graph.import reads. Relative to"
                    + " the server's home. Both are refused if it is not set.")
    public static final Setting<String> EXPORT_DIRECTORY = setting("export_directory", SettingValueParsers.STRING, "");

    /** The age at which files of runs that can be resumed are deleted. */
    @Description("The time after which the file of a run with `resume: true` is deleted if the run is not continued. 0"
            + " keeps the files until they are dropped.")
    public static final Setting<Duration> RESUME_MAX_AGE = setting(
            "resume_max_age", SettingValueParsers.DURATION, Duration.ofDays(30), SettingConstraints.min(Duration.ZERO));

    /** The maximum size of all files of users. */
    @Description(
            "The maximum size of all files of runs with `resume: true` and of all exported graphs together. 0 for no"
                    + " limit but half of the free disk space.")
    public static final Setting<Long> FILES_MAX_BYTES =
            setting("files_max_bytes", SettingValueParsers.BYTES, 0L, SettingConstraints.min(0L));

    /** Whether the server warms up. */
    @Description(
            "Whether Proxima opens GPUs and runs its code on small graphs in the background when the server starts, so"
                    + " that the first calls are as fast as later ones.")
    public static final Setting<Boolean> WARMUP_ENABLED = setting("warmup.enabled", SettingValueParsers.BOOL, true);

    private static <T> Setting<T> setting(String name, SettingValueParser<T> parser, T absent) {
        return SettingImpl.newBuilder(PREFIX + name, parser, absent).build();
    }

    private static <T> Setting<T> setting(
            String name, SettingValueParser<T> parser, T absent, SettingConstraint<T> constraint) {
        return SettingImpl.newBuilder(PREFIX + name, parser, absent)
                .addConstraint(constraint)
                .build();
    }

    /** The devices of a value of {@link #DEVICES}, each once; empty for all. */
    static List<Integer> devices(String value) {
        return value.equals(ALL_DEVICES)
                ? List.of()
                : Arrays.stream(value.split(","))
                        .map(number -> Integer.valueOf(number.strip()))
                        .distinct()
                        .toList();
    }

    /**
     * The absolute path of {@link #EXPORT_DIRECTORY}; null if it is not set.
     *
     * @throws java.nio.file.InvalidPathException if the value is not a valid path
     */
    public static Path exportDirectory(Config config) {
        // an empty setting of type path would become the home itself
        String value = of(config, EXPORT_DIRECTORY);
        return value.isBlank()
                ? null
                : config.get(GraphDatabaseSettings.neo4j_home).resolve(value.strip());
    }

    /**
     * The bytes outside of the heap that Neo4j's settings allow to the state of transactions; 0 if it is on the heap.
     */
    static long offHeapTransactions(Config config) {
        // by name, because Neo4j's current line does not have these settings
        Map<String, Setting<Object>> declared = config.getDeclaredSettings();
        Setting<Object> place = declared.get("db.tx_state.memory_allocation");
        return place != null && config.get(place).toString().equals("OFF_HEAP")
                ? (Long) config.get(declared.get("server.memory.off_heap.transaction_max_size"))
                : 0;
    }

    /**
     * The value of a setting; its default if Neo4j has not found this class, for example in an embedded server whose
     * class path lacks the jar.
     */
    public static <T> T of(Config config, Setting<T> setting) {
        try {
            return config.get(setting);
        } catch (IllegalArgumentException e) {
            // not declared; asking for the declared settings would copy them all, in each call
            return setting.defaultValue();
        }
    }
}
