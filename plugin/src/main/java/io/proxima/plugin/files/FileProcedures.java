// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.files.KeptFiles.Claim;
import io.proxima.plugin.files.KeptFiles.Content;
import io.proxima.plugin.files.KeptFiles.KeptFile;
import io.proxima.projection.file.GraphFileException;
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
@Help(page = "graph-export-import")
public final class FileProcedures extends ProximaProcedure {

    private static final String NAME = "The name of the file, as in `proxima.file.list`.";
    private static final String FAIL = "If true, a name without a file is an error.";

    /** A file. */
    public record FileRow(
            @Description("The name of the file. For an exported graph: as it was given to `proxima.graph.export`.")
            String fileName,

            @Description("'run' for the finished part of a run with `resume: true`, 'graph' for an exported graph,"
                    + " 'other' for a file that is not Proxima's.")
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
                    + " 'complete' for an exported graph, 'damaged' for a file that cannot be used, 'foreign' for a"
                    + " file that is not Proxima's, 'dropped' after it was dropped.")
            String state) {

        private static FileRow of(KeptFile file, String state) {
            KeptFiles.Owner owner = file.owner() == null ? new KeptFiles.Owner(null, null, null) : file.owner();
            return new FileRow(
                    file.name(),
                    kind(file),
                    owner.jobId(),
                    owner.user(),
                    owner.database(),
                    file.bytes(),
                    file.modified().atZone(ZoneOffset.UTC),
                    state);
        }

        private static String kind(KeptFile file) {
            if (file.content() == Content.FOREIGN) {
                return "other";
            }
            return file.isRun() ? "run" : "graph";
        }
    }

    /** Lists files. */
    @Procedure(name = "proxima.file.list", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the caller's files on the server: finished parts of runs that can be resumed, and exported"
            + " graphs.")
    public Stream<FileRow> list() {
        return answer(caller -> {
            KeptFiles files = KeptFiles.of(caller.config(), caller.stop());
            files.tidyRuns(caller.log()::info);
            return seen(caller, files).stream().map(file -> FileRow.of(file, state(file)));
        });
    }

    /** Drops a file. */
    @Procedure(name = "proxima.file.drop", mode = Mode.READ)
    @Help(example = "CALL proxima.file.drop('people.proxima', false)")
    @NotThreadSafe
    @Description("Deletes a file that `proxima.file.list` shows. A run whose file is dropped begins anew.")
    public Stream<FileRow> drop(
            @Name(value = "fileName", description = NAME) String fileName,
            @Name(value = "failIfMissing", defaultValue = "true", description = FAIL) Boolean failIfMissing) {
        return answer(caller -> {
            GraphName.requirePresent("fileName", fileName);
            KeptFiles files = KeptFiles.of(caller.config(), caller.stop());
            // a name is only compared, and never becomes part of a path
            KeptFile file = seen(caller, files).stream()
                    .filter(seen -> seen.name().equals(fileName))
                    .findFirst()
                    .orElse(null);
            if (file != null) {
                file = dropped(caller, files, file);
            }
            if (file == null && !Boolean.FALSE.equals(failIfMissing)) {
                throw ProximaException.failed("You have no file `" + Shown.text(fileName)
                        + "` on the server. Use a name that `proxima.file.list` returns.");
            }
            return Stream.ofNullable(file).map(gone -> FileRow.of(gone, "dropped"));
        });
    }

    /** Null if the file has been deleted or replaced by another user's since it was listed. */
    private static KeptFile dropped(Caller caller, KeptFiles files, KeptFile listed) {
        try (Claim claim = KeptFiles.claim(listed.path())) {
            if (claim == null || listed.ofRunningJob()) {
                throw kept(
                        listed,
                        (listed.ofRunningJob()
                                        ? "the job `" + listed.owner().jobId() + "` is running"
                                        : "a call is writing to it")
                                + ". Wait until the call ends, or kill its query.");
            }
            KeptFile file = files.read(listed.path(), listed.isRun())
                    .filter(now -> sees(caller, now))
                    .orElse(null);
            if (file == null) {
                return null;
            }
            if (file.content() == Content.FOREIGN) {
                throw kept(file, "it is not a file of Proxima. Delete it on the server's disk.");
            }
            files.delete(file);
            return file;
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The file `" + Shown.text(listed.name()) + "` cannot be dropped: " + GraphFileException.reason(e)
                            + ".",
                    e);
        }
    }

    private static ProximaException kept(KeptFile file, String why) {
        return ProximaException.failed("The file `" + Shown.text(file.name()) + "` cannot be dropped, because " + why);
    }

    private static List<KeptFile> seen(Caller caller, KeptFiles files) {
        return files.list().stream().filter(file -> sees(caller, file)).toList();
    }

    private static boolean sees(Caller caller, KeptFile file) {
        boolean own = file.owner() == null
                // Neo4j Community has no admins
                ? caller.mayAdminister()
                : file.owner().user().equals(caller.user());
        return own || caller.admin();
    }

    private static String state(KeptFile file) {
        if (file.ofRunningJob() || file.isClaimed()) {
            return "running";
        }
        return switch (file.content()) {
            case WHOLE -> file.isRun() ? "resumable" : "complete";
            case DAMAGED -> "damaged";
            case FOREIGN -> "foreign";
        };
    }
}
