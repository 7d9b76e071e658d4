// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

class CatalogExtensionTest {

    private static final Map<Setting<?>, Object> AUTHENTICATED = Map.of(GraphDatabaseSettings.auth_enabled, true);

    @Test
    void shouldDropTheGraphsOfAUserWhoIsDroppedOrRenamed(@TempDir Path home) throws Exception {
        try (TestDbms.Other other = TestDbms.Other.open(home, AUTHENTICATED)) {
            GraphDatabaseService system = other.dbms().database("system");
            UUID id = UUID.randomUUID();
            for (String user : List.of("ann", "bob", "eve")) {
                system.executeTransactionally("CREATE USER " + user + " SET PASSWORD 'a password' CHANGE NOT REQUIRED");
                add(home.resolve("data"), user, id);
            }
            system.executeTransactionally("ALTER USER bob SET PASSWORD 'another one'");
            assertThat(owners(id)).containsExactly("ann", "bob", "eve");
            system.executeTransactionally("DROP USER ann");
            assertThat(owners(id)).containsExactly("bob", "eve");
            // Neo4j leaves connections of a dropped user open
            add(home.resolve("data"), "ann", id);
            system.executeTransactionally("CREATE USER ann SET PASSWORD 'a password'");
            add(home.resolve("data"), "bill", id);
            system.executeTransactionally("RENAME USER bob TO bill");
            assertThat(owners(id)).containsExactly("eve");
            add(home.resolve("data"), "bob", id);
            GraphCatalogTest.CountingBackend failing = new GraphCatalogTest.CountingBackend();
            failing.failure = new OutOfMemoryError("none left");
            add(home.resolve("data"), "bill", id).loadedOn(failing, 1, Stop.NEVER);
            assertThatThrownBy(() -> system.executeTransactionally("RENAME USER bill TO bob"))
                    .isSameAs(failing.failure);
            assertThat(owners(id)).containsExactly("eve");
            system.executeTransactionally("CREATE OR REPLACE USER eve SET PASSWORD 'a password'");
            assertThat(owners(id)).isEmpty();
        }
    }

    /** As on a server of a cluster that did not commit the change of the users. */
    @Test
    void shouldDropTheGraphsOfAFormerUserWhoseEndWasNotNotified(@TempDir Path home) throws Exception {
        try (TestDbms.Other other = TestDbms.Other.open(home, AUTHENTICATED)) {
            GraphDatabaseService system = other.dbms().database("system");
            GraphDatabaseAPI database = other.database();
            UUID id = database.databaseId().databaseId().uuid();
            assertThat(SystemUsers.idOf(system, "zoe")).isEmpty();
            system.executeTransactionally("CREATE USER zoe SET PASSWORD 'a password' CHANGE NOT REQUIRED");
            String first = SystemUsers.idOf(system, "zoe");
            system.executeTransactionally("ALTER USER zoe SET PASSWORD 'another one'");
            assertThat(SystemUsers.idOf(system, "zoe")).isEqualTo(first).isNotEmpty();
            system.executeTransactionally("DROP USER zoe");
            system.executeTransactionally("CREATE USER zoe SET PASSWORD 'a password' CHANGE NOT REQUIRED");
            assertThat(SystemUsers.idOf(system, "zoe")).isNotEqualTo(first);

            GraphCatalog.dropGraphsOfFormerUser(home.resolve("data"), "zoe", -1, () -> first);
            add(home.resolve("data"), "zoe", id);
            assertThat(graphsSeenBy("zoe", database)).isZero();
            assertThat(owners(id)).isEmpty();
            add(home.resolve("data"), "zoe", id);
            assertThat(graphsSeenBy("zoe", database)).isEqualTo(1);
        }
    }

    private static long graphsSeenBy(String user, GraphDatabaseAPI database) {
        SecurityContext context = TestUsers.user(user, AccessMode.Static.FULL, Set.of());
        try (InternalTransaction transaction = database.beginTransaction(KernelTransaction.Type.EXPLICIT, context);
                Result result = transaction.execute("CALL proxima.graph.list() YIELD graphName")) {
            return result.stream().count();
        }
    }

    private static GraphEntry add(Path dbms, String user, UUID database) {
        return GraphCatalogTest.add(new GraphCatalog.Viewer(dbms, user, false, database, "neo4j"), "g");
    }

    private static List<String> owners(UUID database) {
        return GraphCatalog.all().stream()
                .map(GraphEntry::key)
                .filter(key -> key.database().equals(database))
                .map(GraphKey::user)
                .toList();
    }

    @Test
    void shouldDropTheGraphsOfADatabaseThatStops(@TempDir Path home) throws Exception {
        GraphCatalog.Viewer viewer;
        try (TestDbms.Other other = TestDbms.Other.open(home, Map.of())) {
            UUID id = other.database().databaseId().databaseId().uuid();
            viewer = new GraphCatalog.Viewer(home.resolve("data"), "", false, id, "neo4j");
            other.run("CREATE (:N)-[:R]->(:N)");
            other.run("CALL proxima.graph.project('g', 'N', 'R')");
            assertThat(GraphCatalog.list(viewer)).extracting(GraphEntry::key).containsExactly(viewer.key("g"));
        }
        assertThat(GraphCatalog.exists(viewer, "g")).isFalse();
    }
}
