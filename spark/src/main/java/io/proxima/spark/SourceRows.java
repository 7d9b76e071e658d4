// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.spark.Measure.Direction;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The rows of a task: searches from a batch of its sources at a time. A thread that feeds a script of the task may read
 * them while the task ends: closing waits for its search, which stops soon.
 */
final class SourceRows implements PartitionReader<InternalRow> {

    /** Not derived from the backend, because the first row of a batch holds its hops: equal on every executor. */
    static final int BATCH = 1 << 16;

    /** The measure of each column; null for elementId. */
    private final Measure[] columns;

    private final SharedGraphs.Lease lease;
    private final SharedGraph graph;
    private final RunContext control;
    private final int[] sources;

    /** What the searches in a direction count besides the sums. */
    private final Map<Direction, Set<DistanceMeasure>> counted = new EnumMap<>(Direction.class);

    private final Map<Direction, Farness> sums = new EnumMap<>(Direction.class);
    private int row = -1;
    private int batchStart;
    private int batchEnd;

    /** Of this partition, and those that the task has read before. */
    private long searchNanos;

    SourceRows(List<String> columns, SourcePartition partition, SharedGraphs.Lease lease, int threads, Stop stop) {
        this.columns =
                columns.stream().map(name -> Measure.of(name).orElse(null)).toArray(Measure[]::new);
        this.lease = lease;
        graph = lease.graph();
        control = new RunContext(threads, stop, Progress.NONE, ExecutorBackend.observer(), RunOptions.AUTO);
        for (Measure measure : this.columns) {
            if (measure != null) {
                Set<DistanceMeasure> ofDirection = counted.computeIfAbsent(
                        graph.searched(measure.direction), unknown -> EnumSet.noneOf(DistanceMeasure.class));
                if (measure.counted != null) {
                    ofDirection.add(measure.counted);
                }
            }
        }
        sources = vertices(partition);
    }

    private int[] vertices(SourcePartition partition) {
        if (partition.vertices() != null) {
            return partition.vertices();
        }
        if (partition.neo4jIds() == null) {
            return IntStream.range(partition.from(), partition.to()).toArray();
        }
        // a node that is not in the graph has the vertex -1
        return Arrays.stream(partition.neo4jIds())
                .mapToInt(graph::vertex)
                .filter(vertex -> vertex >= partition.from() && vertex < partition.to())
                .toArray();
    }

    @Override
    public synchronized boolean next() {
        control.stop().check();
        if (row + 1 >= sources.length) {
            return false;
        }
        row++;
        if (row == batchEnd) {
            search();
        }
        return true;
    }

    private void search() {
        batchStart = batchEnd;
        batchEnd = (int) Math.min(sources.length, batchStart + (long) BATCH);
        int[] batch = Arrays.copyOfRange(sources, batchStart, batchEnd);
        long start = System.nanoTime();
        counted.forEach(
                (direction, measures) -> sums.put(direction, graph.farness(direction, batch, measures, control)));
        searchNanos += System.nanoTime() - start;
    }

    @Override
    public InternalRow get() {
        Object[] values = new Object[columns.length];
        for (int column = 0; column < values.length; column++) {
            Measure measure = columns[column];
            values[column] = measure == null
                    ? UTF8String.fromString(graph.elementId(sources[row]))
                    : measure.value(
                            sums.get(graph.searched(measure.direction)), row - batchStart, graph.vertexCount() - 1L);
        }
        return new GenericInternalRow(values);
    }

    @Override
    public void initMetricsValues(CustomTaskMetric[] metrics) {
        for (CustomTaskMetric metric : metrics) {
            if (metric.name().equals(SearchTime.NAME)) {
                searchNanos = TimeUnit.MILLISECONDS.toNanos(metric.value());
            }
        }
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return new CustomTaskMetric[] {new SearchTime.OfTask(TimeUnit.NANOSECONDS.toMillis(searchNanos))};
    }

    @Override
    public synchronized void close() {
        lease.close();
    }
}
