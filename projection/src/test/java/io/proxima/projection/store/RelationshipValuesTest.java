// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.neo4j.configuration.GraphDatabaseSettings.DEFAULT_DATABASE_NAME;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.GraphSource;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.Projector;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.store.RestrictedAccess.Answers;
import io.proxima.projection.store.ValuedGraph.Expected;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.common.EntityType;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.internal.kernel.api.TokenReadSession;
import org.neo4j.internal.kernel.api.security.LoginContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.token.api.TokenConstants;

/** Each way to read relationships against a model: all types of values, all aggregations, uncommitted changes. */
class RelationshipValuesTest {

    private static final int ROUNDS = 25;
    private static final int SPECS = 12;
    private static final int CHANGES = 50;

    /** As many records as several workers read. */
    private static final long MANY = StoreScan.MIN_PARALLEL_RECORDS;

    private DatabaseManagementService dbms;
    private GraphDatabaseAPI db;

    @BeforeEach
    void start(@TempDir Path home) {
        dbms = new DatabaseManagementServiceBuilder(home).build();
        db = (GraphDatabaseAPI) dbms.database(DEFAULT_DATABASE_NAME);
    }

    @AfterEach
    void shutDown() {
        dbms.shutdown();
    }

    /** A way to read relationships, and how often it gave a graph and was refused. */
    private static final class Way implements GraphSource {
        private final String name;
        private final Reading reading;
        private StoreSource store;
        private KernelTransaction kernel;
        private int projected;
        private int refused;

        Way(String name, Reading reading) {
            this.name = name;
            this.reading = reading;
        }

        Way read(InternalTransaction transaction) {
            store = StoreSource.of(transaction, Stop.NEVER);
            kernel = transaction.kernelTransaction();
            return this;
        }

        @FunctionalInterface
        interface Reading {
            void scan(KernelTransaction kernel, IdMap nodes, int[] types, PropertyKeys keys, RelationshipSink sink);
        }

        @Override
        public long estimateNodeCount(List<String> labels) {
            return store.estimateNodeCount(labels);
        }

        @Override
        public void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink) {
            store.scanNodes(labels, concurrency, stop, sink);
        }

        @Override
        public long estimateRelationshipCount(List<String> types) {
            return store.estimateRelationshipCount(types);
        }

        @Override
        public void scanRelationships(
                List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
            throw new IllegalStateException("the nodes are known");
        }

