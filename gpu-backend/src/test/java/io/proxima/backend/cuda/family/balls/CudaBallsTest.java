// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.Gpu;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches by balls on a real device, under the checking wrapper. */
@Tag("gpu")
class CudaBallsTest {

    private static final int[] NO_TARGETS = {};
    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;
    private static final long SEED = 11;

    /** What a run asks for, and what it must get. */
    record Way(Kernel kernel, VertexOrder order) {}

    static Stream<Way> ways() {
        return Stream.of(Kernel.of("balls"), Kernel.of("ball-records"))
                .flatMap(kernel ->
                        Stream.of(VertexOrder.NATURAL, VertexOrder.DEGREE).map(order -> new Way(kernel, order)));
    }

    /** Name and graph. */
    static Map<String, Csc> graphs() {
        Map<String, Csc> graphs = new LinkedHashMap<>();
        undirected(graphs, "road", road(60, 50));
        undirected(graphs, "random geometric", geometric(2500));
        undirected(graphs, "lollipop", TestGraphs.lollipop(60, 800));
        undirected(graphs, "binary tree", TestGraphs.binaryTree(4095));
        undirected(graphs, "path", TestGraphs.path(3000));
        // from 1,024 neighbours on the whole grid takes a vertex
        undirected(graphs, "star", TestGraphs.star(5000));
        undirected(graphs, "star of stars", starOfStars(5, 1100));
        undirected(graphs, "disconnected", TestGraphs.disconnected(400));
        undirected(graphs, "uniform", TestGraphs.uniform(2000, 5000, SEED, false));
        undirected(graphs, "dense", TestGraphs.uniform(400, 12_000, SEED, false));
        EdgeList few = new EdgeList(800);
        for (int i = 0; i < 30; i++) {
            few.add(i * 7, i * 11 + 3);
        }
        undirected(graphs, "isolated vertices", few);
        for (Map.Entry<String, EdgeList> entry : Map.of(
                        "directed road", road(50, 40),
                        "directed binary tree", TestGraphs.binaryTree(2047),
                        "directed star of stars", starOfStars(5, 1100),
                        "directed uniform", TestGraphs.uniform(2000, 6000, SEED, true))
                .entrySet()) {
            graphs.put(entry.getKey(), entry.getValue().toCsc(Orientation.NATURAL, 1, Stop.NEVER));
        }
        return graphs;
    }

