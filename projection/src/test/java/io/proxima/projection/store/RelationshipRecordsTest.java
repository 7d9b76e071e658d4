// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.neo4j.configuration.GraphDatabaseSettings.DEFAULT_DATABASE_NAME;
import static org.neo4j.configuration.GraphDatabaseSettings.db_format;

import io.proxima.concurrent.Stop;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.internal.kernel.api.security.LoginContext;
import org.neo4j.io.pagecache.ByteArrayPageCursor;
import org.neo4j.io.pagecache.PageCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.store.format.standard.RelationshipRecordFormat;
import org.neo4j.kernel.impl.store.record.RelationshipRecord;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/** Decoded records against what Neo4j's own cursors and record format say. */
class RelationshipRecordsTest {

    private static final int NODES = 1000;
    private static final int RELATIONSHIPS = 30_000;
    private static final int MAX_TYPE = 0xFFFF;
    private static final long MAX_NODE = (1L << 35) - 2;

    /** A relationship as a scan reports it. */
    private record Relationship(long source, long target, int type) {}

    @ParameterizedTest
    @ValueSource(strings = {"aligned", "standard"})
    void shouldReportWhatACursorReports(String format, @TempDir Path home) throws KernelException {
        DatabaseManagementService dbms = new DatabaseManagementServiceBuilder(home)
                .setConfig(db_format, format)
                .build();
        try {
            GraphDatabaseAPI db = (GraphDatabaseAPI) dbms.database(DEFAULT_DATABASE_NAME);
            createGraph(db);
            try (InternalTransaction transaction = begin(db)) {
                KernelTransaction kernel = transaction.kernelTransaction();
                int[] tokens = {
                    kernel.tokenRead().relationshipType("R"), kernel.tokenRead().relationshipType("S")
                };
                RelationshipTypes types = new RelationshipTypes(tokens);
                List<Relationship> byCursor = collect(sink -> {
                    StoreScan<?> scan = new StoreScans.Relationships(
                            kernel.dataRead(), types, PropertyKeys.of(List.of(), kernel), sink);
                    StoreScan.readAll(kernel, List.of(scan), RELATIONSHIPS, 1, Stop.NEVER);
                });

                Optional<RelationshipRecords> records = RelationshipRecords.of(kernel);

                assertThat(records).isPresent();
                assertThat(byCursor).hasSizeGreaterThan(RELATIONSHIPS / 2);
                for (int concurrency : List.of(1, 3)) {
                    assertThat(collect(sink -> records.get().scan(types, concurrency, Stop.NEVER, sink)))
                            .containsExactlyInAnyOrderElementsOf(byCursor);
                }
            }
        } finally {
            dbms.shutdown();
        }
    }

    @Test
    void shouldFindNoRecordsInAStoreWithoutRelationships(@TempDir Path home) {
        DatabaseManagementService dbms = new DatabaseManagementServiceBuilder(home).build();
        try (InternalTransaction transaction = begin((GraphDatabaseAPI) dbms.database(DEFAULT_DATABASE_NAME))) {
            assertThat(RelationshipRecords.of(transaction.kernelTransaction())).isEmpty();
        } finally {
            dbms.shutdown();
        }
    }

    @Test
    void shouldDecodeNodesOfAnySize() {
        RelationshipRecordFormat format = new RelationshipRecordFormat();
        SplittableRandom random = new SplittableRandom(42);
        for (int round = 0; round < 1000; round++) {
            long bound = MAX_NODE >>> random.nextInt(35);
            RelationshipRecord record = new RelationshipRecord(round);
            record.setInUse(true);
            record.setLinks(random.nextLong(bound + 1), random.nextLong(bound + 1), random.nextInt(MAX_TYPE));
            PageCursor page = ByteArrayPageCursor.wrap(RelationshipRecordFormat.RECORD_SIZE);
            format.write(record, page, RelationshipRecordFormat.RECORD_SIZE, 1);

            assertThat(RelationshipRecords.startNode(page, 0, page.getByte(0))).isEqualTo(record.getFirstNode());
            assertThat(RelationshipRecords.endNode(page, 0, page.getInt(RelationshipRecords.TYPE)))
                    .isEqualTo(record.getSecondNode());
            assertThat(page.getInt(RelationshipRecords.TYPE) & RelationshipRecords.TYPE_BITS)
                    .isEqualTo(record.getType());
        }
    }

    /** Three types, ids that were never used, and records of deleted relationships. */
    private static void createGraph(GraphDatabaseAPI db) throws KernelException {
        List<Long> deleted = new ArrayList<>();
        try (InternalTransaction transaction = begin(db)) {
            Write write = transaction.kernelTransaction().dataWrite();
            int[] types = new int[3];
            for (int type = 0; type < types.length; type++) {
                types[type] = transaction
                        .kernelTransaction()
                        .tokenWrite()
                        .relationshipTypeGetOrCreateForName(
                                List.of("Q", "R", "S").get(type));
            }
            long[] nodes = new long[NODES];
            for (int node = 0; node < NODES; node++) {
                nodes[node] = write.nodeCreate();
            }
            for (int i = 0; i < RELATIONSHIPS; i++) {
                long relationship =
                        write.relationshipCreate(nodes[i % NODES], types[i % 3], nodes[(i * 7 + i / NODES) % NODES]);
                if (i % 13 == 0) {
                    write.relationshipDelete(relationship);
                } else if (i % 17 == 0) {
                    deleted.add(relationship);
                }
            }
            transaction.commit();
        }
        try (InternalTransaction transaction = begin(db)) {
            for (long relationship : deleted) {
                transaction.kernelTransaction().dataWrite().relationshipDelete(relationship);
            }
            transaction.commit();
        }
    }

    private static InternalTransaction begin(GraphDatabaseAPI db) {
        return db.beginTransaction(KernelTransaction.Type.EXPLICIT, LoginContext.AUTH_DISABLED);
    }

    @FunctionalInterface
    private interface Scan {
        void into(RelationshipSink sink);
    }

    private static List<Relationship> collect(Scan scan) {
        List<Relationship> found = Collections.synchronizedList(new ArrayList<>());
        scan.into((worker, sources, targets, types, values, count) -> {
            for (int i = 0; i < count; i++) {
                found.add(new Relationship(sources[i], targets[i], types[i]));
            }
        });
        return found;
    }
}
