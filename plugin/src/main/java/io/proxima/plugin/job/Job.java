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
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.Consumer;

/**
 * One call and its tasks, as shown by {@code proxima.listProgress} and the log. It lasts from {@link JobRegistry#begin}
 * to {@link #close}. Thread-safe.
 */
public final class Job implements Progress, AutoCloseable {

    /** How every line in the log begins, before the id. */
    public static final String PREFIX = "[proxima] [";

    /** Interval between two progress lines, in percent. */
    private static final int LOG_STEP = 10;

    /** The weight of a task whose work is unknown. */
    private static final double UNKNOWN_SECONDS = 1e-3;

    private final String user;
    private final String id;
    private final String name;
    private final Instant started = Instant.now();
    private final HeapLedger.Promise heap;
    private final Consumer<Job> whenClosed;
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

    Job(
            String user,
            String id,
            String name,
            Stop stop,
            HeapLedger.Promise heap,
            Consumer<String> log,
            Consumer<Job> whenClosed) {
        this.user = user;
        this.id = id;
        this.name = name;
        this.stop = stop;
        this.heap = heap;
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

    /**
     * The completed share of the work of all tasks, weighted by their expected times; -1 if it is not known which tasks will
     * come. It never decreases, even if unexpected tasks begin.
     */
    public double fraction() {
        if (state == State.FINISHED) {
            return 1;
        }
        if (!tasksKnown) {
            return -1;
        }
        shownFraction.accumulate(doneShare());
        return shownFraction.get();
    }

    private synchronized double doneShare() {
        double done = 0;
        double all = 0;
        for (TaskState task : tasks) {
            done += task.weight * Math.max(0, task.fraction());
            all += task.weight;
        }
        return all == 0 ? 0 : done / all;
    }

    /**
     * The expected time until the job ends: zero if it has completed; null if it has failed or was killed, and before a
     * known share of its work is complete.
     */
    public Duration timeLeft() {
        if (ended == null) {
            return timeLeft(elapsed(), fraction());
        }
        return state == State.FINISHED ? Duration.ZERO : null;
    }

    /** The time for the rest, if it is as fast as the completed share. */
    static Duration timeLeft(Duration elapsed, double done) {
        return done <= 0 ? null : Duration.ofNanos((long) (elapsed.toNanos() * (1 - done) / done));
    }

    /** Sets the expected tasks; some may be skipped, and others may be inserted. */
    public synchronized void expectTasks(List<Task> expected) {
        expected.forEach(task -> tasks.add(new TaskState(task)));
        tasksKnown = true;
    }

    /** Sets the expected time of the pending tasks of a kind. Only its ratio to other tasks matters. */
    public synchronized void weigh(Task kind, double seconds) {
        for (TaskState task : tasks) {
            if (task.state == State.PENDING && task.task.isSameKind(kind)) {
                task.weight = seconds;
            }
        }
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
        if (task.advance(volume)) {
            logProgress(task);
        }
    }

    private void logProgress(TaskState task) {
        double fraction = fraction();
        int step = (int) (fraction * 100) / LOG_STEP;
        if (step > loggedStep.getAndAccumulate(step, Math::max)) {
            log.accept(PREFIX + id + "] " + name + " " + step * LOG_STEP + "% :: " + task.name() + ", elapsed "
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
        state = end;
        ended = Instant.now();
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
        log.accept(PREFIX + id + "] " + name + task + " :: " + shown.logged);
    }

    private static Duration between(Instant from, Instant to) {
        return Duration.between(from, to == null ? Instant.now() : to);
    }

    /** A task of a job, with its state. */
    public static final class TaskState {

        /** Shares of a task at which the log is checked: a search may advance a million times. */
        private static final int MARKS = 1000;

        private volatile Task task;
        private final AtomicLong done = new AtomicLong();
        private volatile long volume;
        private volatile State state = State.PENDING;
        private volatile Instant started;
        private volatile Instant ended;

        private volatile double weight = UNKNOWN_SECONDS;

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

        /** Whether the advance has reached another of the {@link #MARKS}. */
        private boolean advance(long units) {
            long now = done.addAndGet(units);
            return volume > 0 && now * MARKS / volume != (now - units) * MARKS / volume;
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
