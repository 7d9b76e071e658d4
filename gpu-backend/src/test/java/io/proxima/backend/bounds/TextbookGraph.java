// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookComponents;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/** Searches of tiny graphs as in a textbook, which take a tenth of the time that a backend prepares for. */
record TextbookGraph(Csc csc) implements LoadedGraph {

    @Override
    public int vertexCount() {
        return csc.vertexCount();
    }

    @Override
    public Levels bfs(int[] sources, int maxDepth, int[] stopTargets, RunContext control) {
        int[] levels = TextbookBfs.levels(csc, maxDepth, sources);
        long[] sizes = new long[1 + Arrays.stream(levels).max().orElse(0)];
        Arrays.stream(levels).filter(level -> level >= 0).forEach(level -> sizes[level]++);
        return new Levels(levels, sizes);
    }

    @Override
    public int[] greatestDistances(int[] sources, RunContext control) {
        int[] greatest = new int[vertexCount()];
        for (int source : sources) {
            int[] levels = TextbookBfs.levels(csc, NO_MAX_DEPTH, source);
            Arrays.setAll(greatest, vertex -> Math.max(greatest[vertex], levels[vertex]));
        }
        return greatest;
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
        return farness(IntStream.range(0, vertexCount()).toArray(), measures, control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        Csc reversed = csc.transposed(1, Stop.NEVER);
        int[] eccentricities = Arrays.stream(sources)
                .map(source -> Arrays.stream(TextbookBfs.levels(reversed, NO_MAX_DEPTH, source))
                        .max()
                        .orElse(0))
                .toArray();
        return new Farness(null, null, null, eccentricities, null);
    }

    @Override
    public int[] components(RunContext control) {
        return TextbookComponents.of(csc);
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunContext control) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int multiSourceBatchSize() {
        throw new UnsupportedOperationException();
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunContext control) {
        throw new UnsupportedOperationException();
    }

    @Override
    public double[] betweenness(int[] sources, RunContext control) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ShortestPaths shortestPaths(
            int[] sources,
            WeightedCsc weights,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
