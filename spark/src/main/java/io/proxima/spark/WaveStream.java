// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadAllAvailable;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/** The nodes of a graph as a stream that ends: Spark writes the rows of each wave of sources as a micro-batch, once. */
final class WaveStream implements MicroBatchStream, SupportsTriggerAvailableNow {

    /** Enough to keep each task slot busy with full words of searches, and short enough to measure the rate soon. */
    private static final int FIRST_SOURCES_PER_SLOT = 512;

    /** The driver lists the files of all waves. */
    private static final int MOST_WAVES = 10_000;

    private static final int SECONDS_PER_MINUTE = 60;
    private static final double NANOS = 1e9;

    private final ProximaScan scan;
    private final ScanOptions options;
    private final int nodes;
    private final String digest;
    private int lastSize;
    private long lastStart;

    /**
     * Creates the stream of a scan.
     *
     * @throws ProximaSparkException if the option `wave` makes too many waves
     */
    WaveStream(ProximaScan scan, ScanOptions options, GraphFileHeader header) {
        this.scan = scan;
        this.options = options;
        nodes = header.nodeCount();
        digest = header.digest();
        int least = (int) ((nodes + (MOST_WAVES - 1L)) / MOST_WAVES);
        if (options.wave() > 0 && options.wave() < least) {
            throw ScanOptions.invalid("The option `wave` must be at least " + least + " for a graph of " + nodes
                    + " nodes, because a job has at most " + MOST_WAVES + " waves, but is `" + options.wave() + "`.");
        }
    }

    /** The first source that has not been searched from. Its text has the digest of the graph, too. */
    private final class Position extends Offset {
        private final int source;

        Position(int source) {
            this.source = source;
        }

        @Override
        public String json() {
            return "[" + source + graphInPosition();
        }
    }

    @Override
    public Offset initialOffset() {
        return new Position(0);
    }

    @Override
    public Offset deserializeOffset(String json) {
        if (!json.endsWith(graphInPosition())) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The graph `" + options.graph() + "` is not the one that the stream has begun with: its header has"
                            + " the digest " + digest + ", but the checkpoint has " + json
                            + ". Name the file of that graph, or choose another checkpoint.");
        }
        return new Position(Integer.parseInt(
                json.substring(1, json.length() - graphInPosition().length())));
    }

    private String graphInPosition() {
        return ",\"" + digest + "\"]";
    }

    /** Spark asks when the wave before is complete. */
    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        int from = ((Position) start).source;
        long now = System.nanoTime();
        double rate = lastSize / Math.max((now - lastStart) / NANOS, 1e-3);
        int size = nodes - from;
        // Trigger.Once reads all
        if (!(limit instanceof ReadAllAvailable)) {
            size = options.wave() > 0
                    ? Math.min(options.wave(), size)
                    : size(rate, size, TaskSlots.of(SparkSession.active()), options.waveMinutes());
        }
        lastSize = size;
        lastStart = now;
        return new Position(from + size);
    }

    /**
     * The derived number of sources of a wave.
     *
     * @param rate sources a second of all task slots together, in the wave before; 0 for the first one
     * @param rest sources that have not been searched from
     * @param slots tasks at the same time
     * @param minutes the minutes that the wave should take
     */
    private static int size(double rate, int rest, int slots, double minutes) {
        long first = (long) slots * FIRST_SOURCES_PER_SLOT;
        return (int) Math.min(rest, Math.max(first, (long) (rate * minutes * SECONDS_PER_MINUTE)));
    }

    @Override
    public Offset latestOffset() {
        throw new UnsupportedOperationException(
                "Spark asks a stream with a read limit for an offset after another one");
    }

    /** A limit for triggers that read in waves. */
    @Override
    public ReadLimit getDefaultReadLimit() {
        return ReadLimit.maxRows(nodes);
    }

    @Override
    public void prepareForTriggerAvailableNow() {
        // the graph does not grow
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        return scan.partitions(((Position) start).source, ((Position) end).source);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return scan.createReaderFactory();
    }

    @Override
    public void commit(Offset end) {
        // the graph stays
    }

    @Override
    public void stop() {
        // nothing is open
    }
}
