/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.server;

import io.proxima.backend.TraversalBackends.Wanted;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.Description;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.SettingConstraints;
import org.neo4j.configuration.SettingImpl;
import org.neo4j.configuration.SettingValueParsers;
import org.neo4j.configuration.SettingsDeclaration;
import org.neo4j.graphdb.config.Setting;

/** Proxima's lines in neo4j.conf. They begin with "server.", because Neo4j refuses names of other beginnings. */
public final class ProximaSettings implements SettingsDeclaration {

    /** What the names of all of them begin with. */
    public static final String PREFIX = "server.proxima.";

    private static final String ALL_DEVICES = "*";
    private static final int MOST_THREADS = 65_536;

    /** The backend of calls that name none. */
    @Description("The backend of calls of Proxima whose configuration has no key `backend`: auto, cuda or cpu.")
    public static final Setting<Wanted> BACKEND = SettingImpl.newBuilder(
                    "server.proxima.backend", SettingValueParsers.ofEnum(Wanted.class), Wanted.AUTO)
            .build();

    /** The share of each device's memory. */
    @Description("The share of each GPU's memory that Proxima may hold, from 0.1 to 0.95.")
    public static final Setting<Double> DEVICE_MEMORY_SHARE = SettingImpl.newBuilder(
                    "server.proxima.device_memory_share", SettingValueParsers.DOUBLE, 0.8)
            .addConstraint(SettingConstraints.range(0.1, 0.95))
            .build();

    /** The share of free device memory for records of balls. */
    @Description(
            "The share of a GPU's memory free for Proxima that the records of balls of one graph may take, which make"
                    + " searches of road networks and meshes faster, from 0.0 (none are made) to 0.9.")
    public static final Setting<Double> DEVICE_RECORDS_SHARE = SettingImpl.newBuilder(
                    "server.proxima.device_records_share", SettingValueParsers.DOUBLE, 0.25)
            .addConstraint(SettingConstraints.range(0.0, 0.9))
            .build();

    /** The devices. */
    @Description("The GPUs that Proxima may use: * for all, or their numbers as in proxima.backend.list, the preferred"
            + " first, as in 1,0.")
    public static final Setting<String> DEVICES = SettingImpl.newBuilder(
                    "server.proxima.devices", SettingValueParsers.STRING, ALL_DEVICES)
            .addConstraint(SettingConstraints.matches(
                    "\\*|\\d{1,4}(\\s*,\\s*\\d{1,4})*",
                    "must be * for all devices, or device numbers with commas between them, as in 0 or 0,1"))
            .build();

    /** The share of the heap. */
    @Description(
            "The share of the heap up to which Proxima lets graphs and runs take memory, from 0.1 to 1.0. What is not"
                    + " free cannot be taken in any case.")
    public static final Setting<Double> HEAP_SHARE = SettingImpl.newBuilder(
                    "server.proxima.heap_share", SettingValueParsers.DOUBLE, 1.0)
            .addConstraint(SettingConstraints.range(0.1, 1.0))
            .build();

    /** Threads of calls that say nothing. */
    @Description("The number of threads of a call of Proxima whose configuration has no key `concurrency` or"
            + " `readConcurrency`.")
    public static final Setting<Integer> CONCURRENCY = SettingImpl.newBuilder(
                    "server.proxima.concurrency", SettingValueParsers.INT, 4)
            .addConstraint(SettingConstraints.range(1, MOST_THREADS))
            .build();

    /** Threads of any call. */
    @Description(
            "The most threads that any call of Proxima works with, whatever its configuration asks for. More than the"
                    + " server has processors are never used.")
    public static final Setting<Integer> MAX_CONCURRENCY = SettingImpl.newBuilder(
                    "server.proxima.max_concurrency", SettingValueParsers.INT, MOST_THREADS)
            .addConstraint(SettingConstraints.range(1, MOST_THREADS))
            .build();

    /** The folder of saved graphs. */
    @Description(
            "The folder in which Proxima keeps graphs in the orders that it made for a GPU, so that they need not be"
                    + " made again after a restart. Relative to the server's home. Nothing is kept if it is not set.")
    public static final Setting<String> GRAPH_DIRECTORY = SettingImpl.newBuilder(
                    "server.proxima.graph_directory", SettingValueParsers.STRING, "")
            .build();

    /** For the service loader. */
    public ProximaSettings() {}

    /** The devices that a value of {@link #DEVICES} names, each once; empty for all. */
    static List<Integer> devices(String value) {
        return value.equals(ALL_DEVICES)
                ? List.of()
                : Arrays.stream(value.split(","))
                        .map(number -> Integer.valueOf(number.strip()))
                        .distinct()
                        .toList();
    }

    /**
     * The folder that {@link #GRAPH_DIRECTORY} names, absolute; null if it names none.
     *
     * @throws java.nio.file.InvalidPathException if there can be no such folder
     */
    static Path graphDirectory(Config config) {
        // a setting of type path without a value would become the home itself
        String value = of(config, GRAPH_DIRECTORY);
        return value.isBlank()
                ? null
                : config.get(GraphDatabaseSettings.neo4j_home).resolve(value.strip());
    }

    /**
     * The value of a setting; its default where Neo4j has not found this class, as in an embedded server whose class path
     * lacks the jar.
     */
    public static <T> T of(Config config, Setting<T> setting) {
        return config.getDeclaredSettings().containsKey(setting.name()) ? config.get(setting) : setting.defaultValue();
    }
}
