// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Farness;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.file.GraphFileException;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data source in Spark: its rows, what it computes for them, and what it refuses. */
class ProximaSourceTest {

    private static final String ALL_MEASURES =
            "closeness,wassermanFaust,harmonic,farness,reach,eccentricity,nodesReached,hops";

    private static final AtomicReference<Stop> STOP_OF_TASK = new AtomicReference<>();

    /** Spark's metric of the rows that a scan returns. */
    private static final String ROWS = "numOutputRows";

    private static SparkSession spark;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() {
        spark = Sessions.local();
    }

    private static EdgeList edges(String kind) {
        return switch (kind) {
            case "directed" -> TestGraphs.uniform(900, 2500, 3, true);
            case "undirected" -> TestGraphs.rmat(9, 4, 5);
            case "disconnected" -> TestGraphs.disconnected(100);
            case "one node" -> TestGraphs.singleVertex();
            case "empty" -> TestGraphs.empty();
            case "no edges" -> new EdgeList(130);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"directed", "undirected", "disconnected", "one node", "empty", "no edges"})
    void shouldEqualTheRunOverTheWholeGraph(String kind) {
        Path file = folder.resolve(kind + ".proxima");
        Csc graph = ExportedFiles.write(file, edges(kind), kind.equals("undirected"));
        Farness incoming = ExportedFiles.sums(graph);
        Farness outgoing = ExportedFiles.sums(graph.transposed(1, Stop.NEVER));

        List<Row> rows = read(file)
                .option("measures", ALL_MEASURES)
                .load()
                .orderBy("elementId")
                .collectAsList();

        Map<String, Row> byId = rows.stream().collect(Collectors.toMap(row -> row.getString(0), Function.identity()));
        assertThat(rows).hasSize(graph.vertexCount());
        long[] hops = new long[incoming.hops().length];
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            Row row = byId.get(ExportedFiles.elementId(vertex));
            long others = graph.vertexCount() - 1L;
            // bit by bit
            assertThat(row.getDouble(1)).isEqualTo(ClosenessFormula.DEFAULT.score(incoming, vertex, others));
            assertThat(row.getDouble(2)).isEqualTo(ClosenessFormula.WASSERMAN_FAUST.score(incoming, vertex, others));
            assertThat(row.getDouble(3)).isEqualTo(ClosenessFormula.HARMONIC.score(incoming, vertex, others));
            assertThat(row.getLong(4)).isEqualTo(incoming.farness()[vertex]);
            assertThat(row.getLong(5)).isEqualTo(incoming.reach()[vertex]);
            assertThat(row.getInt(6)).isEqualTo(outgoing.eccentricity()[vertex]);
            assertThat(row.getLong(7)).isEqualTo(outgoing.reach()[vertex]);
            if (!row.isNullAt(8)) {
                List<Long> ofBatch = row.getList(8);
                for (int distance = 0; distance < ofBatch.size(); distance++) {
                    hops[distance] += ofBatch.get(distance);
                }
            }
        }
        assertThat(hops).isEqualTo(incoming.hops());
    }

    @Test
    void shouldServeSqlWithThePathOfLoadToo() {
        Path file = folder.resolve("sql.proxima");
        Csc graph = ExportedFiles.write(file, TestGraphs.star(50), true);
        spark.sql("CREATE OR REPLACE TEMPORARY VIEW star USING proxima OPTIONS (graph '" + file
                + "', measures 'farness, reach')");

        assertThat(spark.sql("SELECT farness, count(*) FROM star GROUP BY farness ORDER BY farness")
                        .collectAsList())
                .hasToString("[[49,1], [97,49]]");
        DataFrameReader withNone =
                spark.read().format("proxima").option("batch", (String) null).option("from", (String) null);
        assertThat(withNone.load(file.toString()).count()).isEqualTo(graph.vertexCount());
    }

    @Test
    void shouldSearchOnlyForWhatAQueryReads() {
        Path file = folder.resolve("pruned.proxima");
        ExportedFiles.write(file, TestGraphs.uniform(300, 900, 1, true), false);
        Dataset<Row> all = read(file).option("measures", ALL_MEASURES).load();

        assertThat(plan(all.select("elementId", "reach")))
                .contains("elementId, reach")
                .doesNotContain("hops");
        assertThat(metric(all.select("elementId"), SearchTime.NAME)).isZero();
        assertThat(all.count()).isEqualTo(300);
    }

    @Test
    void shouldSearchOnlyFromTheNodesOfAFilter() {
        Path file = folder.resolve("filtered.proxima");
        ExportedFiles.write(file, TestGraphs.uniform(300, 900, 1, true), false);
        Dataset<Row> all = read(file).option("measures", "farness").load();
        List<Row> expected = all.collectAsList().stream()
                .filter(row -> List.of(ExportedFiles.elementId(4), ExportedFiles.elementId(299))
                        .contains(row.getString(0)))
                .toList();

        Dataset<Row> filtered = all.where(all.col("elementId")
                .isin(
                        ExportedFiles.elementId(299),
                        ExportedFiles.elementId(4),
                        "4:another:1",
                        "",
                        ExportedFiles.PREFIX));

        assertThat(filtered.collectAsList())
                .containsExactlyInAnyOrderElementsOf(expected)
                .hasSize(2);
        assertThat(plan(filtered)).contains("elementId in a list of 5").doesNotContain("Filter (");
        assertThat(metric(filtered, ROWS)).isEqualTo(2);
        assertThat(metric(all.where("elementId = '" + ExportedFiles.elementId(0) + "'"), ROWS))
                .isEqualTo(1);
        // an id of no node, and two filters without a common node
        assertThat(all.where("elementId = '" + ExportedFiles.PREFIX + "1'").collectAsList())
                .isEmpty();
        assertThat(all.where("elementId = 'x' AND elementId = 'y'").collectAsList())
                .isEmpty();
        assertThat(all.where("farness < 0").collectAsList()).isEmpty();
    }

    @Test
    void shouldReadChosenNodesOnly() {
        Path file = folder.resolve("chosen.proxima");
        ExportedFiles.write(file, TestGraphs.uniform(300, 900, 1, true), false);
        Map<String, Long> all = farnessById(read(file).option("measures", "farness"));

        Map<String, Long> range = farnessById(
                read(file).options(Map.of("measures", "farness", "sources", "range", "from", "10", "to", "20")));
        DataFrameReader sampling = read(file)
                .options(Map.of("measures", "farness", "sources", "sample", "sampleSize", "40", "sampleSeed", "5"));
        Map<String, Long> sample = farnessById(sampling);

        assertThat(range).hasSize(10).containsKey(ExportedFiles.elementId(19));
        assertThat(sample).hasSize(40);
        for (Map<String, Long> chosen : List.of(range, sample)) {
            assertThat(all).containsAllEntriesOf(chosen);
        }
        assertThat(farnessById(sampling.option("batch", 7))).isEqualTo(sample);
    }

    private static Map<String, Long> farnessById(DataFrameReader reader) {
        return reader.load().collectAsList().stream()
                .collect(Collectors.toMap(row -> row.getString(0), row -> row.getLong(1)));
    }

    @Test
    void shouldCutTheSourcesIntoTasks() {
        Path file = folder.resolve("tasks.proxima");
        ExportedFiles.write(file, new EdgeList(20_000), true);

        // 2 task slots: 8 tasks each
        assertThat(tasks(read(file))).isEqualTo(16);
        assertThat(tasks(read(file).option("batch", 15_000))).isEqualTo(2);
        assertThat(tasks(read(file).option("batch", Integer.MAX_VALUE))).isEqualTo(1);
        // an executor comes while a stream runs
        ScanOptions options = ScanOptions.of(new CaseInsensitiveStringMap(Map.of("graph", file.toString())));
        Scan scan = new ProximaScanBuilder(options).build();
        spark.sparkContext().conf().set("spark.default.parallelism", "4");
        assertThat(scan.toBatch().planInputPartitions()).hasSize(32);
        spark.sparkContext().conf().remove("spark.default.parallelism");
    }

    @Test
    void shouldBoundTheTasksOfAQuery() {
        Path file = folder.resolve("most-tasks.proxima");
        ExportedFiles.write(file, new EdgeList(250_001), true);
        DataFrameReader reader = read(file).option("batch", 1);

        // at most 100,000 tasks, so that each has 3 sources
        assertThat(tasks(reader)).isEqualTo(83_334);
        assertThat(tasks(reader.option("sources", "range").option("from", 0).option("to", 100_000)))
                .isEqualTo(100_000);
    }

    private static int tasks(DataFrameReader reader) {
        return reader.load().rdd().getNumPartitions();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "measure=closeness|Unknown option `measure`",
                "relationshipWeightProperty=km|Distances are hops: weights are for the procedures of the plugin only.",
                "measures=closeness,hop|unknown measure `hop`",
                "measures=,|unknown measure ``",
                "sources=some|must be all, range or sample, but is `some`",
                "sources=range|`from` must be an integer from 0 to 2147483647, but is missing",
                "sources=sample|`sampleSize` must be an integer from 1 to 2147483647, but is missing",
                "from=1|no meaning with `sources` = `all`",
                "backend=vulkan|must be auto, cuda or cpu, but is `vulkan`",
                "batch=0|from 1 to 2147483647, but is `0`",
                "batch=many|from 1 to 2147483647, but is `many`",
                "fingerprint=12|32 hexadecimal digits"
            })
    void shouldRefuseBadOptionsOnTheDriver(String line) {
        Path file = folder.resolve("options.proxima");
        ExportedFiles.write(file, TestGraphs.path(5), true);
        String option = line.substring(0, line.indexOf('='));
        String value = line.substring(line.indexOf('=') + 1, line.indexOf('|'));

        Sessions.assertRefused(
                        Reason.INVALID_OPTION,
                        () -> read(file).option(option, value).load())
                .hasMessageContaining(line.substring(line.indexOf('|') + 1));
    }

    @Test
    void shouldRefuseWhatTheGraphDoesNotHave() {
        Path file = folder.resolve("limits.proxima");
        ExportedFiles.write(file, TestGraphs.path(5), true);

        assertThatThrownBy(() -> spark.read().format("proxima").load())
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("`graph` is missing");
        for (Map<String, String> sources : List.of(
                Map.of("sources", "range", "from", "0", "to", "6"), Map.of("sources", "sample", "sampleSize", "6"))) {
            assertThatThrownBy(() -> read(file).options(sources).load().count())
                    .hasMessageContaining("at most the number of nodes, 5, but is `6`");
        }
        assertThatThrownBy(() -> read(file)
                        .option("concurrency", Integer.MAX_VALUE)
                        .load()
                        .collectAsList())
                .rootCause()
                .hasMessageContaining("read with 2147483647 threads, needs a heap of 2.0 PiB")
                .hasMessageContaining("or lower the option `concurrency`");
        assertThatThrownBy(() -> read(folder.resolve("none.proxima")).load().count())
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> read(file).option("backend", "cuda").load().collectAsList())
                .rootCause()
                .hasMessageContaining("Spark gives the task no GPU");
        Sessions.assertRefused(Reason.WRONG_GRAPH, () -> read(file)
                        .option("fingerprint", "0".repeat(32))
                        .load()
                        .count())
                .hasMessageContaining("but the option `fingerprint` is `0000");
    }

    @Test
    void shouldRefuseDamagedGraphs() throws IOException {
        Path file = folder.resolve("damaged.proxima");
        ExportedFiles.write(file, TestGraphs.rmat(8, 4, 1), true);
        int bytes = (int) Files.size(file);
        flip(file, bytes - 5);
        assertThatThrownBy(() -> read(file).load().collectAsList())
                .rootCause()
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("is damaged: the checksum of its bytes");

        flip(file, 60);
        assertThatThrownBy(() -> read(file).load().collectAsList())
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("the checksum of its header");
        Files.writeString(file, "no graph, but long enough for the fixed part of a header: 56 bytes");
        assertThatThrownBy(() -> read(file).load().collectAsList())
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("is not an exported graph");
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void shouldRefuseAGraphThatWasReplacedAfterPlanning() {
        Path file = folder.resolve("replaced.proxima");
        ExportedFiles.write(file, TestGraphs.path(5), true);
        Dataset<Row> planned = read(file).load();
        planned.queryExecution().executedPlan();

        // as many nodes and edges
        ExportedFiles.write(file, TestGraphs.star(5), true);

        assertThatThrownBy(planned::collectAsList)
                .rootCause()
                .isInstanceOf(ProximaSparkException.class)
                .hasMessageContaining("is not the one that the driver has read");
    }

    @Test
    void shouldReturnTheSameRowsIfTasksAreRepeated() {
        Path file = folder.resolve("retried.proxima");
        ExportedFiles.write(file, TestGraphs.uniform(600, 1800, 9, true), false);
        Dataset<Row> rows =
                read(file).option("measures", ALL_MEASURES).option("batch", 64).load();
        FilterFunction<Row> failing = row -> {
            TaskContext task = TaskContext.get();
            if (task.attemptNumber() == 0 && task.partitionId() % 3 == 1 && row.getLong(4) % 5 == 0) {
                throw new IllegalStateException("a task that fails in the middle of its rows");
            }
            return true;
        };

        assertThat(Sessions.strings(rows.filter(failing)))
                .isEqualTo(Sessions.strings(rows))
                .hasSize(600);
    }

    @Test
    void shouldEndSoonWhenTheJobIsCancelled() throws InterruptedException {
        Path file = folder.resolve("cancelled.proxima");
        ExportedFiles.write(file, TestGraphs.path(200_000), true);
        Workers.Background killer = Workers.inBackground(stop -> {
            while (spark.sparkContext().statusTracker().getJobIdsForGroup("killed").length == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            spark.sparkContext().cancelJobGroup("killed");
        });
        spark.sparkContext().setJobGroup("killed", "a search of hours", false);
        long start = System.nanoTime();
        try {
            assertThatThrownBy(() -> read(file).load().collectAsList()).hasMessageContaining("cancelled");
        } finally {
            spark.sparkContext().clearJobGroup();
            killer.await();
        }
        Sessions.awaitTasks(spark);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(20);
    }

    @Test
    void shouldAddUpTheTimeOfThePartitionsOfATask() throws IOException {
        SharedGraph graph = new SharedGraph(null, null, null, null, null);
        SharedGraphs.Lease lease = new SharedGraphs(Duration.ZERO).acquire("none", () -> graph, Stop.NEVER);
        try (SourceRows rows = new SourceRows(List.of(), SourcePartition.ofRange(0, 0), lease, 1, Stop.NEVER)) {
            rows.initMetricsValues(new CustomTaskMetric[] {new SearchTime.OfTask(1500)});
            assertThat(rows.currentMetricsValues()[0].value()).isEqualTo(1500);
        }
        assertThat(new SearchTime().aggregateTaskMetrics(new long[] {1500, 2600}))
                .isEqualTo("4.1 s, longest task 2.6 s");
    }

    @Test
    void shouldStopWhenTheTaskHasCompleted() {
        spark.range(1).toJavaRDD().foreachPartition(rows -> {
            STOP_OF_TASK.set(SourceRowsFactory.stopOf(TaskContext.get()));
            assertThat(STOP_OF_TASK.get().requested()).isFalse();
        });
        assertThat(STOP_OF_TASK.get().requested()).isTrue();
    }

    private static DataFrameReader read(Path file) {
        return spark.read().format("proxima").option("graph", file.toString());
    }

    private static String plan(Dataset<Row> rows) {
        return rows.queryExecution().executedPlan().toString();
    }

    /** Runs a query and returns a metric of its scan. */
    private static long metric(Dataset<Row> rows, String name) {
        rows.collectAsList();
        SparkPlan scan = rows.queryExecution().executedPlan().collectLeaves().head();
        return scan.metrics().apply(name).value();
    }
}
