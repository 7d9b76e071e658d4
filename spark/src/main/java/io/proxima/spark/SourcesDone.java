// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The number of sources whose searches are complete, in Spark's UI. */
public final class SourcesDone extends CustomSumMetric {

    static final String NAME = "sourcesDone";

    /** Creates the metric; Spark calls it by reflection. */
    public SourcesDone() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "sources searched";
    }

    /** The value of a task. */
    record OfTask(long value) implements CustomTaskMetric {
        @Override
        public String name() {
            return NAME;
        }
    }
}
