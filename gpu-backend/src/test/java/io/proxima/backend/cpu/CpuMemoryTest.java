// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.CostSums;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.centrality.CostBetweenness;
import io.proxima.backend.result.FarnessFromSources;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.memory.PeakHeap;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares estimates with what runs take of the heap, which a JVM of its own measures. */
@Tag("full")
class CpuMemoryTest {

    /** Headers of arrays, and what the JVM allocates for itself meanwhile. */
    private static final long SLACK_BYTES = 1 << 14;

    private static final double TOLERANCE = 0.1;

    /** Compiled methods let go of objects before the step that ends their use. */
    private static final double EARLY = 0.8;

    @Test
    void shouldEstimateWhatRunsTake(@TempDir Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("measured.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        // interpreted methods keep objects that they will not use again
                        "-Xcomp",
                        "-XX:TieredStopAtLevel=1",
                        // what other threads have reserved but not allocated would count
                        "-XX:-UseTLAB",
                        // no dead object is left where it is
                        "-XX:MarkSweepAlwaysCompactCount=1",
                        "-XX:MarkSweepDeadRatio=0",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measurement.class.getName(),
                        output.toString())
                .inheritIO()
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }

        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(lines).hasSize(Measurement.CASES).allSatisfy(line -> {
            String[] fields = line.split(" ", 5);
            long least = Long.parseLong(fields[1]);
            long most = Long.parseLong(fields[2]);
            long taken = Long.parseLong(fields[3]);
            assertThat(taken).as(line).isLessThanOrEqualTo(most + SLACK_BYTES);
            Measurement.Bound reached = Measurement.Bound.valueOf(fields[0]);
            if (reached != Measurement.Bound.AT_MOST) {
                assertThat(taken).as(line).isGreaterThanOrEqualTo((long) (least * EARLY) - SLACK_BYTES);
            }
            if (reached == Measurement.Bound.LEAST || reached == Measurement.Bound.MOST) {
                long bound = reached == Measurement.Bound.LEAST ? least : most;
                assertThat(Math.abs(taken - bound)).as(line).isLessThan((long) (TOLERANCE * bound) + SLACK_BYTES);
            }
        });
    }

    /**
     * Measures all cases; writes for each the bound that it comes to, both bounds, what was taken and the case's name.
     */
    static final class Measurement {

        private static final int FIXED_CASES = 41;
        private static final int RANDOM_ROUNDS = 2;
        private static final int CASES = FIXED_CASES + RANDOM_ROUNDS * Operation.values().length;
        private static final int SOURCES = 64;
        private static final Set<DistanceMeasure> ALL = Set.of(DistanceMeasure.values());

        private final PrintStream output;

        private Measurement(PrintStream output) {
            this.output = output;
        }

        /** A bound that a case comes to. */
        enum Bound {
            LEAST,
            MOST,
            BETWEEN,
            /** Several threads allocate between two looks, so that a peak may be missed. */
            AT_MOST
        }

        @FunctionalInterface
        private interface Traversal {
            Object run(Csc csc, LoadedGraph graph, RunContext control);
        }

        public static void main(String[] arguments) throws IOException {
            try (PrintStream output = new PrintStream(arguments[0], StandardCharsets.UTF_8)) {
                new Measurement(output).measureAll();
            }
        }

        private void measureAll() {
            EdgeList social = ringed(TestGraphs.rmat(14, 16, 1));
            Supplier<Csc> both = csc(social, Orientation.UNDIRECTED);
            Supplier<Csc> oneWay = csc(social, Orientation.NATURAL);
            Supplier<Csc> path = csc(TestGraphs.path(70_000), Orientation.UNDIRECTED);
            Supplier<Csc> largePath = csc(TestGraphs.path(1_000_000), Orientation.UNDIRECTED);

            Supplier<Csc> even = csc(TestGraphs.uniform(1 << 15, 1 << 19, 1, true), Orientation.NATURAL);
            Supplier<Csc> grid = csc(TestGraphs.grid(70, 70), Orientation.UNDIRECTED);
            Supplier<Csc> tree = csc(TestGraphs.binaryTree(100_000), Orientation.UNDIRECTED);
            Supplier<Csc> star = csc(TestGraphs.star(100_000), Orientation.NATURAL);
            Supplier<Csc> isolated = csc(wheelAndIsolated(), Orientation.UNDIRECTED);
            PeakHeap.of(both, (csc, stop) -> csc);

            Workload bfs = work(Operation.BFS, 1);
            measure(Bound.LEAST, "shallow BFS", both, bfs);
            measure(Bound.MOST, "deep BFS", largePath, bfs);
            measure(Bound.LEAST, "first directed BFS", oneWay, bfs);
            measure(Bound.LEAST, "nearest of 64", both, work(Operation.NEAREST_SOURCE, SOURCES));

            Workload distances = work(Operation.MULTI_SOURCE_BFS, SOURCES);
            measure(Bound.LEAST, "64 sources", both, distances);
            measure(Bound.MOST, "64 sources, deep", path, distances);
            measure(Bound.LEAST, "64 sources, directed", even, distances);
            measure(Bound.BETWEEN, "64 sources, directed and skew", oneWay, distances);
            measure(Bound.LEAST, "farness of 64 sources", both, sums((1 << 14) - 1), Measurement::farnessOf);
            measure(Bound.MOST, "farness of 64 sources, deep", path, sums(69_999), Measurement::farnessOf);
            measure(
                    Bound.LEAST,
                    "farness from 64 sources",
                    both,
                    distances.keeping(FarnessFromSources.memory(1 << 14, true), MemoryTree.NONE),
                    Measurement::farnessFrom);

            measure(Bound.MOST, "farness", both, Workload.farness(Set.of()));
            measure(Bound.MOST, "directed farness", oneWay, Workload.farness(Set.of()));
            measure(Bound.BETWEEN, "farness of a mesh", grid, Workload.farness(Set.of()));
            measure(Bound.LEAST, "farness of a tree", tree, Workload.farness(Set.of()));
            measure(Bound.MOST, "farness of a star", star, Workload.farness(Set.of()));
            measure(Bound.MOST, "harmonic", both, Workload.farness(Set.of(DistanceMeasure.HARMONIC)));
            measure(Bound.BETWEEN, "farness of 1000", both, Workload.farness(1000, ALL));
            measure(Bound.BETWEEN, "directed farness of 1000", oneWay, Workload.farness(1000, ALL));
            measure(Bound.LEAST, "farness of 64", both, Workload.farness(SOURCES, ALL));
            measure(Bound.BETWEEN, "farness of 600, others isolated", isolated, Workload.farness(600, Set.of()));
            Workload figures = Workload.farness(Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS));
            measure(Bound.MOST, "eccentricity", both, figures);
            measure(Bound.MOST, "directed eccentricity", oneWay, figures);
            Workload eccentricity = Workload.farness(Set.of(DistanceMeasure.ECCENTRICITY));
            measure(Bound.LEAST, "eccentricity of a tree", tree, eccentricity);

            Workload bounds = eccentricity.keeping(EccentricityBounds.memory(1 << 14, true), MemoryTree.NONE);
            measure(Bound.AT_MOST, "eccentricity by bounds", both, bounds, Measurement::eccentricities);
            measure(Bound.AT_MOST, "directed eccentricity by bounds", oneWay, bounds, Measurement::eccentricities);

            Workload components = work(Operation.COMPONENTS, 0);
            measure(Bound.MOST, "components", both, components);
            measure(Bound.MOST, "components of a path", largePath, components);
            measure(Bound.BETWEEN, "betweenness", both, work(Operation.BETWEENNESS, 16));
            measure(Bound.BETWEEN, "directed betweenness", oneWay, work(Operation.BETWEENNESS, 16));
            measure(Bound.BETWEEN, "betweenness, others isolated", isolated, work(Operation.BETWEENNESS, 8));
            measure(Bound.BETWEEN, "betweenness of a tree", tree, work(Operation.BETWEENNESS, 100_000));
            Workload paths = work(Operation.SHORTEST_PATHS, 1);
            measure(Bound.BETWEEN, "shortest paths", largePath, paths);
            WeightedCsc differing = differing(social);
            measure(
                    Bound.BETWEEN,
                    "shortest paths, many at a time",
                    both,
                    paths,
                    (csc, graph, control) -> graph.shortestPaths(0, differing, 1e-3, true, control));
            Workload searches = work(Operation.WEIGHTED_SEARCHES, SOURCES);
            for (Supplier<Csc> each : List.of(both, grid)) {
                Csc csc = each.get();
                measure(
                        Bound.BETWEEN,
                        "weighted betweenness",
                        each,
                        searches.keeping(
                                CostBetweenness.memory(csc.vertexCount(), csc.entryCount(), 1), MemoryTree.NONE),
                        Measurement::weightedBetweenness);
            }

            // all wait at once; each finds lower costs of all that follow
            EdgeList leaves = TestGraphs.star(100_000);
            EdgeList lowered = new EdgeList(1500);
            for (int vertex = 1; vertex < 1500; vertex++) {
                for (int before = 0; before < vertex; before++) {
                    lowered.add(before, vertex);
                }
            }
            measureWeighted("weighted search of a star", leaves, edge -> 1.5);
            measureWeighted(
                    "weighted search that lowers costs",
                    lowered,
                    edge -> 1.5 * (lowered.target(edge) - lowered.source(edge)) - 0.5);

            int threads = 3;
            Workload ofAll = Workload.farness(Set.of());
            measure(Bound.MOST, "farness by 3 threads", both, ofAll, false, threads);
            measure(Bound.MOST, "directed farness by 3 threads", oneWay, ofAll, false, threads);
            measure(Bound.BETWEEN, "second directed BFS", oneWay, bfs, true, threads);
            Random random = new Random(1);
            for (int round = 0; round < RANDOM_ROUNDS; round++) {
                for (Operation operation : Operation.values()) {
                    measureAtRandom(operation, random);
                }
            }
        }

        private void measureWeighted(String name, EdgeList edges, LongToDoubleFunction weight) {
            WeightedEdgeList list = new WeightedEdgeList(edges.vertexCount(), Orientation.NATURAL);
            for (long edge = 0; edge < edges.edgeCount(); edge++) {
                list.add(edges.source(edge), edges.target(edge), weight.applyAsDouble(edge));
            }
            WeightedCsc weights = list.build(1, Stop.NEVER).weights();
            measure(
                    Bound.BETWEEN,
                    name,
                    csc(edges, Orientation.NATURAL),
                    work(Operation.WEIGHTED_SEARCHES, 1),
                    (csc, graph, control) -> {
                        CostSums sums = new CostSums(1, false);
                        graph.weightedSearches(new int[] {0}, weights, ShortestPaths.UNREACHED, sums, control);
                        return sums;
                    });
        }

        /** A run on a graph that may have many components, by several threads. */
        private void measureAtRandom(Operation operation, Random random) {
            int scale = (operation.mayBeManySearches() ? 12 : 16) + random.nextInt(3);
            int side = 1 << (scale / 2);
            EdgeList edges =
                    switch (random.nextInt(6)) {
                        case 0 -> TestGraphs.path(1 << scale);
                        case 1 -> TestGraphs.grid(side, side);
                        case 2 -> TestGraphs.binaryTree(1 << scale);
                        case 3 -> TestGraphs.rmat(scale, 8, random.nextInt());
                        case 4 -> ringed(TestGraphs.rmat(scale, 4, random.nextInt()));
                        default -> TestGraphs.uniform(1 << scale, 1L << scale, random.nextInt(), true);
                    };
            Orientation orientation = List.of(Orientation.values()).get(random.nextInt(Orientation.values().length));
            int sources = 1 + random.nextInt(300);
            Set<DistanceMeasure> measures = random.nextBoolean() ? ALL : Set.of(DistanceMeasure.ECCENTRICITY);
            Workload work =
                    switch (operation) {
                        case FARNESS -> Workload.farness(measures);
                        case FARNESS_OF_SOURCES -> Workload.farness(sources, measures);
                        default -> work(operation, sources);
                    };
            int threads = 1 + random.nextInt(4);
            String name = operation + " of " + sources + ", " + edges.vertexCount() + " nodes, " + orientation + ", by "
                    + threads + " threads";
            measure(Bound.AT_MOST, name, csc(edges, orientation), work, random.nextBoolean(), threads);
        }

        private static Workload work(Operation operation, int sources) {
            return new Workload(operation, sources, LoadedGraph.NO_MAX_DEPTH);
        }

        private static Workload sums(long deepest) {
            return work(Operation.MULTI_SOURCE_BFS, SOURCES)
                    .keeping(FarnessOfSources.memory(SOURCES, deepest, ALL, 1), MemoryTree.NONE);
        }

        private static Object farnessOf(Csc csc, LoadedGraph graph, RunContext control) {
            FarnessOfSources sums = new FarnessOfSources(SOURCES, csc.vertexCount(), ALL, control);
            graph.multiSourceBfs(Runs.sources(csc, SOURCES), LoadedGraph.NO_MAX_DEPTH, sums, control);
            return sums;
        }

        private static Object eccentricities(Csc csc, LoadedGraph graph, RunContext control) {
            try (LoadedGraph reversed = new CpuBackend().load(csc.transposed(1, Stop.NEVER))) {
                LoadedGraph against = csc.isSymmetric() ? graph : reversed;
                return EccentricityBounds.find(csc, graph, against, Set.of(Wanted.ALL), () -> {}, control);
            }
        }

        private static Object farnessFrom(Csc csc, LoadedGraph graph, RunContext control) {
            FarnessFromSources sums = new FarnessFromSources(csc.vertexCount(), true, control);
            graph.multiSourceBfs(Runs.sources(csc, SOURCES), LoadedGraph.NO_MAX_DEPTH, sums, control);
            return sums;
        }

        private static Object weightedBetweenness(Csc csc, LoadedGraph graph, RunContext control) {
            return CostBetweenness.run(graph, WeightedCsc.ofOnes(csc), true, Runs.sources(csc, SOURCES), control);
        }

        /** A wide search of the wheel takes less than its share of the heap, one of all vertices more. */
        private static EdgeList wheelAndIsolated() {
            EdgeList edges = new EdgeList(2_000_000);
            for (int vertex = 1; vertex < 1_500_000; vertex++) {
                edges.add(0, vertex).add(vertex, vertex + 1);
            }
            return edges;
        }

        /** The graph and a ring through all vertices: connected, and no tree hangs from it. */
        private static EdgeList ringed(EdgeList edges) {
            int last = edges.vertexCount() - 1;
            for (int vertex = 0; vertex < last; vertex++) {
                edges.add(vertex, vertex + 1);
            }
            return edges.add(last, 0);
        }

        /** The edges with weights of six magnitudes. */
        private static WeightedCsc differing(EdgeList edges) {
            WeightedEdgeList weighted = new WeightedEdgeList(edges.vertexCount(), Orientation.UNDIRECTED);
            Random random = new Random(2);
            for (long edge = 0; edge < edges.edgeCount(); edge++) {
                weighted.add(edges.source(edge), edges.target(edge), Math.pow(10, random.nextDouble() * 6 - 3));
            }
            return weighted.build(1, Stop.NEVER).weights();
        }

        private static Supplier<Csc> csc(EdgeList edges, Orientation orientation) {
            return () -> edges.toCsc(orientation, 1, Stop.NEVER);
        }

        private void measure(Bound bound, String name, Supplier<Csc> graph, Workload work) {
            measure(bound, name, graph, work, false, 1);
        }

        private void measure(
                Bound bound, String name, Supplier<Csc> graph, Workload work, boolean searched, int threads) {
            measure(
                    bound,
                    name,
                    graph,
                    work,
                    searched,
                    threads,
                    (csc, loaded, control) -> Runs.run(work, csc, loaded, control));
        }

        private void measure(Bound bound, String name, Supplier<Csc> graph, Workload work, Traversal traversal) {
            measure(bound, name, graph, work, false, 1, traversal);
        }

        private void measure(
                Bound bound,
                String name,
                Supplier<Csc> graph,
                Workload work,
                boolean searched,
                int threads,
                Traversal traversal) {
            CpuBackend backend = new CpuBackend();
            // made once less: the run that is not measured may have the graph of the estimate
            AtomicReference<Csc> made = new AtomicReference<>(graph.get());
            MemoryTree estimate =
                    backend.estimate(made.get(), searched, work, threads).heap();
            Supplier<Csc> graphs = () -> made.get() == null ? graph.get() : made.getAndSet(null);
            long taken = PeakHeap.of(graphs, (csc, stop) -> {
                try (LoadedGraph loaded = backend.load(csc)) {
                    RunContext control = new RunContext(threads, stop, Progress.NONE);
                    return traversal.run(csc, loaded, searched ? control.again() : control);
                }
            });
            output.printf("%s %d %d %d %s%n", bound, estimate.minBytes(), estimate.maxBytes(), taken, name);
            output.flush();
        }
    }
}
