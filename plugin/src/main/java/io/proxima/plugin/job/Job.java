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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One running call and its tasks, as {@code proxima.listProgress} and the log show them. Known to the registry from
 * {@link JobRegistry#begin} to {@link #close}.
 */
public final class Job implements Progress, AutoCloseable {

    /** Between two lines about how far a task has come: short calls are not to spend their time on the log. */
    private static final long LOG_NANOS = 1_000_000_000;

    private final String user;
    private final String id;
    private final String name;
    private final Instant started = Instant.now();
    private final Consumer<String> log;
    private final Consumer<Job> whenClosed;
    private final LongSupplier clock;
    private final AtomicLong lastLogged;
    private final List<Task> tasks = new CopyOnWriteArrayList<>();
    private volatile Task current;
    private volatile boolean succeeded;
    private volatile long heapBytes;
    private volatile long deviceBytes;

    Job(String user, String id, String name, Consumer<String> log, Consumer<Job> whenClosed, LongSupplier nanoClock) {
        this.user = user;
        this.id = id;
        this.name = name;
        this.log = log;
        this.whenClosed = whenClosed;
        this.clock = nanoClock;
        this.lastLogged = new AtomicLong(nanoClock.getAsLong());
        logState("", "Start");
    }

    /** The state of a task. */
    public enum State {
        /** It is being worked on. */
        RUNNING,
        /** The next task has begun. */
        FINISHED
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

    /** The tasks begun so far, in order. */
    public List<Task> tasks() {
        return tasks;
    }

    /** The fraction done of the task at work, -1 if unknown. */
    public double fraction() {
        Task task = current;
        return task == null ? -1 : task.fraction();
    }

    /** Tells how much memory the job is estimated to take at its peak, in bytes. */
    public void expectMemory(long onHeap, long onDevice) {
        heapBytes = onHeap;
        deviceBytes = onDevice;
    }

    /** Estimated heap at the peak, in bytes; 0 before the estimate. */
    public long heapBytes() {
        return heapBytes;
    }

    /** Estimated device memory at the peak, in bytes; 0 before the estimate and where none is needed for certain. */
    public long deviceBytes() {
        return deviceBytes;
    }

    @Override
    public void beginTask(String taskName, long volume) {
        endTask();
        Task task = new Task(taskName, volume);
        tasks.add(task);
        current = task;
        logState(" :: " + taskName, "Start");
    }

    @Override
    public void advance(long volume) {
        Task task = current;
        if (task == null) {
            return;
        }
        task.done.addAndGet(volume);
        long now = clock.getAsLong();
        long last = lastLogged.get();
        if (task.volume > 0 && now - last >= LOG_NANOS && lastLogged.compareAndSet(last, now)) {
            log.accept("[" + id + "] " + name + " :: " + task.name + " " + (int) (task.fraction() * 100) + "%");
        }
    }

    /** Tells that the job has done what it was to do; otherwise its end is logged as a failure. */
    public void succeed() {
        endTask();
        succeeded = true;
    }

    @Override
    public void close() {
        whenClosed.accept(this);
        Task task = current;
        if (task != null) {
            logState(" :: " + task.name, "Failed");
        }
        logState("", succeeded ? "Finished" : "Failed");
    }

    private void endTask() {
        Task task = current;
        if (task != null) {
            current = null;
            task.ended = Instant.now();
            logState(" :: " + task.name, "Finished");
        }
    }

    private void logState(String task, String state) {
        log.accept("[" + id + "] " + name + task + " :: " + state);
    }

    /** One task of a job. */
    public static final class Task {
        private final String name;
        private final long volume;
        private final Instant started = Instant.now();
        private final AtomicLong done = new AtomicLong();
        private volatile Instant ended;

        private Task(String name, long volume) {
            this.name = name;
            this.volume = volume;
        }

        /** What is done. */
        public String name() {
            return name;
        }

        /** When it began. */
        public Instant started() {
            return started;
        }

        /** How long it has taken so far. */
        public Duration elapsed() {
            Instant end = ended;
            return Duration.between(started, end == null ? Instant.now() : end);
        }

        /** Whether it goes on. */
        public State state() {
            return ended == null ? State.RUNNING : State.FINISHED;
        }

        /** The fraction done, -1 if unknown. */
        public double fraction() {
            if (ended != null) {
                return 1;
            }
            return volume <= 0 ? -1 : Math.min(1.0, (double) done.get() / volume);
        }
    }
}
