// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.files.KeptFiles.KeptFile;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Procedures on the files that calls have left on the server. */
public final class FileProcedures extends ProximaProcedure {

    private static final String NAME = "The name of the file, as in `proxima.file.list`.";
    private static final String FAIL = "If true, a name without a file is an error.";

    /** Required by Neo4j. */
    public FileProcedures() {}

    /** A file. */
    public record FileRow(
            @Description("The name of the file. For an exported graph: as it was given to `proxima.graph.export`.")
            String fileName,

            @Description("'run' for the finished part of a run with `resume: true`, 'graph' for an exported graph.")
            String kind,

            @Description("The id of the run; empty for an exported graph.")
            String jobId,

            @Description("The owner; null if it is not known.")
            String user,

            @Description("The database of the run or of the graph; null if it is not known.")
            String database,

            @Description("The number of bytes of the file.") long sizeInBytes,

            @Description("The time of the last change.") ZonedDateTime modificationTime,

            @Description("'running' if a call is writing the file, 'resumable' for a run that can be continued,"
                    + " 'complete' for an exported graph, 'dropped' after it was dropped.")
            String state) {

        private static FileRow of(KeptFile file, String state) {
            KeptFiles.Owner owner = file.owner() == null ? new KeptFiles.Owner(null, null, null) : file.owner();
            return new FileRow(
                    file.name(),
                    file.isRun() ? "run" : "graph",
                    owner.jobId(),
                    owner.user(),
                    owner.database(),
                    file.bytes(),
                    file.modified().atZone(ZoneOffset.UTC),
                    state);
        }
    }

    /** Lists files. */
    @Procedure(name = "proxima.file.list", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the caller's files on the server: finished parts of runs that can be resumed, and exported"
            + " graphs.")
    public Stream<FileRow> list() {
        return answer(caller -> seen(caller).stream().map(file -> FileRow.of(file, state(file))));
    }

    /** Drops a file. */
    @Procedure(name = "proxima.file.drop", mode = Mode.READ)
    @NotThreadSafe
    @Description("Deletes a file that `proxima.file.list` shows. A run whose file is dropped begins anew.")
    public Stream<FileRow> drop(
            @Name(value = "fileName", description = NAME) String fileName,
            @Name(value = "failIfMissing", defaultValue = "true", description = FAIL) boolean failIfMissing) {
        return answer(caller -> {
            GraphName.requirePresent("fileName", fileName);
            // a name is only compared, and never becomes part of a path
            KeptFile file = seen(caller).stream()
                    .filter(seen -> seen.name().equals(fileName))
                    .findFirst()
                    .orElse(null);
            if (file == null) {
                if (failIfMissing) {
                    throw ProximaException.failed("You have no file `" + Shown.text(fileName)
                            + "` on the server. Use a name that `proxima.file.list` returns.");
                }
                return Stream.empty();
            }
            String state = state(file);
            if (state.equals("running")) {
                throw ProximaException.failed("The file `" + Shown.text(fileName) + "` cannot be dropped, because "
                        + (file.isRun()
                                ? "the job `" + file.owner().jobId() + "` is running"
                                : "a call is exporting to it")
                        + ". Wait until the call ends, or kill its query.");
            }
            try {
                KeptFiles.of(caller.config(), caller.stop()).delete(file);
            } catch (IOException e) {
                throw ProximaException.failed("The file `" + Shown.text(fileName) + "` cannot be dropped: " + e, e);
            }
            return Stream.of(FileRow.of(file, "dropped"));
        });
    }

    private static List<KeptFile> seen(Caller caller) {
        try {
            return KeptFiles.of(caller.config(), caller.stop()).list().stream()
                    .filter(file -> caller.admin()
                            || (file.owner() != null && file.owner().user().equals(caller.user())))
                    .toList();
        } catch (IOException e) {
            throw ProximaException.failed("The files on the server cannot be listed: " + e, e);
        }
    }

    private static String state(KeptFile file) {
        if (file.ofRunningJob() || ExportFolder.isWritten(file.path())) {
            return "running";
        }
        return file.isRun() ? "resumable" : "complete";
    }
}
