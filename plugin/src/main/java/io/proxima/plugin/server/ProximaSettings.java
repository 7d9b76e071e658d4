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
import org.neo4j.configuration.Config;
import org.neo4j.configuration.Description;
import org.neo4j.configuration.SettingConstraints;
import org.neo4j.configuration.SettingImpl;
import org.neo4j.configuration.SettingValueParsers;
import org.neo4j.configuration.SettingsDeclaration;
import org.neo4j.graphdb.config.Setting;

/** Proxima's lines in neo4j.conf. They begin with "server.", because Neo4j refuses names of other beginnings. */
public final class ProximaSettings implements SettingsDeclaration {

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

    /** For the service loader. */
    public ProximaSettings() {}

    /**
     * The value of a setting; its default where Neo4j has not found this class, as in an embedded server whose class path
     * lacks the jar.
     */
    public static <T> T of(Config config, Setting<T> setting) {
        return config.getDeclaredSettings().containsKey(setting.name()) ? config.get(setting) : setting.defaultValue();
    }
}
