// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;

/** The keys of every call that is a job. */
public record JobKeys(String jobId, boolean logProgress, boolean sudo, String username) {

    /** The id of the job. */
    public static final Key<String> JOB_ID = Key.of(
                    "jobId", "", "The id of the job in `proxima.listProgress` and in the log.")
            .absentMeans("a random UUID");

    private static final Key<Boolean> LOG_PROGRESS =
            Key.of("logProgress", true, "Whether the job writes its progress to the log.");
    private static final Key<Boolean> SUDO =
            Key.of("sudo", false, "Runs even if the estimated memory exceeds the free memory.");
    private static final Key<String> USERNAME =
            Key.of("username", "", "The owner of the graph.").absentMeans("the caller");

    /** Reads the keys; faults are added to the reader. */
    public static JobKeys read(ConfigReader reader) {
        return new JobKeys(
                reader.readJobId(JOB_ID),
                reader.readBoolean(LOG_PROGRESS),
                reader.readBoolean(SUDO),
                reader.readString(USERNAME));
    }

    /** Acquires a graph of the user, to be closed by the caller; a live one is refreshed first. */
    public GraphEntry acquire(Caller caller, String graphName) {
        return GraphRefresh.acquire(caller, this, GraphName.ofExisting(graphName));
    }
}
