// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.IdMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An algorithm that gives nodes a score. */
public abstract class ScoreAlgorithm extends Algorithm<Scores> {

    protected ScoreAlgorithm(Caller caller, Mode mode) {
        super(caller, mode);
    }

    /** Makes a row of the mode stream. */
    @FunctionalInterface
    public interface RowMaker<T> {
        /** The row of a node. */
        T make(long nodeId, double score);
    }

    /** Streams the scores. */
    public final <T> Stream<T> scores(String graphName, Map<String, Object> configuration, RowMaker<T> rows) {
        return stream(graphName, configuration, (run, scores) -> {
            IdMap ids = run.idMap();
            return index -> rows.make(ids.toNeo4jId(scores.vertex(index)), scores.values()[index]);
        });
    }

    @Override
    protected final int elementCount(Scores scores, int vertexCount) {
        return scores.values().length;
    }

    @Override
    protected final HeapPart[] heapParts(Scores scores) {
        return scores.heapParts();
    }

    @Override
    protected final Map<String, Object> figures(Scores scores) {
        Map<String, Object> figures = new HashMap<>(scores.figures());
        String column = "centralityDistribution";
        figures.put(column, distribution(column, () -> Distribution.of(scores.values(), caller().stop())));
        return figures;
    }

    @Override
    protected final List<VertexValues> values(GraphRun run, Scores scores) {
        return List.of(VertexValues.ofDoubles(scores.vertices(), scores.values(), run.vertexCount()));
    }

    /**
     * Heap of the scores and of the property of the mode mutate.
     *
     * @param scores number of scores
     */
    protected final MemoryTree scoresMemory(int scores, int vertexCount, int wholeVertexCount) {
        MemoryTree values = MemoryTree.exactly("scores", (long) scores * Double.BYTES);
        if (mode() != Mode.MUTATE) {
            return values;
        }
        MemoryTree byNode =
                MemoryTree.exactly("scores by node", scores < vertexCount ? (long) vertexCount * Double.BYTES : 0);
        return MemoryTree.together(
                "scores and property", values, byNode, propertyMemory(vertexCount, wholeVertexCount, Double.BYTES));
    }
}
