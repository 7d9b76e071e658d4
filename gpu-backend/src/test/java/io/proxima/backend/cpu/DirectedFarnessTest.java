// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TextbookFarness;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Directed graphs in which sources reach different parts: all measures are those of a search from each vertex. */
class DirectedFarnessTest {

    /** How edges are drawn. */
    enum Shape {
        DAG {
            @Override
            void addEdges(EdgeList edges, int vertices, Random random) {
                for (int i = 0; i < 3 * vertices; i++) {
                    int end = 1 + random.nextInt(vertices - 1);
                    edges.add(random.nextInt(end), end);
                }
            }
        },
        CYCLE_OF_CYCLES {
            @Override
            void addEdges(EdgeList edges, int vertices, Random random) {
                int first = 0;
                while (first < vertices) {
                    int size = Math.min(1 + random.nextInt(40), vertices - first);
                    for (int i = 0; i < size; i++) {
                        edges.add(first + i, first + (i + 1) % size);
                    }
                    edges.add(first, (first + size) % vertices);
                    first += size;
                }
            }
        },
        /** A third each: vertices that reach a strongly connected core, the core, and vertices that the core reaches. */
        BOW_TIE {
            @Override
            void addEdges(EdgeList edges, int vertices, Random random) {
                int third = vertices / 3;
                for (int v = third; v < 2 * third; v++) {
                    edges.add(v, v + 1 < 2 * third ? v + 1 : third);
                    edges.add(third + random.nextInt(third), third + random.nextInt(third));
                }
                for (int v = 0; v < third; v++) {
                    edges.add(v, v + 1 + random.nextInt(third));
                    edges.add(third + v + random.nextInt(third), 2 * third + v);
                }
            }
        },
        SMALL_COMPONENTS {
            @Override
            void addEdges(EdgeList edges, int vertices, Random random) {
                for (int v = 1; v < vertices; v++) {
                    int other = Math.max(0, v - 1 - random.nextInt(12));
                    if (random.nextInt(8) > 0) {
                        edges.add(random.nextBoolean() ? v : other, random.nextBoolean() ? v : other);
                    }
                }
            }
        };

        abstract void addEdges(EdgeList edges, int vertices, Random random);
    }

    @Property(tries = 60)
    void shouldEqualTheTextbook(
            @ForAll Shape shape,
            @ForAll @IntRange(min = 6, max = 1300) int vertices,
            @ForAll long seed,
            @ForAll boolean mixed,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 2) int concurrency) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(vertices);
        shape.addEdges(edges, vertices, random);
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
            for (Set<DistanceMeasure> measures :
                    List.of(Set.<DistanceMeasure>of(), EnumSet.allOf(DistanceMeasure.class))) {
                expected.check(loaded.farness(measures, RunControl.of(concurrency)), measures);
            }
        }
    }
}
