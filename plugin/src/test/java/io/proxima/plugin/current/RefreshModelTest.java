// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.projection.GraphEntries;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.Projector;
import io.proxima.projection.store.StoreSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.ConstraintViolationException;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.TransientFailureException;
import org.neo4j.values.storable.NumberValue;

/**
 * Graphs that are refreshed at random moments, while several users commit and roll back random transactions, against
 * projections of the last state. Each round has several transactions.
 */
@SuppressWarnings("removal") // ids of nodes, which projections have
class RefreshModelTest {

    private static final long SEED = Long.getLong("proxima.refresh.seed", 1);
    private static final int ROUNDS = Integer.getInteger(
            "proxima.refresh.rounds", Math.max(2, 30 * Integer.getInteger("proxima.tries.percent", 100) / 100));
    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 12;
    private static final int NODES = 60;
    private static final String[] LABELS = {"A", "B", "Irrelevant"};
    private static final String[] TYPES = {"R", "S", "Irrelevant"};

    private final List<Long> nodes = new ArrayList<>();

    /** The neo4jIds of nodes that may have been deleted in the round. */
    private final Set<Long> deleted = ConcurrentHashMap.newKeySet();

    private final AtomicInteger merged = new AtomicInteger();

    @BeforeEach
    void create() {
        TestDbms.clear();
        Random random = new Random(SEED);
        try (Transaction transaction = TestDbms.database().beginTx()) {
            for (int i = 0; i < NODES; i++) {
                createNode(transaction, random);
            }
            // the names of the store
            Node first = transaction.getNodeById(nodes.get(0));
            for (String label : LABELS) {
                first.addLabel(Label.label(label));
            }
            for (String type : TYPES) {
                createRelationship(first, transaction.getNodeById(nodes.get(1)), type, random);
            }
            for (int i = 0; i < 4 * NODES; i++) {
                createRelationship(any(transaction, random), any(transaction, random), type(random), random);
            }
            transaction.commit();
        }
        run("CALL proxima.graph.project('several', ['A', 'B'], {R: {orientation: 'UNDIRECTED', properties: {w:"
                + " {defaultValue: 1, aggregation: 'SUM'}, n: {property: '*', aggregation: 'COUNT'}}},"
                + " S: {orientation: 'REVERSE', properties: ['w', 'v']}, R2: {type: 'R', orientation: 'NATURAL'}})");
        run("CALL proxima.graph.project('one', 'A', {R: {orientation: 'UNDIRECTED'}})");
        run("CALL proxima.graph.project('all', '*', '*')");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldEqualAProjectionOfTheLastState() {
        for (int round = 0; round < ROUNDS; round++) {
            // before the writers: one may delete a node before the graph is projected, and commit afterwards
            deleted.clear();
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                Random random = new Random(SEED * 1_000_003 + round * 31L + writer);
                writers.add(CompletableFuture.runAsync(() -> write(random)));
            }
            Map<Long, Long> components = mutate();
            Random random = new Random(SEED * 7 + round);
            do {
                refresh(List.of("several", "one", "all").get(random.nextInt(3)));
            } while (!writers.stream().allMatch(CompletableFuture::isDone));
            writers.forEach(CompletableFuture::join);
            for (String name : List.of("several", "one", "all")) {
                refresh(name);
                assertThat(value("CALL proxima.graph.list('" + name + "') YIELD stale"))
                        .as("seed %d, round %d, %s", SEED, round, name)
                        .isEqualTo(false);
                assertCurrent(name);
            }
            assertCarried(components);
        }
        assertThat(merged.get()).as("refreshes that merged").isPositive();
    }

    private void refresh(String name) {
        Map<String, Object> row =
                run("CALL proxima.graph.refresh('" + name + "')").get(0);
        merged.addAndGet(row.get("mode").equals("merged") ? 1 : 0);
    }

