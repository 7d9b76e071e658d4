// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.order.NestedBalls;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link StopContract}, for what is made of a graph on the host: CSCs, orders, slice sets, fingerprints. */
@Tag("full")
class PreparationStopTest {

    private static final long SEED = Long.getLong("proxima.kill.seed", 1);
    private static final int ROUNDS = Integer.getInteger("proxima.kill.rounds", 1);
    private static final int VERTICES = 300_000;

    private interface Work {
        void run(int concurrency, Stop stop);
    }

    @Test
    void shouldEndSoonWheneverItIsKilled() {
        int killed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            for (Map.Entry<String, EdgeList> graph :
                    KillGraphs.of(VERTICES, seed).entrySet()) {
                Random random = new Random(seed * 31 + graph.getKey().hashCode());
                for (Map.Entry<String, Work> work : works(graph.getValue()).entrySet()) {
                    int concurrency = 1 + random.nextInt(2);
                    String what = "proxima.kill.seed=" + seed + ": " + work.getKey() + " of " + graph.getKey() + " by "
                            + concurrency + " threads";
                    RandomKill kill = RandomKill.of(random);
                    killed += kill.stops(what, stop -> work.getValue().run(concurrency, stop)) ? 1 : 0;
                }
            }
        }
        // so that the net cannot go slack unseen
        assertThat(killed)
                .as("pieces of work that were killed before they were done")
                .isGreaterThan(20 * ROUNDS);
    }

    private static Map<String, Work> works(EdgeList edges) {
        Csc directed = edges.toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        Csc symmetric = edges.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        int[] backwards = IntStream.rangeClosed(1, directed.vertexCount())
                .map(i -> directed.vertexCount() - i)
                .toArray();
        Permutation reversed = Permutation.ofVertices(backwards, 1, Stop.NEVER);
        Map<String, Work> works = new LinkedHashMap<>();
        works.put("CSC", (concurrency, stop) -> edges.toCsc(Orientation.UNDIRECTED, concurrency, stop));
        // of a CSC of its own, as it is made once
        works.put("transposed CSC", (concurrency, stop) -> edges.toCsc(Orientation.NATURAL, 2, Stop.NEVER)
                .transposed(concurrency, stop));
        for (Csc csc : new Csc[] {directed, symmetric}) {
            String name = csc == directed ? " of the directed graph" : " of the symmetric graph";
            works.put("relabelled CSC" + name, (concurrency, stop) -> reversed.apply(csc, concurrency, stop));
            works.put("hubs" + name, (concurrency, stop) -> OrderPolicy.hasHubs(csc, concurrency, stop));
            works.put(
                    "nested balls" + name,
                    (concurrency, stop) -> NestedBalls.of(csc, null, csc.vertexCount(), 1024, 64, concurrency, stop));
            works.put("fingerprint" + name, (concurrency, stop) -> GraphFingerprint.of(csc, concurrency, stop));
            for (VertexOrder order : VertexOrder.values()) {
                if (order != VertexOrder.AUTO) {
                    works.put(
                            "order " + order + name,
                            (concurrency, stop) -> Orders.permutation(order, csc, concurrency, stop, Progress.NONE));
                }
            }
        }
        return works;
    }
}
