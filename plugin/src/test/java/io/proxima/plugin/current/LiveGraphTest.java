// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static io.proxima.projection.store.RestrictedAccess.hiding;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** Graphs that each call on them refreshes. */
class LiveGraphTest {

    private static final int NO_TYPE = -2;
    private static final String COMPONENTS = "CALL proxima.wcc.stats('g') YIELD componentCount";

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}}, {live: true})");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldShowEachCommitToTheNextCall() {
        assertThat(value(COMPONENTS)).isEqualTo(2L);
        run("CREATE (:N), (:N)");
        assertThat(value(COMPONENTS)).isEqualTo(4L);
        run("MATCH (n:N) WHERE n.name IS NULL DELETE n");
        run("MATCH (d {name: 'd'}) DETACH DELETE d");
        assertThat(value(COMPONENTS)).isEqualTo(3L);
        run("CREATE (:N)");
        run("CALL proxima.graph.filter('part', 'g', '*', '*')");
        assertThat(value("CALL proxima.graph.list('part') YIELD nodeCount")).isEqualTo(8L);
        assertThat(value("CALL proxima.graph.list('g') YIELD stale, configuration RETURN [stale, configuration.live]"))
                .isEqualTo(List.of(false, true));
    }

    @Test
    void shouldCarryPropertiesAlong() {
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'component'})");
        run("MATCH (a {name: 'a'}) CREATE (:N)-[:R]->(a)");
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'component') YIELD propertyValue"
                        + " RETURN count(propertyValue)"))
                .isEqualTo(9L);
        run("CALL proxima.graph.nodeProperties.write('g', 'component')");
        assertThat(value("MATCH (n:N) RETURN count(n.component)")).isEqualTo(8L);
    }

    @Test
    void shouldServeSeveralUsersWhileOthersCommit() {
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
            int commits = 0;
            while (!ends.get()) {
                run("MATCH (i {name: 'i'}) CREATE (:N {later: true})-[:R]->(i)");
                commits++;
            }
            return commits;
        });
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            String property = "of reader " + reader;
            readers.add(CompletableFuture.runAsync(() -> {
                long last = 0;
                for (int i = 0; i < 5; i++) {
                    long nodes = (long)
                            value(
                                    "CALL proxima.wcc.stats('g') YIELD componentDistribution RETURN toInteger(componentDistribution.max)");
                    assertThat(nodes).isGreaterThanOrEqualTo(last);
                    last = nodes;
                }
                run("CALL proxima.wcc.mutate('g', {mutateProperty: $name})", Map.of("name", property));
                assertThat(value("CALL proxima.graph.nodeProperty.stream('g', '" + property
                                + "') YIELD nodeId RETURN count(*) > 0"))
                        .isEqualTo(true);
            }));
        }
        readers.forEach(CompletableFuture::join);
        ends.set(true);
        long commits = writer.join();
        assertThat(value("CALL proxima.bfs.stats('g', {sourceNode: $i}) YIELD nodesReached".replace("$i", i())))
                .isEqualTo(commits + 1);
    }

    private static String i() {
        return value("MATCH (i {name: 'i'}) RETURN id(i)").toString();
    }

    /** What others may not read is in no merged graph: theirs are projected as a whole. */
    @Test
    void shouldProjectTheGraphsOfRestrictedUsersAsAWhole() {
        run("CREATE (:Secret:N)");
        int secret;
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            secret = transaction.kernelTransaction().tokenRead().nodeLabel("Secret");
        }
        AccessMode traversal = changed(AccessMode.Static.FULL, hiding(secret, NO_TYPE));
        AccessMode mode = changed(
                traversal,
                // what the mode FULL does of its own is a right of administrators
                (method, given) -> method.startsWith("shouldBoost") ? PermissionState.NOT_GRANTED : null);
        SecurityContext eve = TestUsers.user("eve", mode, Set.of());
        TestUsers.run(eve, "CALL proxima.graph.project('g', 'N', 'R', {live: true})");
        run("MATCH (a {name: 'a'}) CREATE (:N)-[:R]->(a), (:Secret:N)-[:R]->(a)");
        assertThat(TestUsers.run(eve, "CALL proxima.wcc.stats('g') YIELD componentCount"))
                .containsExactly(Map.of("componentCount", 2L));
        assertThat(TestUsers.run(eve, "CALL proxima.graph.refresh('g') YIELD nodeCount, mode, reason"))
                .containsExactly(Map.of(
                        "nodeCount",
                        9L,
                        "mode",
                        "projected",
                        "reason",
                        "The caller may not read everything that is projected."));
        assertThat(TestUsers.run(
                                eve,
                                "CALL proxima.graph.list('g') YIELD configuration RETURN configuration.refreshReason AS reason")
                        .get(0))
                .containsEntry("reason", "The caller may not read everything that is projected.");
        TestUsers.run(eve, "CALL proxima.graph.drop('g')");
    }

    @Test
    void shouldExportTheLastStateAndImportItAsAGraphOfItsOwn() throws Exception {
        Files.createDirectories(TestDbms.exportFolder());
        run("CREATE (:N)");
        run("CALL proxima.graph.export('g', 'live', {overwrite: true})");
        run("CALL proxima.graph.import('live', 'h')");
        assertThat(value("CALL proxima.graph.list('h') YIELD nodeCount, stale, configuration"
                        + " RETURN [nodeCount, stale, configuration.live]"))
                .isEqualTo(Arrays.asList(9L, false, null));
        run("CREATE (:N)");
        assertThat(value("CALL proxima.wcc.stats('h') YIELD componentCount")).isEqualTo(3L);
        assertThat(value(COMPONENTS)).isEqualTo(4L);
    }

    /** A graph with changes that may be rolled back is as stale as without this. */
    @Test
    void shouldIncludeUncommittedChangesOfTheCaller() {
        assertThat(value("CREATE (:N) WITH count(*) AS created CALL proxima.wcc.stats('g') YIELD componentCount"
                        + " RETURN componentCount"))
                .isEqualTo(3L);
        assertThat(value(COMPONENTS)).isEqualTo(3L);
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
    }
}
