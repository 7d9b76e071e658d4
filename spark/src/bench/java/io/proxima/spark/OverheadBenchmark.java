// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.TestGraphs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Measures what Spark adds to the searches: the time of queries with different numbers of tasks, beside the time that
 * the tasks spend in searches, and of the same queries without searches (elementId only). Prints a line of CSV for each
 * query. The first one is cold: it loads classes and the graph.
 *
 * <p>Arguments: the scale of an R-MAT graph, the number of task slots, and numbers of tasks.
 */
public final class OverheadBenchmark {

    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final int EDGE_FACTOR = 8;

    private OverheadBenchmark() {}

    /** Runs the benchmark in the session that the launcher configures. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int scale = Integer.parseInt(arguments[0]);
        int slots = Integer.parseInt(arguments[1]);
        Path file = Files.createTempDirectory("overhead").resolve("graph.proxima");
        ExportedFiles.write(file, TestGraphs.rmat(scale, EDGE_FACTOR, 1), true);
        SparkSession spark = SparkSession.builder().appName("overhead").getOrCreate();
        out.println("query,tasks,seconds,searchSecondsOfASlot,addedSeconds,addedMillisOfATask,"
                + "secondsWithoutSearches,millisOfATaskWithoutSearches");
        String query = "cold";
        for (String text : Arrays.copyOfRange(arguments, 2, arguments.length)) {
            int tasks = Integer.parseInt(text);
            Dataset<Row> rows = spark.read()
                    .format("proxima")
                    .option("batch", (1 << scale) / tasks)
                    .load(file.toString());
            double seconds = collect(rows);
            double searching = rows.queryExecution()
                            .executedPlan()
                            .collectLeaves()
                            .head()
                            .metrics()
                            .apply(SearchTime.NAME)
                            .value()
                    / MILLIS
                    / slots;
            double idle = collect(rows.select("elementId"));
            out.printf(
                    Locale.ROOT,
                    "%s,%d,%.2f,%.2f,%.2f,%.1f,%.2f,%.1f%n",
                    query,
                    tasks,
                    seconds,
                    searching,
                    seconds - searching,
                    (seconds - searching) * MILLIS * Math.min(slots, tasks) / tasks,
                    idle,
                    idle * MILLIS * Math.min(slots, tasks) / tasks);
            query = "warm";
        }
        spark.stop();
    }

    private static double collect(Dataset<Row> rows) {
        long start = System.nanoTime();
        rows.collectAsList();
        return (System.nanoTime() - start) / NANOS;
    }
}
