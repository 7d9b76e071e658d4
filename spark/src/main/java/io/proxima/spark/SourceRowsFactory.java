// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.TraversalBackend;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens the partitions of a query on the executors.
 *
 * @param columns the columns of the rows
 * @param graph the graph
 * @param backend the backend that the options name
 * @param concurrency threads of a search; 0 for the processors of the executor
 * @param conf the configuration of Hadoop's file systems
 */
record SourceRowsFactory(
        List<String> columns, GraphFileKey graph, Wanted backend, int concurrency, SerializableConfiguration conf)
        implements PartitionReaderFactory {

    private static final long serialVersionUID = 1L;

    /** The key of a graph in memory. */
    private record OnBackend(String digest, String backend) {}

    /** A completed task is not interrupted, but a thread that feeds a script of it may still ask for rows. */
    static Stop stopOf(TaskContext task) {
        return () -> task.isInterrupted() || task.isCompleted();
    }

    /** The processors of this executor: one of its tasks at a time searches. */
    private static int processors() {
        return SparkEnv.get()
                .conf()
                .getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        TaskContext task = TaskContext.get();
        Stop stop = stopOf(task);
        int threads = concurrency > 0 ? concurrency : processors();
        TraversalBackend chosen = ExecutorBackend.of(backend, task);
        SharedGraphs.Lease lease = SharedGraphs.OF_EXECUTOR.acquire(
                new OnBackend(graph.digest(), chosen.info().name()),
                () -> SharedGraph.load(graph, chosen, conf.value(), threads, stop),
                stop);
        return new SourceRows(columns, (SourcePartition) partition, lease, threads, stop);
    }
}
