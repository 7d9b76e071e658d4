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
package io.proxima.plugin.procedures;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.job.Job;

/** The keys of calls on a projected graph that run no algorithm. */
record JobKeys(int concurrency, String jobId, boolean logProgress, boolean sudo, String username) {

    /** Reads the keys; faults are added to the reader. */
    static JobKeys read(ConfigReader reader) {
        return new JobKeys(
                Concurrency.read(reader),
                reader.readJobId("jobId"),
                reader.readBoolean("logProgress", true),
                reader.readBoolean("sudo", false),
                reader.readOptionalString("username", Words.CALLER));
    }

    /** Begins the job of a call. */
    Job begin(Caller caller, String task) {
        return caller.beginJob(task, jobId, logProgress, sudo);
    }
}
