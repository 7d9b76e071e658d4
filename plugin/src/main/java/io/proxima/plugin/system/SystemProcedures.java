// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.system;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.NamedColumns;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.job.Stage;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Procedures about jobs, memory, backends and the version. */
public final class SystemProcedures extends ProximaProcedure {

    private static final String JOB_ID = "The job whose tasks to list; all running jobs if empty.";
    private static final int BAR_WIDTH = 10;
    private static final String UNKNOWN = "n/a";
    private static final String BRANCH = "|-- ";
    private static final String INDENT = "    ";

    /** A backend. */
    public record BackendRow(
            @Description("The name of the backend: `cpu`, `cuda:0`, …")
            String name,

            @Description("Whether the backend can run here.")
            boolean available,

            @Description("Why the backend is unavailable, and what to do about it; empty if it is available.")
            String reason,

            @Description("The name of the hardware.") String device,

            @Description("The compute capability of an NVIDIA device; empty otherwise.")
            String computeCapability,

            @Description("The usable memory, in bytes: heap or device memory.")
            long totalBytes,

            @Description("The free part of that memory, in bytes.")
            long freeBytes,

            @Description("The version of the device's driver; empty for the CPU.")
            String driverVersion,

            @Description("Whether `backend: 'auto'` prefers it.")
            boolean active) {}

    /** The memory of a graph or a job. */
    public record MemoryRow(
            @Description("The owner of the graph or job.") String user,

            @Description("The name of the graph or of the job.")
            String name,

            @Description("'graph', or the `jobId` of the job.")
            String entity,

            @Description("Heap, in bytes. For a graph: what it takes now. For a job: what is reserved for its"
                    + " current step.")
            long memoryInBytes,

            @Description("Device memory, in bytes, of all devices. For a graph: what it takes now. For a job: its"
                    + " estimate.")
            long deviceBytes,

            @Description(
                    "Page-locked host memory that devices read, in bytes. For a graph: what it takes now. For a job:"
                            + " its estimate.")
            long mappedBytes) {}

    /** The memory of a user. */
    public record MemorySummaryRow(
            @Description("The owner of the graphs and jobs.")
            String user,

            @Description("Heap that the user's graphs take now, in bytes.")
            long totalGraphsMemory,

            @Description("Heap that is reserved for the current steps of the user's jobs, in bytes.")
            long totalTasksMemory) {

        MemorySummaryRow plus(MemorySummaryRow other) {
            return new MemorySummaryRow(
                    user, totalGraphsMemory + other.totalGraphsMemory, totalTasksMemory + other.totalTasksMemory);
        }
    }

    /** The version. */
    public record VersionRow(
            @Description("The version of Proxima.") String version) {}

    /** A fact about the server. */
    public record InfoRow(
            @Description("The name of the fact.") String key,
            @Description("The value, as text.") String value) {}

    /** A job or one of its tasks. */
    public record ProgressRow(
            @Description("The caller of the job.") String username,
            @Description("The `jobId` of the call.") String jobId,

            @Description("The name of the job or task. If a `jobId` is given, tasks are indented under their job.")
            String taskName,

            @Description("The completed share of the work.") String progress,

            @Description("The progress as a bar.") String progressBar,

            @Description("`PENDING`, `RUNNING`, `FINISHED`, `FAILED` or `CANCELED`.")
            String status,

            @Description("The start time, in UTC; null for a task that has not started.")
            LocalTime timeStarted,

            @Description("The elapsed time.") String elapsedTime,

            @Description(
                    "The expected time until the job ends, if the rest is as fast as the completed share; null for a"
                            + " task.")
            String expectedTimeLeft) {}

