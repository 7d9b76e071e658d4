// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.backend.Farness;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
class ClosenessJobTest {

    private static final int NODES = 500;

    private static SparkSession spark;

    @TempDir
    private Path folder;

    private Csc csc;

    @BeforeAll
    static void start() {
        spark = Sessions.local();
    }

    @AfterEach
    void letFilesBeOpenedAndTasksEnd() throws InterruptedException {
        RemoteFileSystem.opening = () -> {};
        Sessions.awaitTasks(spark);
    }

    private Path graph() {
        return folder.resolve("graph.proxima");
    }

    private void run(String... more) throws Exception {
        if (csc == null) {
            csc = ExportedFiles.write(graph(), TestGraphs.uniform(NODES, 1500, 4, true), false);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--graph", graph().toString(), "--output", folder.resolve("out").toString()));
        arguments.addAll(List.of(more));
        ClosenessJob.run(spark, arguments.toArray(String[]::new));
    }

    private JsonNode summary() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("out/summary.json").toFile());
    }

    @Test
    void shouldComputeInWavesAndSummarize() throws Exception {
        run("--wave", "200", "--measures", "closeness,eccentricity", "--csv", "true");

        Farness incoming = ExportedFiles.sums(csc);
        Farness outgoing = ExportedFiles.sums(csc.transposed(1, Stop.NEVER));
        // of the sources from 0, 200 and 400 on
        assertThat(folder.resolve("out/checkpoint/commits"))
                .isDirectoryContaining("glob:**/2")
                .isDirectoryNotContaining("glob:**/3");
        assertThat(spark.read().parquet(folder.resolve("out/rows").toString()).count())
                .isEqualTo(NODES);
        JsonNode summary = summary();
        assertThat(summary.path("nodes").asLong()).isEqualTo(NODES);
        long pairs = Arrays.stream(incoming.reach()).sum();
        assertThat(summary.path("pairs").asLong()).isEqualTo(pairs);
        assertThat(summary.path("diameter").asInt())
                .isEqualTo(Arrays.stream(incoming.eccentricity()).max().orElse(0));
        long most = Arrays.stream(outgoing.reach()).max().orElse(0);
        assertThat(summary.path("radius").asInt())
                .isEqualTo(IntStream.range(0, NODES)
                        .filter(vertex -> outgoing.reach()[vertex] == most)
                        .map(vertex -> outgoing.eccentricity()[vertex])
                        .min()
                        .orElse(0));
        assertThat(summary.path("meanDistance").asDouble())
                .isEqualTo((double) Arrays.stream(incoming.farness()).sum() / pairs);
        assertThat(summary.path("hopDistribution"))
                .hasToString(Arrays.toString(incoming.hops()).replace(" ", ""));
        // the query of the manual
        assertThat(spark.sql("SELECT distance, sum(pairs) AS pairs FROM (SELECT posexplode(hops) AS (distance, pairs)"
                                + " FROM parquet.`" + folder.resolve("out/rows")
                                + "`) GROUP BY distance ORDER BY distance")
                        .collectAsList())
                .extracting(row -> row.getLong(1))
                .containsExactly(Arrays.stream(incoming.hops()).boxed().toArray(Long[]::new));
        assertThat(csv()).hasSize(NODES).allMatch(line -> line.startsWith(ExportedFiles.PREFIX));
    }

    /** The lines without those of the heads. */
    private List<String> csv() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve("out/csv"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".csv")).toList()) {
                List<String> ofFile = Files.readAllLines(file);
                assertThat(ofFile.get(0)).isEqualTo("elementId,closeness,eccentricity,farness,reach,nodesReached");
                lines.addAll(ofFile.subList(1, ofFile.size()));
            }
        }
        return lines;
    }

    @Test
    void shouldSkipWhatIsCompleteAfterARestart() throws Exception {
        run("--wave", "200");
        List<String> rows = rows("out");
        Set<Path> complete = files(folder.resolve("out/rows"));
        // the driver died after it had written the rows of the last wave, and before Spark's log named them
        for (String log : List.of("out/checkpoint/commits", "out/rows/_spark_metadata")) {
            Files.delete(folder.resolve(log).resolve("2"));
            Files.delete(folder.resolve(log).resolve(".2.crc"));
        }
        Files.delete(folder.resolve("out/summary.json"));

        run();

        assertThat(rows("out")).isEqualTo(rows).hasSize(NODES);
        // 100 sources in two tasks
        assertThat(files(folder.resolve("out/rows"))).containsAll(complete).hasSize(complete.size() + 2);
        assertThat(summary().path("nodes").asLong()).isEqualTo(NODES);
    }

    @Test
    void shouldNoticeLostRows() throws Exception {
        run("--wave", "200");
        commitNoRows(folder.resolve("out/rows/_spark_metadata"), 1);
        Sessions.assertRefused(Reason.INCOMPLETE_RESULTS, this::run)
                .hasMessageContaining("a row for each of the 500 nodes, but has 300 rows");

        for (Path file : files(folder.resolve("out/rows"))) {
            Files.delete(file);
        }
        assertThatThrownBy(this::run).hasMessageContaining("does not exist");
    }

    /** What Spark's sink writes for a wave that has written no file. */
    private static void commitNoRows(Path log, int wave) throws IOException {
        Files.createDirectories(log);
        Files.deleteIfExists(log.resolve("." + wave + ".crc"));
        Files.writeString(log.resolve(String.valueOf(wave)), "v1");
    }

    /** The other driver completes the wave while this one computes its rows. */
    @Test
    void shouldStopIfAnotherDriverHasComputedTheWave() throws Exception {
        run("--wave", "200");
        List<String> rows = rows("out");
        Path output = folder.resolve("twice");
        Path log = output.resolve("rows/_spark_metadata");
        RemoteFileSystem.opening = () -> {
            if (Files.exists(output.resolve("checkpoint/offsets/0"))) {
                commitNoRows(log, 0);
            }
        };
        String[] arguments = {"--graph", "remote://" + graph(), "--output", output.toString(), "--wave", "200"};
        SharedGraphs.OF_EXECUTOR.closeIdle(0);
        assertThatThrownBy(() -> ClosenessJob.run(spark, arguments))
                .isInstanceOf(StreamingQueryException.class)
                .hasMessageContaining("Race while writing batch 0");
        RemoteFileSystem.opening = () -> {};
        Files.delete(log.resolve("0"));
        ClosenessJob.run(spark, arguments);
        assertThat(rows("twice")).isEqualTo(rows);
    }

    @Test
    void shouldLeaveTheSessionAsItWasIfInterrupted() throws Exception {
        csc = ExportedFiles.write(graph(), TestGraphs.path(200_000), true);
        // not deleted, as Spark may write to it after the query has ended
        Path output = Files.createTempDirectory("interrupted");
        String setting = "spark.sql.streaming.checkpointLocation";
        spark.conf().set(setting, "mine");
        Thread job = Thread.currentThread();
        AtomicReference<String> meanwhile = new AtomicReference<>();
        RemoteFileSystem.opening = () -> {
            // once: a second interrupt, by the other task, would end the wait for the query's end
            if (Files.exists(output.resolve("checkpoint/offsets/0"))
                    && meanwhile.compareAndSet(null, spark.conf().get(setting))) {
                job.interrupt();
            }
        };
        assertThatThrownBy(() -> run("--graph", "remote://" + graph(), "--output", output.toString()))
                .isInstanceOf(InterruptedException.class);
        spark.conf().unset(setting);
        assertThat(meanwhile).hasValue("mine");
        assertThat(spark.streams().active()).isEmpty();
    }

    @Test
    void shouldReadAllNodesOfOneGraphInAStream() throws Exception {
        csc = ExportedFiles.write(graph(), TestGraphs.uniform(NODES, 1500, 4, true), false);
        streamOnce();
        assertThat(spark.read().parquet(folder.resolve("once").toString()).count())
                .isEqualTo(NODES);
        ExportedFiles.writeWithOtherIds(graph(), csc, false);
        assertThatThrownBy(this::streamOnce).hasMessageContaining("is not the one that the stream has begun with");
    }

    @SuppressWarnings("deprecation") // Trigger.Once still works
    private void streamOnce() throws Exception {
        SparkSession session = spark.newSession();
        // the writer's method option is not the same in Spark 3.5 and 4
        session.conf().set("spark.sql.streaming.checkpointLocation", folder.toString());
        session.readStream()
                .format("proxima")
                .option("wave", 200)
                .load(graph().toString())
                .writeStream()
                .queryName("once-checkpoint")
                .trigger(Trigger.Once())
                .start(folder.resolve("once").toString())
                .awaitTermination();
    }

    @Test
    void shouldNotWriteToAForeignFolder() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("out/rows")).resolve("part-notes.txt");
        Files.writeString(notes, "mine");
        Sessions.assertRefused(Reason.WRONG_GRAPH, () -> run("--wave", "300", "--csv", "true"))
                .hasMessageContaining(folder.resolve("out") + "` must be empty or have results of this job");
        assertThat(files(folder.resolve("out"))).containsExactly(notes);
    }

    @Test
    void shouldRefuseAStreamOfSomeNodesAndMoreWavesThanTheDriverLists() {
        csc = ExportedFiles.write(graph(), new EdgeList(30_001), true);
        assertThatThrownBy(() -> run("--wave", "3"))
                .hasMessageContaining("`wave` must be at least 4 for a graph of 30001 nodes")
                .hasMessageContaining("at most 10000 waves, but is `3`");
        assertThatThrownBy(() -> run("--sources", "range", "--from", "0", "--to", "9"))
                .hasMessageContaining("leave out the option `sources`");
    }

    /** The rows in a folder of results. */
    private List<String> rows(String output) {
        return Sessions.strings(spark.read().parquet(folder + "/" + output + "/rows"));
    }

    /** The files below a folder without those of Spark's and Hadoop's. */
    private static Set<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(path -> path.getFileName().toString().startsWith("part-"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void shouldRefuseTheFolderOfAnotherJob() throws Exception {
        run("--wave", "300");
        Sessions.assertRefused(Reason.WRONG_GRAPH, () -> run("--measures", "harmonic"))
                .hasMessageContaining("results of this job, {\"fingerprint\"");
        csc = ExportedFiles.writeWithOtherIds(graph(), csc, false);
        assertThatThrownBy(this::run).hasMessageContaining("results of this job, {\"fingerprint\"");
    }

    @Test
    void shouldSummarizeAnEmptyGraph() throws Exception {
        csc = ExportedFiles.write(graph(), TestGraphs.empty(), false);
        // a driver died before it had written anything
        Files.createFile(Files.createDirectories(folder.resolve("out")).resolve("job.json"));
        run("--measures", "eccentricity");
        assertThat(summary().path("nodes").asLong()).isZero();
        assertThat(summary().path("diameter").asInt()).isZero();
        assertThat(summary().path("hopDistribution")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--graph x --output y --wave 0|`wave` must be an integer from 1",
                "--graph x --output y --name z|Unknown option `name`",
                "graph x|pairs of `--name` and value, but `graph` is none",
                "--graph|pairs of `--name` and value, but `--graph` is none",
                "--graph x|`--output` is missing",
                "--output x|`graph` is missing",
                "--graph x --output a:b|`--output` must be the path of a folder, but is `a:b`",
                "--graph x --output y --csv yes|`--csv` must be true or false, but is `yes`"
            })
    void shouldRefuseBadArguments(String line) {
        assertThatThrownBy(() -> ClosenessJob.run(
                        spark, line.substring(0, line.indexOf('|')).split(" ")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining(line.substring(line.indexOf('|') + 1));
    }
}
