// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Graphs that are brought up to date: refreshes after some changes beside projections of the same state, commits with
 * and without the plugin, and searches on a live graph while others commit.
 *
 * <pre>mvn -B -ntp -Pfull,benchmark verify -Dproxima.benchmark.class=RefreshBenchmark
 *     -Dproxima.benchmark.args="--graphs=rmat-18,rmat-20"</pre>
 *
 * Options:
 *
 * <ul>
 *   <li>{@code --graphs}: see {@link BenchmarkGraph}, {@code rmat-18} otherwise
 *   <li>{@code --pairs}: numbers of changed pairs of nodes, {@code 1,100,1000} otherwise: half of the changes delete a
 *       random relationship, half create one between random nodes
 *   <li>{@code --repetitions}: how often each is done, in turn, 9 otherwise, after ten that do not count
 *   <li>{@code --seconds}: how long commits and searches of a live graph are counted, 10 otherwise, after as long
 *       or half as long uncounted; 0 leaves both out
 *   <li>{@code --rate}: commits a second beside a live graph, 500 otherwise
 *   <li>{@code --name}, {@code --heap} and {@code --settings} as in {@link PeerBenchmark}, {@code refresh} otherwise
 * </ul>
 *
 * Times are taken at the Bolt driver. Searches run on a graph at rest, first alone and then beside the commits, and on
 * a live graph beside the commits. A step "commits" counts milliseconds for each 1,000 commits of four clients, on the
 * sides "without" the plugin, "with" it, and with a "graph" that is never refreshed.
 */
@Prints
public final class RefreshBenchmark {

    private static final int WARM_UPS = 10;
    private static final int CLIENTS = 4;
    private static final int SEARCHES = 1_000;
    private static final long SEED = 20261128;
    private static final String CREATE =
            "UNWIND $pairs AS pair MATCH (a), (b) WHERE id(a) = pair[0] AND id(b) = pair[1]"
                    + " CREATE (a)-[:`TYPE`]->(b)";
    private static final String DELETE =
            "UNWIND $pairs AS pair MATCH (a)-[r:`TYPE`]-(b) WHERE id(a) = pair[0] AND id(b) =" + " pair[1] DELETE r";

    private final Measurements measurements;
    private final BenchmarkGraph graph;
    private final Map<String, String> options;
    private final Random random = new Random(SEED);

    /** The Neo4j ids of the nodes, by vertex. */
    private long[] ids;

    private RefreshBenchmark(Measurements measurements, BenchmarkGraph graph, Map<String, String> options) {
        this.measurements = measurements;
        this.graph = graph;
        this.options = options;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> options = Options.read(
                Map.of(
                        "graphs",
                        "rmat-18",
                        "pairs",
                        "1,100,1000",
                        "repetitions",
                        "9",
                        "seconds",
                        "10",
                        "rate",
                        "500",
                        "name",
                        "refresh"),
                arguments);
        Measurements measurements = new Measurements();
        for (BenchmarkGraph graph : BenchmarkGraph.of(options)) {
            new RefreshBenchmark(measurements, graph, options).measure();
            measurements.writeCsv(options);
        }
        System.out.println(measurements.table("merged", "projected"));
    }

    private double seconds() {
        return Double.parseDouble(options.get("seconds"));
    }

    private void measure() throws InterruptedException {
        Installation installation = Installation.built();
        Path home = installation.newHome("refresh-benchmark");
        graph.importInto(installation, home, false);
        try (ServerProcess server =
                BenchmarkGraph.server(installation, home, options).start()) {
            Cypher cypher = new Cypher(server.driver());
            System.out.println(BenchmarkGraph.versions(cypher));
            BenchmarkGraph.warmUp(cypher);
            // an import by several threads does not number the nodes as the file does
            ids = cypher.ids("`" + graph.name() + "`");
            graph.project(cypher, "proxima", "merged", "", "");
            for (String pairs : options.get("pairs").split(",", -1)) {
                refreshes(cypher, Integer.parseInt(pairs));
            }
            if (seconds() > 0) {
                searches(cypher);
            }
        }
        if (seconds() > 0) {
            // a server of its own for each, and the same warm-up
            for (String side : List.of("without", "with", "graph")) {
                ServerBuilder builder = BenchmarkGraph.server(installation, home, options);
                try (ServerProcess server = (side.equals("without") ? builder.withoutPlugins() : builder).start()) {
                    Cypher cypher = new Cypher(server.driver());
                    if (side.equals("graph")) {
                        graph.project(cypher, "proxima", "graph", "", "");
                    }
                    commits(cypher, side);
                }
            }
        }
    }

    private void refreshes(Cypher cypher, int pairs) {
        String step = "refresh after " + pairs;
        for (int repetition = -WARM_UPS; repetition < Integer.parseInt(options.get("repetitions")); repetition++) {
            change(cypher, pairs);
            // in turn: whoever is second finds the pages in the cache
            for (boolean merges : repetition % 2 == 0 ? new boolean[] {true, false} : new boolean[] {false, true}) {
                long start = System.nanoTime();
                if (merges) {
                    Map<String, Object> row =
                            cypher.row("CALL proxima.graph.refresh('merged') YIELD mode, reason, pairsTouched");
                    if (!row.get("mode").equals("merged")
                            || row.get("pairsTouched").equals(0L)) {
                        System.out.println(step + " was " + row.get("mode") + ": " + row.get("reason"));
                    }
                } else {
                    graph.project(cypher, "proxima", "projected", "", "replace: true");
                }
                double millis = BenchmarkGraph.millisSince(start);
                if (repetition >= 0) {
                    measurements.add(graph.title(), step, merges ? "merged" : "projected", millis);
                }
            }
            requireEqual(cypher);
        }
    }