    private static void undirected(Map<String, Csc> graphs, String name, EdgeList edges) {
        graphs.put(name, edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER));
    }

    /** A lattice with 7 of 10 of its links. */
    private static EdgeList road(int width, int height) {
        EdgeList edges = new EdgeList(width * height);
        Random random = new Random(SEED);
        for (int v = 0; v < width * height; v++) {
            if (v % width < width - 1 && random.nextInt(10) < 7) {
                edges.add(v, v + 1);
            }
            if (v + width < width * height && random.nextInt(10) < 7) {
                edges.add(v, v + width);
            }
        }
        return edges;
    }

    /** Points in the unit square, with an edge between those that are near. */
    private static EdgeList geometric(int n) {
        Random random = new Random(SEED);
        double[] x = random.doubles(n).sorted().toArray();
        double[] y = random.doubles(n).toArray();
        double radius = 0.55 * Math.sqrt(Math.log(n) / n);
        EdgeList edges = new EdgeList(n);
        for (int v = 0; v < n; v++) {
            for (int w = v + 1; w < n && x[w] - x[v] < radius; w++) {
                if (Math.hypot(x[w] - x[v], y[w] - y[v]) < radius) {
                    edges.add(v, w);
                }
            }
        }
        return edges;
    }

    /** A hub of hubs, each with so many leaves. */
    private static EdgeList starOfStars(int hubs, int leaves) {
        EdgeList edges = new EdgeList(1 + hubs * (leaves + 1));
        for (int hub = 0; hub < hubs; hub++) {
            int centre = 1 + hub * (leaves + 1);
            edges.add(0, centre);
            for (int leaf = 1; leaf <= leaves; leaf++) {
                edges.add(centre, centre + leaf);
            }
        }
        return edges;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindTheLevelsOfATextbook(Way way) {
        graphs().forEach((name, csc) -> {
            try (LoadedGraph loaded = Gpu.backend().load(csc)) {
                int n = csc.vertexCount();
                for (int source : new int[] {0, 1, n / 3, n / 2, n - 1}) {
                    assertThat(loaded.bfs(source, NO_MAX, NO_TARGETS, control(way))
                                    .levels())
                            .as("%s from %d", name, source)
                            .isEqualTo(TextbookBfs.levels(csc, NO_MAX, source));
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldEndAtMaxDepthAndAtTheFirstTarget(Way way) {
        Random random = new Random(SEED);
        graphs().forEach((name, csc) -> {
            int n = csc.vertexCount();
            try (LoadedGraph loaded = Gpu.backend().load(csc)) {
                for (int maxDepth : new int[] {0, 1, 2, 9, NO_MAX}) {
                    int source = random.nextInt(n);
                    int[] expected = TextbookBfs.levels(csc, maxDepth, source);
                    assertThat(loaded.bfs(source, maxDepth, NO_TARGETS, control(way))
                                    .levels())
                            .as("%s from %d to %d", name, source, maxDepth)
                            .isEqualTo(expected);
                    int[] targets = random.ints(3, 0, n).toArray();
                    int last = Arrays.stream(targets)
                            .map(target -> expected[target])
                            .filter(level -> level >= 0)
                            .min()
                            .orElse(n);
                    assertThat(loaded.bfs(source, maxDepth, targets, control(way))
                                    .levels())
                            .as("%s from %d to %d or %s", name, source, maxDepth, Arrays.toString(targets))
                            .isEqualTo(Arrays.stream(expected)
                                    .map(level -> level > last ? -1 : level)
                                    .toArray());
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindTheNearestOfManySources(Way way) {
        graphs().forEach((name, csc) -> {
            int n = csc.vertexCount();
            try (LoadedGraph loaded = Gpu.backend().load(csc)) {
                for (int count : new int[] {2, 33, n / 2, n}) {
                    int[] sources = IntStream.range(0, count)
                            .map(i -> (int) ((long) i * n / count))
                            .toArray();
                    NearestSources found = loaded.nearestSource(sources, NO_MAX, control(way));
                    assertThat(found.distances())
                            .as("%s from %d sources", name, count)
                            .isEqualTo(TextbookBfs.levels(csc, NO_MAX, sources));
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldRunWithWhatWasAskedFor(Way way) {
        try (LoadedGraph loaded = Gpu.backend().load(graphs().get("road"))) {
            assertThat(SimulatedBallsTest.names(loaded, control(way)))
                    .containsExactly(way.kernel().keyword());
        }
    }

    private static RunControl control(Way way) {
        return RunControl.of(1).with(new RunOptions(way.order(), way.kernel()));
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    /** Frontiers of more vertices than there are warps, lists that spill, hubs, and windows of all lengths. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindTheLevelsOfATextbookOnLargerGraphs(Way way) {
        Map<String, Csc> graphs = new LinkedHashMap<>();
        graphs.put("R-MAT", TestGraphs.rmat(17, 12, 5).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("directed R-MAT", TestGraphs.rmat(17, 12, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER));
        graphs.put("grid", TestGraphs.grid(500, 700).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put(
                "uniform", TestGraphs.uniform(300_000, 900_000, 7, false).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("star", TestGraphs.star(400_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("path", TestGraphs.path(100_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        RunControl control = RunControl.of(2).with(new RunOptions(way.order(), way.kernel()));
        graphs.forEach((name, csc) -> {
            int n = csc.vertexCount();
            try (LoadedGraph loaded = Gpu.backend().load(csc)) {
                for (int source : new int[] {0, n / 2, n - 1}) {
                    assertThat(loaded.bfs(source, -1, NO_TARGETS, control).levels())
                            .as("%s from %d", name, source)
                            .isEqualTo(TextbookBfs.levels(csc, -1, source));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"balls", "ball-records"})
    void shouldStopInsideAKernel(String keyword) {
        Csc csc = TestGraphs.path(8_000_000).toCsc(Orientation.NATURAL, 4, Stop.NEVER);
        RunOptions options = new RunOptions(VertexOrder.NATURAL, Kernel.of(keyword));
        try (LoadedGraph loaded = Gpu.backend().load(csc)) {
            loaded.prepare(Operation.BFS, 1, RunControl.of(4).with(options));
            long begin = System.nanoTime();
            Stop stop = () -> System.nanoTime() - begin > 50_000_000;
            RunControl control = new RunControl(1, stop, Progress.NONE).with(options);
            assertThatThrownBy(() -> loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldStopWhileRecordsAreMade() {
        Csc csc = TestGraphs.grid(2000, 2000).toCsc(Orientation.UNDIRECTED, 4, Stop.NEVER);
        RunOptions options = new RunOptions(VertexOrder.NATURAL, Kernel.of("ball-records"));
        try (LoadedGraph loaded = Gpu.backend().load(csc)) {
            loaded.prepare(
                    Operation.BFS, 1, RunControl.of(4).with(new RunOptions(VertexOrder.NATURAL, Kernel.of("balls"))));
            long before = loaded.bytes();
            int[] asked = {0};
            Stop stop = () -> asked[0]++ > 20;
            RunControl control = new RunControl(1, stop, Progress.NONE).with(options);
            assertThatThrownBy(() -> loaded.prepare(Operation.BFS, 1, control)).isInstanceOf(StoppedException.class);
            assertThat(loaded.bytes()).isEqualTo(before);
        }
    }
}
