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
package io.proxima.plugin.procedures;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.saved.FarnessFile;
import io.proxima.plugin.ProximaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.neo4j.configuration.GraphDatabaseSettings;

/**
 * The finished sums of a call that can be continued, in a file below the server's data. A job of a user in a database has
 * one file.
 */
final class FinishedSums {

    private static final String ENDING = ".sums";

    private final Caller caller;
    private final String jobId;
    private final Path file;

    private FinishedSums(Caller caller, String jobId, Path file) {
        this.caller = caller;
        this.jobId = jobId;
        this.file = file;
    }

    /** The file of a job. */
    static FinishedSums of(Caller caller, String jobId) {
        String job = caller.database().databaseName() + '\0' + caller.user() + '\0' + jobId;
        try {
            // ids may have characters that file names may not have
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(job.getBytes(StandardCharsets.UTF_8));
            Path data = caller.config().get(GraphDatabaseSettings.data_directory);
            Path folder = data.resolve("proxima").resolve("jobs");
            return new FinishedSums(caller, jobId, folder.resolve(HexFormat.of().formatHex(hash) + ENDING));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The sums of some vertices: those that an earlier call of the job has finished, and the others.
     *
     * @param vertices without repeats
     * @throws ProximaException if the file belongs to another run, or cannot be used
     */
    Farness complete(GraphRun run, LoadedGraph graph, int[] vertices, Set<DistanceMeasure> measures) {
        boolean harmonic = measures.contains(DistanceMeasure.HARMONIC);
        try {
            Files.createDirectories(file.getParent());
            long missing =
                    FarnessFile.mostBytes(vertices.length, harmonic) - (Files.exists(file) ? Files.size(file) : 0);
            DiskSpace space = DiskSpace.reserve(
                    file.getParent(),
                    Math.max(0, missing),
                    "The finished part of the job '" + jobId + "'",
                    "Delete files there, or call without `resume`.");
            try (space;
                    FarnessFile sums = FarnessFile.open(file, run.csc(), vertices, measures, run.control())) {
                if (sums.done() > 0) {
                    caller.log()
                            .info("[" + jobId + "] The job resumes: " + sums.done() + " of " + vertices.length
                                    + " nodes are finished.");
                }
                return sums.complete(graph, run.control());
            }
        } catch (FarnessFile.OtherRunException e) {
            throw ProximaException.failed("The job '" + jobId + "' cannot be resumed from " + file + ": "
                    + e.getMessage() + ". Use another `jobId`, or delete the file.");
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The finished part of the job '" + jobId + "' cannot be kept in " + file + ": " + e
                            + ". Free disk space or repair the folder, or call without `resume`.",
                    e);
        }
    }

    /** Deletes the file, after the scores have been written. */
    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            caller.log()
                    .warn("[" + jobId + "] The file " + file + " is not needed any more, but cannot be deleted.", e);
        }
    }
}
