// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosenessJobTest {

    private static final int NODES = 500;

    private static SparkSession spark;

    @TempDir
    private Path folder;

    private Path graph;
    private Csc csc;

    @BeforeAll
    static void start() {
        spark = Sessions.local();
    }

    private void run(String... more) throws IOException {
        graph = folder.resolve("graph.proxima");
        if (csc == null) {
            csc = ExportedFiles.write(graph, TestGraphs.uniform(NODES, 1500, 4, true), false);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--graph", graph.toString(), "--output", folder.resolve("out").toString()));
        arguments.addAll(List.of(more));
        ClosenessJob.run(spark, arguments.toArray(String[]::new));
    }

    private Farness sums(Csc of) {
        try (LoadedGraph loaded = TraversalBackends.select(Wanted.CPU).backend().load(of)) {
            return loaded.farness(EnumSet.allOf(DistanceMeasure.class), RunControl.of(1));
        }
    }

    private JsonNode summary() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("out/summary.json").toFile());
    }

    @Test
    void shouldComputeInWavesAndSummarize() throws IOException {
        run("--wave", "200", "--measures", "closeness,eccentricity", "--csv", "true");

        Farness incoming = sums(csc);
        Farness outgoing = sums(csc.transposed(1, Stop.NEVER));
        assertThat(folder.resolve("out/rows"))
                .isDirectoryContaining("glob:**/from=0")
                .isDirectoryContaining("glob:**/from=200")
                .isDirectoryContaining("glob:**/from=400");
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
    void shouldSkipWhatIsCompleteAfterARestart() throws IOException {
        run("--wave", "200");
        List<String> rows = rows();
        // the driver died while it completed the last wave, after it had written its rows
        Files.writeString(folder.resolve("out/waves/400.json"), "{\"from\":");
        Files.delete(folder.resolve("out/summary.json"));
        List<Path> complete = files("from=0", "from=200");
        List<Path> repeated = files("from=400");

        run();

        assertThat(complete).allMatch(Files::exists);
        assertThat(repeated).noneMatch(Files::exists);
        assertThat(rows()).isEqualTo(rows);
        assertThat(summary().path("nodes").asLong()).isEqualTo(NODES);
    }

    @Test
    void shouldComputeALostWaveAgainUpToTheNextCompleteOne() throws IOException {
        run("--wave", "100");
        List<String> rows = rows();
        // as a power failure leaves a file
        Files.writeString(folder.resolve("out/waves/100.json"), "");

        run("--wave", "150");

        assertThat(rows()).isEqualTo(rows);
        assertThat(summary().path("nodes").asLong()).isEqualTo(NODES);

        Files.writeString(folder.resolve("out/waves/100.json"), "");
        Files.writeString(folder.resolve("out/waves/200.json"), "");

        run("--wave", "150");

        assertThat(spark.read().parquet(folder.resolve("out/rows").toString()).count())
                .isEqualTo(NODES);
        assertThat(summary().path("nodes").asLong()).isEqualTo(NODES);
        assertThat(folder.resolve("out/rows/from=250")).exists();
        assertThat(folder.resolve("out/rows/from=200")).doesNotExist();
    }

    @Test
    void shouldNoticeLostRows() throws IOException {
        run("--wave", "200");
        for (Path part : files("from=200")) {
            Files.delete(part);
        }
        assertThatThrownBy(this::run)
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INCOMPLETE_RESULTS))
                .hasMessageContaining("The wave of the sources 200 to 400 must have 200 rows")
                .hasMessageContaining("has 0")
                .hasMessageContaining("waves/200.json");

        Files.delete(folder.resolve("out/waves/200.json"));
        run();
        assertThat(summary().path("nodes").asLong()).isEqualTo(NODES);
    }

    @Test
    void shouldRefuseChangedMarkers() throws IOException {
        run("--wave", "300");
        for (String marker : List.of("{\"from\":0}", "{\"to\":0}", "{\"to\":501}")) {
            Files.writeString(folder.resolve("out/waves/0.json"), marker);
            Files.deleteIfExists(folder.resolve("out/waves/.0.json.crc"));
            assertThatThrownBy(this::run)
                    .isInstanceOfSatisfying(ProximaSparkException.class, e -> assertThat(e.reason())
                            .isEqualTo(Reason.INCOMPLETE_RESULTS))
                    .hasMessageContaining("must have a source `to` from 1 to 500, but it is " + marker);
        }
    }

    @Test
    void shouldRefuseWavesOfAnUnknownJob() throws IOException {
        run("--wave", "300");
        Files.writeString(folder.resolve("out/job.json"), "");
        assertThatThrownBy(() -> run("--measures", "harmonic"))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_OPTION))
                .hasMessageContaining("its file `job.json` is missing, damaged or not of a job");
    }

    @Test
    void shouldNotWriteToAForeignFolder() throws IOException {
        Path notes = Files.createDirectories(folder.resolve("out/rows/from=0")).resolve("part-notes.txt");
        Files.writeString(notes, "mine");
        assertThatThrownBy(() -> run("--wave", "300", "--csv", "true"))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_OPTION))
                .hasMessageContaining(folder.resolve("out") + "` has other files");
        try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(notes);
        }
    }

    @Test
    void shouldRefuseMoreWavesThanTheDriverHolds() {
        csc = ExportedFiles.write(folder.resolve("graph.proxima"), new EdgeList(30_001), true);
        assertThatThrownBy(() -> run("--wave", "3"))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_OPTION))
                .hasMessageContaining("`--wave` must be at least 4 for a graph of 30001 nodes")
                .hasMessageContaining("at most 10000 waves, but is `3`");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** The second driver begins, and ends, while the first one plans its second wave. */
    @Test
    void shouldStopADriverWhenAnotherOneHasBegun() throws IOException {
        run("--wave", "200");
        Path output = folder.resolve("twice");
        String[] arguments = {
            "--graph",
            "counting://" + graph,
            "--output",
            output.toString(),
            "--cacheDirectory",
            folder.resolve("cache").toString(),
            "--wave",
            "150",
            "--csv",
            "true"
        };
        AtomicBoolean begun = new AtomicBoolean();
        CountingFileSystem.OPENING.set(number -> {
            if (Files.exists(output.resolve("waves/0.json")) && begun.compareAndSet(false, true)) {
                String[] second = arguments.clone();
                second[7] = "100";
                try {
                    ClosenessJob.run(spark, second);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        try {
            assertThatThrownBy(() -> ClosenessJob.run(spark, arguments))
                    .isInstanceOfSatisfying(ProximaSparkException.class, e -> assertThat(e.reason())
                            .isEqualTo(Reason.SUPERSEDED))
                    .hasMessageContaining("Another driver has begun to write the folder `" + output);
        } finally {
            CountingFileSystem.OPENING.set(number -> {});
        }
        assertThat(output.resolve("rows"))
                .isDirectoryContaining("glob:**/from=250")
                .isDirectoryNotContaining("glob:**/from=300");
        assertThat(strings(output, "from", Measure.HOPS.column))
                .isEqualTo(strings(folder.resolve("out"), "from", Measure.HOPS.column))
                .hasSize(NODES);
        assertThat(new ObjectMapper()
                        .readTree(output.resolve("summary.json").toFile())
                        .path("nodes")
                        .asLong())
                .isEqualTo(NODES);
        assertThat(output).isDirectoryNotContaining("glob:**/unfinished-*");
    }

    @Test
    void shouldRefuseAGraphWithOtherNodesThatReplacesThatOfTheFirstWave() throws IOException {
        Path file = folder.resolve("graph.proxima");
        Csc edges = ExportedFiles.write(file, TestGraphs.uniform(NODES, 1500, 4, true), false);
        Path marker = folder.resolve("out/waves/0.json");
        AtomicBoolean replaced = new AtomicBoolean();
        CountingFileSystem.OPENING.set(number -> {
            if (Files.exists(marker) && replaced.compareAndSet(false, true)) {
                ExportedFiles.writeWithOtherIds(file, edges, false);
            }
        });
        try {
            assertThatThrownBy(() -> ClosenessJob.run(
                            spark,
                            "--graph",
                            "counting://" + file,
                            "--output",
                            folder.resolve("out").toString(),
                            "--cacheDirectory",
                            folder.resolve("cache").toString(),
                            "--wave",
                            "200"))
                    .hasMessageContaining("has been replaced while the job runs");
        } finally {
            CountingFileSystem.OPENING.set(number -> {});
        }
        assertThat(marker).exists();
        assertThat(folder.resolve("out/waves/200.json")).doesNotExist();
    }

    private List<String> rows() {
        return strings(folder.resolve("out"));
    }

    private static List<String> strings(Path output, String... without) {
        return spark.read().parquet(output.resolve("rows").toString()).drop(without).collectAsList().stream()
                .map(Object::toString)
                .sorted()
                .toList();
    }

    private List<Path> files(String... waves) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String wave : waves) {
            try (Stream<Path> files = Files.list(folder.resolve("out/rows").resolve(wave))) {
                files.filter(path -> path.toString().endsWith(".parquet")).forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void shouldRefuseTheFolderOfAnotherJob() throws IOException {
        run("--wave", "300");
        assertThatThrownBy(() -> run("--measures", "harmonic"))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_GRAPH))
                .hasMessageContaining("results of another job");
        csc = ExportedFiles.write(graph, TestGraphs.path(NODES), false);
        assertThatThrownBy(this::run).hasMessageContaining("results of another job");
    }

    @Test
    void shouldSummarizeAnEmptyGraph() throws IOException {
        csc = ExportedFiles.write(folder.resolve("graph.proxima"), TestGraphs.empty(), false);
        run("--measures", "eccentricity");
        assertThat(summary().path("nodes").asLong()).isZero();
        assertThat(summary().path("diameter").asInt()).isZero();
        assertThat(summary().path("hopDistribution")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--sources all|Unknown argument `--sources`",
                "graph x|Unknown argument `graph`",
                "--graph|has no value",
                "--graph x|`--output`, a folder for the results, are mandatory",
                "--graph x --output y --wave 0|`--wave` must be an integer from 1 to 2147483647, but is `0`",
                "--graph x --output y --csv yes|`--csv` must be true or false, but is `yes`"
            })
    void shouldRefuseBadArguments(String line) {
        assertThatThrownBy(() ->
                        JobArguments.of(line.substring(0, line.indexOf('|')).split(" ")))
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining(line.substring(line.indexOf('|') + 1));
    }
}
