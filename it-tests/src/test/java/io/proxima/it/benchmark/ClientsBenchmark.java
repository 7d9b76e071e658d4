// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Throughput and latency of searches while several Bolt clients call at the same time, on each backend, and beside the Graph
 * Data Science library where the build laid it out (profile peers). Before anything is timed, the nodes that searches reach
 * are shown to be equal on all sides. The program then reports the memory that each side states for the graph.
 *
 * <pre>java ... io.proxima.it.benchmark.ClientsBenchmark --graphs=rmat-18 --clients=1,8,32 --seconds=5</pre>
 *
 * Options: {@code --graphs} as {@link BenchmarkGraph} has them, {@code rmat-18} otherwise; {@code --clients} is a list of
 * numbers of clients, {@code 1,8,32} otherwise; {@code --seconds} is how long each combination is measured, 5 otherwise,
 * after half as long uncounted; {@code --name} is the name of the file written to the folder
 * {@code proxima.benchmark.directory}, {@code clients} otherwise: a .csv with every combination; {@code --heap} is the server's heap, 4g otherwise.
 *
 * <p>A client calls from one of {@value #SOURCES} sources after the other and consumes the result. Times are taken at the
 * Bolt driver. The library has no distances from several sources in hops; its step is eight calls of gds.bfs.stats in one
 * query, which do less. Keys for concurrency are left out.
 */
@Prints
public final class ClientsBenchmark {

    private static final String THEIRS = "gds";
    private static final int SOURCES = 64;
    private static final int SOURCES_PER_CALL = 8;
    private static final int COMPARED = 4;
    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    private final Cypher cypher;
    private final BenchmarkGraph graph;
    private final List<String> sides;
    private final List<Object> sources;
    private final double seconds;
    private final List<String> csv = new ArrayList<>();

    private ClientsBenchmark(Cypher cypher, BenchmarkGraph graph, List<String> sides, double seconds) {
        this.cypher = cypher;
        this.graph = graph;
        this.sides = sides;
        this.seconds = seconds;
        sources = graph.sources(cypher, SOURCES);
    }

    /** A call that clients repeat. */
    private enum Step {
        BFS("bfs.stats") {
            @Override
            String query(String side) {
                return side.equals(THEIRS)
                        ? "CALL gds.bfs.stats('g', {sourceNode: $sources[0]}) YIELD computeMillis RETURN computeMillis"
                        : "CALL proxima.bfs.stats('g', {sourceNode: $sources[0], backend: $side})"
                                + " YIELD nodesReached RETURN nodesReached";
            }
        },
        DISTANCES("distances from 8 sources, rows counted") {
            @Override
            String query(String side) {
                return side.equals(THEIRS)
                        ? "UNWIND $sources AS source CALL gds.bfs.stats('g', {sourceNode: source}) YIELD computeMillis"
                                + " RETURN count(computeMillis)"
                        : "CALL proxima.distances.stream('g', {sourceNodes: $sources, backend: $side})"
                                + " YIELD distance RETURN count(distance)";
            }
        };

        private final String label;

        Step(String label) {
            this.label = label;
        }

        /** The call of a side, with the parameters {@code $sources} (eight ids of nodes) and {@code $side}. */
        abstract String query(String side);
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        Map<String, String> options = Options.read(
                Map.of("graphs", "rmat-18", "clients", "1,8,32", "seconds", "5", "name", "clients", "heap", "4g"),
                arguments);
        Path folder = Files.createDirectories(Path.of(System.getProperty("proxima.benchmark.directory")));
        List<String> csv = new ArrayList<>(List.of("graph,step,side,clients,calls,callsPerSecond,median,p99,worst"));
        for (BenchmarkGraph graph : BenchmarkGraph.of(options)) {
            csv.addAll(measure(graph, options));
            Files.write(folder.resolve(options.get("name") + ".csv"), csv);
        }
    }

    private static List<String> measure(BenchmarkGraph graph, Map<String, String> options)
            throws InterruptedException, ExecutionException {
        Installation installation = Installation.built();
        Path home = installation.newHome("clients-benchmark");
        graph.importInto(installation, home, false);
        boolean peer = !installation.peers().isEmpty();
        ServerBuilder builder = BenchmarkGraph.server(installation, home, options);
        try (ServerProcess server = (peer ? builder.withPeers() : builder).start()) {
            Cypher cypher = new Cypher(server.driver());
            say(BenchmarkGraph.versions(cypher));
            List<String> sides = Stream.concat(Backends.names(cypher).stream(), peer ? Stream.of(THEIRS) : Stream.of())
                    .toList();
            for (String side : peer ? List.of("proxima", THEIRS) : List.of("proxima")) {
                graph.project(cypher, side, "g", "", "");
            }
            ClientsBenchmark benchmark =
                    new ClientsBenchmark(cypher, graph, sides, Double.parseDouble(options.get("seconds")));
            benchmark.requireSameReached();
            benchmark.memory(peer);
            for (Step step : Step.values()) {
                for (String count : options.get("clients").split(",", -1)) {
                    for (String side : sides) {
                        benchmark.measure(step, side, Integer.parseInt(count));
                    }
                }
            }
            return benchmark.csv;
        }
    }

    private void requireSameReached() {
        for (Object source : sources.subList(0, COMPARED)) {
            Map<Object, List<String>> sidesOfReached = new HashMap<>();
            for (String side : sides) {
                Object reached = side.equals(THEIRS)
                        ? cypher.value(
                                "CALL gds.bfs.stream('g', {sourceNode: $s}) YIELD nodeIds RETURN size(nodeIds)",
                                "s",
                                source)
                        : cypher.value(
                                "CALL proxima.bfs.stats('g', {sourceNode: $s, backend: $b}) YIELD nodesReached"
                                        + " RETURN nodesReached",
                                "s",
                                source,
                                "b",
                                side);
                sidesOfReached
                        .computeIfAbsent(reached, key -> new ArrayList<>())
                        .add(side);
            }
            if (sidesOfReached.size() > 1) {
                throw new IllegalStateException(
                        graph.name() + ": not as many nodes are reached from " + source + ": " + sidesOfReached);
            }
        }
    }

    private void measure(Step step, String side, int clients) throws InterruptedException, ExecutionException {
        calls(step, side, clients, seconds / 2);
        long begin = System.nanoTime();
        double[] millis = calls(step, side, clients, seconds);
        double elapsed = (System.nanoTime() - begin) / 1e9;
        double worst = millis[millis.length - 1];
        csv.add(String.format(
                Locale.ROOT,
                "%s,\"%s\",%s,%d,%d,%.2f,%.3f,%.3f,%.3f",
                graph.title(),
                step.label,
                side,
                clients,
                millis.length,
                millis.length / elapsed,
                quantile(millis, MEDIAN),
                quantile(millis, TAIL),
                worst));
        say(csv.get(csv.size() - 1));
    }

    /** The milliseconds of every call that clients began within so many seconds, ascending; each client calls at least once. */
    private double[] calls(Step step, String side, int clients, double seconds)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            List<Callable<double[]>> tasks = IntStream.range(0, clients)
                    .mapToObj(client -> (Callable<double[]>) () -> client(step, side, client, end))
                    .toList();
            List<double[]> ofClients = new ArrayList<>();
            for (Future<double[]> task : threads.invokeAll(tasks)) {
                ofClients.add(task.get());
            }
            return ofClients.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
        } finally {
            threads.shutdownNow();
        }
    }

    private double[] client(Step step, String side, int client, long end) {
        String query = step.query(side);
        DoubleStream.Builder millis = DoubleStream.builder();
        int next = client * SOURCES_PER_CALL;
        do {
            List<Object> chosen = IntStream.range(next, next + SOURCES_PER_CALL)
                    .mapToObj(i -> sources.get(i % SOURCES))
                    .toList();
            next++;
            long start = System.nanoTime();
            cypher.rows(query, "sources", chosen, "side", side);
            millis.add(BenchmarkGraph.millisSince(start));
        } while (System.nanoTime() < end);
        return millis.build().toArray();
    }

    private static double quantile(double[] ascending, double share) {
        return ascending[(int) Math.ceil(share * ascending.length) - 1];
    }

    /** Prints what each side states for its projection, and the device memory after a search and after closeness. */
    private void memory(boolean peer) {
        String heap = "CALL %s.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes";
        if (peer) {
            say("gds.graph.list, heap", cypher.value(heap.formatted(THEIRS)));
        }
        say("heap after graph.project", cypher.value(heap.formatted("proxima")));
        for (String side : sides) {
            if (!side.equals(THEIRS)) {
                cypher.rows(
                        "CALL proxima.bfs.stats('g', {sourceNode: $s, backend: $b})", "s", sources.get(0), "b", side);
                held("bfs.stats on " + side);
                cypher.rows("CALL proxima.closeness.stats('g', {backend: $b})", "b", side);
                held("closeness.stats on " + side);
            }
        }
    }

    private void held(String after) {
        Map<String, Object> row = cypher.row("CALL proxima.memory.list() YIELD entity, memoryInBytes, deviceBytes"
                + " WHERE entity = 'graph' RETURN memoryInBytes AS heap, deviceBytes AS device");
        say("heap after " + after, row.get("heap"));
        say("device after " + after, row.get("device"));
    }

    private void say(String what, Object value) {
        long bytes = (Long) value;
        say("%s: %,d bytes, %.2f for each entry of adjacency lists"
                .formatted(what, bytes, bytes / (2.0 * graph.edges().edgeCount())));
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
