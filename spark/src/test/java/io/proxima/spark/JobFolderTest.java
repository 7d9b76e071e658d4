// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.proxima.spark.JobFolder.Wave;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders that belong to others, and two drivers that write one folder, without Spark. */
class JobFolderTest {

    private static final int SOURCES = 300;
    private static final ObjectNode JOB = new ObjectMapper()
            .createObjectNode()
            .put("fingerprint", "0123456789abcdef0123456789abcdef")
            .put("measures", "closeness");

    @TempDir
    private Path temporary;

    private JobFolder folder() throws IOException {
        return new JobFolder(output().toString(), SOURCES, new Configuration());
    }

    private Path output() {
        return temporary.resolve("out");
    }

    private Path write(String path, String content) throws IOException {
        Path file = output().resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content, StandardCharsets.ISO_8859_1);
    }

    /** The files and folders below the temporary folder, and the content of the files. */
    private Map<Path, String> content() throws IOException {
        Map<Path, String> content = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(temporary)) {
            for (Path path : paths.toList()) {
                content.put(path, Files.isDirectory(path) ? "" : Files.readString(path, StandardCharsets.ISO_8859_1));
            }
        }
        return content;
    }

    private static void assertRefused(Reason reason, ThrowingCallable call, String... parts) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContainingAll(parts);
    }

    /** Rows as Spark writes them, before the wave is complete. */
    private static void writeRows(String unfinished, String rows) throws IOException {
        Path made = Files.createDirectories(Path.of(unfinished));
        Files.writeString(made.resolve("part-00000.parquet"), rows);
        Files.writeString(made.resolve("_SUCCESS"), "");
    }

    private static void compute(JobFolder folder, Wave wave, String rows) throws IOException {
        writeRows(folder.unfinishedRowsOf(wave.from()), rows);
        folder.complete(wave);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "notes.txt|mine",
                "rows/from=0/part-00000.parquet|of another program",
                "waves/0.json|{\"to\": 300}",
                "csv/table.csv|a,b",
                "unfinished-01234567-0123-0123-0123-0123456789ab/thesis.tex|mine",
                "run.json|{\"run\": \"01234567-0123-0123-0123-0123456789ab\"}",
                "job.json|",
                "job.json|{\"fingerprint\": \"0123456789abcdef01",
                "job.json|{\"name\": \"a nightly build\"}",
                "job.json|{\"fingerprint\": 7}",
                "job.json|[\"fingerprint\"]",
                "job.json|null",
                "job.json|\u0000\u0000\u007fELF",
                "job.json/part-00000|a folder"
            })
    void shouldRefuseAForeignFolderAndLeaveItAsItIs(String file) throws IOException {
        write(file.substring(0, file.indexOf('|')), file.substring(file.indexOf('|') + 1));
        Map<Path, String> before = content();

        assertRefused(
                Reason.INVALID_OPTION,
                () -> folder().begin(JOB),
                "`--output` must be an empty folder or that of a job",
                output().toString(),
                "Choose another folder");

        assertThat(content()).isEqualTo(before);
    }

    @Test
    void shouldRefuseAFileAndTheFolderOfAnotherJob() throws IOException {
        Files.writeString(output(), "a file");
        assertRefused(Reason.INVALID_OPTION, () -> folder().begin(JOB), "must be an empty folder");
        assertThat(output()).hasContent("a file");

        Files.delete(output());
        write("job.json", JOB.deepCopy().put("measures", "harmonic").toString());
        Map<Path, String> before = content();
        assertRefused(Reason.WRONG_GRAPH, () -> folder().begin(JOB), "results of another job", "harmonic");
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void shouldBeginInAnEmptyFolderAndContinueThere() throws IOException {
        Files.createDirectory(output());
        JobFolder first = folder();
        first.begin(JOB);
        compute(first, new Wave(0, 100, 1), "first");
        first.end();

        JobFolder second = folder();
        second.begin(JOB);

        assertThat(second.wave(0)).isEqualTo(new Wave(0, 100, 1));
        assertThat(output().resolve("rows/from=0/part-00000.parquet")).hasContent("first");
    }

    @Test
    void shouldDeleteOnlyWhatTheJobHasWritten() throws IOException {
        JobFolder folder = folder();
        folder.begin(JOB);
        compute(folder, new Wave(0, 100, 1), "kept");
        List<Path> foreign = List.of(
                write("rows/from=100/notes.txt", "mine"),
                write("rows/from=0150/part-00000.parquet", "mine"),
                write("rows/from=200/part-00000.parquet", "after the wave"),
                write("waves/150.json", "mine"),
                write("csv/notes.txt", "mine"),
                write("unfinished-thesis/thesis.tex", "mine"));
        Files.delete(output().resolve("waves/.0.json.crc"));
        writeRows(folder.unfinishedRowsOf(100), "new");
        writeRows(folder.unfinishedCsv(), "new");

        assertRefused(
                Reason.INCOMPLETE_RESULTS,
                () -> folder.complete(new Wave(100, 200, 1)),
                "rows/from=100",
                "has `notes.txt`, which the job has not written. Move it elsewhere");
        assertRefused(Reason.INCOMPLETE_RESULTS, folder::completeCsv, "/csv`", "has `notes.txt`");
        folder().begin(JOB);

        assertThat(foreign).allMatch(Files::exists);
        assertThat(output().resolve("rows/from=0/part-00000.parquet")).hasContent("kept");
    }

    @Test
    void shouldReplaceWhatTheJobHasWrittenItself() throws IOException {
        JobFolder folder = folder();
        folder.begin(JOB);
        // the driver died before it had completed the wave, and an earlier wave has lost its marker
        write("rows/from=0/part-00000.parquet", "old");
        write("rows/from=0/_temporary/0/part-00000.parquet", "old");
        write("rows/from=50/part-00000.parquet", "old");
        write("waves/0.json", "");
        write("csv/part-00000.csv", "old");

        compute(folder, new Wave(0, 100, 1), "new");
        writeRows(folder.unfinishedCsv(), "new");
        folder.completeCsv();
        folder.end();

        assertThat(output().resolve("rows/from=0/part-00000.parquet")).hasContent("new");
        assertThat(output().resolve("rows/from=0/_temporary")).doesNotExist();
        assertThat(output().resolve("rows/from=50")).doesNotExist();
        assertThat(output().resolve("csv/part-00000.csv")).doesNotExist();
        assertThat(output().resolve("csv/part-00000.parquet")).hasContent("new");
        assertThat(output()).isDirectoryNotContaining("glob:**/unfinished-*");
    }

    @Test
    void shouldRefuseRowsOfNoWave() throws IOException {
        JobFolder folder = folder();
        List<Wave> waves = List.of(new Wave(0, 100, 1), new Wave(100, 300, 1));
        folder.check(waves, Map.of("0", 100L, "100", 200L));

        assertRefused(
                Reason.INCOMPLETE_RESULTS,
                () -> folder.check(waves, Map.of("0", 100L, "100", 200L, "north", 7L)),
                "has rows of no wave of this job, in `from=north`");
        assertRefused(Reason.INCOMPLETE_RESULTS, () -> folder.check(waves, Map.of("0", 100L)), "100 to 300", "has 0");
    }

    @Test
    void shouldLetOnlyTheNewestDriverWrite() throws IOException {
        JobFolder older = folder();
        JobFolder newer = folder();
        older.begin(JOB);
        compute(older, new Wave(0, 100, 1), "older");
        writeRows(older.unfinishedRowsOf(100), "older");
        newer.begin(JOB);
        assertThat(Path.of(older.unfinishedRowsOf(100))).doesNotExist();
        // its tasks are still running
        writeRows(older.unfinishedRowsOf(100), "older");
        writeRows(older.unfinishedCsv(), "older");
        Map<Path, String> before = content();

        for (ThrowingCallable commit : List.<ThrowingCallable>of(
                () -> older.complete(new Wave(100, 200, 1)), older::completeCsv, () -> older.summary(JOB))) {
            assertRefused(
                    Reason.SUPERSEDED,
                    commit,
                    "Another driver has begun to write the folder",
                    output().toString(),
                    "This driver stops");
        }

        assertThat(content()).isEqualTo(before);
        assertRefused(Reason.SUPERSEDED, older::end, "This driver stops");
        compute(newer, new Wave(100, 300, 2), "newer");
        newer.end();
        assertThat(newer.wave(0)).isEqualTo(new Wave(0, 100, 1));
        assertThat(newer.wave(100)).isEqualTo(new Wave(100, 300, 2));
        assertThat(output().resolve("rows/from=100/part-00000.parquet")).hasContent("newer");
        assertThat(output()).isDirectoryNotContaining("glob:**/unfinished-*");
    }

    @Test
    void shouldStopADriverWhoseRunIsNotReadable() throws IOException {
        for (String content : List.of("", "{\"run\": \"0123", "{}", "[]")) {
            JobFolder folder = folder();
            folder.begin(JOB);
            write("run.json", content);
            Files.deleteIfExists(output().resolve(".run.json.crc"));
            assertRefused(Reason.SUPERSEDED, () -> folder.summary(JOB), "start the job again");
        }
        assertThat(output().resolve("summary.json")).doesNotExist();
    }

    /** Renames folders after another driver has begun: the older driver was paused between its check and the rename. */
    public static final class PausingFileSystem extends RawLocalFileSystem {
        private static Runnable pause = () -> {};

        @Override
        public URI getUri() {
            return URI.create("pausing:///");
        }

        @Override
        public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to) throws IOException {
            Runnable once = pause;
            pause = () -> {};
            once.run();
            return super.rename(from, to);
        }
    }

    @Test
    void shouldNotPublishRowsAfterAnotherDriverHasBegun() throws IOException {
        Configuration conf = new Configuration();
        conf.set("fs.pausing.impl", PausingFileSystem.class.getName());
        JobFolder older = new JobFolder("pausing://" + output(), SOURCES, conf);
        JobFolder newer = new JobFolder("pausing://" + output(), SOURCES, conf);
        older.begin(JOB);
        writeRows(
                output().resolve(URI.create(older.unfinishedRowsOf(0)).getPath())
                        .toString(),
                "older");
        PausingFileSystem.pause = () -> {
            try {
                newer.begin(JOB);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };

        assertThatThrownBy(() -> older.complete(new Wave(0, 100, 1))).isInstanceOf(IOException.class);
        assertRefused(Reason.SUPERSEDED, older::end, "This driver stops");

        assertThat(output().resolve("rows/from=0")).doesNotExist();
        assertThat(newer.wave(0)).isNull();
        writeRows(
                output().resolve(URI.create(newer.unfinishedRowsOf(0)).getPath())
                        .toString(),
                "newer");
        newer.complete(new Wave(0, 200, 1));
        assertThat(output().resolve("rows/from=0/part-00000.parquet")).hasContent("newer");
        assertThat(newer.wave(0)).isEqualTo(new Wave(0, 200, 1));
    }
}
