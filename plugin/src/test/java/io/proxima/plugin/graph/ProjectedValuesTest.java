// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.store.ValuedGraph;
import io.proxima.projection.store.ValuedGraph.Expected;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** What the procedures and the function project and count, against a model: also after changes, committed or not. */
class ProjectedValuesTest {

    private static final int ROUNDS = 40;
    private static final int CHANGES = 50;
    private static final String PROJECT = "CALL proxima.graph.project('g', $nodes, $relationships, {replace: true})";
    private static final String REFRESH = "CALL proxima.graph.refresh('g')";
    private static final String REFUSAL = "only numbers can be projected";

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldProjectRefreshAndEstimateWhatTheModelSays() throws KernelException {
        ValuedGraph model = new ValuedGraph(3);
        int projected = 0;
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            ProjectionSpec spec;
            boolean exists;
            try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
                model.change(transaction.kernelTransaction(), CHANGES);
                spec = model.spec();
                Expected expected = model.expected(spec);
                assertEstimates(transaction, spec, expected, model);
                exists = assertProjects(transaction, PROJECT, spec, expected);
                transaction.commit();
                assertRefuses(PROJECT, spec, expected);
            }
            try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
                if (round % 2 == 0) {
                    model.change(transaction.kernelTransaction(), CHANGES);
                }
                Expected expected = model.expected(spec);
                if (exists) {
                    assertProjects(transaction, REFRESH, spec, expected);
                }
                assertEstimates(transaction, spec, expected, model);
                assertRows(transaction, model);
                transaction.commit();
                if (exists) {
                    assertRefuses(REFRESH, spec, expected);
                }
                projected += expected.refused() ? 0 : 1;
                refused += expected.refused() ? 1 : 0;
            }
        }
        assertThat(projected).isGreaterThan(ROUNDS / 4);
        // the ids that the store reuses decide how many
        assertThat(refused).isGreaterThan(ROUNDS / 10);
    }

    private static void assertEstimates(
            Transaction transaction, ProjectionSpec spec, Expected expected, ValuedGraph model) {
        Map<String, Object> row = transaction
                .execute("CALL proxima.graph.project.estimate($nodes, $relationships)", parameters(spec))
                .next();
        assertThat((long) row.get("relationshipCount"))
                .as(spec.toString())
                .isBetween(expected.relationshipCount(), expected.directed());
        if (spec.labels().size() == 1) {
            assertThat(row).containsEntry("nodeCount", (long) expected.nodes().size());
        } else {
            assertThat((long) row.get("nodeCount"))
                    .isBetween((long) expected.nodes().size(), model.count(ProjectionSpec.ALL));
        }
    }

    /** A call that fails ends its transaction, so it has its own. */
    private static void assertRefuses(String call, ProjectionSpec spec, Expected expected) {
        if (expected.refused()) {
            assertThatThrownBy(() -> run(call, parameters(spec)))
                    .as("%s %s", call, spec)
                    .hasMessageContaining(REFUSAL);
        }
    }

    /** Returns whether the graph can be projected. */
    private static boolean assertProjects(
            Transaction transaction, String call, ProjectionSpec spec, Expected expected) {
        if (expected.refused()) {
            return false;
        }
        assertThat(transaction.execute(call, parameters(spec)).next())
                .as("%s %s", call, spec)
                .containsEntry("nodeCount", (long) expected.nodes().size())
                .containsEntry("relationshipCount", expected.relationshipCount())
                .containsEntry("relationshipsLeftOut", expected.directed() - expected.relationshipCount());
        Expected found = projected(transaction, "g");
        assertThat(found.nodes()).isEqualTo(expected.nodes());
        assertThat(found.pairs()).isEqualTo(expected.pairs());
        assertThat(found.values()).as("%s %s", call, spec).isEqualTo(expected.values());
        return true;
    }

    private static void assertRows(Transaction transaction, ValuedGraph model) {
        Map<String, Object> counts = transaction
                .execute(
                        "MATCH (a:A)-[r]->(b:A) RETURN count(r) AS all, count(CASE type(r) WHEN 'R' THEN r END) AS both,"
                                + " count(CASE WHEN a <> b THEN r.w END) AS w, count(CASE WHEN a <> b THEN r.v END) AS v")
                .next();
        // a property without any value is refused
        List<String> properties =
                Stream.of("w", "v").filter(name -> (long) counts.get(name) > 0).toList();
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (String type : List.of("R", "S")) {
            types.put(
                    type,
                    new TypeProjection(
                            type,
                            type.equals("R") ? Orientation.UNDIRECTED : Orientation.NATURAL,
                            ValuedGraph.unchanged(properties)));
        }
        ProjectionSpec spec = new ProjectionSpec(Map.of("A", "A"), types);
        Expected expected = model.expected(spec);
        String rows = "MATCH (a:A)-[r]->(b:A) RETURN proxima.graph.project";
        String call = rows + "('rows', a, b, {relationshipType: type(r), relationshipProperties: r {"
                + properties.stream().map(name -> "." + name).collect(Collectors.joining(", "))
                + "}}, {undirectedRelationshipTypes: ['R'], replace: true}) AS made";
        long both = (long) counts.get("both");
        long inside = (long) counts.get("all") + both;
        // a type that is not in the rows must not be called undirected
        if (expected.refused() || both == 0) {
            return;
        }
        Map<?, ?> made = (Map<?, ?>) transaction.execute(call).next().get("made");
        assertThat(made.get("relationshipCount")).isEqualTo(expected.relationshipCount());
        assertThat(made.get("relationshipsLeftOut")).isEqualTo(inside - expected.relationshipCount());
        Map<?, ?> estimate = (Map<?, ?>) transaction
                .execute(call.replace("project('rows'", "project.estimate('rows'"))
                .next()
                .get("made");
        assertThat(estimate.get("relationshipCount")).isEqualTo(inside);
        Expected found = projected(transaction, "rows");
        assertThat(expected.nodes()).containsAll(found.nodes());
        found.values().forEach((type, values) -> {
            assertThat(found.pairs().get(type)).isEqualTo(expected.pairs().get(type));
            assertThat(values).isEqualTo(expected.values().get(type));
        });
    }

    private static Expected projected(Transaction transaction, String name) {
        try (GraphEntry entry =
                GraphCatalog.acquire(TestDbms.caller(transaction, () -> {}).viewer(), name)) {
            return ValuedGraph.of(entry.projection());
        }
    }

    /** The projections in the syntax of the procedure. */
    private static Map<String, Object> parameters(ProjectionSpec spec) {
        Map<String, Object> relationships = new LinkedHashMap<>();
        spec.types().forEach((name, type) -> {
            Map<String, Object> properties = new LinkedHashMap<>();
            type.properties().forEach((property, projection) -> {
                Map<String, Object> keys = new HashMap<>();
                keys.put("property", projection.property());
                keys.put("aggregation", projection.aggregation().name());
                keys.put("defaultValue", Double.isNaN(projection.defaultValue()) ? null : projection.defaultValue());
                properties.put(property, keys);
            });
            relationships.put(
                    name,
                    Map.of(
                            "type",
                            type.type(),
                            "orientation",
                            type.orientation().name(),
                            "properties",
                            properties));
        });
        return Map.of("nodes", spec.labels(), "relationships", relationships);
    }

    @Test
    void shouldJudgeOnlyTheValuesOfProjectedRelationships() {
        run(
                "CREATE (a:Town {k: 'a'})-[:ROAD {km: 3}]->(:Town), (:Mine)-[:ROAD {km: 'closed'}]->(:Mine),"
                        + " (a)-[:ROAD {km: 'closed'}]->(:Mine), (a)-[:ROAD {km: 'ring'}]->(a), (a)-[:PATH {km: 'wet'}]->(:Town)");
        String project = "CALL proxima.graph.project('g', 'Town', {ROAD: {properties: 'km'}, PATH: {}})"
                + " YIELD relationshipCount, relationshipsLeftOut";
        assertThat(run(project)).containsExactly(Map.of("relationshipCount", 2L, "relationshipsLeftOut", 3L));
        run("CREATE (:Mine)-[:ROAD {km: ['closed']}]->(:Town)");
        assertThat(value("CALL proxima.graph.refresh('g') YIELD relationshipsLeftOut"))
                .isEqualTo(4L);
        run("CREATE (:Town)-[:ROAD {km: 'closed'}]->(:Town)");
        assertThatThrownBy(() -> run("CALL proxima.graph.refresh('g')")).hasMessageContaining(REFUSAL);
        assertThat(value("MATCH (a:Town)-[r:ROAD]->(b:Town) WHERE r.km <> 'closed'"
                        + " WITH proxima.graph.project('rows', a, b, {relationshipProperties: r {.km}}) AS made"
                        + " RETURN made.relationshipsLeftOut"))
                .isEqualTo(1L);
    }

    @Test
    void shouldCountOnlyRelationshipsWithTheProperty() {
        run("CREATE (a:Stop)-[:RIDE {fare: 4}]->(b:Stop), (a)-[:RIDE {fare: 'free'}]->(b), (a)-[:RIDE]->(b),"
                + " (b)-[:RIDE]->(:Stop)");
        run("CALL proxima.graph.project('g', 'Stop', {RIDE: {properties:"
                + " {n: {property: 'fare', defaultValue: 1, aggregation: 'COUNT'}}}})");
        assertThat(weights("n")).containsExactly(0.0, 2.0);
    }

    @Test
    void shouldRefuseASumOfNothingAsAWeight() {
        run("CREATE (b:Port {k: 'b'})-[:FERRY]->(c:Port), (:Port)-[:FERRY {km: 5}]->(b)-[:FERRY {km: 1}]->(:Port)");
        for (String aggregation : List.of("SUM", "MIN", "MAX", "SINGLE")) {
            run("CALL proxima.graph.project('g', 'Port', {FERRY: {properties: {km: {aggregation: '" + aggregation
                    + "'}}}}, {replace: true})");
            assertThat(weights("km")).as(aggregation).containsExactly(1.0, 5.0, Double.NaN);
            assertThatThrownBy(() -> run("MATCH (s:Port {k: 'b'}) CALL proxima.allShortestPaths.delta.stream('g',"
                            + " {sourceNode: s, relationshipWeightProperty: 'km'}) YIELD totalCost RETURN totalCost"))
                    .as(aggregation)
                    .hasMessageContaining("NaN in `km`");
        }
    }

    private static List<Double> weights(String property) {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            return projected(transaction, "g").values().values().stream()
                    .flatMap(ofType -> ofType.get(property).values().stream())
                    .flatMap(List::stream)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldCountWhatTheTransactionHasDeletedNeitherAsLeftOutNorInEstimates() {
        run("CREATE (:Hub {k: 1})-[:PIPE]->(:Hub {k: 2})-[:PIPE]->(:Hub {k: 3})");
        String undirected = "{PIPE: {orientation: 'UNDIRECTED'}}";
        assertCounts("MATCH (:Hub {k: 2})-[r]->() DELETE r", "'PIPE'", 3, 1);
        assertCounts("MATCH (:Hub {k: 2})-[r]->() DELETE r", undirected, 3, 2);
        assertCounts("MATCH (n:Hub {k: 2}) DETACH DELETE n", undirected, 2, 0);
        assertCounts("MATCH (n:Hub {k: 2}) REMOVE n:Hub", "'PIPE'", 2, 2);
        assertCounts("MATCH (a:Hub {k: 2})-[r]->(b) DELETE r CREATE (a)-[:PIPE]->(b)", "'PIPE'", 3, 2);
    }

    private static void assertCounts(String change, String relationships, long nodes, long stored) {
        run("CALL proxima.graph.project('g', 'Hub', " + relationships + ", {replace: true})");
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute(change).close();
            long inside = change.contains("REMOVE") ? 0 : stored;
            for (String call : List.of("project('g', 'Hub', " + relationships + ", {replace: true})", "refresh('g')")) {
                assertThat(transaction.execute("CALL proxima.graph." + call).next())
                        .as("%s, %s", change, call)
                        .containsEntry("nodeCount", nodes)
                        .containsEntry("relationshipCount", inside)
                        .containsEntry("relationshipsLeftOut", stored - inside);
            }
            assertThat(transaction
                            .execute("CALL proxima.graph.project.estimate('Hub', " + relationships + ")")
                            .next())
                    .as(change)
                    .containsEntry("nodeCount", nodes)
                    .containsEntry("relationshipCount", stored);
            transaction.rollback();
        }
    }
}
