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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.NotInTransactionException;

class JobTest {

    @Test
    void shouldTellItsTasksAndVanishWhenItEnds() {
        List<String> log = new ArrayList<>();
        try (Job job = JobRegistry.begin("ann", "j", "BFS", log::add)) {
            assertThat(JobRegistry.running("ann", false)).containsExactly(job);
            assertThat(JobRegistry.running("bob", false)).isEmpty();
            assertThat(JobRegistry.running("bob", true)).contains(job);
            assertThat(job.fraction()).isEqualTo(-1);

            job.beginTask("Prepare", 0);
            job.advance(5);
            assertThat(job.fraction()).isEqualTo(-1);
            job.beginTask("Traverse", 1000);
            job.advance(249);
            assertThat(job.fraction()).isEqualTo(0.249);
            assertThat(job.tasks()).extracting(Job.Task::state).containsExactly(Job.State.FINISHED, Job.State.RUNNING);
            job.succeed();
            assertThat(job.tasks()).extracting(Job.Task::fraction).containsExactly(1.0, 1.0);
        }
        assertThat(JobRegistry.running("ann", true)).extracting(Job::id).doesNotContain("j");
        assertThat(log)
                .containsExactly(
                        "[j] BFS :: Start",
                        "[j] BFS :: Prepare :: Start",
                        "[j] BFS :: Prepare :: Finished",
                        "[j] BFS :: Traverse :: Start",
                        "[j] BFS :: Traverse :: Finished",
                        "[j] BFS :: Finished");
    }

    @Test
    void shouldLogHowFarATaskHasComeOnceASecond() {
        List<String> log = new ArrayList<>();
        AtomicLong clock = new AtomicLong(5);
        try (Job job = JobRegistry.begin("ann", "j", "BFS", log::add, clock::get)) {
            job.beginTask("Prepare", 0);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
            job.advance(1);
            job.beginTask("Traverse", 1000);
            log.clear();
            job.advance(249);
            job.advance(1);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
            job.advance(200);
            assertThat(log).containsExactly("[j] BFS :: Traverse 24%");
            clock.addAndGet(1);
            job.advance(50);
            assertThat(log).containsExactly("[j] BFS :: Traverse 24%", "[j] BFS :: Traverse 50%");
        }
    }

    @Test
    void shouldLogAFailureUnlessItSucceeded() {
        List<String> log = new ArrayList<>();
        Job job = JobRegistry.begin("ann", "j", "BFS", log::add);
        job.beginTask("Traverse", 10);
        job.close();
        assertThat(log).endsWith("[j] BFS :: Traverse :: Failed", "[j] BFS :: Failed");
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
        assertThat(stop.reason()).hasMessage("The execution has been terminated.");
    }
}
