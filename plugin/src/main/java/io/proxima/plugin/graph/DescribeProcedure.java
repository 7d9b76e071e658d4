// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.order.Afforest;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.ExpectedTimes;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.NamedColumns;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.statistics.Components;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Describes a graph, and says what to expect of runs on it. */
public final class DescribeProcedure extends ProximaProcedure {

    private static final String CLOSENESS = "proxima.closeness";
    private static final String ECCENTRICITY = "proxima.eccentricity";
    private static final String COSTS = "proxima.allShortestPaths.delta";
    private static final String JOB = "Graph Description";
    private static final Task COMPONENTS = Task.of("Count components");
    private static final String FAIR = "Call closeness with `useWassermanFaust: true` or `harmonic: true`";

    /** Sources of the example of distances. */
    private static final int SOURCES = 64;

    private static final long LONG_MILLIS = 10_000;
    private static final int EVERY_NODE = -1;

    /** The runs whose times on two cores are in docs/benchmarks/peers.md. */
    private static final Set<Operation> MEASURED = EnumSet.of(
            Operation.BFS, Operation.FARNESS, Operation.COMPONENTS, Operation.SHORTEST_PATHS, Operation.BETWEENNESS);

    /** A call whose time is expected, and its number of sources. */
    private record Call(String name, Operation operation, int sources) {}

