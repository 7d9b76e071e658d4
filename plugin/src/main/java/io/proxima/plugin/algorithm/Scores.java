// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.DistanceStatistics;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Results that are a score of each node. */
public final class Scores {

    private static final Key<Long> SAMPLING_SEED = Key.<Long>of(
                    "samplingSeed", "The seed of the random choice of the sources.")
            .absentMeans("random");

    private Scores() {}

    /** Makes a row of the mode stream. */
    @FunctionalInterface
    public interface ScoreRow<T> {
        /** The row of a node. */
        T make(long nodeId, double score);
    }

    /** Reads the key of the seed, which is random if it is absent: the effective configuration repeats the choice. */
    public static long readSamplingSeed(ConfigReader reader) {
        return reader.readInteger(SAMPLING_SEED, ThreadLocalRandom.current().nextLong());
    }

    /**
     * The scores of all nodes.
     *
     * @param values {@code double[run.vertexCount()]}
     */
    public static <T> RunResult<T> of(GraphRun run, double[] values, ScoreRow<T> row) {
        return of(run, null, values, row, Map.of());
    }

    /**
     * The scores of some nodes.
     *
     * @param vertices the nodes, ascending, vertex id space of the run; null for all
     * @param values the score of each of these nodes
     * @param statistics what else the row of a mode says of the result, by column
     */
    public static <T> RunResult<T> of(
            GraphRun run, int[] vertices, double[] values, ScoreRow<T> row, Map<String, Object> statistics) {
        return of(run, vertices, values, row, statistics, "centralityDistribution");
    }

    /**
     * As {@link #of(GraphRun, int[], double[], ScoreRow, Map)}, with another name for a column.
     *
     * @param distribution the column of the distribution
     */
    public static <T> RunResult<T> of(
            GraphRun run,
            int[] vertices,
            double[] values,
            ScoreRow<T> row,
            Map<String, Object> statistics,
            String distribution) {
        IdMap ids = run.idMap();
        Streamed<T> streamed = new Streamed<>(
                values.length,
                () -> (index, part) ->
                        row.make(ids.toNeo4jId(vertices == null ? index : vertices[index]), values[index]),
                vertices == null ? List.of(HeapPart.of(values)) : List.of(HeapPart.of(values), HeapPart.of(vertices)));
        return new RunResult<>(streamed, () -> statistics, () -> List.of(VertexValues.ofDoubles(vertices, values)))
                .with(distribution, () -> Distribution.of(values, run.caller().stop()));
    }

    /**
     * The best scores.
     *
     * @param best the nodes by descending score, vertex id space of the run
     * @param values the score of each of these nodes
     * @param others the nodes that they were chosen from, ascending, which lose the property that the mode write sets;
     *     null for all
     */
    public static <T> RunResult<T> ofBest(GraphRun run, int[] best, double[] values, int[] others, ScoreRow<T> row) {
        RunResult<T> ranked = of(run, best, values, row, DistanceStatistics.NONE);
        return new RunResult<>(
                ranked.streamed(),
                ranked.statistics(),
                ranked.distributions(),
                () -> List.of(byVertex(best, values, others)),
                ranked.written());
    }

    private static VertexValues byVertex(int[] best, double[] values, int[] others) {
        int[] ascending = best.clone();
        Arrays.sort(ascending);
        double[] ofAscending = new double[values.length];
        for (int i = 0; i < best.length; i++) {
            ofAscending[Arrays.binarySearch(ascending, best[i])] = values[i];
        }
        return VertexValues.ofDoubles(ascending, ofAscending, others);
    }

    /**
     * Heap of the scores and of the property of the mode mutate.
     *
     * @param scores number of scores
     */
    public static MemoryTree memory(CallSize size, int scores) {
        MemoryTree values = MemoryTree.exactly("scores", (long) scores * Double.BYTES);
        return size.mode() != Mode.MUTATE
                ? values
                : MemoryTree.together("scores and property", values, size.property(scores, Double.BYTES));
    }
}
