// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunContext;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.centrality.HangingTrees;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The classes in which the vertices of a graph are searched from. */
class SumSourcesTest {

    private static final RunContext CONTROL = RunContext.of(2);

    @Property(tries = 300)
    void shouldSearchFromEachKeptVertexAsOftenAsItsWeightNeeds(
            @ForAll @IntRange(max = 1 << 20) int seed,
            @ForAll @IntRange(min = 3, max = 300) int core,
            @ForAll @IntRange(min = 1, max = 900) int hanging,
            @ForAll @IntRange(min = 1, max = 64) int batch) {
        Csc csc = TestGraphs.hangingTrees(core, hanging, seed).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Permutation permutation = shuffled(csc.vertexCount(), seed);
        SlotOrder order = new SlotOrder(VertexOrder.DEGREE, permutation, "");
        SumSources found = SumSources.listed(csc, order, true, batch, CONTROL);
        HangingTrees trees = HangingTrees.of(csc, Set.of(), Stop.NEVER);

        long[] weights = new long[csc.vertexCount()];
        int at = 0;
        for (SumSources.OfWeight same : found.classes()) {
            for (int i = 1; i < same.count(); i++) {
                assertThat(found.slots()[at + i - 1]).isLessThan(found.slots()[at + i]);
            }
            for (int i = 0; i < same.count(); i++) {
                int slot = found.slots()[at++];
                assertThat(slot).isLessThan(found.searched());
                weights[permutation.vertex(slot)] += same.weight();
            }
        }
        assertThat(at).isEqualTo(found.count()).isEqualTo(found.slots().length);
        for (int vertex = 0; vertex < weights.length; vertex++) {
            boolean kept = trees.isKept(vertex) && !trees.isRoot(vertex);
            int expected = found.trees() == null ? 1 : kept ? trees.weight(vertex) : 0;
            assertThat(weights[vertex]).as("vertex %d", vertex).isEqualTo(csc.degree(vertex) == 0 ? 0 : expected);
        }
    }

    private static Permutation shuffled(int count, int seed) {
        int[] vertices = Permutation.identity(count).vertices().clone();
        Random random = new Random(seed);
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int moved = vertices[i];
            vertices[i] = vertices[other];
            vertices[other] = moved;
        }
        return Permutation.ofVertices(vertices, 1, Stop.NEVER);
    }

    @Test
    void shouldHaveClassesOfItsOwnForFrequentWeights() {
        // 40 vertices with two leaves each, 8 with four, on a cycle of 200
        EdgeList edges = new EdgeList(200 + 80 + 32);
        for (int vertex = 0; vertex < 200; vertex++) {
            edges.add(vertex, (vertex + 1) % 200);
        }
        for (int leaf = 0; leaf < 80; leaf++) {
            edges.add(200 + leaf, leaf / 2);
        }
        for (int leaf = 0; leaf < 32; leaf++) {
            edges.add(280 + leaf, 100 + leaf / 4);
        }
        SumSources found = listed(edges, 40);
        assertThat(found.classes())
                .containsExactly(
                        new SumSources.OfWeight(1, 160), new SumSources.OfWeight(3, 40), new SumSources.OfWeight(4, 8));
        assertThat(found.searched()).isEqualTo(200);
    }

    @Test
    void shouldNotCutTreesIfThatSavesNoBatch() {
        EdgeList edges = TestGraphs.lollipop(20, 10);
        SumSources found = listed(edges, 16);
        assertThat(found.trees()).isNull();
        assertThat(found.classes()).containsExactly(new SumSources.OfWeight(1, 30));
        assertThat(found.searched()).isEqualTo(30);
    }

    @Test
    void shouldCutTheTreesOfTheContractsGraph() {
        SumSources found = listed(TestGraphs.hangingTrees(1_000, 5_000, 9), 1 << 10);
        assertThat(found.trees()).isNotNull();
        assertThat(found.searched()).isEqualTo(1_000);
    }

    @Test
    void shouldSearchFromNoVertexOfAForest() {
        SumSources found = listed(TestGraphs.binaryTree(100), 16);
        assertThat(found.trees()).isNotNull();
        assertThat(found.count()).isZero();
    }

    private static SumSources listed(EdgeList edges, int batch) {
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        return SumSources.listed(csc, SlotOrder.natural(""), true, batch, CONTROL);
    }
}
