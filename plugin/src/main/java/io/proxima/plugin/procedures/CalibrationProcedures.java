// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.procedures;

import io.proxima.backend.Calibration;
import io.proxima.backend.RunControl;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.job.Job;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.neo4j.procedure.Admin;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Calibrates devices. It affects the speed of all users' runs, so it requires an administrator. */
public final class CalibrationProcedures extends ProximaProcedure {

    private static final String JOB = "Calibration";

    /** Required by Neo4j. */
    public CalibrationProcedures() {}

    /** A tuning parameter. */
    public record NumberRow(
            @Description("The name of the device: `cuda:0`, …")
            String device,

            @Description("The name of the tuning parameter.")
            String name,

            @Description("The unit of the values.") String unit,
            @Description("The value before the call.") double before,

            @Description("The value after the call; unchanged if no other value was clearly faster.")
            double after,

            @Description("Whether the value is stored for the next start of the server.")
            boolean kept,

            @Description("What the parameter controls.") String description) {}

    /** Calibrates a device. */
    @Admin
    @Procedure(name = "proxima.backend.calibrate", mode = Mode.DBMS)
    @NotThreadSafe
    @Description("Measures which tuning parameters make the kernels of a GPU fastest, and uses them for all later"
            + " runs. No result depends on them.")
    public Stream<NumberRow> calibrate(
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    "`device` = the one that `backend: 'auto'` prefers, `concurrency` = number of processors, `jobId`,"
                                            + " `logProgress` = true, `sudo` = false.")
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader config = caller.read("configuration", configuration);
            Keys keys = Keys.read(config);
            config.finish();
            int threads = keys.concurrency;
            MemoryTree heap = TraversalBackends.calibrationHeap(keys.device, threads);
            try (Job job = caller.beginJob(JOB, keys.jobId, keys.logProgress, keys.sudo)) {
                job.expectMemory(heap.maxBytes(), 0);
                Calibration found =
                        TraversalBackends.calibrate(keys.device, new RunControl(threads, caller.stop(), job));
                job.succeed();
                tell(caller, found);
                return rows(found);
            }
        });
    }

    /** The keys. */
    record Keys(String device, int concurrency, String jobId, boolean logProgress, boolean sudo) {
        /** Reads the keys; faults are added to the reader. */
        static Keys read(ConfigReader reader) {
            return new Keys(
                    reader.readOptionalString("device", "the one that 'auto' prefers"),
                    Concurrency.read(reader),
                    reader.readJobId("jobId"),
                    reader.readBoolean("logProgress", true),
                    reader.readBoolean("sudo", false));
        }
    }

    /** Logs the result whatever the caller's {@code logProgress}, because it affects other users. */
    private static void tell(Caller caller, Calibration found) {
        String changes = found.numbers().stream()
                .filter(number -> number.before() != number.after())
                .map(number -> number.name() + " from " + number.before() + " to " + number.after())
                .collect(Collectors.joining(", "));
        caller.log()
                .info("Device " + found.device() + " was calibrated: "
                        + (changes.isEmpty() ? "nothing changed" : "changed are " + changes)
                        + (found.kept() ? "." : "; not kept for the next start."));
    }

    private static Stream<NumberRow> rows(Calibration found) {
        return found.numbers().stream()
                .map(number -> new NumberRow(
                        found.device(),
                        number.name(),
                        number.unit(),
                        number.before(),
                        number.after(),
                        found.kept(),
                        number.description()));
    }
}
