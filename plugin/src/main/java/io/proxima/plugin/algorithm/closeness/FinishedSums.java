// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.result.FarnessFile;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.files.DiskSpace;
import io.proxima.plugin.files.KeptFiles;
import io.proxima.plugin.files.KeptFiles.Owner;
import io.proxima.plugin.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The finished sums of a call that can be continued, in a file below the server's data. A job of a user in a database
 * has one file.
 */
final class FinishedSums {

    private final Caller caller;
    private final KeptFiles files;
    private final Owner owner;
    private final Path file;

    FinishedSums(Caller caller, String jobId) {
        this.caller = caller;
        files = KeptFiles.of(caller.config(), caller.stop());
        owner = new Owner(caller.database().databaseName(), caller.user(), jobId);
        file = files.ofRun(owner);
    }

    /**
     * The sums of some vertices: those that an earlier call of the job has finished, and the others.
     *
     * @param vertices without repeats
     * @throws ProximaException if the file belongs to another run, or cannot be used
     */
    Farness complete(GraphRun run, LoadedGraph graph, int[] vertices, Set<DistanceMeasure> measures) {
        boolean harmonic = measures.contains(DistanceMeasure.HARMONIC);
        files.tidyRuns(caller.log()::info);
        // no other job of the user has the id, so that another call can only be deleting the file
        KeptFiles.Claim claim = files.awaitClaim(file);
        try (claim) {
            Files.createDirectories(file.getParent());
            long missing =
                    FarnessFile.mostBytes(vertices.length, harmonic) - (Files.exists(file) ? Files.size(file) : 0);
            DiskSpace space = DiskSpace.reserve(
                    files,
                    file.getParent(),
                    Math.max(0, missing),
                    "The finished part of the job '" + owner.jobId() + "'",
                    "Drop files with `proxima.file.drop`, or call without `resume`.");
            try (space) {
                // not earlier, because nobody could drop the owner of a run that was refused
                files.recordOwner(owner);
                try (FarnessFile sums = FarnessFile.open(file, run.csc(), vertices, measures, run.control())) {
                    if (sums.done() > 0) {
                        caller.log()
                                .info(Job.PREFIX + owner.jobId() + "] The job resumes: " + sums.done() + " of "
                                        + vertices.length + " nodes are finished.");
                    }
                    return sums.complete(graph, run.control());
                }
            }
        } catch (FarnessFile.OtherRunException e) {
            throw ProximaException.failed("The job '" + owner.jobId() + "' cannot be resumed from " + file + ": "
                    + e.getMessage() + ". Use another `jobId`, or drop the file with `proxima.file.drop`.");
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The finished part of the job '" + owner.jobId() + "' cannot be kept in " + file + ": " + e
                            + ". Free disk space or repair the folder, or call without `resume`.",
                    e);
        }
    }

    /** Deletes the file, after the scores have been written. */
    void delete() {
        try {
            files.deleteRun(file);
        } catch (IOException e) {
            caller.log()
                    .warn(
                            Job.PREFIX + owner.jobId() + "] The file " + file
                                    + " is not needed any more, but cannot be deleted.",
                            e);
        }
    }
}
