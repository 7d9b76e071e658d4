// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.Promise;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.select.FakeBackends;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures;
import io.proxima.plugin.algorithm.paths.ConnectionSubgraphProcedures;
import io.proxima.plugin.algorithm.paths.ShortestPathProcedures;
import io.proxima.plugin.server.DevicesOfServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.logging.NullLog;

/**
 * Calls that make several runs, many of them on a directed graph and its reverse, on devices that have room for all
 * that the runs read, for a part, or for nothing.
 */
class SeveralRunsTest {

    private static final int SIZES = 8;

    @BeforeEach
    void createGraph() {
        TestDbms.clear();
        run("UNWIND range(0, 499) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 OR (a.i % 7 = 0 AND a.i < 400 AND b.i = (a.i * 5) % 400)"
                + " CREATE (a)-[:R]->(b)");
        run("MATCH (a:N {i: 399}), (b:N {i: 0}) CREATE (a)-[:R]->(b)");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    /** A call of a server, which returns what does not depend on times. */
    private record Tried(String name, Call call) {
        @FunctionalInterface
        interface Call {
            Object of(GraphDatabaseService database, String backend);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Tried> calls() {
        return List.of(
                new Tried(
                        "closeness",
                        (database, backend) -> answer(new ClosenessProcedures(), database, of -> of.stats(
                                        "g", Map.of("backend", backend))
                                .map(row -> List.of(row.centralityDistribution(), row.diameter(), row.radius())))),
                new Tried(
                        "best closeness",
                        (database, backend) -> answer(new ClosenessProcedures(), database, of -> of.stream(
                                        "g", Map.of("backend", backend, "topK", 5))
                                .map(row -> List.of(row.nodeId(), row.score())))),
                new Tried(
                        "eccentricity",
                        (database, backend) -> answer(
                                new EccentricityProcedures(), database, of -> of.stream("g", Map.of("backend", backend))
                                        .map(row -> List.of(row.nodeId(), row.eccentricity())))),
                new Tried("shortest path", (database, backend) -> {
                    Map<String, Object> keys =
                            Map.of("backend", backend, "sourceNode", node(0), "targetNode", node(90));
                    return answer(new ShortestPathProcedures(), database, of -> of.stream("g", keys)
                            .map(ShortestPathProcedures.StreamRow::totalCost));
                }),
                new Tried("connection subgraph", (database, backend) -> {
                    Map<String, Object> keys =
                            Map.of("backend", backend, "sourceNode", node(0), "targetNode", node(90), "maxDepth", 30);
                    return answer(new ConnectionSubgraphProcedures(), database, of -> of.stats("g", keys)
                            .map(row -> List.of(row.relationshipCount(), row.nodeCount())));
                }));
    }

    /** The id of a node, which the store may have given to another one before. */
    private static long node(int i) {
        return (long) TestDbms.value("MATCH (n:N {i: " + i + "}) RETURN id(n)");
    }

    private static <P extends ProximaProcedure> Object answer(
            P procedures, GraphDatabaseService database, Function<P, Stream<?>> call) {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            procedures.transaction = transaction;
            procedures.databaseService = database;
            procedures.log = NullLog.getInstance();
            procedures.terminationGuard = () -> {};
            procedures.callContext = ProcedureCallContext.EMPTY;
            procedures.securityContext = SecurityContext.AUTH_DISABLED;
            // as Neo4j does, which lets go of what rows hold
            try (Stream<?> rows = call.apply(procedures)) {
                return rows.toList();
            }
        }
    }

    /** Another call takes the rest of the device as soon as this one searches. */
    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseACallBeforeItDoesAnythingOrNotAtAll(Tried tried) throws Exception {
        run("CALL proxima.graph.project('g', 'N', 'R')");
        Object expected = tried.call.of(TestDbms.database(), "cpu");
        int refused = 0;
        for (int size = 1; size <= SIZES; size++) {
            FakeDriver driver = FakeDriver.hopper(size * 100_000L);
            Object found = on(driver, tried);
            if (found instanceof Throwable thrown) {
                refused++;
                assertThat(thrown).hasMessageContaining("device_memory_share");
                assertThat(driver.device().launches()).as("%s", found).isEmpty();
                assertThat(driver.device().uploadedBytes()).isZero();
            } else {
                assertThat(found).isEqualTo(expected);
                assertThat(driver.device().launches()).isNotEmpty();
            }
        }
        assertThat(refused).isBetween(1, SIZES - 1);
    }

    /** The answer, or why the call was refused. */
    private static Object on(FakeDriver driver, Tried tried) throws Exception {
        run("CALL proxima.graph.project('g', 'N', 'R', {replace: true})");
        CudaBackends devices = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO));
        DeviceBackend backend = (DeviceBackend) devices.choose().backend();
        Device device = backend.device();
        List<Promise> others = new ArrayList<>();
        driver.device().onLaunch(entry -> {
            if (entry.contains("bfs_") && others.isEmpty()) {
                others.add(rest(device));
            }
        });
        try (DevicesOfServer server = new DevicesOfServer(FakeBackends.of(devices))) {
            Object[] found = new Object[1];
            Throwable thrown = catchThrowable(() -> found[0] = tried.call.of(server.database(), "cuda"));
            others.forEach(Promise::close);
            // the preparation of the graph holds a promise while it allocates
            backend.preparer().awaitIdle();
            assertThat(device.memory().isPromisedOnly(null)).isTrue();
            run("CALL proxima.graph.drop('g')");
            return thrown == null ? found[0] : thrown;
        }
    }

    private static Promise rest(Device device) {
        long left =
                Placed.roomFor(device, Contents.none(false)) - device.memory().workspaceBeside(null);
        return device.memory().promise(Math.max(0, left), 0, 0);
    }
}
