// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphClassTest {

    @Test
    void shouldCallAStarScaleFreeLike() {
        GraphClass star = undirected(TestGraphs.star(1000));

        assertThat(star.scaleFreeLike()).isTrue();
        // the hub and 9 leaves, then the hub and 99 leaves, of 1998 ends
        assertThat(star.out().topHundredthShare()).isCloseTo((999 + 9) / 1998.0, within(1e-12));
        assertThat(star.out().topTenthShare()).isCloseTo((999 + 99) / 1998.0, within(1e-12));
        assertThat(star.out().slope()).isNaN();
    }

    @Test
    void shouldCallRmatScaleFreeLikeButNotMeshesAndUniformGraphs() {
        assertThat(undirected(TestGraphs.rmat(12, 16, 1)).scaleFreeLike()).isTrue();
        assertThat(of(Meshes.lattice(100, 0.6, 1)).scaleFreeLike()).isFalse();
        for (EdgeList even : List.of(
                TestGraphs.path(500),
                TestGraphs.clique(100),
                TestGraphs.uniform(20_000, 300_000, 2, false),
                TestGraphs.empty())) {
            assertThat(undirected(even).scaleFreeLike()).isFalse();
        }
    }

    private static GraphClass undirected(EdgeList edges) {
        return of(edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER));
    }

    @Test
    void shouldLookAtBothDirections() {
        // one vertex has an edge to each of the others, so the in-degrees are level
        EdgeList edges = TestGraphs.star(1000);
        GraphClass outHub = of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER));
        GraphClass inHub = of(edges.toCsc(Orientation.REVERSE, 1, Stop.NEVER));

        assertThat(outHub.out().heavyTailed()).isTrue();
        assertThat(outHub.in().heavyTailed()).isFalse();
        assertThat(inHub.out().heavyTailed()).isFalse();
        assertThat(inHub.in().heavyTailed()).isTrue();
        assertThat(outHub.scaleFreeLike()).isTrue();
        assertThat(inHub.scaleFreeLike()).isTrue();
    }

    @Test
    void shouldFitTheHistogramFromDegreeFiveOn() {
        // 4096 / k^2 vertices of each degree k = 4, 8, 16, 32, so a line of slope -2 whatever stands below degree 5
        EdgeList edges = new EdgeList(20_000);
        int source = 0;
        for (int degree : new int[] {4, 8, 16, 32}) {
            for (int i = 0; i < (degree == 4 ? 1000 : 4096 / (degree * degree)); i++) {
                for (int k = 0; k < degree; k++) {
                    edges.add(source, 10_000 + (source * 37 + k) % 10_000);
                }
                source++;
            }
        }
        GraphClass.DegreeDistribution out =
                of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER)).out();

        assertThat(out.slope()).isCloseTo(-2, within(1e-9));
        assertThat(out.rSquared()).isCloseTo(1, within(1e-9));
        assertThat(out.heavyByFit()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0.05, 0.40, NaN, NaN, true",
        "0.0499, 0.9, NaN, NaN, false",
        "0.3, 0.3999, NaN, NaN, false",
        "0, 0, -1, 0.70, true",
        "0, 0, -5, 0.70, true",
        "0, 0, -2, 0.6999, false",
        "0, 0, -0.99, 0.9, false",
        "0, 0, -5.01, 0.9, false",
        "0, 0, 2, 0.9, false"
    })
    void shouldHoldTheFootnotesThresholds(
            double hundredth, double tenth, double slope, double rSquared, boolean heavyTailed) {
        assertThat(new GraphClass.DegreeDistribution(hundredth, tenth, slope, rSquared).heavyTailed())
                .isEqualTo(heavyTailed);
    }

    private static GraphClass of(Csc graph) {
        GraphClass found = GraphClass.of(graph, 1, Stop.NEVER);
        assertThat(GraphClass.of(graph, 4, Stop.NEVER)).isEqualTo(found);
        return found;
    }
}
