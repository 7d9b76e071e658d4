// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.neo4j.configuration.GraphDatabaseSettings.DEFAULT_DATABASE_NAME;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.GraphEntries;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.GraphSource;
import io.proxima.projection.GraphUpdate;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector;
import io.proxima.projection.Projector.Options;
import io.proxima.projection.PropertyGraph;
import io.proxima.projection.Touches;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.ProjectionException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.internal.kernel.api.TokenWrite;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.internal.kernel.api.security.LoginContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.io.pagecache.tracing.cursor.PageCursorTracer;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/**
 * The store against the same graph in memory. It is large enough that partitions are read by several workers: 20,000
 * nodes with gaps between their ids, three types that every node has, and one that few have.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreSourceTest {

    private static final int NODES = 20_000;
    private static final List<String> TYPES = List.of("R", "S", "T", "RARE");

    private DatabaseManagementService dbms;
    private GraphDatabaseAPI db;
    private final PropertyGraph model = new PropertyGraph();

    @BeforeAll
    void createGraph(@TempDir Path home) throws KernelException {
        dbms = new DatabaseManagementServiceBuilder(home).build();
        db = (GraphDatabaseAPI) dbms.database(DEFAULT_DATABASE_NAME);
        long[] ids = new long[NODES];
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            Write write = transaction.kernelTransaction().dataWrite();
            TokenWrite tokens = transaction.kernelTransaction().tokenWrite();
            tokens.labelGetOrCreateForName("Unused");
            for (int i = 0; i < NODES; i++) {
                List<String> labels = labels(i);
                int[] labelTokens = new int[labels.size()];
                for (int label = 0; label < labelTokens.length; label++) {
                    labelTokens[label] = tokens.labelGetOrCreateForName(labels.get(label));
                }
                ids[i] = write.nodeCreateWithLabels(labelTokens);
                model.node(ids[i], labels.toArray(new String[0]));
                if (i % 7 == 0) {
                    write.nodeDelete(write.nodeCreate());
                }
            }
            for (int i = 0; i < NODES; i++) {
                for (int type = 0; type < TYPES.size(); type++) {
                    if (type < 3 || i % 97 == 0) {
                        long target = ids[(i * (6 * type + 7) + type + i % 3) % NODES];
                        write.relationshipCreate(
                                ids[i], tokens.relationshipTypeGetOrCreateForName(TYPES.get(type)), target);
                        model.relationship(TYPES.get(type), ids[i], target);
                    }
                }
            }
            transaction.commit();
        }
    }

    private static List<String> labels(int node) {
        return Stream.of(
                        node % 2 == 0 ? "Even" : "Odd",
                        node % 3 == 0 ? "Third" : "",
                        node % 10 == 0 ? "Secret" : "",
                        node % 1000 == 0 ? "Seldom" : "")
                .filter(label -> !label.isEmpty())
                .toList();
    }

    @AfterAll
    void shutDown() {
        dbms.shutdown();
    }

    static Stream<Arguments> specsAndConcurrencies() {
        List<ProjectionSpec> specs = List.of(
                spec(List.of("*"), Map.of("*", Orientation.NATURAL)),
                spec(List.of("*"), Map.of("*", Orientation.UNDIRECTED)),
                spec(List.of("Even"), Map.of("R", Orientation.NATURAL)),
                spec(List.of("Even", "Third"), Map.of("R", Orientation.REVERSE, "S", Orientation.UNDIRECTED)),
                spec(List.of("Seldom", "*"), Map.of("T", Orientation.UNDIRECTED, "*", Orientation.REVERSE)),
                spec(List.of("Even", "Odd"), Map.of("RARE", Orientation.NATURAL)),
                spec(List.of("Seldom"), Map.of("RARE", Orientation.UNDIRECTED, "S", Orientation.NATURAL)),
                spec(List.of("Unused"), Map.of("R", Orientation.NATURAL)));
        return specs.stream().flatMap(spec -> Stream.of(1, 2, 4).map(concurrency -> Arguments.of(spec, concurrency)));
    }

    /** Names are those of the store. */
    private static ProjectionSpec spec(List<String> labels, Map<String, Orientation> types) {
        Map<String, String> labelProjections = new LinkedHashMap<>();
        labels.forEach(label -> labelProjections.put(label, label));
        Map<String, TypeProjection> typeProjections = new LinkedHashMap<>();
        types.forEach((type, orientation) -> typeProjections.put(type, new TypeProjection(type, orientation)));
        return new ProjectionSpec(labelProjections, typeProjections);
    }

    @ParameterizedTest
    @MethodSource("specsAndConcurrencies")
    void shouldProjectWhatTheStoreHolds(ProjectionSpec spec, int concurrency) {
        try (Transaction transaction = db.beginTx()) {
            assertEqual(project(StoreSource.of(transaction, Stop.NEVER), spec, concurrency), model, spec);
        }
    }

    /** An earlier state had other relationships and lacked nodes, and others had other labels. */
    @ParameterizedTest
    @MethodSource("specsAndConcurrencies")
    void shouldUpdateAGraphOfAnEarlierState(ProjectionSpec spec, int concurrency) {
        PropertyGraph earlier = new PropertyGraph();
        Set<Long> changed = new TreeSet<>();
        model.nodes().forEach((node, labels) -> {
            if (node % 1009 == 0) {
                changed.add(node);
            }
            if (node % 2018 != 0) {
                earlier.node(node, changed.contains(node) ? new String[] {"Even"} : labels.toArray(new String[0]));
            }
        });
        List<Long> pairs = new ArrayList<>();
        for (PropertyGraph.Relationship one : model.relationships()) {
            boolean isNew = (one.source() + 31 * one.target()) % 199 == 0;
            if (isNew) {
                pairs.addAll(List.of(one.target(), one.source()));
            } else if (earlier.nodes().containsKey(one.source())
                    && earlier.nodes().containsKey(one.target())) {
                earlier.relationship(one.type(), one.source(), one.target());
            }
        }
        List<Long> nodes = List.copyOf(earlier.nodes().keySet());
        for (int i = 0; i < 100; i++) {
            earlier.relationship(TYPES.get(i % 3), nodes.get(37 * i), nodes.get(101 * i));
            pairs.addAll(List.of(nodes.get(37 * i), nodes.get(101 * i)));
        }
        Touches touches = new Touches(longs(changed), new long[0], longs(pairs));
        GraphProjection before = earlier.project(spec, 1);
        try (Transaction transaction = db.beginTx()) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            assertThat(source.seesAll(spec)).isTrue();
            assertEqual(
                    GraphUpdate.of(before, touches, source, spec, Long.MAX_VALUE, concurrency, Stop.NEVER),
                    model,
                    spec);
            boolean isEmpty = before.vertexCount() == 0;
            assertThat(GraphUpdate.of(before, touches, source, spec, 2, concurrency, Stop.NEVER) == null)
                    .isEqualTo(!isEmpty);
        }
    }

    private static long[] longs(Collection<Long> ids) {
        return ids.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void shouldProjectWithoutLookupIndexes() {
        db.executeTransactionally("DROP INDEX " + lookupIndex("NODE"));
        db.executeTransactionally("DROP INDEX " + lookupIndex("RELATIONSHIP"));
        try {
            specsAndConcurrencies().forEach(arguments -> {
                ProjectionSpec spec = (ProjectionSpec) arguments.get()[0];
                try (Transaction transaction = db.beginTx()) {
                    assertEqual(
                            project(StoreSource.of(transaction, Stop.NEVER), spec, (int)
                                    arguments.get()[1]),
                            model,
                            spec);
                }
            });
        } finally {
            db.executeTransactionally("CREATE LOOKUP INDEX FOR (n) ON EACH labels(n)");
            db.executeTransactionally("CREATE LOOKUP INDEX FOR ()-[r]-() ON EACH type(r)");
            try (Transaction transaction = db.beginTx()) {
                transaction.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
            }
        }
    }

    /** Without a look at the others, which may be thousands of times as many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReadTheRelationshipsOfFewNodesOnly(int concurrency) {
        assertThat(read("Seldom", List.of("R", "S"), concurrency)).isBetween(1L, 2L * NODES / 1000);
        assertThat(read("Seldom", List.of("*"), concurrency)).isBetween(1L, 4L * NODES / 1000);
        assertThat(read("Unused", List.of("*"), concurrency)).isZero();
        assertThat(read("Even", List.of("R"), concurrency)).isEqualTo(NODES);
        assertThat(read("*", List.of("R"), concurrency)).isEqualTo(NODES);
    }

    private long read(String label, List<String> types, int concurrency) {
        try (Transaction transaction = db.beginTx()) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            long[] ids = new long[NODES];
            AtomicInteger found = new AtomicInteger();
            source.scanNodes(List.of(label), 1, Stop.NEVER, (worker, index, nodes, count) -> {
                System.arraycopy(nodes, 0, ids, found.getAndAdd(count), count);
            });
            IdMap nodes = IdMap.of(Arrays.stream(ids, 0, found.get()).sorted().toArray(), Stop.NEVER);
            AtomicLong read = new AtomicLong();
            source.scanRelationshipsAmong(
                    nodes,
                    types,
                    List.of(),
                    concurrency,
                    Stop.NEVER,
                    (worker, sources, targets, typeOf, values, count) -> read.addAndGet(count));
            return read.get();
        }
    }

    private String lookupIndex(String entityType) {
        return db.executeTransactionally(
                "SHOW LOOKUP INDEXES YIELD name, entityType WHERE entityType = $entityType RETURN name",
                Map.of("entityType", entityType),
                result -> (String) result.next().get("name"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLeaveOutOrReportRelationshipsToTheOutside(int concurrency) {
        ProjectionSpec spec = spec(List.of("Even"), Map.of("R", Orientation.NATURAL));
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            assertEqual(project(StoreSource.of(transaction, Stop.NEVER), spec, concurrency), model, spec);
            long pins = pinned(transaction);

            assertThatThrownBy(() -> Projector.project(
                            StoreSource.of(transaction, Stop.NEVER),
                            spec,
                            new Options(concurrency, true),
                            Stop.NEVER,
                            Progress.NONE))
                    .isInstanceOf(ProjectionException.class)
                    .hasMessageMatching(
                            "Failed to load a relationship because its (source|target)-node with id \\d+ .*");

            assertNothingOpen(transaction, pins);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLeaveNothingOpenWhenStopped(int concurrency) {
        ProjectionSpec spec = spec(List.of("Even", "Odd"), Map.of("*", Orientation.UNDIRECTED));
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            assertEqual(project(StoreSource.of(transaction, Stop.NEVER), spec, concurrency), model, spec);
            long pins = pinned(transaction);
            for (int times : List.of(0, 1, 3, 10, 30, 60)) {
                AtomicInteger left = new AtomicInteger(times);
                assertThatThrownBy(() -> Projector.project(
                                StoreSource.of(transaction, Stop.NEVER),
                                spec,
                                new Options(concurrency, false),
                                () -> left.decrementAndGet() < 0,
                                Progress.NONE))
                        .as("stop after asking %d times", times)
                        .isInstanceOf(StoppedException.class);
                assertNothingOpen(transaction, pins);
            }
            assertEqual(project(StoreSource.of(transaction, Stop.NEVER), spec, concurrency), model, spec);
            assertNothingOpen(transaction, pins);
            transaction.commit();
        }
    }

    @Test
    void shouldLeaveNothingOpenWhenTheSinkFails() {
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {

            assertThatThrownBy(() -> StoreSource.of(transaction, Stop.NEVER)
                            .scanRelationships(
                                    List.of("*"),
                                    List.of(),
                                    2,
                                    Stop.NEVER,
                                    (worker, sources, targets, types, values, count) -> {
                                        throw new IllegalStateException("sink");
                                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("sink");

            assertNothingOpen(transaction, 0);
            transaction.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndWhenTheTransactionIsTerminatedMeanwhile(int concurrency) {
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            assertThatThrownBy(() -> StoreSource.of(transaction, Stop.NEVER)
                            .scanRelationships(
                                    List.of("*"),
                                    List.of(),
                                    concurrency,
                                    () -> transaction.terminationReason().isPresent(),
                                    (worker, sources, targets, types, values, count) -> transaction.terminate()))
                    .isInstanceOfAny(StoppedException.class, TransactionTerminatedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNeverShowWhatTheCallerMayNotTraverse(int concurrency) {
        int secret;
        int hiddenType;
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            secret = transaction.kernelTransaction().tokenRead().nodeLabel("Secret");
            hiddenType = transaction.kernelTransaction().tokenRead().relationshipType("S");
        }
        PropertyGraph visible = new PropertyGraph();
        model.nodes().forEach((id, labels) -> {
            if (!labels.contains("Secret")) {
                visible.node(id, labels.toArray(new String[0]));
            }
        });
        model.relationships().stream()
                .filter(relationship -> !relationship.type().equals("S")
                        && Stream.of(relationship.source(), relationship.target())
                                .noneMatch(end -> model.nodes().get(end).contains("Secret")))
                .forEach(relationship ->
                        visible.relationship(relationship.type(), relationship.source(), relationship.target()));
        SecurityContext restricted = RestrictedAccess.reader(RestrictedAccess.hiding(secret, hiddenType));

        for (ProjectionSpec spec : List.of(
                spec(List.of("*"), Map.of("*", Orientation.NATURAL)),
                spec(List.of("Even", "Third"), Map.of("R", Orientation.UNDIRECTED, "T", Orientation.NATURAL)),
                spec(List.of("*"), Map.of("RARE", Orientation.NATURAL)),
                spec(List.of("Odd"), Map.of("R", Orientation.NATURAL)))) {
            try (InternalTransaction transaction = begin(restricted)) {
                assertEqual(project(StoreSource.of(transaction, Stop.NEVER), spec, concurrency), visible, spec);
            }
        }
        try (InternalTransaction transaction = begin(restricted)) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            assertThat(List.of("Secret", "None")).noneMatch(source::hasLabel);
            assertThat(List.of("S", "NO")).noneMatch(source::hasType);
            assertThat(List.of("Even", "Third")).allMatch(source::hasLabel);
            assertThat(List.of("R", "RARE")).allMatch(source::hasType);
        }
        try (InternalTransaction transaction = begin(restricted)) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            assertThat(source.estimateNodeCount(List.of("*")))
                    .isEqualTo(visible.nodes().size());
            assertThat(source.estimateNodeCount(List.of("Secret"))).isZero();
            assertThat(source.estimateRelationshipCount(List.of("*")))
                    .isEqualTo(visible.relationships().size());
            assertThat(source.estimateRelationshipCount(List.of("S"))).isZero();
            StoreSource stopped = StoreSource.of(transaction, () -> true);
            assertThatThrownBy(() -> stopped.estimateNodeCount(List.of("*"))).isInstanceOf(StoppedException.class);
            assertThatThrownBy(() -> stopped.estimateRelationshipCount(List.of("R")))
                    .isInstanceOf(StoppedException.class);
        }
    }

    /** As with rights that depend on a property of the node, and neither allow nor deny the label itself. */
    @Test
    void shouldKnowALabelOfWhichTheCallerMaySeeSomeNodes() {
        SecurityContext some = RestrictedAccess.reader((method, given) -> switch (method) {
            case "allowsTraverseAllLabels", "allowsTraverseAllNodesWithLabel" -> false;
            case "allowsTraverseNode" -> ((int[]) given[0]).length > 1;
            default -> null;
        });
        try (InternalTransaction transaction = begin(some)) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            assertThat(source.hasLabel("Even")).isTrue();
            assertThat(source.estimateNodeCount(List.of("Even"))).isPositive();
        }
    }

    @Test
    void shouldBoundRelationshipsBetweenNodesByThoseOfTheirLabels() {
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            for (List<String> labels : List.of(List.of("Even"), List.of("Even", "Third"), List.of("*"))) {
                for (String type : List.of("RARE", "*")) {
                    List<PropertyGraph.Relationship> ofType = model.relationships().stream()
                            .filter(one -> type.equals("*") || one.type().equals(type))
                            .toList();
                    long leaving = ends(labels, ofType.stream().map(PropertyGraph.Relationship::source));
                    long entering = ends(labels, ofType.stream().map(PropertyGraph.Relationship::target));
                    assertThat(source.estimateRelationshipCount(labels, List.of(type)))
                            .isEqualTo(Math.min(ofType.size(), Math.min(leaving, entering)));
                }
            }
        }
    }

    /** Labels of nodes that are among some. */
    private long ends(List<String> labels, Stream<Long> nodes) {
        return nodes.flatMap(node -> Stream.concat(Stream.of("*"), model.nodes().get(node).stream()))
                .filter(labels::contains)
                .count();
    }

    @Test
    void shouldSeeAndCountUncommittedChangesOfTheCaller() throws KernelException {
        try (InternalTransaction transaction = begin(LoginContext.AUTH_DISABLED)) {
            StoreSource source = StoreSource.of(transaction, Stop.NEVER);
            long even = source.estimateNodeCount(List.of("Even"));
            long relationships = source.estimateRelationshipCount(List.of("*"));
            long rare = source.estimateRelationshipCount(List.of("RARE"));

            Write write = transaction.kernelTransaction().dataWrite();
            TokenWrite tokens = transaction.kernelTransaction().tokenWrite();
            int[] labels = {tokens.labelGetOrCreateForName("Even"), tokens.labelGetOrCreateForName("New")};
            int rareType = tokens.relationshipTypeGetOrCreateForName("RARE");
            int newType = tokens.relationshipTypeGetOrCreateForName("NEW");
            long[] ids = new long[1_000];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = write.nodeCreateWithLabels(new int[] {labels[i % 2]});
                if (i > 0) {
                    write.relationshipCreate(ids[i - 1], i % 4 == 0 ? rareType : newType, ids[i]);
                }
            }
            write.relationshipDelete(write.relationshipCreate(ids[0], newType, ids[999]));
            write.nodeAddLabel(model.nodes().keySet().iterator().next(), labels[1]);

            assertThat(source.estimateNodeCount(List.of("*"))).isEqualTo(NODES + 1_000);
            assertThat(source.estimateNodeCount(List.of("Even"))).isEqualTo(even + 500);
            assertThat(source.estimateNodeCount(List.of("New"))).isEqualTo(501);
            assertThat(source.estimateRelationshipCount(List.of("*"))).isEqualTo(relationships + 999);
            assertThat(source.estimateRelationshipCount(List.of("RARE"))).isEqualTo(rare + 249);
            assertThat(source.estimateRelationshipCount(List.of("NEW"))).isEqualTo(750);
            assertThat(source.estimateRelationshipCount(List.of("New"), List.of("NEW")))
                    .isEqualTo(750);
            for (int concurrency : new int[] {1, 4}) {
                GraphProjection all =
                        project(source, spec(List.of("*"), Map.of("NEW", Orientation.NATURAL)), concurrency);
                assertThat(all.vertexCount()).isEqualTo(NODES + 1_000);
                assertThat(all.relationshipCount()).isEqualTo(750);
                assertThat(all.csc(1, Stop.NEVER)
                                .hasEdge(
                                        all.idMap().toVertex(ids[0]),
                                        all.idMap().toVertex(ids[1])))
                        .isTrue();
                GraphProjection labelled =
                        project(source, spec(List.of("New"), Map.of("NEW", Orientation.NATURAL)), concurrency);
                assertThat(labelled.vertexCount()).isEqualTo(501);
            }
        }
    }

    private InternalTransaction begin(LoginContext login) {
        return db.beginTransaction(KernelTransaction.Type.EXPLICIT, login);
    }

    private static GraphProjection project(GraphSource source, ProjectionSpec spec, int concurrency) {
        return Projector.project(source, spec, new Options(concurrency, false), Stop.NEVER, Progress.NONE);
    }

    /**
     * Pins of pages that the transaction's own pooled cursors keep are its own until it ends; nothing may come on top.
     */
    private static void assertNothingOpen(InternalTransaction transaction, long pinsBefore) {
        assertThat(pinned(transaction)).isLessThanOrEqualTo(pinsBefore);
    }

    private static long pinned(InternalTransaction transaction) {
        PageCursorTracer tracer =
                transaction.kernelTransaction().cursorContext().getCursorTracer();
        return tracer.pins() - tracer.unpins();
    }

    private static void assertEqual(GraphProjection found, PropertyGraph wanted, ProjectionSpec spec) {
        GraphEntries.assertEqual(found, wanted.project(spec, 1));
    }
}
