// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.ServerJmx;
import io.proxima.it.ServerVitals;
import io.proxima.it.server.AdminCommand;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.neo4j.driver.Driver;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * Eight clients, two users, mixed calls over Bolt at once, on the CPU and on a device that is short of memory and fails
 * at random, on graphs that are dropped and replaced under them, with queries killed at random. In the midst of the
 * work the server is stopped and started, and later killed and started again. Every answer is compared with a
 * textbook's; in the end nothing may be left but what was there before: counted in objects and bytes on the heap, bytes
 * on the device, threads, transactions, jobs and open files.
 *
 * <p>Its calls last {@code -Dproxima.soak.seconds}, 30 if absent, 600 with the Maven profile soak;
 * {@code -Dproxima.soak.seed} repeats the clients' choices, though not their timing. The device is a fake one, or with
 * {@code -Dproxima.soak.driver=host} the host's. If it is short of memory, few calls are refused: a run then reads its
 * lists in mapped host memory. What happened is saved under {@code target/soak}, with the seed in its name.
 */
@Tag("soak")
class SoakTest {

    /** Nodes a transaction of a write-back. */
    static final int WRITE_BATCH = 10_000;

    private static final int CLIENTS = 8;
    private static final int OF_SECOND_USER = 2;
    private static final int VOLATILE_NODES = 12_000;
    private static final int PATH_NODES = 10_000;
    private static final String SECOND_USER = "second";
    private static final String SECOND_PASSWORD = "second-password";

    /** So many ended jobs can be asked for. */
    private static final int ENDED_JOBS = 100;

    /** One in so many allocations, launches and loads of code is short of memory. */
    private static final int SHORT_MEMORY = 100;

    /** Losses of the device within an hour after which it is opened again, and one more. */
    private static final int LOSSES_IT_RECOVERS_FROM = 2;

    private static final int LOSSES_IT_DOES_NOT = LOSSES_IT_RECOVERS_FROM + 1;

    /** Calls of the driver in a second of work, about. */
    private static final int DRIVER_CALLS_A_SECOND = 300;

    /** Seconds of a soak that meets everything that a device can do, on a busy machine too. */
    private static final int LONG_SOAK = 300;

    private static final Duration LONGEST_CALL = Duration.ofMinutes(5);
    private static final long HEAP_GROWTH = 128L << 20;
    private static final int OPEN_FILES_GROWTH = 40;
    private static final int THREADS_GROWTH = 40;

    private final int seconds = Integer.getInteger("proxima.soak.seconds", 30);
    private final long seed = Long.getLong("proxima.soak.seed", System.nanoTime());
    private final History history = new History();
    private ServerBuilder plan;
    private ServerProcess server;

    /** Those of the clients in all lives of the server, closed in the end. */
    private final List<Driver> drivers = new ArrayList<>();

    private volatile Driver first;
    private volatile Driver second;
    private volatile boolean ended;

