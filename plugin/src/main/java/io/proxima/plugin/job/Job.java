// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One call and its tasks, as shown by {@code proxima.listProgress} and the log. It lasts from {@link JobRegistry#begin}
 * to {@link #close}. Thread-safe.
 *
 * <p>The class is long because progress, log and columns read the same tasks under one lock.
 */
public final class Job implements Progress, AutoCloseable {

    /** Interval between two progress lines, in percent. */
    private static final int LOG_STEP = 10;

    /** The expected time of a task whose work is unknown. */
    private static final double UNKNOWN_NANOS = 1e6;

    private final String user;
    private final String id;
    private final String name;
    private final Instant started = Instant.now();
    private final HeapLedger.Promise heap;
    private final Consumer<Job> whenClosed;
    private final LongSupplier clock;
    private final AtomicInteger loggedStep = new AtomicInteger();
    private final DoubleAccumulator shownFraction = new DoubleAccumulator(Math::max, 0);

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
    private volatile long mappedBytes;
    private volatile boolean tasksKnown;
    private volatile boolean waitsForReader;

    /** A job that measures its work by a clock of nanoseconds. */
    Job(
            String user,
            String id,
            String name,
            Stop stop,
            HeapLedger.Promise heap,
            Consumer<String> log,
            Consumer<Job> whenClosed,
            LongSupplier clock) {
        this.user = user;
        this.id = id;
        this.name = name;
        this.stop = stop;
        this.heap = heap;
        this.log = log;
        this.whenClosed = whenClosed;
        this.clock = clock;
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

    /**
     * The completed fraction of the expected time of all tasks; -1 if it is not known which tasks will come. It never
     * decreases, even if the rest turns out to be longer than expected.
     */
    public double fraction() {
        if (state == State.FINISHED) {
            return 1;
        }
        Times times = times();
        if (times == null) {
            return -1;
        }
        shownFraction.accumulate(times.all == 0 ? 0 : times.done / times.all);
        return shownFraction.get();
    }

    /** The expected time until the job ends; zero if it has ended, null if it is not known which tasks will come. */
    public Duration timeLeft() {
        if (ended != null) {
            return Duration.ZERO;
        }
        Times times = times();
        return times == null ? null : Duration.ofNanos((long) Math.max(0, times.all - times.done - times.sinceDone));
    }

    /**
     * The times of a job, in nanoseconds.
     *
     * @param done of the completed work
     * @param all the same, and the expected time of the rest
     * @param sinceDone since the last work was reported
     */
    private record Times(double done, double all, double sinceDone) {}

    private synchronized Times times() {
        if (!tasksKnown) {
            return null;
        }
        long now = clock.getAsLong();
        double done = 0;
        double all = 0;
        double sinceDone = 0;
        for (TaskState task : tasks) {
            double ofTask = task.doneNanos(now);
            done += ofTask;
            all += Math.max(ofTask, task.state == State.PENDING ? pendingNanos(task, now) : task.allNanos(now));
            if (task.state == State.RUNNING) {
                sinceDone = task.elapsedNanos(now) - ofTask;
            }
        }
        return new Times(done, all, sinceDone);
    }

    /** A second pass takes as long as the first. */
    private double pendingNanos(TaskState pending, long now) {
        for (TaskState task : tasks) {
            if (task.state != State.PENDING && task.task.isSameKind(pending.task)) {
                return task.allNanos(now);
            }
        }
        return pending.expectedNanos();
    }

    /** Sets the expected tasks; some may be skipped, and others may be inserted. */
    public synchronized void expectTasks(List<Task> expected) {
        expected.forEach(task -> tasks.add(new TaskState(task)));
        tasksKnown = true;
    }

    /** Sets the work of the pending tasks of its kind; the work of other tasks is measured while they run. */
    public synchronized void expectWork(TaskRates.Work work) {
        for (TaskState task : tasks) {
            if (task.state == State.PENDING && task.task.isSameKind(work.task())) {
                task.work = work;
            }
        }
    }

    /** Declares that tasks wait for the reader of the rows, so that their times say nothing about the server. */
    public void waitsForReader() {
        waitsForReader = true;
    }

    /**
     * Sets the estimated peak memory of the next step, in bytes, and reserves its heap. The reservation lasts at most
     * until the job ends.
     *
     * @throws io.proxima.memory.HeapShortageException if not enough heap is free
     */
    public void expectMemory(long onHeap, long onDevice) {
        expectMemory(onHeap, onDevice, 0);
    }

    /** As the other, with page-locked host memory that devices read. */
    public void expectMemory(long onHeap, long onDevice, long mapped) {
        heap.require(onHeap);
        deviceBytes = onDevice;
        mappedBytes = mapped;
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

    /** Estimated peak of page-locked host memory that devices read, in bytes; 0 as {@link #deviceBytes}. */
    public long mappedBytes() {
        return mappedBytes;
    }

    @Override
    public void beginTask(Task begun, long volume) {
        endTask(State.FINISHED);
        TaskState task = begun(begun);
        task.begin(volume, clock.getAsLong());
        current = task;
        logState(" :: " + begun.name(), State.RUNNING);
    }

    @Override
    public void advance(long volume) {
        TaskState task = current;
        if (task == null) {
            return;
        }
        if (task.advance(volume, clock)) {
            logProgress(task);
        }
    }

    private void logProgress(TaskState task) {
        double fraction = fraction();
        int step = (int) (fraction * 100) / LOG_STEP;
        if (step > loggedStep.getAndAccumulate(step, Math::max)) {
            log.accept("[" + id + "] " + name + " " + step * LOG_STEP + "% :: " + task.name() + ", elapsed "
                    + words(elapsed()) + ", expected time left " + words(timeLeft()));
        }
    }

    /** A duration in hours, minutes and seconds, such as "1 minute 3 seconds". */
    public static String words(Duration duration) {
        List<String> parts = new ArrayList<>();
        add(parts, duration.toHours(), "hour");
        add(parts, duration.toMinutesPart(), "minute");
        add(parts, duration.toSecondsPart(), "second");
        return parts.isEmpty() ? "0 seconds" : String.join(" ", parts);
    }

    private static void add(List<String> parts, long count, String unit) {
        if (count > 0) {
            parts.add(count + " " + unit + (count == 1 ? "" : "s"));
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
            task.end(how, clock.getAsLong());
            if (how == State.FINISHED && task.work != null && !waitsForReader) {
                TaskRates.measured(task.work, (double) task.nanos);
            }
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

        /** Number of times that a task measures its progress. */
        private static final int MARKS = 1000;

        /** The completed units of a task, and the time that they took. */
        private record Mark(long units, long nanos) {}

        private volatile Task task;
        private final AtomicLong done = new AtomicLong();
        private volatile long volume;
        private volatile State state = State.PENDING;
        private volatile Instant started;
        private volatile Instant ended;

        // null if unknown
        private volatile TaskRates.Work work;

        // by the clock of the job: the start, and the time from it until the end
        private volatile long startNanos;
        private volatile long nanos;
        private final AtomicReference<Mark> mark = new AtomicReference<>(new Mark(0, 0));

        private TaskState(Task task) {
            this.task = task;
        }

        private void begin(long expected, long now) {
            volume = expected;
            started = Instant.now();
            startNanos = now;
            state = State.RUNNING;
        }

        private void end(State how, long now) {
            nanos = now - startNanos;
            ended = Instant.now();
            state = how;
        }

        /** Whether the advance has reached another mark; there are a few, because a search may advance a million times. */
        private boolean advance(long units, LongSupplier clock) {
            long now = done.addAndGet(units);
            Mark last = mark.get();
            if (volume <= 0 || (now < volume && (now - last.units) < volume / MARKS)) {
                return false;
            }
            return mark.compareAndSet(last, new Mark(now, clock.getAsLong() - startNanos));
        }

        private double expectedNanos() {
            return work == null ? UNKNOWN_NANOS : TaskRates.expectedNanos(work);
        }

        private double elapsedNanos(long now) {
            return state == State.RUNNING ? now - startNanos : nanos;
        }

        /** The time of the completed work; if its volume is unknown, the elapsed part of its expected time. */
        private double doneNanos(long now) {
            return switch (state) {
                case PENDING -> 0;
                case RUNNING ->
                    volume > 0 ? mark.get().nanos : work == null ? 0 : Math.min(elapsedNanos(now), expectedNanos());
                default -> nanos;
            };
        }

        /** The expected time of a started task: what the completed work took, and as much for each unit of the rest. */
        private double allNanos(long now) {
            if (state != State.RUNNING) {
                return nanos;
            }
            Mark reached = mark.get();
            return reached.units > 0
                    ? reached.nanos * Math.max(1.0, (double) volume / reached.units)
                    : Math.max(expectedNanos(), elapsedNanos(now));
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
