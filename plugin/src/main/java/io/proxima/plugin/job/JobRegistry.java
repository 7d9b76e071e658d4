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

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The calls that run now, of all users of this JVM, and the last ones that have ended. Thread-safe.
 *
 * <p>Invariant "one job to an id": no two running jobs of a user share their id, so that what is asked of an id means one
 * job.
 */
public final class JobRegistry {

    /** Ended jobs are kept for those who ask by id how theirs ended. */
    private static final int ENDED_KEPT = 100;

    private static final Map<Key, Job> RUNNING = new ConcurrentHashMap<>();

    // guarded by itself, oldest first
    private static final Deque<Job> ENDED = new ArrayDeque<>();
    private static final Map<String, Counts> COUNTS = new ConcurrentHashMap<>();

    private JobRegistry() {}

    private record Key(String user, String id) {}

    /**
     * How many jobs of one name have ended since the start of this JVM.
     *
     * @param finished those that did what they were to do
     * @param failed those that ended in an error
     * @param canceled those whose query was killed, or whose reader wanted no more
     */
    public record Counts(long finished, long failed, long canceled) {
        private static Counts of(Job.State state) {
            return new Counts(
                    state == Job.State.FINISHED ? 1 : 0,
                    state == Job.State.FAILED ? 1 : 0,
                    state == Job.State.CANCELED ? 1 : 0);
        }

        private Counts plus(Counts other) {
            return new Counts(finished + other.finished, failed + other.failed, canceled + other.canceled);
        }
    }

    /**
     * Begins a job; the caller closes it.
     *
     * @param user who called
     * @param jobId the call's name
     * @param name what is done
     * @param stop tells a kill from a failure when the job ends
     * @param log takes the lines that tell the progress
     * @throws ProximaException if another job of the user runs under that id
     */
    public static Job begin(String user, String jobId, String name, Stop stop, Consumer<String> log) {
        Key key = new Key(user, jobId);
        Job job = new Job(user, jobId, name, stop, log, JobRegistry::ended);
        if (RUNNING.putIfAbsent(key, job) != null) {
            throw ProximaException.failed("The `jobId` `" + jobId
                    + "` is in use by a job that still runs. Choose another, or leave it out to have one made.");
        }
        job.logStart();
        return job;
    }

    /**
     * The running jobs, oldest first.
     *
     * @param user whose jobs
     * @param allUsers whether those of everyone are wanted
     */
    public static List<Job> running(String user, boolean allUsers) {
        return RUNNING.values().stream()
                .filter(job -> allUsers || job.user().equals(user))
                .sorted(Comparator.comparing(Job::started))
                .toList();
    }

    /**
     * The last job of one id: the one that runs, or the last to end among the last hundred that have ended in this JVM.
     *
     * @param user whose job
     * @param allUsers whether those of everyone are wanted, one job a user
     * @param jobId the id
     * @return oldest first
     */
    public static List<Job> find(String user, boolean allUsers, String jobId) {
        Map<String, Job> byUser = new HashMap<>();
        // a job is among the ended ones before it leaves the running ones, so these are asked first
        for (Job job : running(user, allUsers)) {
            if (job.id().equals(jobId)) {
                byUser.put(job.user(), job);
            }
        }
        synchronized (ENDED) {
            Iterator<Job> latestFirst = ENDED.descendingIterator();
            while (latestFirst.hasNext()) {
                Job job = latestFirst.next();
                if (job.id().equals(jobId) && (allUsers || job.user().equals(user))) {
                    byUser.putIfAbsent(job.user(), job);
                }
            }
        }
        return byUser.values().stream()
                .sorted(Comparator.comparing(Job::started))
                .toList();
    }

    /** How many jobs of each name have ended, and how. */
    public static Map<String, Counts> counts() {
        return new TreeMap<>(COUNTS);
    }

    private static void ended(Job job) {
        COUNTS.merge(job.name(), Counts.of(job.state()), Counts::plus);
        synchronized (ENDED) {
            ENDED.addLast(job);
            if (ENDED.size() > ENDED_KEPT) {
                ENDED.removeFirst();
            }
        }
        RUNNING.remove(new Key(job.user(), job.id()), job);
    }
}
