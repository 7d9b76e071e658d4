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
package io.proxima.plugin.job;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The calls that run now, of all users of this JVM. A job vanishes when its call ends, however it ends. */
public final class JobRegistry {

    private static final Set<Job> RUNNING = ConcurrentHashMap.newKeySet();

    private JobRegistry() {}

    /**
     * Begins a job; the caller closes it.
     *
     * @param user who called
     * @param jobId the call's name; several running calls may share one
     * @param name what is done
     * @param log takes the lines that tell the progress
     */
    public static Job begin(String user, String jobId, String name, Consumer<String> log) {
        return begin(user, jobId, name, log, System::nanoTime);
    }

    static Job begin(String user, String jobId, String name, Consumer<String> log, LongSupplier nanoClock) {
        Job job = new Job(user, jobId, name, log, RUNNING::remove, nanoClock);
        RUNNING.add(job);
        return job;
    }

    /**
     * The running jobs, oldest first.
     *
     * @param user whose jobs
     * @param allUsers whether those of everyone are wanted
     */
    public static List<Job> running(String user, boolean allUsers) {
        return RUNNING.stream()
                .filter(job -> allUsers || job.user().equals(user))
                .sorted(Comparator.comparing(Job::started))
                .toList();
    }
}
