// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TextbookFarness;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Directed graphs in which sources reach different parts: all measures are those of a search from each vertex. */
class DirectedFarnessTest {

    @Property(tries = 60)
    void shouldEqualTheTextbook(
            @ForAll SmallGraph.Shape shape,
            @ForAll @IntRange(min = 6, max = 1300) int vertices,
            @ForAll @IntRange(min = 1, max = 3) int degree,
            @ForAll long seed,
            @ForAll boolean mixed,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 2) int concurrency) {
        Random random = new Random(seed);
        List<SmallGraph.Edge> drawn = Stream.generate(
                        () -> new SmallGraph.Edge(random.nextInt(vertices), random.nextInt(vertices)))
                .limit((long) degree * vertices)
                .toList();
        EdgeList edges = shape.of(new SmallGraph(vertices, drawn)).toEdgeList();
        if (mixed) {
            // what a projection of a directed and an undirected type gives
            for (int i = 0; i < vertices / 4; i++) {
                int v = random.nextInt(vertices);
                int other = (v + 1) % vertices;
                edges.add(v, other);
                edges.add(other, v);
            }
        }
        Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = new CpuBackend().load(csc)) {
            expected.check(
                    loaded, List.of(Set.<DistanceMeasure>of(), EnumSet.allOf(DistanceMeasure.class)), concurrency);
        }
    }
}
