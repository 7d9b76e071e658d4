// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a job's results, in any of Hadoop's file systems: {@code job.json} says what is computed, {@code
 * rows/from=F} has the rows of the wave that begins with source F, {@code waves/F.json} says that this wave is complete,
 * and {@code summary.json} is written last. Waves are computed in the order of their sources.
 *
 * <p>{@code run.json} names the last driver that has begun, which alone may write. Each driver writes rows to a folder of
 * its own, {@code unfinished-RUN}, and renames them when they are complete. A driver that begins deletes the unfinished
 * folders of others, so that an older driver has nothing to rename.
 */
final class JobFolder {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROWS = "rows";
    private static final String WAVES = "waves";
    private static final String CSV = "csv";
    private static final String RUN = "run.json";
    private static final String FROM = "from=";

    private static final String SOURCE = "(0|[1-9]\\d{0,17})";
    private static final Pattern MARKER = Pattern.compile(SOURCE + "\\.json");
    private static final Pattern ROWS_OF_WAVE = Pattern.compile(FROM + SOURCE);
    private static final Pattern UNFINISHED = Pattern.compile("unfinished-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** What Spark and its committers write to a folder of rows. */
    private static final Pattern WRITTEN_BY_SPARK = Pattern.compile("part-.*|[._].*");

    /** More than any file of a job but the summary has. */
    private static final int MOST_BYTES = 1 << 16;

    private final FileSystem files;
    private final Path folder;
    private final int sources;
    private final String run = UUID.randomUUID().toString();

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

    /** The folder to which this driver writes the rows of a wave before they are complete. */
    String unfinishedRowsOf(int from) {
        return new Path(unfinished(), FROM + from).toString();
    }

    /** The folder to which this driver writes the CSV files before they are complete. */
    String unfinishedCsv() {
        return new Path(unfinished(), CSV).toString();
    }

    private Path unfinished() {
        return new Path(folder, "unfinished-" + run);
    }

    /**
     * Begins a job, or continues it; from then on, other drivers that have begun it can no longer write.
     *
     * @param job what is computed
     * @throws ProximaSparkException if the folder has anything else than results of this job; nothing is changed then
     */
    void begin(ObjectNode job) throws IOException {
        Path path = new Path(folder, "job.json");
        JsonNode found = read(path);
        if (found == null && isEmpty()) {
            write(path, job, false);
        } else if (found == null || !found.path("fingerprint").isTextual()) {
            throw ScanOptions.invalid("The argument `--output` must be an empty folder or that of a job, but `" + folder
                    + "` has other files, and its file `job.json` is missing, damaged or not of a job. Choose another"
                    + " folder, or empty this one if nobody needs it.");
        } else if (!found.equals(job)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The folder `" + folder + "` has results of another job: " + found + ", but this one is " + job
                            + ". Choose another folder for `--output`.");
        }
        write(new Path(folder, RUN), JSON.createObjectNode().put("run", run), true);
        checkRun();
        for (FileStatus file : files.listStatus(folder)) {
            if (UNFINISHED.matcher(file.getPath().getName()).matches()) {
                files.delete(file.getPath(), true);
            }
        }
    }

    private boolean isEmpty() throws IOException {
        try {
            return !files.listStatusIterator(folder).hasNext();
        } catch (FileNotFoundException e) {
            return true;
        }
    }

    /**
     * Deletes what this driver has not completed.
     *
     * @throws ProximaSparkException if another driver has begun: that is why this one has failed
     */
    void end() throws IOException {
        files.delete(unfinished(), true);
        checkRun();
    }

