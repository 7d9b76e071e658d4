// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The distances to vertices summed up from searches as in a textbook, one a vertex. */
public final class TextbookFarness {

    private final int[] vertices;
    // by position in vertices
    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] eccentricity;
    // pairs of which one of the vertices is the second, by distance
    private long[] hops = {};

    /** Sums for all vertices. */
    public TextbookFarness(Csc csc) {
        this(csc, IntStream.range(0, csc.vertexCount()).toArray());
    }

    /** Sums for some vertices. */
    public TextbookFarness(Csc csc, int... vertices) {
        this.vertices = vertices;
        this.farness = new long[vertices.length];
        this.reach = new long[vertices.length];
        this.harmonic = new double[vertices.length];
        this.eccentricity = new int[vertices.length];
        Csc reversed = csc.transposed(1, Stop.NEVER);
        for (int i = 0; i < vertices.length; i++) {
            int[] levels = TextbookBfs.levels(reversed, -1, vertices[i]);
            int depth = Arrays.stream(levels).max().orElse(0);
            long[] counts = new long[depth + 1];
            for (int level : levels) {
                if (level >= 0) {
                    counts[level]++;
                }
            }
            hops = Arrays.copyOf(hops, Math.max(hops.length, depth + 1));
            hops[0]++;
            for (int level = 1; level <= depth; level++) {
                hops[level] += counts[level];
                farness[i] += level * counts[level];
                reach[i] += counts[level];
                harmonic[i] = Farness.addHarmonic(harmonic[i], counts[level], level);
            }
            eccentricity[i] = depth;
        }
    }

    /** Checks the sums of all vertices of a graph, each time with other measures beside them. */
    public void check(LoadedGraph graph, List<Set<DistanceMeasure>> each, int concurrency) {
        for (Set<DistanceMeasure> measures : each) {
            check(graph.farness(measures, RunContext.of(concurrency)), measures);
        }
    }

    /** Checks the sums of these vertices, in their order. */
    public void check(Farness found, Set<DistanceMeasure> measures) {
        assertThat(found.farness()).hasSize(vertices.length);
        assertThat(found.reach()).hasSize(vertices.length);
        assertThat(found.harmonic() != null).isEqualTo(measures.contains(DistanceMeasure.HARMONIC));
        assertThat(found.eccentricity() != null).isEqualTo(measures.contains(DistanceMeasure.ECCENTRICITY));
        assertThat(found.hops()).isEqualTo(measures.contains(DistanceMeasure.HOPS) ? hops : null);
        for (int i = 0; i < vertices.length; i++) {
            int vertex = vertices[i];
            assertThat(found.farness()[i]).as("farness of %d", vertex).isEqualTo(farness[i]);
            assertThat(found.reach()[i]).as("reach of %d", vertex).isEqualTo(reach[i]);
            if (found.harmonic() != null) {
                assertThat(found.harmonic()[i]).as("harmonic of %d", vertex).isEqualTo(harmonic[i]);
            }
            if (found.eccentricity() != null) {
                assertThat(found.eccentricity()[i])
                        .as("eccentricity of %d", vertex)
                        .isEqualTo(eccentricity[i]);
            }
        }
    }
}
