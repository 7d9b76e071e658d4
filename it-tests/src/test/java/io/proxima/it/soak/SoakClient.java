// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * One client of a soak: calls chosen at random, on backends chosen at random, each answer compared with the textbook's.
 * Others drop and replace the graphs that it uses, its queries may be killed at any moment, and the device may be lost
 * or short of memory, so a call may end in one of the few errors that say so; any other is a failure. What the device
 * cannot do only ends calls that ask for it.
 */
final class SoakClient implements Runnable {

    private static final Pattern GRAPH_CAME_OR_WENT = Pattern.compile(
            "Graph with name `.*` does not exist on database `neo4j`.*|A graph with name '.*' already exists\\..*");
    private static final Pattern KILLED = Pattern.compile(
            "(?s).*(transaction has been terminated|been killed|transaction has not completed within).*");
    private static final Pattern DEVICE_SHORT_OF_MEMORY = Pattern.compile(
            "Device cuda:0 has too little memory .*|Procedure was blocked since minimum estimated memory .*"
                    + " exceeds current device memory of cuda:0 .*");
    private static final Pattern DEVICE_FAILED = Pattern.compile("(The CUDA backend cannot run\\. cuda:0: )?"
            + "(Device cuda:0 has failed: .*|The CUDA driver reported CUDA_ERROR_.*)");
    private static final String CALL_FAILED = "Neo.ClientError.Procedure.ProcedureCallFailed";
    private static final String CUDA = "cuda";
    private static final List<String> BACKENDS = List.of("auto", CUDA, "cpu");

    /** For graphs so deep that a simulated device takes seconds for them. */
    private static final String ON_CPU = "backend: 'cpu'";

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final String name;
    private final Random random;
    private final Supplier<Driver> driver;
    private final FixedGraph fixed;
    private final History history;
    private final BooleanSupplier ended;
    private final List<Step> steps;
    private volatile Thread thread;
    private volatile String call = "nothing";
    private String backend = "";
    private String ran = "";
    private String orientation = "";
    private String graph = "";
    private int source;
    private volatile long begun = System.nanoTime();

    /**
     * A client.
     *
     * @param driver gives the driver of the server that runs now
     * @param ended whether it is time to end
     */
    SoakClient(
            String name, long seed, Supplier<Driver> driver, FixedGraph fixed, History history, BooleanSupplier ended) {
        this.name = name;
        this.random = new Random(seed);
        this.driver = driver;
        this.fixed = fixed;
        this.history = history;
        this.ended = ended;
        this.steps = List.of(
                new Step("project", 6, this::project),
                new Step("replace", 3, this::replace),
                new Step("project by Cypher", 2, this::projectByCypher),
                new Step("filter", 3, this::filter),
                new Step("drop", 2, this::drop),
                new Step("list", 2, this::list),
                new Step("bfs.stream", 8, this::bfsStream),
                new Step("bfs.stats", 8, this::bfsStats),
                new Step("distances.stream", 5, this::distances),
                new Step("distances.nearest.stream", 5, this::nearest),
                new Step("closeness.stream", 4, this::closeness),
                new Step("closeness.write", 4, this::closenessWrite),
                new Step("bfs.write", 4, this::bfsWrite),
                new Step("write to nodes that go", 2, this::volatileWrite),
                new Step("stream to a reader that leaves", 2, this::leaveEarly),
                new Step("long run with a time-out", 2, this::longRun));
    }

    /** A kind of call, and how often it is chosen beside the others. */
    private record Step(String name, int weight, Runnable action) {}

    /** The names of all kinds of calls. */
    Set<String> stepNames() {
        Set<String> names = new HashSet<>();
        steps.forEach(step -> names.add(step.name()));
        return names;
    }

    /** What it does now, for how long and where; empty if it does nothing. */
    Optional<String> activity() {
        return Optional.ofNullable(thread)
                .map(worker -> name + " " + call + " for " + sinceLastEnd().toMillis() + " ms, at "
                        + List.of(worker.getStackTrace()));
    }

