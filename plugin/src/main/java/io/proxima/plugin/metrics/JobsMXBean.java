// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.job.JobRegistry.Counts;
import java.util.Map;

/** The projections and runs of all users and databases of this JVM, since its start. */
public interface JobsMXBean {
    /** The number of running jobs. */
    default int getRunningCount() {
        return JobRegistry.running("", true).size();
    }

    /** The estimated peak heap of the running jobs, in bytes. */
    default long getRunningHeapBytes() {
        return JobRegistry.running("", true).stream().mapToLong(Job::heapBytes).sum();
    }

    /** The number of completed jobs. */
    default long getFinishedCount() {
        return JobRegistry.allCounts().finishedCount();
    }

    /** The number of jobs that ended in an error. */
    default long getFailedCount() {
        return JobRegistry.allCounts().failedCount();
    }

    /** The number of jobs whose query was killed, or whose reader requested no more rows. */
    default long getCanceledCount() {
        return JobRegistry.allCounts().canceledCount();
    }

    /** The same counts for each job name, as in {@code proxima.listProgress}. */
    default Map<String, Counts> getByName() {
        return JobRegistry.counts();
    }
}
