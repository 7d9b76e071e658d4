// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import java.util.List;
import java.util.Map;

/** The key of every mutate mode: the name of the property to add to the nodes of the graph. */
public record MutateConfig(String property) {

    /** The number of values added, and the time. */
    public record Mutated(long propertiesWritten, long millis) {
        Map<String, Object> columns() {
            return Map.of("nodePropertiesWritten", propertiesWritten, "mutateMillis", millis);
        }
    }

    /** Creates a property from the result of a run. */
    @FunctionalInterface
    public interface Maker {
        /** The property, for the nodes that the run sees. */
        NodeProperty make();
    }

    static MutateConfig read(ConfigReader reader) {
        return new MutateConfig(reader.readPropertyName("mutateProperty"));
    }

    /** Adds properties of all nodes that the run sees, all or none. */
    public static Mutated mutate(GraphRun run, Maker... makers) {
        return mutate(run, run.vertexCount(), makers);
    }

    /** Adds properties that this number of nodes has, all or none. */
    public static Mutated mutate(GraphRun run, int nodes, Maker... makers) {
        long start = System.nanoTime();
        NodeProperty[] properties = new NodeProperty[makers.length];
        for (int i = 0; i < makers.length; i++) {
            properties[i] = makers[i].make();
        }
        run.caller().stop().check();
        run.entry().addProperties(List.of(properties));
        return new Mutated((long) makers.length * nodes, GraphRun.millisSince(start));
    }
}
