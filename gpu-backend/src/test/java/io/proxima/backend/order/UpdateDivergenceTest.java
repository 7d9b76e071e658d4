// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.backend.SmallGraph;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class UpdateDivergenceTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(400, 800);
    }

    @Property(tries = 200)
    void shouldBeThePapersMeasure(@ForAll("graphs") SmallGraph sample, @ForAll Orientation orientation) {
        Csc graph = sample.toEdgeList().toCsc(orientation, 1, Stop.NEVER);

        assertThat(UpdateDivergence.of(bvss(graph), 2, Stop.NEVER)).isCloseTo(fromTheGraph(graph), within(1e-9));
    }

    @Test
    void shouldBeTheSameNumberForEveryConcurrency() {
        Bvss bvss = bvss(TestGraphs.rmat(15, 8, 1).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        double one = UpdateDivergence.of(bvss, 1, Stop.NEVER);

        assertThat(one).isPositive();
        assertThat(UpdateDivergence.of(bvss, 2, Stop.NEVER)).isEqualTo(one);
        assertThat(UpdateDivergence.of(bvss, 7, Stop.NEVER)).isEqualTo(one);
    }

    @Test
    void shouldBeZeroWhereEachColumnHasOneRow() {
        EdgeList edges = new EdgeList(100).add(0, 9).add(1, 40).add(2, 90);

        assertThat(UpdateDivergence.of(bvss(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER)), 1, Stop.NEVER))
                .isZero();
        assertThat(UpdateDivergence.of(
                        bvss(TestGraphs.empty().toCsc(Orientation.NATURAL, 1, Stop.NEVER)), 1, Stop.NEVER))
                .isZero();
    }

    private static Bvss bvss(Csc graph) {
        return BvssBuilder.build(graph, 1, Stop.NEVER, Progress.NONE);
    }

    /** Section 4.2 from the edges: slice k of a slice set's VSS is in column k mod 4. */
    private static double fromTheGraph(Csc graph) {
        List<Double> ofSets = new ArrayList<>();
        for (int first = 0; first < graph.vertexCount(); first += 8) {
            TreeSet<Integer> rows = new TreeSet<>();
            for (int column = first; column < Math.min(first + 8, graph.vertexCount()); column++) {
                for (long i = graph.columnStart(column); i < graph.columnEnd(column); i++) {
                    rows.add(graph.rowIndices().get(i));
                }
            }
            List<Integer> slices = new ArrayList<>(rows);
            for (int start = 0; start < slices.size(); start += 128) {
                List<Integer> vss = slices.subList(start, Math.min(start + 128, slices.size()));
                double sum = 0;
                int columns = 0;
                for (int c = 0; c < 4 && c < vss.size(); c++) {
                    double mean = 0;
                    double meanSquare = 0;
                    int count = 0;
                    for (int k = c; k < vss.size(); k += 4) {
                        mean += vss.get(k);
                        meanSquare += (double) vss.get(k) * vss.get(k);
                        count++;
                    }
                    mean /= count;
                    sum += Math.sqrt(Math.max(0, meanSquare / count - mean * mean));
                    columns++;
                }
                ofSets.add(sum / columns);
            }
        }
        return ofSets.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
