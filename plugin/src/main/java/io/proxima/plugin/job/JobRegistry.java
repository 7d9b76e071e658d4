// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.memory.HeapLedger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The running calls of all users of this JVM, and the last ones that have ended. Thread-safe.
 *
 * <p>Invariant "one job to an id": no two running jobs of a user share an id, so that an id identifies one job.
 */
public final class JobRegistry {

    /** Number of ended jobs that can be looked up by id. */
    private static final int ENDED_KEPT = 100;

    private static final Map<Key, Job> RUNNING = new ConcurrentHashMap<>();

    // guarded by itself, latest first
    private static final Deque<Job> ENDED = new ArrayDeque<>();
    private static final Map<String, Counts> COUNTS = new ConcurrentHashMap<>();

    private JobRegistry() {}

    private record Key(String user, String id) {}

    /**
     * The number of jobs of one name that have ended since the start of this JVM.
     *
     * @param finishedCount completed jobs
     * @param failedCount jobs that ended in an error
     * @param canceledCount jobs whose query was killed, or whose reader requested no more rows
     */
    public record Counts(long finishedCount, long failedCount, long canceledCount) {
        private static Counts of(Stage.State state) {
            return new Counts(
                    state == Stage.State.FINISHED ? 1 : 0,
                    state == Stage.State.FAILED ? 1 : 0,
                    state == Stage.State.CANCELED ? 1 : 0);
        }

        private Counts plus(Counts other) {
            return new Counts(
                    finishedCount + other.finishedCount,
                    failedCount + other.failedCount,
                    canceledCount + other.canceledCount);
        }
    }

    /**
     * Starts a job; the caller closes it.
     *
     * @param user the caller
     * @param jobId the id of the job
     * @param name the name of the job
     * @param stop distinguishes a kill from a failure when the job ends
     * @param heap the promise of the call, which the job closes
     * @param log receives the progress lines
     * @throws ProximaException if the user has a running job with the same id
     */
    public static Job begin(
            String user, String jobId, String name, Stop stop, HeapLedger.Promise heap, Consumer<String> log) {
        Key key = new Key(user, jobId);
        Job job = new Job(user, jobId, name, stop, heap, log);
        if (RUNNING.putIfAbsent(key, job) != null) {
            throw ProximaException.failed("The `jobId` `" + jobId
                    + "` belongs to a running job. Choose another one, or leave it out to use a random one.");
        }
        job.logStart();
        return job;
    }

    /**
     * The running jobs, oldest first.
     *
     * @param user the owner of the jobs
     * @param allUsers whether to return the jobs of all users
     */
    public static List<Job> running(String user, boolean allUsers) {
        return RUNNING.values().stream()
                .filter(job -> allUsers || job.user().equals(user))
                .sorted(Comparator.comparing(Job::started))
                .toList();
    }

    /**
     * The last job with an id: the running one, or the last of the hundred jobs that ended last in this JVM.
     *
     * @param user the owner of the job
     * @param allUsers whether to search the jobs of all users, and return one for each
     * @param jobId the id
     * @return the jobs, oldest first
     */
    public static List<Job> find(String user, boolean allUsers, String jobId) {
        // a job is added to the ended ones before it is removed from the running ones, so search these first
        List<Job> jobs = new ArrayList<>(running(user, allUsers));
        synchronized (ENDED) {
            jobs.addAll(ENDED);
        }
        return jobs.stream()
                .filter(job -> job.id().equals(jobId) && (allUsers || job.user().equals(user)))
                .collect(Collectors.toMap(Job::user, job -> job, (latest, earlier) -> latest))
                .values()
                .stream()
                .sorted(Comparator.comparing(Job::started))
                .toList();
    }

    /** The counts of ended jobs, by job name. */
    public static Map<String, Counts> counts() {
        return new TreeMap<>(COUNTS);
    }

    /** The counts of ended jobs of all names together. */
    public static Counts allCounts() {
        return COUNTS.values().stream().reduce(new Counts(0, 0, 0), Counts::plus);
    }

    static void ended(Job job) {
        COUNTS.merge(job.name(), Counts.of(job.state()), Counts::plus);
        synchronized (ENDED) {
            ENDED.addFirst(job);
            if (ENDED.size() > ENDED_KEPT) {
                ENDED.removeLast();
            }
        }
        RUNNING.remove(new Key(job.user(), job.id()), job);
    }
}