    private static final List<Call> CALLS = List.of(
            new Call("proxima.bfs", Operation.BFS, 1),
            new Call("proxima.distances, " + SOURCES + " sources", Operation.MULTI_SOURCE_BFS, SOURCES),
            new Call("proxima.distances.nearest", Operation.NEAREST_SOURCE, 1),
            new Call(CLOSENESS, Operation.FARNESS, EVERY_NODE),
            new Call(ECCENTRICITY, Operation.FARNESS, EVERY_NODE),
            new Call("proxima.wcc", Operation.COMPONENTS, 1),
            new Call(COSTS, Operation.SHORTEST_PATHS, 1),
            new Call("proxima.betweenness", Operation.BETWEENNESS, EVERY_NODE));

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        RunConfig.read(caller, arguments.apply("configuration"), Operation.BFS);
    }

    /** A graph. */
    public record DescribeRow(
            @Description("The name of the graph.") String graphName,
            @Description("The number of nodes.") long nodeCount,

            @Description("The number of directed relationships that a run follows; an undirected one counts twice.")
            long relationshipCount,

            @Description("The number of weakly connected components; a node without relationships is one.")
            long componentCount,

            @Description("The share of the nodes that are in the largest component.")
            double largestComponentShare,

            @Description("The minimum, mean, maximum and percentiles of the out-degrees.")
            Map<String, Object> degreeDistribution,

            @Description("'scale-free', 'mesh-like', 'random-like' or 'empty'.")
            String graphClass,

            @Description("A lower bound of the diameter, from two searches. It is often exact.")
            long estimatedDiameter,

            @Description("The expected time of each call on each available backend: `MAP` values with `call`, `backend`"
                    + " and `expectedMillis`, which is null where no time can be promised.")
            List<Map<String, Object>> expectedTimes,

            @Description("What to do about it, in sentences.")
            List<String> advice) {}

    /** Describes a graph. */
    @Procedure(name = "proxima.graph.describe", mode = Mode.READ)
    @Help(page = "graph-list", example = "CALL proxima.graph.describe('people')")
    @NotThreadSafe
    @Description("Returns the components, degrees, class and estimated diameter of a graph, and the expected time of"
            + " each call on it.")
    public Stream<DescribeRow> describe(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = ColumnTexts.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return answer(caller -> {
            ConfigReader reader = RunConfig.reader(caller, graphName, configuration);
            RunConfig config = RunConfig.read(caller, reader, Operation.BFS);
            Map<String, Object> effective = reader.finish();
            List<Task> tasks = List.of(COMPONENTS, BackendTask.BFS, BackendTask.BFS);
            try (GraphRun run = GraphRun.open(caller, graphName, config, effective, JOB, tasks)) {
                DescribeRow row = describe(run, config);
                run.job().succeed();
                return Stream.of(row);
            }
        });
    }

    private static DescribeRow describe(GraphRun run, RunConfig config) {
        String name = run.entry().key().name();
        if (run.vertexCount() == 0) {
            return new DescribeRow(
                    name, 0, 0, 0, 0, Map.of(), "empty", 0, List.of(), List.of("The graph has no nodes."));
        }
        Csc graph = run.csc();
        LoadedGraph loaded = run.load(new CallPlan(work(graph), 2));
        run.job().beginTask(COMPONENTS, 0);
        int[] components = Components.sizes(
                Afforest.of(graph, config.threads(), run.caller().stop(), Progress.NONE),
                run.caller().stop());
        int largest = Arrays.stream(components).max().orElse(0);
        boolean scaleFree =
                OrderPolicy.hasHubs(graph, config.threads(), run.caller().stop());
        boolean deep = run.isDeep();
        String graphClass =
                graph.entryCount() == 0 ? "empty" : scaleFree ? "scale-free" : deep ? "mesh-like" : "random-like";
        long diameter = estimatedDiameter(run, loaded, graph);
        boolean weighted = !run.entry().projection().properties().isEmpty();
        long reached =
                Arrays.stream(components).mapToLong(size -> (long) size * size).sum() / graph.vertexCount();
        List<Expected> expected =
                expected(run.caller().backends().list(), graph, weighted, scaleFree, deep, reached, config.threads());
        return new DescribeRow(
                name,
                graph.vertexCount(),
                graph.entryCount(),
                components.length,
                (double) largest / graph.vertexCount(),
                run.degreeDistribution(),
                graphClass,
                diameter,
                expected.stream().map(NamedColumns::of).toList(),
                advice(graph, components, largest, deep, diameter, expected, config));
    }

    /** One search, with the components and the in-degrees, which follow each other. */
    private static Workload work(Csc graph) {
        MemoryTree components = MemoryTree.exactly("components", 3L * graph.vertexCount() * Integer.BYTES);
        return new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH).keeping(components, MemoryTree.NONE);
    }

    /** The double sweep: the depth of a search from the vertex that is farthest from the one of highest degree. */
    private static long estimatedDiameter(GraphRun run, LoadedGraph loaded, Csc graph) {
        PacedStop paced = new PacedStop(run.caller().stop());
        int hub = 0;
        for (int vertex = 1; vertex < graph.vertexCount(); vertex++) {
            hub = graph.degree(vertex) > graph.degree(hub) ? vertex : hub;
            paced.worked(1);
        }
        Levels ofHub = loaded.bfs(hub, LoadedGraph.NO_MAX_DEPTH, new int[0], run.control());
        int farthest = hub;
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            farthest = ofHub.level(vertex) == ofHub.depth() ? vertex : farthest;
            paced.worked(1);
        }
        Levels ofFarthest = loaded.bfs(
                farthest, LoadedGraph.NO_MAX_DEPTH, new int[0], run.control().again());
        return Math.max(ofHub.depth(), ofFarthest.depth());
    }

    /**
     * The expected time of a call.
     *
     * @param expectedMillis null if none is promised
     */
    public record Expected(String call, String backend, Long expectedMillis) {
        private static Expected of(String call, String backend, double seconds) {
            return new Expected(call, backend, (long) Math.ceil(seconds * TimeUnit.SECONDS.toMillis(1)));
        }
    }

    /**
     * The expected times, on shallow graphs on the CPU; others hang on the device or on the shape of the graph.
     *
     * @param hubs whether the graph has hubs, so that bounds replace most searches for eccentricities
     * @param reached mean number of nodes in the component of a node
     */
    static List<Expected> expected(
            List<BackendInfo> backends,
            Csc graph,
            boolean weighted,
            boolean hubs,
            boolean deep,
            long reached,
            int threads) {
        List<Expected> times = new ArrayList<>();
        for (BackendInfo backend : backends) {
            for (Call call : backend.available() ? CALLS : List.<Call>of()) {
                if (weighted || call.operation != Operation.SHORTEST_PATHS) {
                    String on = backend.name();
                    if (deep || !on.equals(BackendInfo.CPU) || !MEASURED.contains(call.operation)) {
                        times.add(new Expected(call.name, on, null));
                        continue;
                    }
                    boolean bounds = hubs && call.name.equals(ECCENTRICITY);
                    Operation operation = bounds ? Operation.MULTI_SOURCE_BFS : call.operation;
                    long every = bounds ? Math.min(reached, EccentricityBounds.USUAL_SEARCHES) : reached;
                    long searches = call.sources == EVERY_NODE ? every : call.sources;
                    double size = ExpectedTimes.sizeOf(on, graph, false, operation);
                    ExpectedTimes expected = new ExpectedTimes(on, size, false, searches, threads);
                    times.add(Expected.of(call.name, on, expected.ofCall(operation.tasks())));
                }
            }
        }
        ExpectedTimes ofWriting = ExpectedTimes.onHost(graph.vertexCount(), threads);
        times.add(Expected.of("a write of every node", "", ofWriting.ofCall(List.of(PropertyWriter.TASK))));
        return times;
    }

    private static List<String> advice(
            Csc graph,
            int[] components,
            int largest,
            boolean deep,
            long diameter,
            List<Expected> expected,
            RunConfig config) {
        List<String> advice = new ArrayList<>();
        if (graph.entryCount() == 0) {
            advice.add("The graph has no relationships. Check the types and labels of its projection.");
            return advice;
        }
        if (components.length > 1) {
            advice.add(String.format(
                    Locale.ROOT,
                    "The graph has %,d components, and the largest has %.1f %% of the nodes.",
                    components.length,
                    100.0 * largest / graph.vertexCount()));
        }
        // a node without relationships is no trap: it scores 0.0
        int smallest = Arrays.stream(components).filter(size -> size > 1).min().orElse(largest);
        if (!graph.isSymmetric()) {
            advice.add("The relationships are directed. By default, closeness compares a node only with the nodes that"
                    + " reach it, so a node that a single neighbour reaches can get the best score. " + FAIR
                    + ", or project the relationships as UNDIRECTED.");
        } else if (smallest < largest) {
            advice.add(String.format(
                    Locale.ROOT,
                    "The smallest component with relationships has %,d nodes. By default, closeness compares a node only"
                            + " with its own component, so these nodes can get the best scores. %s, or call it on the"
                            + " largest component, which `proxima.wcc.mutate` and `proxima.graph.filter` select.",
                    smallest,
                    FAIR));
        }
        if (deep) {
            advice.add("The graph is deep: its searches have " + diameter + " levels or more. Limit searches with"
                    + " `maxDepth` if only near nodes matter.");
        }
        Long millis = expected.stream()
                .filter(time -> time.call.equals(CLOSENESS) && time.backend.equals(BackendInfo.CPU))
                .findFirst()
                .orElseThrow()
                .expectedMillis;
        advice.add(
                millis == null
                        ? "The time of closeness of every node is not estimated, because it depends on the shape of a deep"
                                + " graph."
                        : "Closeness of every node is expected to take " + words(millis) + " on the CPU, and with"
                                + " `topK` about as long at worst. For the benchmarks in the manual, such times were within"
                                + " a factor of 3.");
        if (expected.stream().anyMatch(time -> time.call.equals(COSTS))) {
            advice.add(
                    "The times count relationships. With `relationshipWeightProperty`, closeness and eccentricity search"
                            + " from each node on its own, which can take a hundred times as long or more."
                            + " `proxima.closeness.sampled` estimates the scores from a few searches.");
        }
        if (millis == null || millis >= LONG_MILLIS) {
            advice.add("Give long calls a `jobId`, and watch them with `proxima.listProgress`.");
        }
        int processors = Runtime.getRuntime().availableProcessors();
        boolean onGpu = expected.stream()
                .anyMatch(time -> time.call.equals(CLOSENESS) && !time.backend.equals(BackendInfo.CPU));
        if (config.threads() < processors && !onGpu) {
            advice.add("This call had " + config.threads() + " of " + processors
                    + " processors. Raise `concurrency` for shorter times.");
        }
        return advice;
    }

    static String words(long millis) {
        double minutes = millis / 60e3;
        return millis < 1000
                ? millis + " ms"
                : minutes < 2
                        ? String.format(Locale.ROOT, "%.1f seconds", millis / 1e3)
                        : minutes < 120
                                ? String.format(Locale.ROOT, "%.1f minutes", minutes)
                                : String.format(Locale.ROOT, "%.1f hours", minutes / 60);
    }
}
