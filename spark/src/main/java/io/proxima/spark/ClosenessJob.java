// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.JobFolder.Wave;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes measures of all nodes of an exported graph in waves, each of which is appended to Parquet files when it is
 * complete. A driver that is started again after a failure skips complete waves. The manual's page "Beyond one server"
 * describes the arguments and the results.
 */
public final class ClosenessJob {

    private static final Logger LOG = LoggerFactory.getLogger(ClosenessJob.class);
    private static final int SECONDS_PER_MINUTE = 60;
    private static final double NANOS = 1e9;

    /** Enough to keep each task slot busy with full words of searches, and short enough to measure the rate soon. */
    private static final int FIRST_SOURCES_PER_SLOT = 512;

    /** The driver holds and lists the waves. */
    private static final int MOST_WAVES = 10_000;

    private final SparkSession spark;
    private final JobArguments arguments;

    private ClosenessJob(SparkSession spark, JobArguments arguments) {
        this.spark = spark;
        this.arguments = arguments;
    }

    /**
     * Runs the job.
     *
     * @param arguments see the manual
     * @throws ProximaSparkException if an argument is not allowed, if the graph is replaced, if the folder has anything else
     *     than results of this job or has lost some, or if another driver begins to write it
     * @throws IOException if the folder of the results cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        JobArguments checked = JobArguments.of(arguments);
        SparkSession spark = SparkSession.builder().appName("proxima closeness").getOrCreate();
        try {
            new ClosenessJob(spark, checked).run();
        } finally {
            spark.stop();
        }
    }

    /** Runs the job in a session, which stays open; otherwise as {@link #main}. */
    public static void run(SparkSession spark, String... arguments) throws IOException {
        new ClosenessJob(spark, JobArguments.of(arguments)).run();
    }

    private void run() throws IOException {
        Map<String, String> options = new LinkedHashMap<>(arguments.options());
        ScanOptions checked = ScanOptions.of(new CaseInsensitiveStringMap(options));
        List<String> measures = measures(checked);
        options.put(ScanOptions.MEASURES, String.join(",", measures));
        GraphFileHeader header = GraphCopies.header(checked, spark);
        int nodes = header.nodeCount();
        int least = (int) ((nodes + MOST_WAVES - 1L) / MOST_WAVES);
        if (arguments.wave() > 0 && arguments.wave() < least) {
            throw ScanOptions.invalid("The argument `--wave` must be at least " + least + " for a graph of " + nodes
                    + " nodes, because a job has at most " + MOST_WAVES + " waves, but is `" + arguments.wave() + "`.");
        }
        JobFolder folder =
                new JobFolder(arguments.output(), nodes, spark.sessionState().newHadoopConf());
        ObjectNode job = new ObjectMapper().createObjectNode();
        job.put("fingerprint", header.fingerprint().toString())
                .put("digest", header.digest())
                .put("graph", header.origin().graphName())
                .put("nodes", nodes)
                .put("measures", String.join(",", measures));
        folder.begin(job);
        try {
            finish(folder, header, waves(folder, header, options), options);
        } finally {
            folder.end();
        }
    }

    /** Computes the waves that are not complete; returns all. */
    private List<Wave> waves(JobFolder folder, GraphFileHeader header, Map<String, String> options) throws IOException {
        List<Wave> waves = new ArrayList<>();
        Wave last = null;
        for (int from = 0; from < header.nodeCount(); from = last.to()) {
            Wave wave = folder.wave(from);
            if (wave == null) {
                // up to a complete wave, if the marker of one before it was lost
                int rest = folder.nextWave(from) - from;
                wave = compute(from, size(last, rest), header, options, last, folder);
            } else {
                LOG.info("Proxima: sources {} to {} are complete.", from, wave.to());
            }
            last = wave;
            waves.add(wave);
        }
        return waves;
    }

