// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.logging.NullLog;
import org.neo4j.procedure.TerminationGuard;

/** One embedded Neo4j with the procedures registered, for all tests of the module; it ends with the JVM. */
public final class TestDbms {

    /** Two diamonds in a row, of the type R, with a shortcut of the type S, and a node apart. */
    private static final String DIAMONDS = "CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}),"
            + " (d:N {name: 'd'}), (e:N {name: 'e'}), (f:N {name: 'f'}), (g:N {name: 'g'}), (i:N:Alone {name: 'i'}),"
            + " (a)-[:R]->(b), (a)-[:R]->(c), (b)-[:R]->(d), (c)-[:R]->(d), (d)-[:R]->(e), (d)-[:R]->(f),"
            + " (e)-[:R]->(g), (f)-[:R]->(g), (a)-[:S]->(g)";

    private static final String EXPORT_DIRECTORY = "exported";
    private static final DatabaseManagementService DBMS = start();
    private static final GraphDatabaseAPI DATABASE = (GraphDatabaseAPI) DBMS.database("neo4j");

    private TestDbms() {}

    /** The database. */
    public static GraphDatabaseAPI database() {
        return DATABASE;
    }

    /** A component of the database. */
    public static <T> T component(Class<T> type) {
        return DATABASE.getDependencyResolver().resolveDependency(type);
    }

    /** The server. */
    public static DatabaseManagementService dbms() {
        return DBMS;
    }

    /** The folder of exported graphs. */
    public static Path exportFolder() {
        return DATABASE.databaseLayout().getNeo4jLayout().homeDirectory().resolve(EXPORT_DIRECTORY);
    }

    /** Removes all nodes and all graphs. */
    public static void clear() {
        run("MATCH (n) DETACH DELETE n");
        dropGraphs();
    }

    /** Replaces all nodes and all graphs by the nodes of two diamonds. */
    public static void createDiamonds() {
        clear();
        run(DIAMONDS);
    }

    /** Removes all graphs. */
    public static void dropGraphs() {
        run("CALL proxima.graph.list() YIELD graphName CALL proxima.graph.drop(graphName) YIELD graphName AS g"
                + " RETURN count(*)");
    }

    /** Runs a query in a transaction of its own and returns all rows. */
    public static List<Map<String, Object>> run(String query, Map<String, Object> parameters) {
        return DATABASE.executeTransactionally(query, parameters, TestDbms::rows);
    }

    /** Runs a query without parameters. */
    public static List<Map<String, Object>> run(String query) {
        return run(query, Map.of());
    }

    /** Runs a query with two columns, and returns the values of the second by those of the first. */
    @SuppressWarnings("unchecked") // the test knows what its query returns
    public static <K, V> Map<K, V> pairs(String query) {
        Map<K, V> pairs = new TreeMap<>();
        run(query).forEach(row -> {
            Iterator<Object> values = row.values().iterator();
            pairs.put((K) values.next(), (V) values.next());
        });
        return pairs;
    }

    /** Runs a query and returns the one value of its one row. */
    public static Object value(String query) {
        return run(query).get(0).values().iterator().next();
    }

    /** The caller of a transaction, without authentication. */
    public static Caller caller(Transaction transaction, TerminationGuard guard) {
        return new Caller(
                transaction,
                DATABASE,
                NullLog.getInstance(),
                guard,
                ProcedureCallContext.EMPTY,
                SecurityContext.AUTH_DISABLED);
    }

    /** Asserts that no graph and no job is left. */
    public static void assertNothingIsLeft() {
        assertThat(run("CALL proxima.graph.list()")).isEmpty();
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    /** Waits without being interrupted. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until something is so. */
    public static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    static List<Map<String, Object>> rows(Result result) {
        List<Map<String, Object>> rows = new ArrayList<>();
        while (result.hasNext()) {
            Map<String, Object> given = result.next();
            Map<String, Object> row = new LinkedHashMap<>();
            result.columns().forEach(column -> row.put(column, given.get(column)));
            rows.add(row);
        }
        return rows;
    }

    private static DatabaseManagementService start() {
        try {
            Path home = Files.createTempDirectory("proxima-test");
            Other other = Other.open(home, Map.of(ProximaSettings.EXPORT_DIRECTORY, EXPORT_DIRECTORY));
            Runtime.getRuntime().addShutdownHook(new Thread(other::close, "shutdown of the test DBMS"));
            return other.dbms;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The classes of the module that declare procedures or functions. */
    public static List<Class<?>> procedureClasses() {
        try {
            Path classes = Path.of(ProximaProcedure.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            List<Class<?>> types = new ArrayList<>();
            try (Stream<Path> files = Files.walk(classes)) {
                List<String> names = files.map(file -> classes.relativize(file).toString())
                        .filter(name -> name.matches(".*(Procedure|Procedures|Function|Functions)\\.class"))
                        .map(name -> name.replace(".class", "").replace(File.separatorChar, '.'))
                        .toList();
                for (String name : names) {
                    types.add(Class.forName(name));
                }
            }
            return types;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void registerAll(GlobalProcedures procedures) throws Exception {
        for (Class<?> type : procedureClasses()) {
            procedures.registerProcedure(type);
            procedures.registerFunction(type);
            procedures.registerAggregationFunction(type);
        }
    }

    /** A DBMS with the procedures, which ends when it is closed. */
    public record Other(DatabaseManagementService dbms) implements AutoCloseable {

        /** Starts a DBMS. */
        public static Other open(Path home, Map<Setting<?>, Object> settings) throws Exception {
            Other other = new Other(new DatabaseManagementServiceBuilder(home)
                    .setConfig(settings)
                    // its heap would show in the tests of the ledger
                    .setConfig(ProximaSettings.WARMUP_ENABLED, false)
                    .build());
            registerAll(other.database().getDependencyResolver().resolveDependency(GlobalProcedures.class));
            return other;
        }

        /** Its database. */
        public GraphDatabaseAPI database() {
            return (GraphDatabaseAPI) dbms.database("neo4j");
        }

        /** Runs a query. */
        public void run(String query) {
            database().executeTransactionally(query, Map.of(), Result::resultAsString);
        }

        @Override
        public void close() {
            dbms.shutdown();
        }
    }
}
