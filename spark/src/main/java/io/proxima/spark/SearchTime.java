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
