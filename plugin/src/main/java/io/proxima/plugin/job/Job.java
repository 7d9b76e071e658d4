// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.memory.HeapLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One call and its tasks, as shown by {@code proxima.listProgress} and the log. It lasts from {@link JobRegistry#begin}
 * to {@link #close}. Thread-safe.
 */
public final class Job extends Stage implements Progress, AutoCloseable {

    /** How every line in the log begins, before the id. */
    public static final String PREFIX = "[proxima] [";

    /** Interval between two progress lines, in percent. */
    private static final int LOG_STEP = 10;

    /** A job logs no progress before: a server may have thousands of short jobs. */
    static final Duration LOGGED_AFTER = Duration.ofSeconds(1);

    /** The weight of a task whose work is unknown. */
    private static final double UNKNOWN_SECONDS = 1e-3;

    private final String user;
    private final String id;
    private final String name;
    private final HeapLedger.Promise heap;
    private final AtomicInteger loggedStep = new AtomicInteger();
    private final DoubleAccumulator shownFraction = new DoubleAccumulator(Math::max, 0);

    // both refer to the call's transaction, which must not be kept after the job has ended
    private volatile Stop stop;
    private volatile Consumer<String> log;

    // guarded by this: started tasks, followed by pending tasks
    private final List<TaskState> tasks = new ArrayList<>();
    private volatile TaskState current;
    private volatile State end = State.FAILED;
    private volatile long deviceBytes;
    private volatile long mappedBytes;
    private volatile boolean tasksKnown;

    Job(String user, String id, String name, Stop stop, HeapLedger.Promise heap, Consumer<String> log) {
        this.user = user;
        this.id = id;
        this.name = name;
        this.stop = stop;
        this.heap = heap;
        this.log = log;
        begin();
    }

    /** The caller. */
    public String user() {
        return user;
    }

    /** The id of the job: the caller's jobId or a random one. */
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return name;
    }

    /** The tasks started so far and those still pending, in order. */
    public synchronized List<TaskState> tasks() {
        return List.copyOf(tasks);
    }

    /**
     * The completed share of the work of all tasks, weighted by their expected times; -1 if it is not known which tasks
     * will come. It never decreases, even if unexpected tasks begin.
     */
    @Override
    public double fraction() {
        if (state() == State.FINISHED) {
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
        return switch (state()) {
            case FINISHED -> Duration.ZERO;
            case RUNNING -> timeLeft(elapsed(), fraction());
            default -> null;
        };
    }

    /** The time for the rest, if it is as fast as the completed share. */
    static Duration timeLeft(Duration elapsed, double done) {
        return done <= 0 ? null : Duration.ofNanos((long) (elapsed.toNanos() * (1 - done) / done));
    }

    /** Expects tasks before those that are pending; some may be skipped, and others may be inserted. */
    public synchronized void expectTasks(List<Task> expected) {
        tasks.addAll(firstPending(), expected.stream().map(TaskState::new).toList());
        tasksKnown = true;
    }

    private int firstPending() {
        int first = 0;
        while (first < tasks.size() && tasks.get(first).state() != State.PENDING) {
            first++;
        }
        return first;
    }

    /** Sets the expected time of the pending tasks of a kind. Only its ratio to other tasks matters. */
    public synchronized void weigh(Task kind, double seconds) {
        for (TaskState task : tasks) {
            if (task.state() == State.PENDING && task.task.isSameKind(kind)) {
                task.weight = seconds;
            }
        }
    }

    /**
     * Sets the estimated peak memory of the next step, which needs no device, and reserves its heap. The reservation
     * lasts at most until the job ends.
     *
     * @throws io.proxima.memory.HeapShortageException if not enough heap is free
     */
    public void expectMemory(MemoryTree onHeap) {
        expectMemory(onHeap.maxBytes(), 0, 0);
    }

    /** As the other, in bytes, with device memory and page-locked host memory that devices read. */
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
        task.volume = volume;
        task.begin();
        current = task;
        logState(" :: " + begun.name(), State.RUNNING);
    }

    @Override
    public void advance(long volume) {
        TaskState task = current;
        if (task != null && task.advance(volume)) {
            logProgress(task);
        }
    }

    private void logProgress(TaskState task) {
        Duration elapsed = elapsed();
        if (elapsed.compareTo(LOGGED_AFTER) < 0) {
            return;
        }
        int step = (int) (fraction() * 100) / LOG_STEP;
        if (step > loggedStep.getAndAccumulate(step, Math::max)) {
            log.accept(PREFIX + id + "] " + name + " " + step * LOG_STEP + "% :: " + task.name() + ", elapsed "
                    + words(elapsed) + ", expected time left " + words(timeLeft()));
        }
    }

    /** A duration in hours, minutes and seconds, such as "1 minute 3 seconds". */
    public static String words(Duration duration) {
        String words = Stream.of(
                        counted(duration.toHours(), "hour"),
                        counted(duration.toMinutesPart(), "minute"),
                        counted(duration.toSecondsPart(), "second"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        return words.isEmpty() ? "0 seconds" : words;
    }

    private static String counted(long count, String unit) {
        return count == 0 ? "" : count + " " + unit + (count == 1 ? "" : "s");
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
        synchronized (this) {
            tasks.removeIf(task -> end == State.FINISHED && task.state() == State.PENDING);
        }
        end(end);
        JobRegistry.ended(this);
        logState("", end);
        stop = Stop.NEVER;
        log = line -> {};
    }

    void logStart() {
        logState("", State.RUNNING);
    }

    /** Starts an expected task; pending tasks before it are dropped. */
    private synchronized TaskState begun(Task begun) {
        int first = firstPending();
        for (int i = first; i < tasks.size(); i++) {
            TaskState pending = tasks.get(i);
            if (pending.task.isSameKind(begun)) {
                tasks.subList(first, i).clear();
                pending.task = begun;
                return pending;
            }
        }
        TaskState unexpected = new TaskState(begun);
        tasks.add(first, unexpected);
        return unexpected;
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
        try {
            log.accept(PREFIX + id + "] " + name + task + " :: " + shown.logged);
        } catch (OutOfMemoryError e) {
            // a full heap must not keep a job from its end
        }
    }

    /** A task of a job. */
    public static final class TaskState extends Stage {

        /** Shares of a task at which the log is checked: a search may advance a million times. */
        private static final int MARKS = 1000;

        private volatile Task task;
        private final AtomicLong done = new AtomicLong();
        private volatile long volume;
        private volatile double weight = UNKNOWN_SECONDS;

        private TaskState(Task task) {
            this.task = task;
        }

        /** Whether the advance has reached another of the {@link #MARKS}. */
        private boolean advance(long units) {
            long now = done.addAndGet(units);
            return volume > 0 && now * MARKS / volume != (now - units) * MARKS / volume;
        }

        @Override
        public String name() {
            return task.name();
        }

        @Override
        public double fraction() {
            return switch (state()) {
                case PENDING -> 0;
                case FINISHED -> 1;
                default -> volume <= 0 ? -1 : Math.min(1.0, (double) done.get() / volume);
            };
        }
    }
}
