// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.Workload;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What an estimate promises is what the run does: both derive its way from equal arguments. */
class HostWayTest {

    private final List<HostWay> ways = new ArrayList<>();

    private final CpuBackend backend = new CpuBackend() {
        @Override
        HostWay way(GraphShape graph, Workload work, int concurrency) {
            HostWay way = super.way(graph, work, concurrency);
            ways.add(way);
            return way;
        }
    };

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.directed(300, 600).filter(graph -> graph.vertexCount() > 0);
    }

    @Property(tries = 200)
    void shouldRunAsEstimated(
            @ForAll("graphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 100) int sources,
            @ForAll @IntRange(max = 100) int stopTargets,
            @ForAll @IntRange(min = -1, max = 3) int maxDepth,
            @ForAll Set<DistanceMeasure> measures,
            @ForAll @IntRange(min = 1, max = 5) int concurrency,
            @ForAll boolean searched) {
        for (Operation operation : Operation.values()) {
            Csc csc = graph.toEdgeList().toCsc(orientation, 1, Stop.NEVER);
            Workload work = work(operation, Runs.sources(csc, sources).length, maxDepth, measures)
                    .stoppingAt(operation == Operation.BFS ? Runs.sources(csc, stopTargets).length : 0);
            RunContext control = RunContext.of(concurrency);
            ways.clear();
            MemoryTree kept = MemoryTree.exactly("kept", 1 << 20);
            backend.estimate(csc, searched, work.keeping(kept, kept), concurrency);
            try (LoadedGraph loaded = backend.load(csc)) {
                Runs.run(work, csc, loaded, searched ? control.again() : control);
            }
            // nothing is chosen for components and weighted paths
            boolean chooses = operation != Operation.COMPONENTS && operation != Operation.SHORTEST_PATHS;
            assertThat(ways).as("%s", work).hasSize(chooses ? 2 : 1);
            assertThat(ways.get(ways.size() - 1)).as("%s", work).isEqualTo(ways.get(0));
        }
    }

    private static Workload work(Operation operation, int sources, int maxDepth, Set<DistanceMeasure> measures) {
        return switch (operation) {
            case FARNESS -> Workload.farness(measures);
            case FARNESS_OF_SOURCES -> Workload.farness(sources, measures);
            default -> new Workload(operation, sources, maxDepth);
        };
    }
}