    private void checkRun() throws IOException {
        JsonNode found = read(new Path(folder, RUN));
        if (found == null || !found.path("run").asText().equals(run)) {
            throw new ProximaSparkException(
                    Reason.SUPERSEDED,
                    "Another driver has begun to write the folder `" + folder + "`: its file `" + RUN + "` has " + found
                            + ", but this driver is the run " + run + ". This driver stops, and the other one continues"
                            + " with the complete waves. If there is no other one, start the job again.");
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
     * Checks that the rows are those of the waves.
     *
     * @param waves all waves of the job
     * @param rows number of rows by the value of the column {@code from}
     * @throws ProximaSparkException if a wave has not a row for each source, or if there are others
     */
    void check(List<Wave> waves, Map<String, Long> rows) {
        Map<String, Long> others = new HashMap<>(rows);
        for (Wave wave : waves) {
            Long found = others.remove(String.valueOf(wave.from));
            if (found == null || found != wave.to - wave.from) {
                throw new ProximaSparkException(
                        Reason.INCOMPLETE_RESULTS,
                        "The wave of the sources " + wave.from + " to " + wave.to + " must have "
                                + (wave.to - wave.from) + " rows, but `" + rowsOf(wave.from) + "` has "
                                + (found == null ? 0 : found)
                                + ". `--output` must be a folder that the driver and all executors share. Delete `"
                                + marker(wave.from) + "` and start the job again to compute the wave anew.");
            }
        }
        if (!others.isEmpty()) {
            throw new ProximaSparkException(
                    Reason.INCOMPLETE_RESULTS,
                    "The folder `" + rows() + "` has rows of no wave of this job, in `" + FROM
                            + others.keySet().iterator().next()
                            + "`. Move them elsewhere and start the job again.");
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

    /**
     * Completes a wave, whose rows replace what damaged or lost waves of its sources have left.
     *
     * @throws ProximaSparkException if another driver has begun, or if a folder to replace has files that Spark has not
     *     written
     */
    void complete(Wave wave) throws IOException {
        checkRun();
        for (Map.Entry<Long, Path> rows :
                starts(new Path(folder, ROWS), ROWS_OF_WAVE).entrySet()) {
            if (rows.getKey() >= wave.from && rows.getKey() < wave.to) {
                deleteWritten(rows.getValue());
            }
        }
        files.delete(marker(wave.from), false);
        publish(new Path(unfinishedRowsOf(wave.from)), rowsOf(wave.from));
        write(
                marker(wave.from),
                JSON.createObjectNode()
                        .put("from", wave.from)
                        .put("to", wave.to)
                        .put("seconds", wave.seconds),
                false);
    }

    /** Replaces the CSV files; otherwise as {@link #complete}. */
    void completeCsv() throws IOException {
        checkRun();
        Path csv = new Path(folder, CSV);
        deleteWritten(csv);
        publish(new Path(unfinishedCsv()), csv);
    }

    /**
     * Writes the summary.
     *
     * @throws ProximaSparkException if another driver has begun
     */
    void summary(ObjectNode summary) throws IOException {
        checkRun();
        write(new Path(folder, "summary.json"), summary, true);
    }

    private void publish(Path from, Path to) throws IOException {
        files.mkdirs(to.getParent());
        if (!files.rename(from, to)) {
            throw new IOException("The folder `" + from + "` cannot be renamed to `" + to + "`.");
        }
        checkRun();
    }

    /** Deletes a folder that Spark has written, if it is there. */
    private void deleteWritten(Path written) throws IOException {
        try {
            for (FileStatus file : files.listStatus(written)) {
                if (!WRITTEN_BY_SPARK.matcher(file.getPath().getName()).matches()) {
                    throw new ProximaSparkException(
                            Reason.INCOMPLETE_RESULTS,
                            "The job replaces the folder `" + written + "`, but it has `"
                                    + file.getPath().getName()
                                    + "`, which the job has not written. Move it elsewhere and start the job again.");
                }
            }
            files.delete(written, true);
        } catch (FileNotFoundException e) {
            // there is nothing to replace
        }
    }

    private Path rowsOf(int from) {
        return new Path(folder, ROWS + "/" + FROM + from);
    }

    private Path marker(int from) {
        return new Path(folder, WAVES + "/" + from + ".json");
    }

    /** The content of a file; null if there is none, or the driver died while it was written. */
    private JsonNode read(Path path) throws IOException {
        try (InputStream in = files.open(path)) {
            JsonNode found = JSON.readTree(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
            return found.isMissingNode() ? null : found;
        } catch (FileNotFoundException | JsonProcessingException | ChecksumException e) {
            return null;
        }
    }

    private void write(Path path, JsonNode content, boolean overwrite) throws IOException {
        try (OutputStream out = files.create(path, overwrite)) {
            out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
        }
    }
}
