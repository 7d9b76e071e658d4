// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookFarness;
import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Vertices with the same neighbours, of which one is searched from: all have the sums that a search from each finds.
 */
class TwinFarnessTest {

    @Property(tries = 150)
    void shouldFindWhatSearchesFind(
            @ForAll @IntRange(max = 1 << 20) int seed,
            @ForAll @IntRange(min = 1, max = 60) int first,
            @ForAll @IntRange(min = 0, max = 200) int twins,
            @ForAll @IntRange(min = 0, max = 200) int hanging,
            @ForAll @IntRange(min = 1, max = 2) int concurrency) {
        Csc csc = graph(new Random(seed), first, twins, hanging).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = new CpuBackend().load(csc)) {
            expected.check(
                    loaded,
                    List.of(
                            Set.<DistanceMeasure>of(),
                            Set.of(DistanceMeasure.HARMONIC),
                            Set.of(DistanceMeasure.ECCENTRICITY),
                            EnumSet.allOf(DistanceMeasure.class)),
                    concurrency);
        }
    }

    /** A sparse random graph, whose vertices get twins, which get twins too, and then trees. */
    private static EdgeList graph(Random random, int first, int twins, int hanging) {
        List<List<Integer>> neighbours = new ArrayList<>();
        for (int vertex = 0; vertex < first + twins + hanging; vertex++) {
            neighbours.add(new ArrayList<>());
        }
        for (int i = 0; i < 2 * first; i++) {
            link(neighbours, random.nextInt(first), random.nextInt(first));
        }
        for (int vertex = first; vertex < first + twins; vertex++) {
            int twin = random.nextInt(vertex);
            for (int other : List.copyOf(neighbours.get(twin))) {
                link(neighbours, vertex, other);
            }
            if (random.nextBoolean()) {
                link(neighbours, vertex, twin);
            }
        }
        for (int vertex = first + twins; vertex < first + twins + hanging; vertex++) {
            link(neighbours, vertex, random.nextInt(vertex));
        }
        EdgeList edges = new EdgeList(neighbours.size());
        for (int vertex = 0; vertex < neighbours.size(); vertex++) {
            for (int other : neighbours.get(vertex)) {
                edges.add(vertex, other);
            }
        }
        return edges;
    }

    private static void link(List<List<Integer>> neighbours, int one, int other) {
        if (one != other && !neighbours.get(one).contains(other)) {
            neighbours.get(one).add(other);
            neighbours.get(other).add(one);
        }
    }

    @Test
    void shouldSearchOnceForAClique() {
        RecordingProgress progress = new RecordingProgress();
        Csc csc = TestGraphs.clique(100).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        try (LoadedGraph loaded = new CpuBackend().load(csc)) {
            loaded.farness(Set.of(), new RunContext(1, Stop.NEVER, progress));
        }
        assertThat(progress.tasks()).last().satisfies(task -> assertThat(task.done())
                .hasValue(1));
    }
}
