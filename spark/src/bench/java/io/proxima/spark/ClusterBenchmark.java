// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.file.GraphFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Measures exact closeness of all nodes on executors, rows discarded and rows as Parquet, and compares each row with
 * the sums of the library. Arguments: the exported graph and the sums, as io.proxima.backend.cuda.ExportBenchmark
 * writes them, the option backend, a folder for the rows, and the number of rounds. The first round is cold: executors
 * load the graph.
 */
public final class ClusterBenchmark {

    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private final SparkSession spark;
    private final String graph;
    private final String backend;
    private final Tasks tasks = new Tasks();

    private ClusterBenchmark(SparkSession spark, String graph, String backend) {
        this.spark = spark;
        this.graph = graph;
        this.backend = backend;
        spark.sparkContext().addSparkListener(tasks);
    }

    /** Runs; ends with an exception at the first row that differs. */
    public static void main(String[] arguments) throws IOException, TimeoutException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        SparkSession spark = SparkSession.builder().appName("cluster").getOrCreate();
        ClusterBenchmark benchmark = new ClusterBenchmark(spark, arguments[0], arguments[2]);
        String rows = arguments[3];
        int rounds = Integer.parseInt(arguments[4]);
        for (int round = 0; round < rounds; round++) {
            benchmark.measure(out, round == 0 ? "cold" : "warm", "discarded", writer -> writer.format("noop")
                    .save());
        }
        benchmark.measure(out, "warm", "as Parquet", writer -> writer.parquet(rows));
        long compared = compare(spark, arguments[0], Path.of(arguments[1]), rows);
        out.printf(Locale.ROOT, "RESULT %,d rows equal those of the library%n", compared);
        spark.stop();
    }

    /** Where the rows go. */
    private interface Sink {
        void write(DataFrameWriter<Row> writer);
    }

    private void measure(PrintStream out, String kind, String rows, Sink sink) throws TimeoutException {
        tasks.clear();
        long begin = System.nanoTime();
        sink.write(spark.read()
                .format("proxima")
                .option("backend", backend)
                .option("measures", "closeness,farness,reach")
                .load(graph)
                .write()
                .mode(SaveMode.Overwrite));
        double seconds = (System.nanoTime() - begin) / NANOS;
        spark.sparkContext().listenerBus().waitUntilEmpty();
        out.printf(
                Locale.ROOT,
                "RESULT on %d executors,%s,rows %s,%.3f s,of which searches of a slot %.3f s (%s)%n",
                tasks.countByExecutor.size(),
                kind,
                rows,
                seconds,
                tasks.searchMillis.get() / MILLIS / TaskSlots.of(spark),
                tasks);
    }

    /** What the tasks of a query have taken. */
    private static final class Tasks extends SparkListener {
        private final Map<String, Integer> countByExecutor = new TreeMap<>();
        private final AtomicLong searchMillis = new AtomicLong();
        private final AtomicLong taskMillis = new AtomicLong();

        @Override
        public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
            countByExecutor.merge(end.taskInfo().executorId(), 1, Integer::sum);
            taskMillis.addAndGet(end.taskInfo().duration());
            for (AccumulableInfo info :
                    CollectionConverters.asJava(end.taskInfo().accumulables())) {
                if (info.name().contains(new SearchTime().description())) {
                    searchMillis.addAndGet(Long.parseLong(info.update().get().toString()));
                }
            }
        }

        synchronized void clear() {
            countByExecutor.clear();
            searchMillis.set(0);
            taskMillis.set(0);
        }

        @Override
        public synchronized String toString() {
            return "tasks by executor " + countByExecutor + ", " + taskMillis.get() / MILLIS + " s in all";
        }
    }

    private static long compare(SparkSession spark, String graph, Path sums, String rows) throws IOException {
        long compared = 0;
        String prefix;
        try (GraphFile file = GraphFile.open(Path.of(graph));
                FileChannel channel = FileChannel.open(sums, StandardOpenOption.READ)) {
            prefix = file.header().origin().elementIdPrefix();
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            LongBuffer expected = bytes.asLongBuffer();
            int nodes = expected.remaining() / 2;
            boolean[] found = new boolean[nodes];
            Iterator<Row> read = spark.read()
                    .parquet(rows)
                    .select("elementId", "closeness", "farness", "reach")
                    .toLocalIterator();
            while (read.hasNext()) {
                Row row = read.next();
                int vertex = Integer.parseInt(row.getString(0).substring(prefix.length()));
                long farness = expected.get(vertex);
                long reach = expected.get(nodes + vertex);
                if (found[vertex]
                        || row.getLong(2) != farness
                        || row.getLong(3) != reach
                        || row.getDouble(1) != (farness == 0 ? 0 : (double) reach / farness)) {
                    throw new IllegalStateException("not " + farness + " and " + reach + ", each once: " + row);
                }
                found[vertex] = true;
                compared++;
            }
            if (compared != nodes) {
                throw new IllegalStateException(compared + " rows for " + nodes + " nodes");
            }
        }
        return compared;
    }
}
