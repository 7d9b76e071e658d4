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
 * One call and its tasks, as {@code proxima.listProgress} and the log show them. It runs from {@link JobRegistry#begin}
 * to {@link #close}. Thread-safe.
 */
public final class Job implements Progress, AutoCloseable {

    /** Lines about how far a task has come are this far apart, in percent. */
    private static final int LOG_STEP = 10;

    private final String user;
    private final String id;
    private final String name;
    private final Instant started = Instant.now();
    private final HeapLedger.Promise heap = HeapLedger.ofThisJvm().open();
    private final Consumer<Job> whenClosed;

    // both lead to the call's transaction, which must not be kept for the sake of an ended job
    private volatile Stop stop;
    private volatile Consumer<String> log;

    // guarded by this: those that have begun, then those still pending
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

    /** How it stands with a job or a task, in GDS's words. */
    public enum State {
        /** It has not begun. */
        PENDING("Pending"),
        /** It is being worked on. */
        RUNNING("Start"),
        /** It has done what it was to do. */
        FINISHED("Finished"),
        /** It ended in an error. */
        FAILED("Failed"),
        /** Its query was killed, or its reader wanted no more. */
        CANCELED("Canceled");

        private final String logged;

        State(String logged) {
            this.logged = logged;
        }
    }

    /** Who called. */
    public String user() {
        return user;
    }

    /** The caller's or a random name of the call. */
    public String id() {
        return id;
    }

    /** What the call does. */
    public String name() {
        return name;
    }

    /** When the call began. */
    public Instant started() {
        return started;
    }

    /** How long it has taken so far. */
    public Duration elapsed() {
        return between(started, ended);
    }

    /** How it stands. */
    public State state() {
        return state;
    }

    /** The tasks begun so far and those still expected, in order. */
    public synchronized List<TaskState> tasks() {
        return List.copyOf(tasks);
    }

    /** The fraction done, every task weighing the same; -1 if no task is known. */
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

    /** Tells which tasks are to come; some may be left out, and others may come between them. */
    public synchronized void expectTasks(List<Task> expected) {
        expected.forEach(task -> tasks.add(new TaskState(task)));
    }

    /**
     * Tells how much memory the next step of the job is estimated to take at its peak, in bytes. The heap is promised to it
     * from now on, at most until the job ends.
     *
     * @throws io.proxima.memory.HeapShortageException if the heap has not so much free
     */
    public void expectMemory(long onHeap, long onDevice) {
        heap.require(onHeap);
        deviceBytes = onDevice;
    }

    /** Heap that is promised to the job now, in bytes; 0 before the first estimate. */
    public long heapBytes() {
        return heap.bytes();
    }

    /** The promise of heap to the job. */
    public HeapLedger.Promise heap() {
        return heap;
    }

    /** Estimated device memory at the peak, in bytes; 0 before the estimate and where none is needed for certain. */
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

    /** Tells that the job has done what it was to do; without it, closing tells of a failure. */
    public void succeed() {
        endTask(State.FINISHED);
        end = State.FINISHED;
    }

    /** Tells that the caller wants no more of what is left. */
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

    /** A task that was expected is taken from where it stands, and those before it are known to be left out. */
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

    /** One task of a job, and how it stands. */
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

        /** The step of the log that this advance has come to, 0 if it was there before. */
        private int advance(long units) {
            long now = done.addAndGet(units);
            if (volume <= 0) {
                return 0;
            }
            int reached = (int) (Math.min(1.0, (double) now / volume) * 100) / LOG_STEP;
            int before = step.getAndAccumulate(reached, Math::max);
            return reached > before ? reached : 0;
        }

        /** What is done. */
        public String name() {
            return task.name();
        }

        /** When it began, null if it has not. */
        public Instant started() {
            return started;
        }

        /** How long it has taken so far, null if it has not begun. */
        public Duration elapsed() {
            return started == null ? null : between(started, ended);
        }

        /** How it stands. */
        public State state() {
            return state;
        }

        /** The fraction done, -1 if unknown. */
        public double fraction() {
            return switch (state) {
                case PENDING -> 0;
                case FINISHED -> 1;
                default -> volume <= 0 ? -1 : Math.min(1.0, (double) done.get() / volume);
            };
        }
    }
}
