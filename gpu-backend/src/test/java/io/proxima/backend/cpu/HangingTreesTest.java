// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TextbookFarness;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Trees of all shapes that hang from a ring: what is found without searching them is what searching them finds. */
class HangingTreesTest {

    @Property(tries = 150)
    void shouldFindWhatSearchesFind(
            @ForAll @IntRange(max = 1 << 20) int seed,
            @ForAll @IntRange(min = 0, max = 40) int ring,
            @ForAll @IntRange(min = 1, max = 260) int hanging,
            @ForAll @IntRange(min = 0, max = 10) int depth,
            @ForAll @IntRange(min = 1, max = 2) int concurrency) {
        Csc csc = graph(new Random(seed), ring, hanging, depth).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = new CpuBackend().load(csc)) {
            expected.check(
                    loaded,
                    List.of(
                            Set.<DistanceMeasure>of(),
                            Set.of(DistanceMeasure.ECCENTRICITY),
                            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS)),
                    concurrency);
        }
    }

    /**
     * A ring, to which vertices are added one by one: in {@code depth} of ten cases to the one before, so that tails
     * grow.
     */
    private static EdgeList graph(Random random, int ring, int hanging, int depth) {
        EdgeList edges = new EdgeList(ring + hanging);
        for (int vertex = 0; vertex < ring; vertex++) {
            edges.add(vertex, (vertex + 1) % ring);
        }
        for (int vertex = Math.max(1, ring); vertex < ring + hanging; vertex++) {
            edges.add(vertex, random.nextInt(10) < depth ? vertex - 1 : random.nextInt(vertex));
        }
        return edges;
    }
}