    /** Markers say that rows were written; Spark does not say whether some have been lost since. */
    private static void check(JobFolder folder, List<Wave> waves, Dataset<Row> rows) {
        if (waves.isEmpty()) {
            return;
        }
        Map<String, Long> counts = new HashMap<>();
        for (Row count : rows.groupBy("from").count().collectAsList()) {
            counts.put(String.valueOf(count.get(0)), count.getLong(1));
        }
        folder.check(waves, counts);
    }

    /** The measures of the rows: those of the arguments, and those that the summary is made of and that cost no search. */
    private static List<String> measures(ScanOptions options) {
        Set<Measure> measures = new LinkedHashSet<>(options.measures());
        measures.addAll(List.of(Measure.FARNESS, Measure.REACH, Measure.HOPS));
        if (measures.contains(Measure.ECCENTRICITY)) {
            measures.add(Measure.NODES_REACHED);
        }
        return measures.stream().map(measure -> measure.column).toList();
    }

    private int size(Wave last, int rest) {
        return arguments.wave() > 0
                ? Math.min(rest, arguments.wave())
                : size(last, rest, TaskSlots.of(spark).count(), arguments.waveMinutes());
    }

    /**
     * The derived number of sources of a wave.
     *
     * @param last the wave before; null for the first one
     * @param rest sources that have not been searched from, at least 1
     * @param slots tasks at the same time
     * @param minutes the minutes that the wave should take
     */
    static int size(Wave last, int rest, int slots, double minutes) {
        int first = (int) Math.min(rest, (long) slots * FIRST_SOURCES_PER_SLOT);
        return last == null
                ? first
                : (int) Math.min(rest, Math.max(first, (long) (rate(last) * minutes * SECONDS_PER_MINUTE)));
    }

    /** Sources a second of all task slots together. */
    static double rate(Wave wave) {
        return (wave.to() - wave.from()) / Math.max(wave.seconds(), 1e-3);
    }

    private Wave compute(
            int from, int size, GraphFileHeader header, Map<String, String> options, Wave last, JobFolder folder)
            throws IOException {
        int to = from + size;
        Map<String, String> ofWave = new LinkedHashMap<>(options);
        ofWave.put(ScanOptions.SOURCES, "range");
        ofWave.put(ScanOptions.FROM, String.valueOf(from));
        ofWave.put(ScanOptions.TO, String.valueOf(to));
        ofWave.put(ScanOptions.DIGEST, header.digest());
        if (last != null) {
            ofWave.putIfAbsent(
                    ScanOptions.RATE,
                    String.valueOf(rate(last) / TaskSlots.of(spark).count()));
        }
        spark.sparkContext().setJobDescription("Proxima: sources " + from + " to " + to + " of " + header.nodeCount());
        long start = System.nanoTime();
        spark.read().format("proxima").options(ofWave).load().write().parquet(folder.unfinishedRowsOf(from));
        Wave wave = new Wave(from, to, (System.nanoTime() - start) / NANOS);
        folder.complete(wave);
        LOG.info(
                "Proxima: sources {} to {} of {} took {} s.", from, to, header.nodeCount(), Math.round(wave.seconds()));
        return wave;
    }

    private void finish(JobFolder folder, GraphFileHeader header, List<Wave> waves, Map<String, String> options)
            throws IOException {
        spark.sparkContext().setJobDescription("Proxima: summary");
        Dataset<Row> rows = header.nodeCount() == 0
                ? spark.read().format("proxima").options(options).load()
                : spark.read().parquet(folder.rows());
        check(folder, waves, rows);
        if (arguments.csv()) {
            rows.drop("from", Measure.HOPS.column)
                    .write()
                    .option("header", "true")
                    .csv(folder.unfinishedCsv());
            folder.completeCsv();
        }
        ObjectNode summary = JobSummary.of(rows);
        summary.put("fingerprint", header.fingerprint().toString())
                .put("relationships", header.relationshipCount())
                .put("waveSeconds", waves.stream().mapToDouble(Wave::seconds).sum());
        folder.summary(summary);
        LOG.info("Proxima: {}", summary);
        spark.sparkContext().setJobDescription(null);
    }
}
