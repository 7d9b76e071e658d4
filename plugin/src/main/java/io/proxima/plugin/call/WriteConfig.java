// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.NodeValues;
import java.util.Map;

/** The keys of every write mode. */
public record WriteConfig(String property, int concurrency) {

    /** The result of writing, and its time. */
    public record Written(PropertyWriter.Summary summary, long millis) {
        Map<String, Object> columns() {
            return Map.of(
                    "nodePropertiesWritten", summary.propertiesWritten(),
                    "writeMillis", millis,
                    "nodesSkipped", summary.nodesSkipped(),
                    "batches", summary.batches(),
                    "retries", summary.retries(),
                    "errorMessages", summary.errorMessages());
        }
    }

    static WriteConfig read(ConfigReader reader) {
        String property = reader.readPropertyName("writeProperty");
        return new WriteConfig(property, Concurrency.readForWriting(reader));
    }

    /** Writes the property that the configuration names. */
    public Written write(GraphRun run, NodeValues values) {
        return write(run, null, values);
    }

    /** Writes it to some vertices; null for all. */
    public Written write(GraphRun run, int[] vertices, NodeValues values) {
        return write(run, vertices, Map.of(property, values));
    }

    /** Writes it and another property, whose name is empty if it is not wanted. */
    public Written write(GraphRun run, NodeValues values, String second, NodeValues ofSecond) {
        return write(
                run, null, second.isEmpty() ? Map.of(property, values) : Map.of(property, values, second, ofSecond));
    }

    private Written write(GraphRun run, int[] vertices, Map<String, NodeValues> properties) {
        long start = System.nanoTime();
        PropertyWriter.Summary summary = run.write(vertices, properties, concurrency);
        return new Written(summary, GraphRun.millisSince(start));
    }
}
