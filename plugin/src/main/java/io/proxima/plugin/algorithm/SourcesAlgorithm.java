// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.LoadedGraph;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import java.util.List;

/** An algorithm that searches from several nodes. */
public abstract class SourcesAlgorithm<R> extends Algorithm<R> {

    /** The greatest distance of a search. */
    public static final Key<Integer> MAX_DEPTH =
            Key.of("maxDepth", LoadedGraph.NO_MAX_DEPTH, "The greatest distance to visit. -1: no limit.");

    private Sources sources = Sources.NONE;
    private int maxDepth;

    protected SourcesAlgorithm(Caller caller, Mode mode) {
        super(caller, mode);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        sources = Sources.of(reader.readNodes(sourceNodes(), caller().nodes()), caller().stop());
        maxDepth = reader.readInt(MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH, Integer.MAX_VALUE);
    }

    /** The key of the sources. */
    protected abstract Key<List<Long>> sourceNodes();

    /** The greatest distance of a search. */
    protected final int maxDepth() {
        return maxDepth;
    }

    /** Number of distinct sources. */
    protected final int sourceCount() {
        return sources.distinct().length;
    }

    /** The sources as they were requested. */
    public final Sources sources() {
        return sources;
    }

    /** The hop distribution; empty if the query does not read that column. */
    protected final List<Long> hopDistribution(HopCounter hops) {
        return caller().yields("hopDistribution") ? hops.distribution() : List.of();
    }

    /** The distinct sources as vertices of the run's graph, in the order of their first occurrence. */
    public final int[] sources(GraphRun run) {
        return run.vertices(sourceNodes().name(), sources.distinct());
    }
}