    private void change(Cypher cypher, int pairs) {
        List<List<Long>> created = new ArrayList<>();
        List<List<Long>> deleted = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            if (random.nextBoolean()) {
                created.add(List.of(node(), node()));
            } else {
                long edge = random.nextInt(Math.toIntExact(graph.edges().edgeCount()));
                deleted.add(List.of(
                        ids[graph.edges().source(edge)], ids[graph.edges().target(edge)]));
            }
        }
        cypher.rows(CREATE.replace("TYPE", graph.type()), "pairs", created);
        cypher.rows(DELETE.replace("TYPE", graph.type()), "pairs", deleted);
    }

    private long node() {
        return ids[random.nextInt(ids.length)];
    }

    private static void requireEqual(Cypher cypher) {
        Object sizes = cypher.value("CALL proxima.graph.list() YIELD graphName, nodeCount, relationshipCount"
                + " WHERE graphName IN ['merged', 'projected']"
                + " RETURN count(DISTINCT [nodeCount, relationshipCount])");
        if (!sizes.equals(1L)) {
            throw new IllegalStateException("the refreshed graph and the projected one differ");
        }
    }

    /** Commits a second of several clients, each transaction with two nodes and a relationship. */
    private void commits(Cypher cypher, String side) throws InterruptedException {
        for (boolean counts : new boolean[] {false, true}) {
            double seconds = seconds();
            AtomicLong commits = new AtomicLong();
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            long end = System.nanoTime() + (long) (seconds * 1e9);
            long start = System.nanoTime();
            for (int client = 0; client < CLIENTS; client++) {
                clients.execute(() -> {
                    while (System.nanoTime() < end) {
                        cypher.rows("CREATE (:Committed {at: timestamp()})-[:OF]->(:Committed)");
                        commits.incrementAndGet();
                    }
                });
            }
            clients.shutdown();
            if (!clients.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IllegalStateException("the clients do not end");
            }
            if (counts) {
                double millis = BenchmarkGraph.millisSince(start);
                System.out.println(side + ": " + 1e3 * commits.get() / millis + " commits a second");
                measurements.add(graph.title(), "commits", side, 1e3 * millis / commits.get());
            }
        }
    }

    /** Searches on a graph at rest, and on this and on a live one while other clients commit. */
    private void searches(Cypher cypher) {
        graph.project(cypher, "proxima", "resting", "", "");
        graph.project(cypher, "proxima", "live", "", "live: true");
        List<Object> sources = graph.sources(cypher, SEARCHES);
        search(cypher, "resting", "at rest", sources);
        AtomicBoolean ends = new AtomicBoolean();
        AtomicLong commits = new AtomicLong();
        CompletableFuture<Void> writers = CompletableFuture.allOf(
                Stream.generate(() -> CompletableFuture.runAsync(() -> commitAtRate(cypher, ends, commits)))
                        .limit(CLIENTS)
                        .toArray(CompletableFuture[]::new));
        search(cypher, "resting", "at rest beside commits", sources);
        long start = System.nanoTime();
        long before = commits.get();
        search(cypher, "live", "live", sources);
        System.out.println("beside the live graph: "
                + 1e3 * (commits.get() - before) / BenchmarkGraph.millisSince(start) + " commits a second");
        ends.set(true);
        writers.join();
    }

    private void search(Cypher cypher, String name, String side, List<Object> sources) {
        String call =
                "CALL proxima.bfs.stats('" + name + "', {sourceNode: $source, backend: 'cpu'}) YIELD nodesReached";
        long begin = System.nanoTime();
        for (int i = 0; BenchmarkGraph.millisSince(begin) < 1.5e3 * seconds(); i++) {
            long start = System.nanoTime();
            cypher.rows(call, "source", sources.get(i % sources.size()));
            if (BenchmarkGraph.millisSince(begin) > 0.5e3 * seconds()) {
                measurements.add(graph.title(), "bfs.stats", side, BenchmarkGraph.millisSince(start));
            }
        }
        System.out.println(side + ": median " + measurements.median(graph.title(), "bfs.stats", side) + " ms");
    }

    /** Commits a share of the rate of all clients: a relationship between random nodes each. */
    private void commitAtRate(Cypher cypher, AtomicBoolean ends, AtomicLong commits) {
        Random own = new Random();
        long nanos = (long) (1e9 * CLIENTS / Double.parseDouble(options.get("rate")));
        for (long next = System.nanoTime(); !ends.get(); next += nanos) {
            LockSupport.parkNanos(next - System.nanoTime());
            long from = own.nextInt(graph.edges().vertexCount());
            long to = own.nextInt(graph.edges().vertexCount());
            cypher.rows(CREATE.replace("TYPE", graph.type()), "pairs", List.of(List.of(from, to)));
            commits.incrementAndGet();
        }
    }
}
