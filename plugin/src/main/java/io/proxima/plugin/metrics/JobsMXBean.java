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
    /** Jobs that run now. */
    int getRunningCount();

    /** What the running jobs are estimated to take of the heap at their peak, in bytes. */
    long getRunningHeapBytes();

    /** Jobs that did what they were to do. */
    long getFinishedCount();

    /** Jobs that ended in an error. */
    long getFailedCount();

    /** Jobs whose query was killed, or whose reader wanted no more. */
    long getCanceledCount();

    /** The same by the name of the job, as in {@code proxima.listProgress}. */
    Map<String, Ends> getByName();

    /** How jobs of one name have ended. */
    interface Ends {
        /** Jobs that did what they were to do. */
        long getFinishedCount();

        /** Jobs that ended in an error. */
        long getFailedCount();

        /** Jobs whose query was killed, or whose reader wanted no more. */
        long getCanceledCount();
    }
}
