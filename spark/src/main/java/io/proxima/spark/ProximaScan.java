// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.result.VertexSample;
import io.proxima.concurrent.Stop;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ScanOptions.Range;
import io.proxima.spark.ScanOptions.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/** The plan of a query: which sources each task searches from. */
final class ProximaScan implements Scan, Batch {

    /** More tasks than task slots, so that a slow executor delays the end by a part of its work only. */
    private static final int TASKS_PER_SLOT = 8;

    /** The driver holds and schedules the tasks of a query. */
    private static final int MOST_TASKS = 100_000;

    /** Bit-parallel searches are wide: fewer sources take as long. */
    private static final int SMALLEST_BATCH = 64;

    private final ScanOptions options;
    private final StructType columns;
    private final Set<String> filter;
    private final GraphFileHeader header;

    /**
     * Creates the plan.
     *
     * @param columns the columns that the query reads
     * @param filter the elementIds that the query asks for, each a row if the graph has it; null for all
     */
    ProximaScan(ScanOptions options, StructType columns, Set<String> filter, GraphFileHeader header) {
        this.options = options;
        this.columns = columns;
        this.filter = filter;
        this.header = header;
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return "proxima " + options.graph() + " (" + header.origin().graphName() + ", " + header.nodeCount()
                + " nodes, fingerprint " + header.fingerprint() + ") "
                + String.join(", ", columns.fieldNames())
                + (filter == null ? "" : ", elementId in a list of " + filter.size());
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
        if (options.sources() != ScanOptions.ALL) {
            throw ScanOptions.invalid("A stream has the rows of all nodes: leave out the option `sources`.");
        }
        return new WaveStream(this, options, header);
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return new CustomMetric[] {new SearchTime()};
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new SourceRowsFactory(
                List.of(columns.fieldNames()),
                GraphFileKey.of(options.graph(), header),
                options.backend(),
                options.concurrency(),
                new SerializableConfiguration(
                        SparkSession.active().sessionState().newHadoopConf()));
    }

    @Override
    public InputPartition[] planInputPartitions() {
        int nodes = header.nodeCount();
        if (options.sources() instanceof Sample sample) {
            requireAtMost("sampleSize", sample.size(), nodes);
            int[] drawn = VertexSample.draw(sample.size(), sample.seed(), nodes, Stop.NEVER);
            Arrays.sort(drawn);
            return partitions(
                    drawn.length, (from, to) -> SourcePartition.ofVertices(Arrays.copyOfRange(drawn, from, to)));
        }
        Range range = options.sources() instanceof Range chosen ? chosen : new Range(0, nodes);
        requireAtMost("to", range.to(), nodes);
        if (filter != null) {
            long[] ids = filter.stream()
                    .mapToLong(this::neo4jId)
                    .filter(id -> id >= 0)
                    .sorted()
                    .toArray();
            return partitions(
                    ids.length,
                    (from, to) -> SourcePartition.ofIds(Arrays.copyOfRange(ids, from, to), range.from(), range.to()));
        }
        return partitions(range.from(), range.to());
    }

    /** The tasks that search from the vertices from (inclusive) to (exclusive). */
    InputPartition[] partitions(int from, int to) {
        return partitions(to - from, (start, end) -> SourcePartition.ofRange(from + start, from + end));
    }

    private static void requireAtMost(String option, int value, int nodes) {
        if (value > nodes) {
            throw ScanOptions.invalid("The option `" + option + "` must be at most the number of nodes, " + nodes
                    + ", but is `" + value + "`.");
        }
    }

    /** The id in Neo4j, -1 if the database of the graph has no such elementId. */
    private long neo4jId(String elementId) {
        String prefix = header.origin().elementIdPrefix();
        if (elementId.startsWith(prefix)) {
            try {
                long id = Long.parseLong(elementId.substring(prefix.length()));
                return id >= 0 && elementId.equals(header.origin().elementId(id)) ? id : -1;
            } catch (NumberFormatException e) {
                return -1;
            }
        }
        return -1;
    }

    /** Makes the partition of some sources, the second index exclusive. */
    private interface Part {
        InputPartition of(int from, int to);
    }

    private InputPartition[] partitions(int sources, Part part) {
        int batch = options.batch() > 0 ? options.batch() : batch(sources, TaskSlots.of(SparkSession.active()));
        int bounded = (int) Math.max(batch, (sources + (MOST_TASKS - 1L)) / MOST_TASKS);
        return IntStream.range(0, (int) ((sources + (bounded - 1L)) / bounded))
                .mapToObj(i -> part.of(i * bounded, (int) Math.min(sources, (i + 1L) * bounded)))
                .toArray(InputPartition[]::new);
    }

    /**
     * The derived number of sources of a task.
     *
     * @param sources sources of the query
     * @param slots tasks at the same time
     */
    private static int batch(int sources, int slots) {
        long words = Math.max(1, (long) Math.ceil((double) sources / slots / TASKS_PER_SLOT / SMALLEST_BATCH));
        return (int) Math.min(words * SMALLEST_BATCH, Integer.MAX_VALUE);
    }
}
