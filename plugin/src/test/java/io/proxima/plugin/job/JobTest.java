// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.memory.HeapLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.NotInTransactionException;

class JobTest {

    @Test
    void shouldTellItsTasksAndLeaveTheRunningOnesWhenItEnds() {
        List<String> log = new ArrayList<>();
        try (Job job = begin("ann", "j", Stop.NEVER, log)) {
            assertThat(JobRegistry.running("ann", false)).containsExactly(job);
            assertThat(JobRegistry.running("bob", false)).isEmpty();
            assertThat(JobRegistry.running("bob", true)).contains(job);
            assertThat(job.fraction()).isEqualTo(-1);

            job.expectTasks(List.of(Task.of("Prepare"), Task.of("Traverse")));
            job.weigh(Task.of("Prepare"), 1);
            job.weigh(Task.of("Traverse"), 3);
            job.beginTask(Task.of("Prepare"), 0);
            job.advance(5);
            assertThat(job.fraction()).isZero();
            assertThat(job.tasks().get(0).fraction()).isEqualTo(-1);
            assertThat(job.timeLeft()).isNull();
            job.beginTask(Task.of("Traverse"), 1000);
            job.advance(250);
            assertThat(job.fraction()).isEqualTo((1 + 0.25 * 3) / (1 + 3));
            assertThat(job.timeLeft()).isLessThan(Duration.ofHours(1));
            assertThat(states(job)).containsExactly(Stage.State.FINISHED, Stage.State.RUNNING);
            job.succeed();
            assertThat(states(job)).containsExactly(Stage.State.FINISHED, Stage.State.FINISHED);
            assertThat(job.state()).isEqualTo(Stage.State.RUNNING);
        }
        assertThat(JobRegistry.running("ann", true)).extracting(Job::id).doesNotContain("j");
        assertThat(log)
                .containsExactly(
                        "[proxima] [j] BFS :: Start",
                        "[proxima] [j] BFS :: Prepare :: Start",
                        "[proxima] [j] BFS :: Prepare :: Finished",
                        "[proxima] [j] BFS :: Traverse :: Start",
                        "[proxima] [j] BFS :: Traverse :: Finished",
                        "[proxima] [j] BFS :: Finished");
    }

    @Test
    void shouldExpectTheRestToBeAsFastAsTheCompletedShare() {
        assertThat(Job.timeLeft(Duration.ofSeconds(60), 0.25)).isEqualTo(Duration.ofMinutes(3));
        assertThat(Job.timeLeft(Duration.ofSeconds(60), 1)).isEqualTo(Duration.ZERO);
        assertThat(Job.timeLeft(Duration.ofSeconds(60), 0)).isNull();
        assertThat(Job.timeLeft(Duration.ofSeconds(60), -1)).isNull();
    }

    @Test
    void shouldShowExpectedTasksAsPendingUntilTheyBeginOrAreLeftOut() {
        Job job = begin("ann", "j", Stop.NEVER, new ArrayList<>());
        job.expectTasks(List.of(Task.of("Order"), Task.of("Sum"), Task.of("Check"), Task.of("Write")));
        assertThat(states(job)).containsOnly(Stage.State.PENDING);
        assertThat(job.tasks().get(0).started()).isNull();
        assertThat(job.tasks().get(0).elapsed()).isNull();
        assertThat(job.fraction()).isZero();

        job.beginTask(Task.of("Copy"), 10);
        assertThat(job.tasks())
                .extracting(Job.TaskState::name)
                .containsExactly("Copy", "Order", "Sum", "Check", "Write");
        job.beginTask(Task.of("Sum"), 10);
        assertThat(job.tasks()).extracting(Job.TaskState::name).containsExactly("Copy", "Sum", "Check", "Write");
        assertThat(states(job))
                .containsExactly(Stage.State.FINISHED, Stage.State.RUNNING, Stage.State.PENDING, Stage.State.PENDING);
        assertThat(job.fraction()).isEqualTo(0.25);
        job.succeed();
        job.close();
        assertThat(job.tasks()).extracting(Job.TaskState::name).containsExactly("Copy", "Sum");
        assertThat(job.fraction()).isEqualTo(1);
    }

    @Test
    void shouldLogEachTenthOfALongJobOnce() throws InterruptedException {
        List<String> log = new ArrayList<>();
        try (Job job = begin("ann", "j", Stop.NEVER, log)) {
            job.expectTasks(List.of(Task.of("Traverse")));
            job.beginTask(Task.of("Traverse"), 1000);
            log.clear();
            while (job.elapsed().compareTo(Job.LOGGED_AFTER) < 0) {
                Thread.sleep(10);
            }
            for (int i = 0; i < 1000; i++) {
                job.advance(1);
            }
            assertThat(log).hasSize(10);
            assertThat(log.get(2)).startsWith("[proxima] [j] BFS 30% :: Traverse, elapsed ");
            assertThat(log.get(9))
                    .startsWith("[proxima] [j] BFS 100% :: Traverse")
                    .endsWith("expected time left 0 seconds");
        }
    }

    @Test
    void shouldNeverDecrease() {
        try (Job job = begin("ann", "j", Stop.NEVER, new ArrayList<>())) {
            job.expectTasks(List.of(Task.of("Sum"), Task.of("Sum")));
            job.beginTask(Task.of("Sum"), 4);
            job.advance(1);
            assertThat(job.fraction()).isEqualTo(1.0 / 8);
            job.advance(3);
            assertThat(job.fraction()).isEqualTo(1.0 / 2);
            job.beginTask(Task.of("Copy"), 10);
            job.advance(1);
            assertThat(job.fraction()).isEqualTo(1.0 / 2);
        }
    }