    /** Its length is a parameter. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void shouldAnswerRightAndKeepNothing() throws Exception {
        Installation installation = Installation.built();
        Path home = installation.newHome("soak");
        Path temporary = Files.createDirectories(home.resolve("tmp"));
        plan = ServerProcess.in(installation, home)
                .jvmOption("-Djava.io.tmpdir=" + temporary)
                // its calls of the driver would be among those that fail
                .setting("server.proxima.warmup.enabled", "false")
                .withoutHttp()
                .withTestDriver();
        if (seconds < LONG_SOAK) {
            // its three starts would take longer than its calls
            plan.withoutOptimizingCompiler();
        }
        driverOption("", System.getProperty("proxima.soak.driver", "fake"));
        driverOption(".seed", seed);
        driverOption(".short", SHORT_MEMORY);
        // in each life of the server more than are allowed
        driverOption(".failures", DRIVER_CALLS_A_SECOND * seconds / 4 / 6);
        driverOption(".losses", LOSSES_IT_RECOVERS_FROM);
        server = plan.start();
        history.event("seed " + seed + ", " + seconds + " seconds, " + home);
        try {
            assertNoWarmUp();
            FixedGraph fixed = load();
            List<SoakClient> clients = clients(fixed);
            Baseline baseline = warmUp(clients);

            driverOption(".losses", LOSSES_IT_DOES_NOT);
            work(clients, this::cleanStop);
            driverOption(".losses", LOSSES_IT_RECOVERS_FROM);
            work(clients, this::crash);
            work(clients, () -> {});

            assertThat(history.failures()).isEmpty();
            awaitDevice();
            dropAll();
            assertNothingIsLeft(baseline);
            assertThat(temporaryFilesOfProxima(temporary)).isEmpty();
            assertEveryCallWasAnswered(clients);
            server.stop();
            assertThat(server.debugLog()).doesNotContain("AssertionError");
            AdminCommand.run(installation, home, List.of("database", "check", "neo4j"));
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "Fail with seed: " + seed + ", history: " + save() + ", ends: " + history.ends() + "\n"
                            + e.getMessage(),
                    e);
        } finally {
            drivers.forEach(Driver::close);
            server.close();
        }
        save();
    }

    private void assertNoWarmUp() throws JMException, IOException {
        try (ServerJmx jmx = new ServerJmx(server)) {
            assertThat(((TabularData) jmx.attribute("Devices", "ByName")).size())
                    .isZero();
        }
        assertThat(server.debugLog()).doesNotContain("Warm-up of Proxima");
    }

    private void driverOption(String name, Object value) {
        plan.jvmOption("-Dproxima.test.driver" + name + "=" + value);
    }

    private Path save() {
        return history.save(Path.of(System.getProperty("proxima.it.directory"), "soak", "history-" + seed + ".txt"));
    }

    private FixedGraph load() {
        Cypher cypher = new Cypher(server.driver());
        cypher.rows("CREATE USER " + SECOND_USER + " SET PASSWORD '" + SECOND_PASSWORD + "' CHANGE NOT REQUIRED");
        connect();
        cypher.createPath("Path", "STEP", PATH_NODES);
        cypher.createPath("Volatile", "CHAIN", VOLATILE_NODES);
        return new FixedGraph(cypher, seed);
    }

    /**
     * Opens drivers for this life of the server. Earlier ones stay open: a call may wait forever when its driver is
     * closed (neo4j-java-driver, issue 1436).
     */
    private void connect() {
        first = server.driverAs("neo4j", ServerProcess.PASSWORD);
        second = server.driverAs(SECOND_USER, SECOND_PASSWORD);
        drivers.addAll(List.of(first, second));
    }

