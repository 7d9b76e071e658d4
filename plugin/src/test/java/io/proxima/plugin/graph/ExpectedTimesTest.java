// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendInfo;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What describe promises is within a factor of 3 of what was measured on two cores, see docs/benchmarks/peers.md. */
class ExpectedTimesTest {

    private static final Path BENCHMARKS = Path.of("..", "docs", "benchmarks");

    private static final Map<String, String> CALLS = Map.of(
            "BFS stats", "proxima.bfs",
            "BFS stream and count", "proxima.bfs",
            "closeness", "proxima.closeness",
            "betweenness", "proxima.betweenness",
            "paths by weight stats", "proxima.allShortestPaths.delta",
            "paths by cost stats", "proxima.allShortestPaths.delta",
            "wcc stats", "proxima.wcc",
            "write", "a write of every node");

    /**
     * The graphs of the benchmarks.
     *
     * @param reached mean number of nodes in the component of a node
     * @param measured number of times of the graph
     */
    @ParameterizedTest
    @CsvSource({
        "airports, UNDIRECTED, 3503, 92778, 3470, 8",
        "airports NATURAL, NATURAL, 3503, 46389, 3470, 2",
        "ego_facebook, UNDIRECTED, 4039, 176468, 4039, 4",
        "ca_condmat, UNDIRECTED, 21363, 182572, 21363, 4",
        "as_caida, UNDIRECTED, 26475, 106762, 26475, 4",
        "cit_hepth, UNDIRECTED, 27770, 704570, 27034, 7",
        "cit_hepth NATURAL, NATURAL, 27770, 352768, 27034, 1",
        "cit_hepth REVERSE, NATURAL, 27770, 352768, 27034, 1",
        "email_enron, UNDIRECTED, 36692, 367662, 30944, 7",
        "rmat-14, UNDIRECTED, 16384, 425818, 9491, 4",
        "rmat-14 NATURAL, NATURAL, 16384, 228182, 9491, 2",
        "rmat-16, UNDIRECTED, 65536, 1818176, 33333, 7",
        "rmat-18, UNDIRECTED, 262144, 7610122, 115511, 5",
    })
    void shouldBeNearWhatWasMeasured(
            String graph, Orientation orientation, int nodes, int entries, long reached, int measured)
            throws IOException {
        Csc sized = graph(orientation, nodes, entries);
        List<BackendInfo> cpu = List.of(new BackendInfo("cpu", true, "", "", "", 0, 0, ""));
        List<DescribeProcedure.Expected> expected =
                DescribeProcedure.expected(cpu, sized, true, true, false, reached, 2);
        int found = 0;
        for (Map.Entry<String, String> step : CALLS.entrySet()) {
            long millis = expected.stream()
                    .filter(time -> time.call().equals(step.getValue()))
                    .findFirst()
                    .orElseThrow()
                    .expectedMillis();
            for (double median : medians(graph, step.getKey())) {
                assertThat((double) millis)
                        .as("%s of %s, which took %s ms", step.getKey(), graph, median)
                        .isBetween(median / 3, median * 3);
                found++;
            }
        }
        assertThat(found).isEqualTo(measured);
    }

    /** A graph of that size. */
    private static Csc graph(Orientation orientation, int nodes, int entries) {
        int edges = orientation == Orientation.UNDIRECTED ? entries / 2 : entries;
        EdgeList list = new EdgeList(nodes);
        for (int i = 0; i < edges; i++) {
            int source = i % nodes;
            list.add(source, (source + 1 + i / nodes) % nodes);
        }
        Csc graph = list.toCsc(orientation, 1, Stop.NEVER);
        assertThat(graph.entryCount()).isEqualTo(entries);
        return graph;
    }

    /** The median of Proxima in each file that has the step. */
    private static List<Double> medians(String graph, String step) throws IOException {
        List<Double> medians = new ArrayList<>();
        for (String file : List.of("peers.csv", "peers-head.csv", "peers-algorithms.csv")) {
            double[] times = Files.readAllLines(BENCHMARKS.resolve(file)).stream()
                    .filter(line -> line.startsWith(graph + "," + step + ",proxima,"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                    .sorted()
                    .toArray();
            if (times.length > 0) {
                medians.add(times[times.length / 2]);
            }
        }
        return medians;
    }

    @Test
    void shouldShowTimesWithOneDecimal() {
        assertThat(DescribeProcedure.words(999)).isEqualTo("999 ms");
        assertThat(DescribeProcedure.words(1985)).isEqualTo("2.0 seconds");
        assertThat(DescribeProcedure.words(119_000)).isEqualTo("119.0 seconds");
        assertThat(DescribeProcedure.words(125_000)).isEqualTo("2.1 minutes");
        assertThat(DescribeProcedure.words(7_500_000)).isEqualTo("2.1 hours");
    }
}