    Duration sinceLastEnd() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            work();
        } finally {
            thread = null;
        }
    }

    private void work() {
        while (!ended.getAsBoolean()) {
            Step step = choose();
            call = step.name();
            begun = System.nanoTime();
            backend = "";
            ran = "";
            orientation = FixedGraph.ORIENTATIONS.get(random.nextInt(FixedGraph.ORIENTATIONS.size()));
            graph = "fixed-" + orientation;
            source = random.nextInt(fixed.nodeCount());
            try {
                step.action().run();
                history.call(name, call, backend + ran, begun, "answered", "");
            } catch (AssertionError | RuntimeException e) {
                String end = endOf(e);
                history.call(name, call, backend, begun, end, String.valueOf(e.getMessage()));
                if (end.equals("failed")) {
                    history.failure(name + " " + call + ": " + e);
                }
                if (end.equals("cut off")) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    private Step choose() {
        int ticket = random.nextInt(steps.stream().mapToInt(Step::weight).sum());
        for (Step step : steps) {
            ticket -= step.weight();
            if (ticket < 0) {
                return step;
            }
        }
        throw new AssertionError(ticket);
    }

    private String endOf(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof RuntimeException && history.hadOutageSince(begun)) {
            return "cut off";
        }
        if (!(failure instanceof Neo4jException answer)) {
            return "failed";
        }
        if (GRAPH_CAME_OR_WENT.matcher(message).matches()) {
            return "refused";
        }
        if (message.startsWith("ForsetiClient")) {
            // the client's own DELETE met another's; a write-back would be tried again
            return "deadlocked";
        }
        if (backend.equals(CUDA) && CALL_FAILED.equals(answer.code())) {
            if (DEVICE_SHORT_OF_MEMORY.matcher(message).matches()) {
                return "refused for memory";
            }
            if (DEVICE_FAILED.matcher(message).matches()) {
                return "failed with the device";
            }
        }
        return KILLED.matcher(message).matches() ? "killed" : "failed";
    }

    private void project() {
        project("");
    }

    private void replace() {
        project("replace: true, ");
    }

    private void project(String option) {
        checkCounts(row("CALL proxima.graph.project($g, ['Fixed', 'Even'], {LINK: {orientation: $o}}, {" + option
                + "readConcurrency: $c}) YIELD nodeCount, relationshipCount"));
    }

    private void checkCounts(Map<String, Object> row) {
        assertThat(row)
                .containsEntry("nodeCount", (long) fixed.nodeCount())
                .containsEntry("relationshipCount", fixed.arcCount(orientation));
    }

    private void projectByCypher() {
        boolean undirected = random.nextBoolean();
        orientation = undirected ? "UNDIRECTED" : "NATURAL";
        graph = "cypher-" + name;
        checkCounts(row("MATCH (a:Fixed) OPTIONAL MATCH (a)-[:LINK]->(b:Fixed)"
                + " WITH proxima.graph.project($g, a, b, {relationshipType: 'LINK'},"
                + " {replace: true, undirectedRelationshipTypes: " + (undirected ? "['LINK']" : "[]") + "}) AS made"
                + " RETURN made.nodeCount AS nodeCount, made.relationshipCount AS relationshipCount"));
        checkBfs(false);
        rows("CALL proxima.graph.drop($g) YIELD graphName");
    }

    private void filter() {
        Map<String, Object> row = row("CALL proxima.graph.filter('even-" + name
                + "', $g, 'n:Even', 'r:LINK', {replace: true, concurrency: $c}) YIELD nodeCount");
        assertThat(row).containsEntry("nodeCount", fixed.nodeCount() / 2L);
        graph = "even-" + name;
        checkBfs(true);
        rows("CALL proxima.graph.drop($g) YIELD graphName");
    }

    private void checkBfs(boolean even) {
        source -= even ? source % 2 : 0;
        fixed.checkLevels(
                rows("CALL proxima.bfs.stream($g, {sourceNode: $s, backend: $b}) YIELD nodeId, distance"),
                "distance",
                fixed.levels(orientation, even, source, -1));
    }

    private void drop() {
        rows("CALL proxima.graph.drop($g, " + random.nextBoolean() + ") YIELD graphName");
    }

    private void list() {
        rows("CALL proxima.graph.list() YIELD graphName, nodeCount, stale")
                .forEach(row ->
                        assertThat((String) row.get("graphName")).matches("(fixed|cypher|even|volatile)-.*|path"));
        rows("CALL proxima.memory.list()");
        rows("CALL proxima.listProgress()");
    }

    private void bfsStream() {
        boolean even = random.nextBoolean();
        source -= source % 2;
        int depth = random.nextInt(6) - 1;
        fixed.checkLevels(
                rows("CALL proxima.bfs.stream($g, {sourceNode: $s, maxDepth: " + depth + ", nodeLabels: ['"
                        + (even ? "Even" : "*") + "'], concurrency: $c, backend: $b}) YIELD nodeId, distance"),
                "distance",
                fixed.levels(orientation, even, source, depth));
    }

    private void bfsStats() {
        int[] levels = fixed.levels(orientation, false, source, -1);
        Map<String, Object> row = row("CALL proxima.bfs.stats($g, {sourceNode: $s, backend: $b})"
                + " YIELD depth, nodesReached, hopDistribution, configuration");
        ranOn(row);
        long[] sizes = new long[Arrays.stream(levels).max().orElseThrow() + 1];
        Arrays.stream(levels).filter(level -> level >= 0).forEach(level -> sizes[level]++);
        assertThat(row)
                .containsEntry("depth", sizes.length - 1L)
                .containsEntry("nodesReached", Arrays.stream(sizes).sum())
                .containsEntry("hopDistribution", Arrays.stream(sizes).boxed().toList());
    }

    private void distances() {
        int[] sources = nodes(70);
        int[] targets = nodes(20);
        Set<List<Object>> expected = new HashSet<>();
        for (int from : sources) {
            int[] levels = fixed.levels(orientation, false, from, -1);
            for (int target : targets) {
                if (levels[target] >= 0) {
                    expected.add(List.of(fixed.id(from), fixed.id(target), (long) levels[target]));
                }
            }
        }
        List<Map<String, Object>> rows = rows(
                "CALL proxima.distances.stream($g, {sourceNodes: $sources, targetNodeFilter: $targets, concurrency: $c,"
                        + " backend: $b}) YIELD sourceNode, targetNode, distance",
                "sources",
                fixed.ids(sources),
                "targets",
                fixed.ids(targets));
        assertThat(rows.stream().map(row -> List.of(row.get("sourceNode"), row.get("targetNode"), row.get("distance"))))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void nearest() {
        int[] sources = nodes(5);
        List<Map<String, Object>> rows = rows(
                "CALL proxima.distances.nearest.stream($g, {sourceNodes: $sources, backend: $b})"
                        + " YIELD nodeId, nearestSource, distance",
                "sources",
                fixed.ids(sources));
        fixed.checkLevels(rows, "distance", fixed.graph(orientation).nearestDistances(sources));
        int[] expected = fixed.graph(orientation).nearest(sources);
        rows.forEach(row ->
                assertThat(fixed.node(row.get("nearestSource"))).isEqualTo(expected[fixed.node(row.get("nodeId"))]));
    }

    private void closeness() {
        String formula = formula();
        fixed.checkScores(
                rows("CALL proxima.closeness.stream($g, {" + formula
                        + "concurrency: $c, backend: $b}) YIELD nodeId, score"),
                orientation,
                formula);
    }

    /** Each client has properties of its own, so what a call has written is there until the client writes again. */
    private void closenessWrite() {
        String formula = formula();
        Map<String, Object> row = row("CALL proxima.closeness.write($g, {" + formula + "writeProperty: 'score_" + name
                + "', writeConcurrency: $c, backend: $b}) YIELD nodePropertiesWritten, nodesSkipped, configuration");
        checkWritten(row, fixed.nodeCount());
        fixed.checkScores(
                rows("MATCH (n:Fixed) RETURN id(n) AS nodeId, n.score_" + name + " AS score"), orientation, formula);
    }

    private void bfsWrite() {
        int[] expected = fixed.levels(orientation, false, source, -1);
        Map<String, Object> row = row("CALL proxima.bfs.write($g, {sourceNode: $s, writeProperty: 'level_" + name
                + "', backend: $b}) YIELD nodePropertiesWritten, nodesSkipped, configuration");
        checkWritten(row, Arrays.stream(expected).filter(level -> level >= 0).count());
        fixed.checkLevels(
                rows("MATCH (n:Fixed) WHERE n.level_" + name + " IS NOT NULL RETURN id(n) AS nodeId, n.level_" + name
                        + " AS level"),
                "level",
                expected);
    }

    private void checkWritten(Map<String, Object> row, long written) {
        ranOn(row);
        assertThat(row).containsEntry("nodePropertiesWritten", written).containsEntry("nodesSkipped", 0L);
    }

    /** Every client deletes nodes of this label while others write to them. */
    private void volatileWrite() {
        graph = "volatile-" + name;
        Object nodes = row("CALL proxima.graph.project($g, 'Volatile', {CHAIN: {orientation: 'UNDIRECTED'}},"
                        + " {replace: true}) YIELD nodeCount")
                .get("nodeCount");
        Object deleted = row("MATCH (v:Volatile) WITH v, rand() AS lot ORDER BY lot LIMIT 10 WITH v ORDER BY id(v)"
                        + " DETACH DELETE v RETURN count(*) AS deleted")
                .get("deleted");
        Map<String, Object> written = row("CALL proxima.closeness.write($g, {writeProperty: 'score_" + name
                + "', writeConcurrency: 2, " + ON_CPU + "}) YIELD nodePropertiesWritten, nodesSkipped, batches");
        assertThat((Long) written.get("nodePropertiesWritten") + (Long) written.get("nodesSkipped"))
                .isEqualTo(nodes);
        assertThat((Long) written.get("batches")).isEqualTo((Long) nodes > SoakTest.WRITE_BATCH ? 2 : 1);
        rows("UNWIND range(1, $n) AS i CREATE (:Volatile)", "n", deleted);
        rows("CALL proxima.graph.drop($g) YIELD graphName");
    }

    private void leaveEarly() {
        try (Session session =
                driver.get().session(SessionConfig.builder().withFetchSize(10).build())) {
            Result rows = session.run("MATCH (p:Path) WHERE p.key < 50 WITH collect(p) AS sources"
                    + " CALL proxima.distances.stream('path', {sourceNodes: sources, " + ON_CPU + "})"
                    + " YIELD sourceNode, targetNode, distance RETURN sourceNode, targetNode, distance");
            for (int i = 0; i < 5 && rows.hasNext(); i++) {
                assertThat(rows.next().get("distance").asLong()).isNotNegative();
            }
        }
    }

    /** Would take minutes; its transaction ends after 300 ms. */
    private void longRun() {
        try (Session session = driver.get().session()) {
            List<org.neo4j.driver.Record> rows = session.run(
                            "CALL proxima.closeness.stream('path', {harmonic: true, " + ON_CPU
                                    + "}) YIELD score RETURN sum(score)",
                            TransactionConfig.builder().withTimeout(SHORT).build())
                    .list();
            throw new AssertionError("Nothing ended the run: " + rows);
        }
    }

    /** One that the rest of the step asks for. */
    private String backend() {
        backend = BACKENDS.get(random.nextInt(BACKENDS.size()));
        return backend;
    }

    /** Notes which backend has run, which is the one asked for unless that was left open. */
    private void ranOn(Map<String, Object> row) {
        Object name = ((Map<?, ?>) row.get("configuration")).get("backend");
        ran = " on " + name;
        assertThat((String) name)
                .matches(
                        switch (backend) {
                            case CUDA -> "cuda:0";
                            case "cpu" -> "cpu";
                            default -> "cuda:0|cpu";
                        });
    }

    /** The key of a formula of closeness. */
    private String formula() {
        return List.of("", "useWassermanFaust: true, ", "harmonic: true, ").get(random.nextInt(3));
    }

    /** Some different nodes. */
    private int[] nodes(int most) {
        return random.ints(1 + random.nextInt(most), 0, fixed.nodeCount())
                .distinct()
                .toArray();
    }

    private Map<String, Object> row(String query, Object... parameters) {
        List<Map<String, Object>> rows = rows(query, parameters);
        assertThat(rows).as(query).hasSize(1);
        return rows.get(0);
    }

    /** The parameters $g, $o and $s are those of the step; $b and $c are drawn for a query that has them. */
    private List<Map<String, Object>> rows(String query, Object... parameters) {
        Map<String, Object> all = Cypher.map(parameters);
        all.putAll(Map.of("g", graph, "o", orientation, "s", fixed.id(source)));
        if (query.contains("$b")) {
            all.put("b", backend());
        }
        if (query.contains("$c")) {
            all.put("c", 1 + random.nextInt(4));
        }
        return new Cypher(driver.get()).rows(query, all);
    }
}