    @Test
    void shouldTellAFailureFromAKillAndFromAReaderWhoLeaves() {
        List<String> log = new ArrayList<>();
        Job failed = begin("ann", "failed", Stop.NEVER, log);
        failed.beginTask(Task.of("Traverse"), 10);
        failed.close();
        assertThat(log).endsWith("[proxima] [failed] BFS :: Traverse :: Failed", "[proxima] [failed] BFS :: Failed");
        assertThat(states(failed)).containsExactly(Stage.State.FAILED);

        Job killed = begin("ann", "killed", () -> true, log);
        killed.beginTask(Task.of("Traverse"), 10);
        killed.close();
        assertThat(log)
                .endsWith("[proxima] [killed] BFS :: Traverse :: Canceled", "[proxima] [killed] BFS :: Canceled");
        assertThat(killed.timeLeft()).isNull();

        Job left = begin("ann", "left", Stop.NEVER, log);
        left.cancel();
        left.close();
        assertThat(left.state()).isEqualTo(Stage.State.CANCELED);

        Job done = begin("ann", "done", () -> true, log);
        done.succeed();
        done.cancel();
        done.close();
        assertThat(done.state()).isEqualTo(Stage.State.FINISHED);
    }

    @Test
    void shouldFindTheLastJobOfAnIdForItsUserOnlyAndKeepAHundred() {
        String id = "kept-" + System.nanoTime();
        Job first = begin("ann", id, Stop.NEVER, new ArrayList<>());
        first.close();
        assertThat(JobRegistry.find("ann", false, id)).containsExactly(first);
        try (Job again = begin("ann", id, Stop.NEVER, new ArrayList<>())) {
            assertThat(JobRegistry.find("ann", false, id)).containsExactly(again);
        }
        Job last = begin("ann", id, Stop.NEVER, new ArrayList<>());
        last.succeed();
        last.close();
        Job bobs = begin("bob", id, Stop.NEVER, new ArrayList<>());
        bobs.close();
        assertThat(JobRegistry.find("ann", false, id)).containsExactly(last);
        assertThat(last.state()).isEqualTo(Stage.State.FINISHED);
        assertThat(JobRegistry.find("cid", false, id)).isEmpty();
        assertThat(JobRegistry.find("cid", true, id)).containsExactly(last, bobs);
        for (int i = 0; i < 100; i++) {
            begin("bob", "other", Stop.NEVER, new ArrayList<>()).close();
        }
        assertThat(JobRegistry.find("ann", true, id)).isEmpty();
    }

    @Test
    void shouldRefuseAnIdThatTheSameUserHasInUse() {
        try (Job first = begin("ann", "mine", Stop.NEVER, new ArrayList<>())) {
            assertThatThrownBy(() -> begin("ann", "mine", Stop.NEVER, new ArrayList<>()))
                    .isInstanceOf(ProximaException.class)
                    .hasMessage("The `jobId` `mine` belongs to a running job. Choose another one, or leave it out"
                            + " to use a random one.");
            begin("bob", "mine", Stop.NEVER, new ArrayList<>()).close();
            assertThat(JobRegistry.running("ann", false)).containsExactly(first);
        }
        begin("ann", "mine", Stop.NEVER, new ArrayList<>()).close();
    }

    @Test
    void shouldEndEvenIfTheHeapIsTooFullForTheLog() {
        Job job = JobRegistry.begin(
                "ann", "j", "BFS", Stop.NEVER, HeapLedger.ofThisJvm().open(1), line -> {
                    throw new OutOfMemoryError("none left");
                });
        job.beginTask(Task.of("Traverse"), 1);
        job.close();
        assertThat(JobRegistry.running("ann", false)).isEmpty();
    }

    @Test
    void shouldCountHowJobsEnd() {
        String name = "Count " + System.nanoTime();
        for (int i = 0; i < 6; i++) {
            boolean killed = i >= 3;
            Job job = JobRegistry.begin(
                    "ann", "j", name, () -> killed, HeapLedger.ofThisJvm().open(1), line -> {});
            if (i == 0) {
                job.succeed();
            }
            job.close();
        }
        assertThat(JobRegistry.counts()).containsEntry(name, new JobRegistry.Counts(1, 2, 3));
    }

    @Test
    void shouldStayStoppedOnceTheTransactionHasEnded() {
        boolean[] ended = {false};
        QueryStop stop = new QueryStop(() -> {
            if (ended[0]) {
                throw new NotInTransactionException("ended");
            }
        });
        assertThat(stop.requested()).isFalse();
        ended[0] = true;
        assertThat(stop.requested()).isTrue();
        assertThat(stop.reason()).hasMessage("ended");
        ended[0] = false;
        assertThat(stop.requested()).isTrue();
        assertThat(stop.reason()).hasMessage("ended");
    }

    private Job begin(String user, String id, Stop stop, List<String> log) {
        return JobRegistry.begin(user, id, "BFS", stop, HeapLedger.ofThisJvm().open(1), log::add);
    }

    private static List<Stage.State> states(Job job) {
        return job.tasks().stream().map(Job.TaskState::state).toList();
    }
}
