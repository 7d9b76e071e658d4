// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.job.Job;

/** The keys of calls on a projected graph that run no algorithm. */
public record JobKeys(int concurrency, String jobId, boolean logProgress, boolean sudo, String username) {

    /** Reads the keys; faults are added to the reader. */
    public static JobKeys read(ConfigReader reader) {
        return new JobKeys(
                Concurrency.read(reader),
                reader.readJobId("jobId"),
                reader.readBoolean("logProgress", true),
                reader.readBoolean("sudo", false),
                reader.readOptionalString("username", ColumnTexts.CALLER));
    }

    /** Begins the job of a call. */
    public Job begin(Caller caller, String task) {
        return caller.beginJob(task, jobId, logProgress, sudo);
    }
}
