// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.VertexSample;
import io.proxima.concurrent.Stop;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import io.proxima.spark.ScanOptions.Ids;
import io.proxima.spark.ScanOptions.Range;
import io.proxima.spark.ScanOptions.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/** The plan of a query: which sources each task searches from. */
final class ProximaScan implements Scan, Batch, SupportsReportStatistics {

    /** More tasks than task slots, so that a slow executor delays the end by a part of its work only. */
    private static final int TASKS_PER_SLOT = 8;

    /** Fewer tasks than this would leave task slots idle at the end. */
    private static final int FEWEST_TASKS_PER_SLOT = 4;

    /** A task of this length hides the start of a task, and costs little if it is repeated. */
    private static final int SECONDS_PER_TASK = 120;

    /** The driver holds and schedules the tasks of a query. */
    private static final int MOST_TASKS = 100_000;

    /** Bit-parallel searches are wide: fewer sources take as long. */
    private static final int SMALLEST_BATCH = 64;

    private final ScanOptions options;
    private final StructType columns;
    private final Set<String> filter;
    private final GraphFileHeader header;
    private final TaskSlots slots;
    private List<SourcePartition> partitions;

    /**
     * Creates the plan.
     *
     * @param columns what the query reads
     * @param filter elementIds of a filter, null for all
     */
    ProximaScan(ScanOptions options, StructType columns, Set<String> filter, GraphFileHeader header, TaskSlots slots) {
        this.options = options;
        this.columns = columns;
        this.filter = filter;
        this.header = header;
        this.slots = slots;
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
    public Statistics estimateStatistics() {
        long rows = partitions().stream().mapToLong(SourcePartition::size).sum();
        return new Statistics() {
            @Override
            public OptionalLong sizeInBytes() {
                return OptionalLong.of(Math.max(1, rows * columns.defaultSize()));
            }

            @Override
            public OptionalLong numRows() {
                return OptionalLong.of(rows);
            }
        };
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return new CustomMetric[] {new SourcesDone(), new SearchTime()};
    }

    @Override
    public InputPartition[] planInputPartitions() {
        return partitions().toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new SourceRowsFactory(
                Arrays.stream(columns.fieldNames()).toList(),
                GraphKey.of(options, header),
                options.backend(),
                options.concurrency(),
                new SerializableConfiguration(
                        SparkSession.active().sessionState().newHadoopConf()));
    }

    private List<SourcePartition> partitions() {
        if (partitions == null) {
            partitions = plan();
        }
        return partitions;
    }

    private List<SourcePartition> plan() {
        int nodes = header.nodeCount();
        int from = 0;
        int to = nodes;
        if (options.sources() instanceof Range range) {
            if (range.to() > nodes) {
                throw ScanOptions.invalid("The option `to` must be at most the number of nodes, " + nodes + ", but is `"
                        + range.to() + "`.");
            }
            from = range.from();
            to = range.to();
        }
        int first = from;
        int end = to;
        if (options.sources() instanceof Sample sample) {
            if (sample.size() > nodes) {
                throw ScanOptions.invalid("The option `sampleSize` must be at most the number of nodes, " + nodes
                        + ", but is `" + sample.size() + "`.");
            }
            int[] drawn = VertexSample.draw(sample.size(), sample.seed(), nodes, Stop.NEVER);
            Arrays.sort(drawn);
            return parts(
                    drawn.length,
                    (start, stop) ->
                            new SourcePartition(first, end, Arrays.copyOfRange(drawn, start, stop), null, false));
        }
        long[] ids = ids();
        if (ids != null) {
            boolean strict = options.sources() instanceof Ids && filter == null;
            return parts(
                    ids.length,
                    (start, stop) ->
                            new SourcePartition(first, end, null, Arrays.copyOfRange(ids, start, stop), strict));
        }
        return parts(end - first, (start, stop) -> SourcePartition.ofRange(first + start, first + stop));
    }

    /** The ids in Neo4j of the chosen nodes, ascending; null for all nodes. */
    private long[] ids() {
        Set<String> named = options.sources() instanceof Ids ids ? ids.elementIds() : null;
        if (named == null && filter == null) {
            return null;
        }
        List<Long> found = new ArrayList<>();
        for (String elementId : named != null ? named : filter) {
            long id = neo4jId(elementId);
            if (id < 0 && named != null) {
                throw new ProximaSparkException(
                        Reason.UNKNOWN_NODE,
                        "The option `ids` has `" + elementId + "`, which is no elementId of the database of the graph `"
                                + options.graph() + "`. These begin with `"
                                + header.origin().elementIdPrefix() + "`.");
            }
            if (id >= 0 && (named == null || filter == null || filter.contains(elementId))) {
                found.add(id);
            }
        }
        return found.stream().mapToLong(Long::longValue).sorted().toArray();
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
        SourcePartition of(int start, int stop);
    }

    private List<SourcePartition> parts(int sources, Part part) {
        int batch = batch(sources);
        return IntStream.range(0, (int) ((sources + batch - 1L) / batch))
                .mapToObj(i -> part.of(i * batch, (int) Math.min(sources, (i + 1L) * batch)))
                .toList();
    }

    /** Sources of a partition. */
    private int batch(int sources) {
        int batch = options.batch() > 0 ? options.batch() : batch(sources, slots.count(), options.rate());
        return (int) Math.max(batch, (sources + MOST_TASKS - 1L) / MOST_TASKS);
    }

    /**
     * The derived number of sources of a task.
     *
     * @param sources sources of the query
     * @param slots tasks at the same time
     * @param rate sources that a task searches from in a second; 0 if unknown
     */
    static int batch(int sources, int slots, double rate) {
        double ofSlot = (double) sources / slots;
        double wanted =
                rate > 0 ? Math.min(rate * SECONDS_PER_TASK, ofSlot / FEWEST_TASKS_PER_SLOT) : ofSlot / TASKS_PER_SLOT;
        long wide = Math.max(1, (long) Math.ceil(wanted / SMALLEST_BATCH)) * SMALLEST_BATCH;
        return (int) Math.min(wide, Integer.MAX_VALUE);
    }
}