        @Override
        public void scanRelationshipsAmong(
                IdMap nodes,
                List<String> types,
                List<Property> properties,
                int concurrency,
                Stop stop,
                RelationshipSink sink) {
            int[] tokens = types.stream()
                    .mapToInt(type -> type.equals(ProjectionSpec.ALL)
                            ? TokenConstants.ANY_RELATIONSHIP_TYPE
                            : kernel.tokenRead().relationshipType(type))
                    .toArray();
            reading.scan(kernel, nodes, tokens, PropertyKeys.of(properties, kernel), sink);
        }
    }

    /** Thrown by a way that cannot read the graph. */
    private static final class NotReadException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static void byCursor(
            KernelTransaction kernel, long records, int[] types, PropertyKeys keys, RelationshipSink sink) {
        StoreScan<?, ?> scan = StoreScans.relationships(kernel.dataRead(), new RelationshipTypes(types), keys, sink);
        StoreScan.readAll(kernel, List.of(scan), records, 2, Stop.NEVER);
    }

    /** A way that reads the relationships of each node. */
    private static Way byNode(String name, Direction direction, boolean several) {
        return new Way(name, (kernel, nodes, tokens, keys, sink) -> {
            boolean parallel = several && StoreScan.contextsSeeAsMuch(kernel, keys.stored());
            new RelationshipsOfNodes(kernel, new long[0], nodes, direction, Long.MAX_VALUE)
                    .scan(tokens, keys, parallel, 2, Stop.NEVER, sink);
        });
    }

    private static void byIndex(KernelTransaction kernel, int[] types, PropertyKeys keys, RelationshipSink sink) {
        TokenReadSession index =
                StoreScans.lookupIndex(kernel, EntityType.RELATIONSHIP).orElseThrow();
        List<StoreScan<?, ?>> scans = new ArrayList<>();
        for (int type = 0; type < types.length; type++) {
            if (types[type] == TokenConstants.ANY_RELATIONSHIP_TYPE) {
                throw new NotReadException();
            }
            scans.add(StoreScans.relationshipsOfType(kernel.dataRead(), index, types[type], type, keys, sink));
        }
        StoreScan.readAll(kernel, scans, MANY, 2, Stop.NEVER);
    }

    @Test
    void shouldProjectTheSameValuesByEachWayOfReading() throws KernelException {
        List<Way> ways = List.of(
                new Way("pages", (kernel, nodes, types, keys, sink) -> RelationshipRecords.of(
                                kernel, new RelationshipTypes(types), keys)
                        .orElseThrow(NotReadException::new)
                        .scan(2, Stop.NEVER, sink)),
                new Way("cursor", (kernel, nodes, types, keys, sink) -> byCursor(kernel, 0, types, keys, sink)),
                new Way("cursors", (kernel, nodes, types, keys, sink) -> byCursor(kernel, MANY, types, keys, sink)),
                new Way("index", (kernel, nodes, types, keys, sink) -> byIndex(kernel, types, keys, sink)),
                byNode("leaving", Direction.OUTGOING, false),
                byNode("entering", Direction.INCOMING, false),
                byNode("leaving, by several workers", Direction.OUTGOING, true));
        ValuedGraph model = new ValuedGraph(1);
        for (int round = 0; round < ROUNDS; round++) {
            try (InternalTransaction transaction = begin()) {
                model.change(transaction.kernelTransaction(), CHANGES);
                transaction.commit();
            }
            for (int i = 0; i < SPECS; i++) {
                ProjectionSpec spec = model.spec();
                Expected expected = model.expected(spec);
                try (InternalTransaction transaction = begin()) {
                    for (Way way : ways) {
                        way.read(transaction);
                        String as = "round " + round + ", " + way.name + ", " + spec;
                        if (assertProjects(way, model, spec, as)) {
                            way.projected += expected.refused() ? 0 : 1;
                            way.refused += expected.refused() ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertThat(ways).allSatisfy(way -> {
            assertThat(way.projected).as(way.name).isGreaterThan(ROUNDS);
            // which ids are free for new relationships depends on time, and with them the random choices
            assertThat(way.refused).as(way.name).isGreaterThan(ROUNDS / 4);
        });
    }

    @Test
    void shouldSeeAndCountWhatTheTransactionHasChanged() throws KernelException {
        ValuedGraph model = new ValuedGraph(2);
        for (int round = 0; round < ROUNDS; round++) {
            try (InternalTransaction transaction = begin()) {
                model.change(transaction.kernelTransaction(), CHANGES);
                for (int i = 0; i < SPECS; i++) {
                    ProjectionSpec spec = model.spec();
                    Expected expected = model.expected(spec);
                    String as = "round " + round + ", " + spec;
                    StoreSource source = StoreSource.of(transaction, Stop.NEVER);
                    assertProjects(source, model, spec, as);
                    for (Direction direction : List.of(Direction.OUTGOING, Direction.INCOMING)) {
                        assertProjects(byNode("nodes", direction, true).read(transaction), model, spec, as);
                    }
                    assertThat(ProjectionSize.of(source, spec).relationshipCount())
                            .as(as)
                            .isEqualTo(expected.directed());
                    for (String label : List.of("A", "B", ProjectionSpec.ALL)) {
                        assertThat(source.estimateNodeCount(List.of(label)))
                                .as("%s, %s", as, label)
                                .isEqualTo(model.count(label));
                    }
                }
                transaction.commit();
            }
        }
    }

    @Test
    void shouldNeitherProjectNorJudgeNorCountWhatTheCallerMayNotRead() throws KernelException {
        ValuedGraph model = new ValuedGraph(3);
        for (int round = 0; round < ROUNDS; round++) {
            try (InternalTransaction transaction = begin()) {
                model.change(transaction.kernelTransaction(), CHANGES);
                transaction.commit();
            }
            try (InternalTransaction transaction = db.beginTransaction(KernelTransaction.Type.EXPLICIT, restricted())) {
                ValuedGraph visible = model.without("B", "S", "v");
                ProjectionSpec spec = model.spec();
                StoreSource source = StoreSource.of(transaction, Stop.NEVER);
                String as = "round " + round + ", " + spec;
                assertProjects(source, visible, spec, as);
                for (Direction direction : List.of(Direction.OUTGOING, Direction.INCOMING)) {
                    assertProjects(byNode("nodes", direction, false).read(transaction), visible, spec, as);
                }
                assertThat(ProjectionSize.of(source, spec).relationshipCount())
                        .as(as)
                        .isEqualTo(visible.expected(spec).directed());
                assertThat(source.estimateNodeCount(List.of("A"))).isEqualTo(visible.count("A"));
            }
        }
    }

    /** A caller who may see neither B, nor S, nor read v. */
    private SecurityContext restricted() {
        try (InternalTransaction transaction = begin()) {
            TokenRead tokens = transaction.kernelTransaction().tokenRead();
            int property = tokens.propertyKey("v");
            Answers hiding = RestrictedAccess.hiding(tokens.nodeLabel("B"), tokens.relationshipType("S"));
            return RestrictedAccess.reader((method, given) -> switch (method) {
                case "allowsReadPropertyAllRelTypes" -> (int) given[0] != property;
                case "allowsReadRelationshipProperty" -> (int) given[1] != property;
                default -> hiding.answer(method, given);
            });
        }
    }

    /** Returns whether the source could read the relationships. */
    private static boolean assertProjects(GraphSource source, ValuedGraph model, ProjectionSpec spec, String as) {
        Expected expected = model.expected(spec);
        GraphProjection found;
        try {
            found = Projector.project(source, spec, new Projector.Options(2, false), Stop.NEVER, Progress.NONE);
        } catch (NotReadException e) {
            return false;
        } catch (ProjectionException e) {
            assertThat(e).as(as).hasMessageContaining("only numbers can be projected");
            assertThat(expected.refused()).as(as).isTrue();
            return true;
        }
        assertThat(expected.refused()).as(as).isFalse();
        assertEqual(found, expected, as);
        for (String label : spec.labels().keySet()) {
            for (String type : spec.types().keySet()) {
                ProjectionSpec part = new ProjectionSpec(
                        Map.of(label, spec.labels().get(label)),
                        Map.of(type, spec.types().get(type)));
                assertEqual(
                        found.part(List.of(label), List.of(type), Stop.NEVER).make(2, Stop.NEVER),
                        model.expected(part),
                        as + ", part " + part);
            }
        }
        return true;
    }

    private static void assertEqual(GraphProjection graph, Expected expected, String as) {
        graph.validate(1, Stop.NEVER);
        Expected found = ValuedGraph.of(graph);
        assertThat(found.nodes()).as(as).isEqualTo(expected.nodes());
        assertThat(found.pairs()).as(as).isEqualTo(expected.pairs());
        assertThat(found.values()).as(as).isEqualTo(expected.values());
    }

    private InternalTransaction begin() {
        return db.beginTransaction(KernelTransaction.Type.EXPLICIT, LoginContext.AUTH_DISABLED);
    }
}
