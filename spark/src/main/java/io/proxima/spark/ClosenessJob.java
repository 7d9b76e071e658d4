// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Computes measures of all nodes of an exported graph as a streaming query: in waves, whose rows Spark appends to
 * Parquet files, each exactly once. A driver that is started again after a failure continues with the first incomplete
 * wave. The manual's page "Beyond one server" describes the arguments and the results.
 */
public final class ClosenessJob {

    private static final String OUTPUT = "output";
    private static final String CSV = "csv";

    /** The folder with the checkpoint of each query, in a folder of the query's name. */
    private static final String CHECKPOINTS = "spark.sql.streaming.checkpointLocation";

    private final SparkSession spark;
    private final Path output;
    private final boolean csv;

    /** Of the data source. */
    private final Map<String, String> options;

    private ClosenessJob(SparkSession spark, String... arguments) {
        this.spark = spark;
        options = options(arguments);
        String folder = options.remove(OUTPUT);
        if (folder == null) {
            throw ScanOptions.invalid("The argument `--output` is missing. Set it to a folder for the results.");
        }
        try {
            output = new Path(folder);
        } catch (IllegalArgumentException e) {
            throw ScanOptions.invalid("The argument `--output` must be the path of a folder, but is `" + folder + "`: "
                    + e.getMessage() + ".");
        }
        String wanted = options.containsKey(CSV) ? options.remove(CSV) : "false";
        if (!List.of("true", "false").contains(wanted)) {
            throw ScanOptions.invalid("The argument `--csv` must be true or false, but is `" + wanted + "`.");
        }
        csv = wanted.equals("true");
    }

    /**
     * Runs the job.
     *
     * @param arguments see the manual
     * @throws ProximaSparkException if an argument is not allowed, or if the folder has anything else than results of
     *     this job
     * @throws StreamingQueryException if a wave fails, or if another driver computes it
     * @throws IOException if the folder of the results cannot be read or written
     * @throws TimeoutException if Spark cannot start the query
     */
    public static void main(String[] arguments) throws IOException, StreamingQueryException, TimeoutException {
        SparkSession spark = SparkSession.builder().appName("proxima closeness").getOrCreate();
        try {
            run(spark, arguments);
        } finally {
            spark.stop();
        }
    }

    /** Runs the job in a session, which stays open and has one job at a time; otherwise as {@link #main}. */
    public static void run(SparkSession spark, String... arguments)
            throws IOException, StreamingQueryException, TimeoutException {
        new ClosenessJob(spark, arguments).run();
    }

    private static Map<String, String> options(String... arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!arguments[i].startsWith("--") || i + 1 == arguments.length) {
                throw ScanOptions.invalid(
                        "The arguments must be pairs of `--name` and value, but `" + arguments[i] + "` is none.");
            }
            options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        return options;
    }

    private void run() throws IOException, StreamingQueryException, TimeoutException {
        ScanOptions checked = ScanOptions.of(new CaseInsensitiveStringMap(options));
        options.put(ScanOptions.MEASURES, String.join(",", measures(checked)));
        GraphFileHeader header = checked.header(spark);
        options.put(ScanOptions.FINGERPRINT, header.fingerprint().toString());
        begin(header);
        Dataset<Row> rows;
        if (header.nodeCount() == 0) {
            rows = spark.read().format("proxima").options(options).load();
        } else {
            String path = new Path(output, "rows").toString();
            write(path);
            rows = spark.read().parquet(path);
        }
        finish(header, rows);
    }

    /** Computes the waves that Spark's checkpoint does not name. */
    private void write(String rows) throws StreamingQueryException, TimeoutException {
        StreamingQuery query;
        // other jobs of the session must not take this setting
        synchronized (ClosenessJob.class) {
            String before = spark.conf().get(CHECKPOINTS, null);
            // the writer's method option is not the same in Spark 3.5 and 4
            spark.conf().set(CHECKPOINTS, output.toString());
            try {
                query = spark.readStream()
                        .format("proxima")
                        .options(options)
                        .load()
                        .writeStream()
                        .format("parquet")
                        .queryName("checkpoint")
                        .trigger(Trigger.AvailableNow())
                        .start(rows);
            } finally {
                spark.conf().unset(CHECKPOINTS);
                if (before != null) {
                    spark.conf().set(CHECKPOINTS, before);
                }
            }
        }
        try {
            query.awaitTermination();
        } finally {
            // it does not end if this thread is interrupted
            query.stop();
        }
    }

    /**
     * The measures of the rows: those of the arguments, and those that the summary is made of and that cost no search.
     */
    private static List<String> measures(ScanOptions options) {
        Set<Measure> measures = new LinkedHashSet<>(options.measures());
        measures.addAll(List.of(Measure.FARNESS, Measure.REACH, Measure.HOPS));
        if (measures.contains(Measure.ECCENTRICITY)) {
            measures.add(Measure.NODES_REACHED);
        }
        return measures.stream().map(measure -> measure.column).toList();
    }

    /** Takes an empty folder, or that of the same job. */
    private void begin(GraphFileHeader header) throws IOException {
        String job = new ObjectMapper()
                .createObjectNode()
                .put("fingerprint", header.fingerprint().toString())
                .put("digest", header.digest())
                .put("graph", header.origin().graphName())
                .put("nodes", header.nodeCount())
                .put("measures", options.get(ScanOptions.MEASURES))
                .toString();
        FileSystem files = files();
        Path file = new Path(output, "job.json");
        int others = files.exists(output) ? files.listStatus(output).length : 0;
        String found = "";
        if (others > 0 && files.exists(file)) {
            others--;
            try (InputStream in = files.open(file)) {
                found = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        // a driver that died while it wrote this file has left an empty one
        if (others == 0 && found.isEmpty()) {
            write(file, job);
        } else if (!found.equals(job)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The folder `" + output + "` must be empty or have results of this job, " + job
                            + ", but its file `job.json` has `" + found + "`. Choose another folder for `--output`.");
        }
    }

    private void finish(GraphFileHeader header, Dataset<Row> rows) throws IOException {
        ObjectNode summary = JobSummary.of(rows);
        long count = summary.path("nodes").asLong();
        if (count != header.nodeCount()) {
            throw new ProximaSparkException(
                    Reason.INCOMPLETE_RESULTS,
                    "The folder `" + output + "` must have a row for each of the " + header.nodeCount()
                            + " nodes, but has " + count
                            + " rows. Another driver may compute the rest. If there is none,"
                            + " the folder has been changed: choose another one for `--output`.");
        }
        if (csv) {
            rows.drop(Measure.HOPS.column)
                    .write()
                    .mode(SaveMode.Overwrite)
                    .option("header", "true")
                    .csv(new Path(output, CSV).toString());
        }
        summary.put("fingerprint", header.fingerprint().toString()).put("relationships", header.relationshipCount());
        write(new Path(output, "summary.json"), summary.toPrettyString());
    }

    private void write(Path file, String json) throws IOException {
        try (OutputStream out = files().create(file, true)) {
            out.write(json.getBytes(StandardCharsets.UTF_8));
        }
    }

    private FileSystem files() throws IOException {
        return output.getFileSystem(spark.sessionState().newHadoopConf());
    }
}
