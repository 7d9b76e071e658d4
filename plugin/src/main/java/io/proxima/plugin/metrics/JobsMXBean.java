// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
