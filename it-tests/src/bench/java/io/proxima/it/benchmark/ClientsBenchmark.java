// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
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
import javax.management.JMException;

/**
 * Throughput and latency of searches while several Bolt clients call at the same time, on each backend, and beside the
 * Graph Data Science library where the build laid it out (profile full).
 *
 * <pre>java ... io.proxima.it.benchmark.ClientsBenchmark --graphs=rmat-18 --clients=1,8,32 --seconds=5</pre>
 *
 * Options: {@code --graphs} as {@link BenchmarkGraph} has them, {@code rmat-18} otherwise; {@code --clients} is a list
 * of numbers of clients, {@code 1,8,32} otherwise; {@code --seconds} is how long each combination is measured, 5
 * otherwise, after half as long uncounted; {@code --name} is the name of the file written to the folder
 * {@code proxima.benchmark.directory}, {@code clients} otherwise: a .csv with every combination; {@code --heap} and
 * {@code --settings} as in {@link PeerBenchmark}. {@code --tables=1000000,4000000} measures instead how long a client
 * takes to read so many values as rows and as columns, and writes a .csv of that name; {@code --drivers} lists the
 * clients, {@code Java,JavaScript} otherwise, see {@link TableTransfers}.
 *
 * <p>A client calls from one of {@value #SOURCES} sources after the other and consumes the result. Times are taken at
 * the Bolt driver. The library has no distances from several sources in hops; its step is eight calls of gds.bfs.stats
 * in one query, which do less. Keys for concurrency are left out.
 */
@Prints
public final class ClientsBenchmark {

    private static final int SOURCES = 64;
    private static final int SOURCES_PER_CALL = 8;
    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    private final Cypher cypher;
    private final List<Object> sources;

    private ClientsBenchmark(Cypher cypher, List<Object> sources) {
        this.cypher = cypher;
        this.sources = sources;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments)
            throws IOException, InterruptedException, ExecutionException, JMException {
        Map<String, String> options = Options.read(
                Map.of(
                        "graphs", "rmat-18",
                        "clients", "1,8,32",
                        "seconds", "5",
                        "name", "clients",
                        "tables", "",
                        "drivers", "Java,JavaScript",
                        "python", "python3"),
                arguments);
        Path folder = Files.createDirectories(Path.of(System.getProperty("proxima.benchmark.directory")));
        if (!options.get("tables").isEmpty()) {
            List<String> transfers = new ArrayList<>(List.of(TableTransfers.HEADER));
            transfers.addAll(TableTransfers.measure(
                    Arrays.stream(options.get("tables").split(",", -1))
                            .map(Integer::valueOf)
                            .toList(),
                    options));
            Files.write(folder.resolve(options.get("name") + ".csv"), transfers);
            return;
        }
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
        try (ServerProcess server =
                BenchmarkGraph.server(installation, home, options).start()) {
            Cypher cypher = new Cypher(server.driver());
            System.out.println(BenchmarkGraph.versions(cypher));
            Map<String, String> queries = new LinkedHashMap<>();
            graph.project(cypher, "proxima", "g", "", "");
            for (String backend : Backends.names(cypher)) {
                String keys = "backend: '" + backend + "'}) YIELD ";
                queries.put(
                        "bfs.stats," + backend,
                        "CALL proxima.bfs.stats('g', {sourceNode: $sources[0], " + keys
                                + "nodesReached RETURN nodesReached");
                queries.put(
                        "8 sources," + backend,
                        "CALL proxima.distances.stream('g', {sourceNodes: $sources, " + keys
                                + "distance RETURN count(distance)");
            }
            if (!installation.peers().isEmpty()) {
                graph.project(cypher, "gds", "g", "", "");
                String bfs = "CALL gds.bfs.stats('g', {sourceNode: source}) YIELD computeMillis RETURN count(*)";
                queries.put("bfs.stats,gds", "WITH $sources[0] AS source " + bfs);
                queries.put("8 sources,gds", "UNWIND $sources AS source " + bfs);
            }
            ClientsBenchmark benchmark = new ClientsBenchmark(cypher, graph.sources(cypher, SOURCES));
            List<String> csv = new ArrayList<>();
            for (Map.Entry<String, String> query : queries.entrySet()) {
                for (String clients : options.get("clients").split(",", -1)) {
                    csv.add(graph.title() + "," + query.getKey() + "," + clients + ","
                            + benchmark.measure(
                                    query.getValue(),
                                    Integer.parseInt(clients),
                                    Double.parseDouble(options.get("seconds"))));
                    System.out.println(csv.get(csv.size() - 1));
                }
            }
            return csv;
        }
    }

    private String measure(String query, int clients, double seconds) throws InterruptedException, ExecutionException {
        calls(query, clients, seconds / 2);
        long begin = System.nanoTime();
        double[] millis = calls(query, clients, seconds);
        double elapsed = BenchmarkGraph.millisSince(begin) / 1e3;
        return String.format(
                Locale.ROOT,
                "%d,%.2f,%.3f,%.3f,%.3f",
                millis.length,
                millis.length / elapsed,
                quantile(millis, MEDIAN),
                quantile(millis, TAIL),
                millis[millis.length - 1]);
    }

    /**
     * The milliseconds of every call that clients began within so many seconds, ascending; each client calls at least
     * once.
     */
    private double[] calls(String query, int clients, double seconds) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            List<Callable<double[]>> tasks = IntStream.range(0, clients)
                    .mapToObj(client -> (Callable<double[]>) () -> client(query, client, end))
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

    private double[] client(String query, int client, long end) {
        DoubleStream.Builder millis = DoubleStream.builder();
        int next = client * SOURCES_PER_CALL;
        do {
            List<Object> chosen = IntStream.range(next, next + SOURCES_PER_CALL)
                    .mapToObj(i -> sources.get(i % SOURCES))
                    .toList();
            next++;
            long start = System.nanoTime();
            cypher.rows(query, "sources", chosen);
            millis.add(BenchmarkGraph.millisSince(start));
        } while (System.nanoTime() < end);
        return millis.build().toArray();
    }

    private static double quantile(double[] ascending, double share) {
        return ascending[(int) Math.ceil(share * ascending.length) - 1];
    }
}
