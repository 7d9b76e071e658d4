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