    /** Lists the backends. */
    @Procedure(name = "proxima.backend.list", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the backends of this server, with the reason for each that is unavailable.")
    public Stream<BackendRow> backends() {
        return answer(caller -> {
            List<String> active = caller.backends().preferred();
            return caller.backends().list().stream().map(info -> {
                Map<String, Object> columns = NamedColumns.of(info);
                columns.put("active", active.contains(info.name()));
                return NamedColumns.row(BackendRow.class, columns);
            });
        });
    }

    /** Lists graphs and jobs with their memory. */
    @Procedure(name = "proxima.memory.list", mode = Mode.READ)
    @Help(page = "memory")
    @NotThreadSafe
    @Description("Returns the heap and device memory of the caller's projected graphs and running jobs.")
    public Stream<MemoryRow> memory() {
        return answer(caller -> {
            Stream<MemoryRow> graphs = GraphCatalog.list(caller.viewer()).stream()
                    .map(entry -> new MemoryRow(
                            entry.key().user(),
                            entry.key().name(),
                            "graph",
                            entry.heapBytes(),
                            entry.deviceBytes(),
                            entry.mappedBytes()));
            Stream<MemoryRow> jobs = JobRegistry.running(caller.user(), caller.admin()).stream()
                    .map(job -> new MemoryRow(
                            job.user(), job.name(), job.id(), job.heapBytes(), job.deviceBytes(), job.mappedBytes()));
            return Stream.concat(graphs, jobs);
        });
    }

    /** Sums up the memory of each user. */
    @Procedure(name = "proxima.memory.summary", mode = Mode.READ)
    @Help(page = "memory")
    @NotThreadSafe
    @Description("Returns the heap of the caller's projected graphs and of the caller's running jobs. For admins,"
            + " returns a row for each user that has any.")
    public Stream<MemorySummaryRow> memorySummary() {
        return answer(caller -> {
            SortedMap<String, MemorySummaryRow> ofUsers = new TreeMap<>();
            Consumer<MemorySummaryRow> add = part -> ofUsers.merge(part.user(), part, MemorySummaryRow::plus);
            add.accept(new MemorySummaryRow(caller.user(), 0, 0));
            GraphCatalog.list(caller.viewer())
                    .forEach(
                            entry -> add.accept(new MemorySummaryRow(entry.key().user(), entry.heapBytes(), 0)));
            JobRegistry.running(caller.user(), caller.admin())
                    .forEach(job -> add.accept(new MemorySummaryRow(job.user(), 0, job.heapBytes())));
            return ofUsers.values().stream();
        });
    }

    /** Returns the version. */
    @Procedure(name = "proxima.version", mode = Mode.READ)
    @Help(page = "help")
    @NotThreadSafe
    @Description("Returns the version of Proxima.")
    public Stream<VersionRow> version() {
        return Stream.of(new VersionRow(Version.CURRENT));
    }

    /** Returns the facts for a bug report. */
    @Procedure(name = "proxima.debug.sysInfo", mode = Mode.READ)
    @Help(page = "troubleshooting")
    @NotThreadSafe
    @Description("Returns facts for a bug report: versions, settings, memory and backends. It contains no"
            + " names of graphs or users.")
    public Stream<InfoRow> sysInfo() {
        return answer(caller ->
                SystemInfo.of(caller).entrySet().stream().map(fact -> new InfoRow(fact.getKey(), fact.getValue())));
    }

    /** Lists the jobs. */
    @Procedure(name = "proxima.listProgress", mode = Mode.READ)
    @Help(page = "progress")
    @NotThreadSafe
    @Description("Returns the caller's running jobs. With a `jobId`, returns that job and its tasks, even after it"
            + " has ended.")
    public Stream<ProgressRow> listProgress(
            @Name(value = "jobId", defaultValue = "", description = JOB_ID) String jobId) {
        return answer(caller -> {
            if (jobId == null) {
                throw ProximaException.invalidArgument(
                        "`jobId` can not be null. Give the id of a job, or '' for all jobs.");
            }
            if (jobId.isBlank()) {
                return JobRegistry.running(caller.user(), caller.admin()).stream()
                        .map(job -> row(job, ""));
            }
            List<ProgressRow> rows = new ArrayList<>();
            for (Job job : JobRegistry.find(caller.user(), caller.admin(), jobId.strip())) {
                rows.add(row(job, BRANCH));
                job.tasks().forEach(task -> rows.add(row(job, task, INDENT + BRANCH, null)));
            }
            return rows.stream();
        });
    }

    private static ProgressRow row(Job job, String branch) {
        Duration left = job.timeLeft();
        return row(job, job, branch, left == null ? UNKNOWN : Job.words(left));
    }

    private static ProgressRow row(Job job, Stage shown, String branch, String left) {
        double fraction = shown.fraction();
        Instant started = shown.started();
        Duration elapsed = shown.elapsed();
        return new ProgressRow(
                job.user(),
                job.id(),
                branch + shown.name(),
                fraction < 0 ? UNKNOWN : percent(fraction),
                fraction < 0 ? "[~~~" + UNKNOWN + "~~~~]" : bar(fraction),
                shown.state().name(),
                started == null ? null : LocalTime.ofInstant(started, ZoneOffset.UTC),
                elapsed == null ? "Not yet started" : Job.words(elapsed),
                left);
    }

    private static String percent(double fraction) {
        String digits = String.format(Locale.ROOT, "%.2f", fraction * 100);
        return digits.replaceAll("\\.?0+$", "") + "%";
    }

    private static String bar(double fraction) {
        int done = (int) (fraction * BAR_WIDTH);
        return "[" + "#".repeat(done) + "~".repeat(BAR_WIDTH - done) + "]";
    }
}
