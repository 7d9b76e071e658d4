// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.algorithm.betweenness.BetweennessProcedures;
import io.proxima.plugin.algorithm.bfs.BfsProcedures;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures;
import io.proxima.plugin.algorithm.closeness.HarmonicProcedures;
import io.proxima.plugin.algorithm.closeness.SampledClosenessProcedures;
import io.proxima.plugin.algorithm.components.WccProcedures;
import io.proxima.plugin.algorithm.distances.DistancesProcedures;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures;
import io.proxima.plugin.algorithm.nearest.NearestProcedures;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.files.FileProcedures;
import io.proxima.plugin.graph.CatalogProcedures;
import io.proxima.plugin.graph.DescribeProcedure;
import io.proxima.plugin.graph.FilterProcedure;
import io.proxima.plugin.graph.GraphFileProcedures;
import io.proxima.plugin.graph.NodePropertyProcedures;
import io.proxima.plugin.graph.ProjectFunction;
import io.proxima.plugin.graph.ProjectProcedure;
import io.proxima.plugin.help.HelpProcedure;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.plugin.system.ProximaFunctions;
import io.proxima.plugin.system.SystemProcedures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.internal.kernel.api.exceptions.ProcedureException;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.logging.NullLog;
import org.neo4j.procedure.TerminationGuard;

/** One embedded Neo4j with the procedures registered, for all tests of the module; it ends with the JVM. */
public final class TestDbms {

    /** Two diamonds in a row, of the type R, with a shortcut of the type S, and a node apart. */
    public static final String DIAMONDS = "CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}),"
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

    private static List<Map<String, Object>> rows(Result result) {
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
            Other other = Other.open(
                    home,
                    Map.of(ProximaSettings.EXPORT_DIRECTORY, EXPORT_DIRECTORY),
                    ProjectProcedure.class,
                    CatalogProcedures.class,
                    FilterProcedure.class,
                    GraphFileProcedures.class,
                    FileProcedures.class,
                    BfsProcedures.class,
                    DistancesProcedures.class,
                    NearestProcedures.class,
                    ClosenessProcedures.class,
                    HarmonicProcedures.class,
                    EccentricityProcedures.class,
                    SampledClosenessProcedures.class,
                    BetweennessProcedures.class,
                    WccProcedures.class,
                    AllShortestPathsProcedures.class,
                    NodePropertyProcedures.class,
                    SystemProcedures.class,
                    HelpProcedure.class,
                    DescribeProcedure.class);
            Runtime.getRuntime().addShutdownHook(new Thread(other::close, "shutdown of the test DBMS"));
            GlobalProcedures procedures = other.procedures();
            procedures.registerFunction(ProximaFunctions.class);
            procedures.registerAggregationFunction(ProjectFunction.class);
            return other.dbms;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ProcedureException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A DBMS with some of the procedures, which ends when it is closed. */
    public record Other(DatabaseManagementService dbms) implements AutoCloseable {

        /** Starts a DBMS. */
        public static Other open(Path home, Map<Setting<?>, Object> settings, Class<?>... procedures)
                throws ProcedureException {
            Other other = new Other(new DatabaseManagementServiceBuilder(home)
                    .setConfig(settings)
                    // its heap would show in the tests of the ledger
                    .setConfig(ProximaSettings.WARMUP_ENABLED, false)
                    .build());
            for (Class<?> type : procedures) {
                other.procedures().registerProcedure(type);
            }
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

        private GlobalProcedures procedures() {
            return database().getDependencyResolver().resolveDependency(GlobalProcedures.class);
        }

        @Override
        public void close() {
            dbms.shutdown();
        }
    }
}