    private static GraphEntry entry(String name) {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            return GraphCatalog.find(TestDbms.caller(transaction, () -> {}).viewer(), name);
        }
    }

    private static void assertCurrent(String name) {
        GraphEntry entry = entry(name);
        try (Transaction transaction = TestDbms.database().beginTx()) {
            GraphProjection expected = Projector.project(
                    StoreSource.of(transaction, Stop.NEVER),
                    entry.details().nativeProjection().parsed().spec(),
                    new Projector.Options(1, false),
                    Stop.NEVER,
                    Progress.NONE);
            GraphEntries.assertEqual(entry.projection(), expected);
        }
    }

    /** Projects the graph that is always merged, and adds a property, while the writers work; returns its values. */
    private Map<Long, Long> mutate() {
        run("CALL proxima.graph.project('all', '*', '*', {replace: true})");
        run("CALL proxima.wcc.mutate('all', {mutateProperty: 'component'})");
        return values(entry("all"));
    }

    private static Map<Long, Long> values(GraphEntry entry) {
        Map<Long, Long> values = new HashMap<>();
        NodeProperty property = entry.properties().get("component");
        IdMap ids = entry.projection().idMap();
        for (int vertex = 0; property != null && vertex < ids.size(); vertex++) {
            if (property.valueOrNull(vertex) != null) {
                values.put(ids.toNeo4jId(vertex), ((NumberValue) property.value(vertex)).longValue());
            }
        }
        return values;
    }

    /** Ids of nodes that were deleted may be those of new nodes, which have no value. All others keep theirs. */
    private void assertCarried(Map<Long, Long> before) {
        GraphEntry entry = entry("all");
        Map<Long, Long> now = values(entry);
        now.forEach((node, value) -> assertThat(value).isEqualTo(before.get(node)));
        before.keySet()
                .removeIf(node ->
                        deleted.contains(node) || entry.projection().idMap().toVertex(node) == IdMap.ABSENT);
        assertThat(now).as("seed %d", SEED).containsAllEntriesOf(before);
    }

    private void write(Random random) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            try (Transaction transaction = TestDbms.database().beginTx()) {
                int changes = random.nextInt(20) == 0 ? 100 : 1 + random.nextInt(4);
                for (int change = 0; change < changes; change++) {
                    change(transaction, random);
                }
                if (random.nextInt(6) > 0) {
                    transaction.commit();
                }
            } catch (NotFoundException
                    | ConstraintViolationException
                    | TransientFailureException
                    | IllegalStateException e) {
                // another writer was first
            }
        }
    }

    private void change(Transaction transaction, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> createNode(transaction, random);
            case 1 -> deleteNode(any(transaction, random));
            case 2 -> toggle(any(transaction, random), Label.label(LABELS[random.nextInt(LABELS.length)]));
            case 3 -> any(transaction, random).setProperty("x", random.nextInt());
            case 4, 5 -> anyRelationship(transaction, random, true);
            case 6 -> anyRelationship(transaction, random, false);
            default -> createRelationship(any(transaction, random), any(transaction, random), type(random), random);
        }
    }

    private static String type(Random random) {
        return TYPES[random.nextInt(TYPES.length)];
    }

    private void createNode(Transaction transaction, Random random) {
        Node node = transaction.createNode();
        for (String label : LABELS) {
            if (random.nextBoolean()) {
                node.addLabel(Label.label(label));
            }
        }
        synchronized (nodes) {
            nodes.add(node.getId());
        }
    }

    private Node any(Transaction transaction, Random random) {
        synchronized (nodes) {
            return transaction.getNodeById(nodes.get(random.nextInt(nodes.size())));
        }
    }

    private void deleteNode(Node node) {
        deleted.add(node.getId());
        node.getRelationships().forEach(Relationship::delete);
        node.delete();
    }

    private static void toggle(Node node, Label label) {
        if (node.hasLabel(label)) {
            node.removeLabel(label);
        } else {
            node.addLabel(label);
        }
    }

    private static void createRelationship(Node from, Node to, String type, Random random) {
        Relationship relationship = from.createRelationshipTo(to, RelationshipType.withName(type));
        if (random.nextInt(3) > 0) {
            relationship.setProperty("w", random.nextInt(5));
        }
        relationship.setProperty("v", random.nextInt(5));
    }

    private void anyRelationship(Transaction transaction, Random random, boolean deletes) {
        for (Relationship relationship : any(transaction, random).getRelationships(Direction.BOTH)) {
            if (deletes) {
                relationship.delete();
            } else if (random.nextBoolean()) {
                relationship.setProperty("w", random.nextInt(5));
            } else {
                relationship.removeProperty("w");
            }
            return;
        }
    }
}