    private List<SoakClient> clients(FixedGraph fixed) {
        Random random = new Random(seed);
        List<SoakClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            boolean ofSecond = i < OF_SECOND_USER;
            clients.add(new SoakClient(
                    "client" + i, random.nextLong(), () -> ofSecond ? second : first, fixed, history, () -> ended));
        }
        return clients;
    }

    /** A share of the time with every client at work, and some seconds with nobody, to see what a used server holds. */
    private Baseline warmUp(List<SoakClient> clients) throws Exception {
        work(clients, () -> {});
        dropAll();
        awaitQuiet();
        ServerVitals vitals = new ServerVitals(server);
        Baseline baseline = new Baseline(
                vitals.heap(),
                vitals.threads().size(),
                vitals.openFiles().values().stream().mapToLong(count -> count).sum());
        history.event("baseline " + baseline);
        return baseline;
    }

    /** A quarter of the time with every client at work, and then something that happens to the server meanwhile. */
    private void work(List<SoakClient> clients, Incident incident) throws Exception {
        projectPath();
        ended = false;
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            clients.forEach(threads::execute);
            watch(clients, Duration.ofSeconds(Math.max(4, seconds / 4)));
            incident.happen();
            watch(clients, Duration.ofSeconds(2));
        } finally {
            ended = true;
            threads.shutdown();
        }
        awaitClients(clients, threads);
        assertThat(history.failures()).isEmpty();
    }

    /** What happens to the server. */
    @FunctionalInterface
    private interface Incident {
        void happen() throws Exception;
    }

    private void cleanStop() {
        restart("stops", () -> {});
    }

    private void crash() {
        restart("is killed", server::kill);
    }

    private void restart(String what, Runnable before) {
        history.beginOutage(what);
        before.run();
        server = server.restart();
        connect();
        projectPath();
        history.endOutage();
        assertThat(server.debugLog()).doesNotContain("Failed to load `io.proxima");
    }

    private void projectPath() {
        for (Driver driver : List.of(first, second)) {
            new Cypher(driver).row("CALL proxima.graph.project('path', 'Path', 'STEP', {replace: true})");
        }
    }

    /** Lets the clients work, kills a query now and then, and looks that no call hangs. */
    private void watch(List<SoakClient> clients, Duration duration) throws InterruptedException {
        Random random = new Random(seed + 1);
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end && history.failures().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(200));
            killOne(random);
            assertNobodyHangs(clients);
        }
    }

    private void killOne(Random random) {
        Cypher cypher = new Cypher(server.driver());
        try {
            List<Map<String, Object>> running =
                    cypher.rows("SHOW TRANSACTIONS YIELD transactionId, currentQuery, username"
                            + " WHERE currentQuery STARTS WITH 'CALL proxima' RETURN transactionId, currentQuery");
            if (!running.isEmpty()) {
                Map<String, Object> victim = running.get(random.nextInt(running.size()));
                cypher.rows("TERMINATE TRANSACTION $id", "id", victim.get("transactionId"));
                history.event("killed " + victim);
            }
        } catch (Neo4jException e) {
            history.failure("killing: " + e);
        }
    }

    private void assertNobodyHangs(List<SoakClient> clients) {
        for (SoakClient client : clients) {
            if (!ended && client.sinceLastEnd().compareTo(LONGEST_CALL) > 0) {
                throw hang(clients);
            }
        }
    }

    private AssertionError hang(List<SoakClient> clients) {
        List<String> activities = clients.stream()
                .map(SoakClient::activity)
                .flatMap(Optional::stream)
                .toList();
        activities.forEach(activity -> history.event("still at work: " + activity));
        return new AssertionError(String.join("\n", activities) + "\n\n"
                + String.join("\n\n", new ServerVitals(server).threadsInProxima()) + "\n" + server.logTail());
    }

    private void awaitClients(List<SoakClient> clients, ExecutorService threads) throws InterruptedException {
        if (!threads.awaitTermination(LONGEST_CALL.toSeconds(), TimeUnit.SECONDS)) {
            AssertionError hang = hang(clients);
            threads.shutdownNow();
            throw hang;
        }
    }

    /** A device that was lost comes back with a call that asks for it, when all runs have left it. */
    private void awaitDevice() {
        Cypher cypher = new Cypher(server.driver());
        RunningQuery.await("an answer of the device", () -> {
            try {
                return cypher.value(
                                "MATCH (p:Path {key: 0}) CALL proxima.bfs.stats('path', {sourceNode: p, maxDepth: 9,"
                                        + " backend: 'cuda'}) YIELD nodesReached RETURN nodesReached")
                        .equals(10L);
            } catch (Neo4jException e) {
                history.event("the device: " + e.getMessage());
                return false;
            }
        });
    }

    private void dropAll() {
        for (Driver driver : List.of(first, second)) {
            new Cypher(driver)
                    .rows("CALL proxima.graph.list() YIELD graphName"
                            + " CALL proxima.graph.drop(graphName) YIELD nodeCount RETURN nodeCount");
        }
    }

    private void awaitQuiet() {
        Cypher cypher = new Cypher(server.driver());
        RunningQuery.awaitQuiet(cypher);
        assertThat(cypher.rows("CALL proxima.listProgress()")).isEmpty();
        assertThat(cypher.rows("CALL proxima.memory.list()")).isEmpty();
    }

    /** What a server that has worked and rests holds. */
    private record Baseline(ServerVitals.Heap heap, int threads, long openFiles) {}

    private void assertNothingIsLeft(Baseline baseline) throws Exception {
        awaitQuiet();
        RunningQuery.await("Proxima's threads to end or to wait for work", () -> new ServerVitals(server)
                .threads().stream()
                        .filter(thread -> thread.contains("\"proxima-") || thread.contains("io.proxima."))
                        // an idle worker ends ten seconds later
                        .allMatch(thread -> thread.contains("\"proxima-worker-")
                                && thread.contains("ThreadPoolExecutor.getTask(")));
        assertThat(new Cypher(server.driver()).rows("CALL proxima.graph.list()"))
                .isEmpty();
        ServerVitals vitals = new ServerVitals(server);
        ServerVitals.Heap heap = vitals.heap();
        history.event("heap " + heap);
        for (String held : List.of("GraphEntry", "Csc", "IdMap", "GraphProjection", "QueryStop", "HeapLedger$Held")) {
            assertThat(heap.instancesOf(held))
                    .as("objects %s on the heap", held)
                    .isZero();
        }
        assertThat(heap.instancesOf("Job")).as("ended jobs that are kept").isLessThanOrEqualTo(ENDED_JOBS);
        assertThat(heap.bytes())
                .as("bytes on the heap")
                .isLessThan(baseline.heap().bytes() + HEAP_GROWTH);
        assertThat(vitals.threads()).as("threads").hasSizeLessThan(baseline.threads() + THREADS_GROWTH);
        Map<String, Long> files = vitals.openFiles();
        assertThat(files.values().stream().mapToLong(count -> count).sum())
                .as("open files %s", files)
                .isLessThan(baseline.openFiles() + OPEN_FILES_GROWTH);
        try (ServerJmx jmx = new ServerJmx(server)) {
            assertThat(jmx.attribute("Graphs", "HeapBytes")).isEqualTo(0L);
            assertThat(jmx.attribute("Jobs", "RunningHeapBytes")).isEqualTo(0L);
            TabularData devices = (TabularData) jmx.attribute("Devices", "ByName");
            CompositeData device =
                    (CompositeData) devices.get(new Object[] {"cuda:0"}).get("value");
            history.event("device " + device);
            assertThat(device.get("usedBytes")).as("bytes on the device").isEqualTo(0L);
        }
    }

    private static List<Path> temporaryFilesOfProxima(Path temporary) throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("proxima"))
                    .toList();
        }
    }

    /** A soak in which a kind of call never succeeds would show nothing. */
    private void assertEveryCallWasAnswered(List<SoakClient> clients) {
        Map<String, Map<String, Integer>> ends = history.ends();
        Map<String, Map<String, Integer>> onBackends = history.endsByBackend();
        history.event("ends " + ends);
        history.event("ends by backend " + onBackends);
        assertThat(onBackends).as("what ran").containsKeys("cpu on cpu", "cuda on cuda:0");
        if (seconds >= LONG_SOAK) {
            // what ran under 'auto'; whether one of the lost devices was in such a run is chance
            assertThat(server.debugLog()).contains("Backend cuda:0: ");
            assertThat(onBackends.get("cuda"))
                    .as("ends of calls that asked for the device")
                    .containsKey("failed with the device");
        }
        for (String call : clients.get(0).stepNames()) {
            String end = call.startsWith("long run") ? "killed" : "answered";
            assertThat(ends.getOrDefault(call, Map.of())).as("ends of %s", call).containsKey(end);
        }
    }
}
