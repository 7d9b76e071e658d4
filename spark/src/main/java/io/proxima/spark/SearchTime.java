// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The time of the searches over all tasks, in Spark's UI. */
public final class SearchTime implements CustomMetric {

    static final String NAME = "searchTime";
    private static final double MILLIS = 1000;

    /** Creates the metric; Spark calls it by reflection. */
    public SearchTime() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "time in searches";
    }

    @Override
    public String aggregateTaskMetrics(long[] taskMetrics) {
        return String.format(
                Locale.ROOT,
                "%.1f s, longest task %.1f s",
                Arrays.stream(taskMetrics).sum() / MILLIS,
                Arrays.stream(taskMetrics).max().orElse(0) / MILLIS);
    }

    /**
     * The value of a task.
     *
     * @param value milliseconds
     */
    record OfTask(long value) implements CustomTaskMetric {
        @Override
        public String name() {
            return NAME;
        }
    }
}
