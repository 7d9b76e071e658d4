// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * An algorithm that gives nodes a score.
 *
 * @param <T> the row of the mode stream
 */
public abstract class ScoreAlgorithm<T> extends Algorithm<T> {

    private static final Key<Long> SAMPLING_SEED = Key.<Long>of(
                    "samplingSeed", "The seed of the random choice of the sources.")
            .absentMeans("random");

    private static final String DISTRIBUTION = "centralityDistribution";

    private final ScoreRow<T> row;

    protected ScoreAlgorithm(Caller caller, Mode mode, Operation operation, String task, ScoreRow<T> row) {
        super(caller, mode, operation, task);
        this.row = row;
    }

    /** Makes a row of the mode stream. */
    @FunctionalInterface
    public interface ScoreRow<T> {
        /** The row of a node. */
        T make(long nodeId, double score);
    }

    /** Reads the key of the seed, which is random if it is absent: the effective configuration repeats the choice. */
    protected static long readSamplingSeed(ConfigReader reader) {
        return reader.readInteger(SAMPLING_SEED, ThreadLocalRandom.current().nextLong());
    }

    /**
     * The scores of all nodes.
     *
     * @param values {@code double[run.vertexCount()]}
     * @param figures what else the row of a mode says of the result, by column
     */
    protected final RunResult<T> scores(GraphRun run, double[] values, Map<String, Object> figures) {
        return scores(run, null, values, figures);
    }

    /**
     * The scores of some nodes.
     *
     * @param vertices the nodes, ascending, vertex id space of the run; null for all
     * @param values the score of each of these nodes
     */
    protected final RunResult<T> scores(GraphRun run, int[] vertices, double[] values, Map<String, Object> figures) {
        IdMap ids = run.idMap();
        return new RunResult<>(
                values.length,
                () -> (index, part) ->
                        row.make(ids.toNeo4jId(vertices == null ? index : vertices[index]), values[index]),
                vertices == null ? List.of(HeapPart.of(values)) : List.of(HeapPart.of(values), HeapPart.of(vertices)),
                () -> {
                    Map<String, Object> columns = new HashMap<>(figures);
                    columns.put(
                            DISTRIBUTION, distribution(DISTRIBUTION, () -> Distribution.of(values, caller().stop())));
                    return columns;
                },
                () -> List.of(VertexValues.ofDoubles(vertices, values)));
    }

    @Override
    protected WrittenValues writtenValues() {
        return WrittenValues.SHARED_FLOATS;
    }

    /**
     * Heap of the scores and of the property of the mode mutate.
     *
     * @param scores number of scores
     */
    protected final MemoryTree scoresMemory(int scores, int wholeVertexCount) {
        MemoryTree values = MemoryTree.exactly("scores", (long) scores * Double.BYTES);
        return mode() != Mode.MUTATE
                ? values
                : MemoryTree.together(
                        "scores and property", values, propertyMemory(scores, wholeVertexCount, Double.BYTES));
    }
}
