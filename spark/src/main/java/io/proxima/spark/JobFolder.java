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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a job's results, in any of Hadoop's file systems: {@code job.json} says what is computed, {@code
 * rows/from=F} has the rows of the wave that begins with source F, {@code waves/F.json} says that this wave is complete,
 * and {@code summary.json} is written last. Waves are computed in the order of their sources.
 */
final class JobFolder {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROWS = "rows";
    private static final String WAVES = "waves";

    private static final Pattern MARKER = Pattern.compile("(\\d{1,18})\\.json");
    private static final Pattern ROWS_OF_WAVE = Pattern.compile("from=(\\d{1,18})");

    private final FileSystem files;
    private final Path folder;
    private final int sources;

    /**
     * Names a folder.
     *
     * @param folder as Hadoop's FileSystem takes it
     * @param sources sources of all waves together
     */
    JobFolder(String folder, int sources, Configuration conf) throws IOException {
        this.folder = new Path(folder);
        this.sources = sources;
        files = this.folder.getFileSystem(conf);
    }

    /** A complete wave: sources from (inclusive) to (exclusive), and the seconds that it took. */
    record Wave(int from, int to, double seconds) {}

    String rows() {
        return new Path(folder, ROWS).toString();
    }

    String rowsOf(int from) {
        return new Path(folder, ROWS + "/from=" + from).toString();
    }

    String csv() {
        return new Path(folder, "csv").toString();
    }

    /**
     * Begins a job, or continues it.
     *
     * @param job what is computed
     * @throws ProximaSparkException if the folder has the results of another job, or of an unknown one
     */
    void begin(ObjectNode job) throws IOException {
        Path path = new Path(folder, "job.json");
        JsonNode found = read(path);
        if (found == null) {
            if (nextWave(-1) < sources) {
                throw new ProximaSparkException(
                        Reason.INCOMPLETE_RESULTS,
                        "The folder `" + folder
                                + "` has complete waves, but its file `job.json` is missing or damaged, so"
                                + " that it is unknown of which job they are. Choose another folder for `--output`, or delete"
                                + " this one.");
            }
            write(path, job);
        } else if (!found.equals(job)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The folder `" + folder + "` has results of another job: " + found + ", but this one is " + job
                            + ". Choose another folder for `--output`.");
        }
    }

    /**
     * The wave that begins with a source; null if it is not complete.
     *
     * @throws ProximaSparkException if its marker has no range of this job
     */
    Wave wave(int from) throws IOException {
        JsonNode found = read(marker(from));
        if (found == null) {
            return null;
        }
        int to = found.path("to").asInt();
        if (to <= from || to > sources) {
            throw new ProximaSparkException(
                    Reason.INCOMPLETE_RESULTS,
                    "The file `" + marker(from) + "` must have a source `to` from " + (from + 1) + " to " + sources
                            + ", but it is " + found
                            + ". Delete the file and start the job again to compute the wave anew.");
        }
        return new Wave(from, to, found.path("seconds").asDouble());
    }

    /** The first source after {@code from} with which a complete wave begins; the number of sources if there is none. */
    int nextWave(int from) throws IOException {
        int next = sources;
        for (long start : starts(new Path(folder, WAVES), MARKER).keySet()) {
            if (start > from && start < next && wave((int) start) != null) {
                next = (int) start;
            }
        }
        return next;
    }

    /**
     * Deletes the rows and the markers of other waves: one that has lost its marker and was computed anew may have another
     * range.
     *
     * @param waves all waves of the job
     */
    void keepOnly(List<Wave> waves) throws IOException {
        Set<Long> kept = waves.stream().map(wave -> (long) wave.from).collect(Collectors.toSet());
        Map<Long, Path> found = starts(new Path(folder, WAVES), MARKER);
        found.keySet().removeAll(kept);
        for (Path marker : found.values()) {
            files.delete(marker, false);
        }
        found = starts(new Path(folder, ROWS), ROWS_OF_WAVE);
        found.keySet().removeAll(kept);
        for (Path rows : found.values()) {
            files.delete(rows, true);
        }
    }

    /**
     * Checks the number of rows of a wave.
     *
     * @param rows number of rows that its folder has
     * @throws ProximaSparkException if it is not that of the sources
     */
    void check(Wave wave, long rows) {
        if (rows != wave.to - wave.from) {
            throw new ProximaSparkException(
                    Reason.INCOMPLETE_RESULTS,
                    "The wave of the sources " + wave.from + " to " + wave.to + " must have " + (wave.to - wave.from)
                            + " rows, but `" + rowsOf(wave.from) + "` has " + rows
                            + ". `--output` must be a folder that the driver and all executors share. Delete `"
                            + marker(wave.from) + "` and start the job again to compute the wave anew.");
        }
    }

    /** The files of a folder whose names have the first source of a wave, by this source. */
    private Map<Long, Path> starts(Path of, Pattern name) throws IOException {
        Map<Long, Path> starts = new HashMap<>();
        try {
            for (FileStatus file : files.listStatus(of)) {
                Matcher matcher = name.matcher(file.getPath().getName());
                if (matcher.matches()) {
                    starts.put(Long.parseLong(matcher.group(1)), file.getPath());
                }
            }
        } catch (FileNotFoundException e) {
            // no wave has begun
        }
        return starts;
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
        return new Path(folder, WAVES + "/" + from + ".json");
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
