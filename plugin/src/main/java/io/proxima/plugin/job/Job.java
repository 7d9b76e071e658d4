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

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.plugin.memory.HeapLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One call and its tasks, as shown by {@code proxima.listProgress} and the log. It lasts from {@link JobRegistry#begin}
 * to {@link #close}. Thread-safe.
 */
public final class Job implements Progress, AutoCloseable {

    /** Interval between two progress lines of a task, in percent. */
    private static final int LOG_STEP = 10;

    private final String user;
    private final String id;
    private final String name;
    private final Instant started = Instant.now();
    private final HeapLedger.Promise heap = HeapLedger.ofThisJvm().open();
    private final Consumer<Job> whenClosed;

    // both refer to the call's transaction, which must not be kept after the job has ended
    private volatile Stop stop;
    private volatile Consumer<String> log;

    // guarded by this: started tasks, followed by pending tasks
    private final List<TaskState> tasks = new ArrayList<>();
    private volatile TaskState current;
    private volatile State state = State.RUNNING;
    private volatile State end = State.FAILED;
    private volatile Instant ended;
    private volatile long deviceBytes;

    Job(String user, String id, String name, Stop stop, Consumer<String> log, Consumer<Job> whenClosed) {
        this.user = user;
        this.id = id;
        this.name = name;
        this.stop = stop;
        this.log = log;
        this.whenClosed = whenClosed;
    }

    /** The state of a job or a task, in GDS's terms. */
    public enum State {
        /** It has not started. */
        PENDING("Pending"),
        /** It is running. */
        RUNNING("Start"),
        /** It has completed. */
        FINISHED("Finished"),
        /** It ended in an error. */
        FAILED("Failed"),
        /** Its query was killed, or its reader requested no more rows. */
        CANCELED("Canceled");

        private final String logged;

        State(String logged) {
            this.logged = logged;
        }
    }

    /** The caller. */
    public String user() {
        return user;
    }

    /** The id of the job: the caller's jobId or a random one. */
    public String id() {
        return id;
    }

    /** The name of the job. */
    public String name() {
        return name;
    }

    /** The start time. */
    public Instant started() {
        return started;
    }

    /** The elapsed time. */
    public Duration elapsed() {
        return between(started, ended);
    }

    /** The state of the job. */
    public State state() {
        return state;
    }

    /** The tasks started so far and those still pending, in order. */
    public synchronized List<TaskState> tasks() {
        return List.copyOf(tasks);
    }

    /** The completed fraction, with equal weights for all tasks; -1 if no task is known. */
    public double fraction() {
        if (state == State.FINISHED) {
            return 1;
        }
        List<TaskState> known = tasks();
        if (known.isEmpty()) {
            return -1;
        }
        double done = 0;
        for (TaskState task : known) {
            done += Math.max(0, task.fraction());
        }
        return done / known.size();
    }

    /** Sets the expected tasks; some may be skipped, and others may be inserted. */
    public synchronized void expectTasks(List<Task> expected) {
        expected.forEach(task -> tasks.add(new TaskState(task)));
    }

    /**
     * Sets the estimated peak memory of the next step, in bytes, and reserves its heap. The reservation lasts at most
     * until the job ends.
     *
     * @throws io.proxima.memory.HeapShortageException if not enough heap is free
     */
    public void expectMemory(long onHeap, long onDevice) {
        heap.require(onHeap);
        deviceBytes = onDevice;
    }

    /** Heap currently promised to the job, in bytes; 0 before the first estimate. */
    public long heapBytes() {
        return heap.bytes();
    }

    /** The job's promise of heap. */
    public HeapLedger.Promise heap() {
        return heap;
    }

    /** Estimated peak device memory, in bytes; 0 before the estimate, and if the job certainly needs none. */
    public long deviceBytes() {
        return deviceBytes;
    }

    @Override
    public void beginTask(Task begun, long volume) {
        endTask(State.FINISHED);
        TaskState task = begun(begun);
        task.begin(volume);
        current = task;
        logState(" :: " + begun.name(), State.RUNNING);
    }

    @Override
    public void advance(long volume) {
        TaskState task = current;
        if (task == null) {
            return;
        }
        int step = task.advance(volume);
        if (step > 0) {
            log.accept("[" + id + "] " + name + " :: " + task.name() + " " + step * LOG_STEP + "%");
        }
    }

    /** Marks the job as completed; otherwise closing marks it as failed. */
    public void succeed() {
        endTask(State.FINISHED);
        end = State.FINISHED;
    }

    /** Marks the job as canceled: the caller needs no more rows. */
    public void cancel() {
        if (end == State.FAILED) {
            end = State.CANCELED;
        }
    }

    @Override
    public void close() {
        heap.close();
        if (end == State.FAILED && stop.requested()) {
            end = State.CANCELED;
        }
        endTask(end);
        if (end == State.FINISHED) {
            forgetPending();
        }
        ended = Instant.now();
        state = end;
        whenClosed.accept(this);
        logState("", end);
        stop = Stop.NEVER;
        log = line -> {};
    }

    void logStart() {
        logState("", State.RUNNING);
    }

    /** Starts an expected task; pending tasks before it are dropped. */
    private synchronized TaskState begun(Task begun) {
        List<TaskState> leftOut = new ArrayList<>();
        for (TaskState pending :
                tasks.stream().filter(task -> task.state == State.PENDING).toList()) {
            if (pending.task.isSameKind(begun)) {
                tasks.removeAll(leftOut);
                pending.task = begun;
                return pending;
            }
            leftOut.add(pending);
        }
        TaskState unexpected = new TaskState(begun);
        tasks.add(tasks.size() - leftOut.size(), unexpected);
        return unexpected;
    }

    private synchronized void forgetPending() {
        tasks.removeIf(task -> task.state == State.PENDING);
    }

    private void endTask(State how) {
        TaskState task = current;
        if (task != null) {
            current = null;
            task.end(how);
            logState(" :: " + task.name(), how);
        }
    }

    private void logState(String task, State shown) {
        log.accept("[" + id + "] " + name + task + " :: " + shown.logged);
    }

    private static Duration between(Instant from, Instant to) {
        return Duration.between(from, to == null ? Instant.now() : to);
    }

    /** A task of a job, with its state. */
    public static final class TaskState {
        private volatile Task task;
        private final AtomicLong done = new AtomicLong();
        private final AtomicInteger step = new AtomicInteger();
        private volatile long volume;
        private volatile State state = State.PENDING;
        private volatile Instant started;
        private volatile Instant ended;

        private TaskState(Task task) {
            this.task = task;
        }

        private void begin(long expected) {
            volume = expected;
            started = Instant.now();
            state = State.RUNNING;
        }

        private void end(State how) {
            ended = Instant.now();
            state = how;
        }

        /** The log step that this advance has reached, or 0 if it was reached before. */
        private int advance(long units) {
            long now = done.addAndGet(units);
            if (volume <= 0) {
                return 0;
            }
            int reached = (int) (Math.min(1.0, (double) now / volume) * 100) / LOG_STEP;
            int before = step.getAndAccumulate(reached, Math::max);
            return reached > before ? reached : 0;
        }

        /** The name of the task. */
        public String name() {
            return task.name();
        }

        /** The start time, null if it has not started. */
        public Instant started() {
            return started;
        }

        /** The elapsed time, null if it has not started. */
        public Duration elapsed() {
            return started == null ? null : between(started, ended);
        }

        /** The state of the task. */
        public State state() {
            return state;
        }

        /** The completed fraction, -1 if unknown. */
        public double fraction() {
            return switch (state) {
                case PENDING -> 0;
                case FINISHED -> 1;
                default -> volume <= 0 ? -1 : Math.min(1.0, (double) done.get() / volume);
            };
        }
    }
}
