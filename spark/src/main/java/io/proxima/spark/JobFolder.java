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
package io.proxima.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a job's results, in any of Hadoop's file systems: {@code job.json} says what is computed, {@code
 * rows/from=F} has the rows of the wave that begins with source F, {@code waves/F.json} says that this wave is complete,
 * and {@code summary.json} is written last. Waves are complete in the order of their sources.
 */
final class JobFolder {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileSystem files;
    private final Path folder;

    JobFolder(String folder, Configuration conf) throws IOException {
        this.folder = new Path(folder);
        files = this.folder.getFileSystem(conf);
    }

    /** A complete wave: sources from (inclusive) to (exclusive), and the seconds that it took. */
    record Wave(int from, int to, double seconds) {}

    String rows() {
        return new Path(folder, "rows").toString();
    }

    String rowsOf(int from) {
        return new Path(folder, "rows/from=" + from).toString();
    }

    String csv() {
        return new Path(folder, "csv").toString();
    }

    /**
     * Begins a job, or continues it.
     *
     * @param job what is computed
     * @throws ProximaSparkException if the folder has the results of another job
     */
    void begin(ObjectNode job) throws IOException {
        Path path = new Path(folder, "job.json");
        JsonNode found = read(path);
        if (found == null) {
            write(path, job);
        } else if (!found.equals(job)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The folder `" + folder + "` has results of another job: " + found + ", but this one is " + job
                            + ". Choose another folder for `--output`.");
        }
    }

    /** The wave that begins with a source; null if it is not complete. */
    Wave wave(int from) throws IOException {
        JsonNode found = read(marker(from));
        return found == null
                ? null
                : new Wave(from, found.path("to").asInt(), found.path("seconds").asDouble());
    }

    void complete(Wave wave) throws IOException {
        write(
                marker(wave.from),
                JSON.createObjectNode()
                        .put("from", wave.from)
                        .put("to", wave.to)
                        .put("seconds", wave.seconds));
    }

    void summary(ObjectNode summary) throws IOException {
        write(new Path(folder, "summary.json"), summary);
    }

    private Path marker(int from) {
        return new Path(folder, "waves/" + from + ".json");
    }

    /** The content of a file; null if there is none, or the driver died while it was written. */
    private JsonNode read(Path path) throws IOException {
        if (!files.exists(path)) {
            return null;
        }
        FileStatus status = files.getFileStatus(path);
        if (status.getLen() == 0) {
            return null;
        }
        try (InputStream in = files.open(path)) {
            return JSON.readTree(in);
        } catch (JsonProcessingException | ChecksumException e) {
            return null;
        }
    }

    private void write(Path path, JsonNode content) throws IOException {
        try (OutputStream out = files.create(path, true)) {
            out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
        }
    }
}
