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
package io.proxima.plugin.metrics;

import java.util.Map;

/** The projections and runs of all users and databases of this JVM, since its start. */
public interface JobsMXBean {
    /** The number of running jobs. */
    int getRunningCount();

    /** The estimated peak heap of the running jobs, in bytes. */
    long getRunningHeapBytes();

    /** The number of completed jobs. */
    long getFinishedCount();

    /** The number of jobs that ended in an error. */
    long getFailedCount();

    /** The number of jobs whose query was killed, or whose reader requested no more rows. */
    long getCanceledCount();

    /** The same counts for each job name, as in {@code proxima.listProgress}. */
    Map<String, Ends> getByName();

    /** The counts of one job name. */
    interface Ends {
        /** The number of completed jobs. */
        long getFinishedCount();

        /** The number of jobs that ended in an error. */
        long getFailedCount();

        /** The number of jobs whose query was killed, or whose reader requested no more rows. */
        long getCanceledCount();
    }
}
