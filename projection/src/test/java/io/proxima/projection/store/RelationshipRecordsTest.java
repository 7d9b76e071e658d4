// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.neo4j.configuration.GraphDatabaseSettings.DEFAULT_DATABASE_NAME;
import static org.neo4j.configuration.GraphDatabaseSettings.db_format;

import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.RelationshipSource.Property;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import io.proxima.projection.csc.ProjectionException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.RelTypeSupplier;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.internal.kernel.api.security.LoginContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.io.pagecache.ByteArrayPageCursor;
import org.neo4j.io.pagecache.PageCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.store.format.standard.RelationshipRecordFormat;
import org.neo4j.kernel.impl.store.record.RelationshipRecord;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.CoordinateReferenceSystem;
import org.neo4j.values.storable.DateValue;
import org.neo4j.values.storable.DurationValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/** Decoded records against what Neo4j's own cursors and record format say. */
class RelationshipRecordsTest {

    private static final int NODES = 1000;
    private static final int RELATIONSHIPS = 30_000;
    private static final int MAX_TYPE = 0xFFFF;
    private static final long MAX_NODE = (1L << 35) - 2;
    private static final long MAX_PROPERTY = (1L << 36) - 2;
    private static final int FILLERS = 40;

    /** Values of each type, in one or several longs of a property record or in records of texts and arrays. */
    private static final List<Value> VALUES = List.of(
            Values.booleanValue(true),
            Values.charValue('c'),
            Values.longValue(Long.MIN_VALUE),
            Values.doubleValue(Double.MIN_VALUE),
            Values.stringValue("short"),
            Values.stringValue("of four longs, 0123456789"),
            Values.stringValue("\u4e2d".repeat(300)),
            Values.longArray(new long[] {1, 2, 3}),
            Values.doubleArray(new double[100]),
            Values.stringArray("a", "b".repeat(200)),
            Values.pointValue(CoordinateReferenceSystem.WGS_84, 1, 2),
            DateValue.date(2026, 1, 2),
            DurationValue.duration(1, 2, 3, 4));

    /** A number of any type, with which some relationships have it. */
    private static final String NUMBER = "number";

    /** A value of any type. */
    private static final String VALUE = "value";

    private static final List<List<Property>> PROPERTIES = List.of(
            List.of(),
            List.of(new Property(NUMBER, Double.NaN, false)),
            List.of(
                    new Property(VALUE, 0, true),
                    new Property(NUMBER, -1, false),
                    new Property("unknown", 7, false),
                    new Property(ProjectionSpec.ALL, 0, true),
                    new Property(NUMBER, 0, true)));

    @TempDir
    private Path home;

    private DatabaseManagementService dbms;

    /** The database of a test. */
    private GraphDatabaseAPI database(String format) {
        dbms = new DatabaseManagementServiceBuilder(home)
                .setConfig(db_format, format)
                .build();
        return (GraphDatabaseAPI) dbms.database(DEFAULT_DATABASE_NAME);
    }

    @AfterEach
    void shutDown() {
        if (dbms != null) {
            dbms.shutdown();
        }
    }

    /** A relationship as a scan reports it. */
    private record Relationship(long source, long target, int type, List<Double> values) {}

    @ParameterizedTest
    @ValueSource(strings = {"aligned", "standard"})
    void shouldReportWhatACursorReports(String format) throws KernelException {
        GraphDatabaseAPI db = database(format);
        createGraph(db);
        try (InternalTransaction transaction = begin(db)) {
            KernelTransaction kernel = transaction.kernelTransaction();
            RelationshipTypes types = types(kernel, "R", "S");
            for (List<Property> properties : PROPERTIES) {
                PropertyKeys keys = PropertyKeys.of(properties, kernel);
                List<Relationship> byCursor = collect(sink -> {
                    StoreScan<?, ?> scan = StoreScans.relationships(kernel.dataRead(), types, keys, sink);
                    StoreScan.readAll(kernel, List.of(scan), RELATIONSHIPS, 1, Stop.NEVER);
                });

                Optional<RelationshipRecords> records = RelationshipRecords.of(kernel, types, keys);

                assertThat(records).isPresent();
                assertThat(byCursor).hasSizeGreaterThan(RELATIONSHIPS / 2);
                for (int concurrency : List.of(1, 3)) {
                    assertThat(counted(collect(sink -> records.get().scan(concurrency, Stop.NEVER, sink))))
                            .isEqualTo(counted(byCursor));
                }
            }
        }
        try (InternalTransaction transaction = begin(db)) {
            KernelTransaction kernel = transaction.kernelTransaction();
            // Q alone has values that are not numbers
            RelationshipTypes all = types(kernel, "Q", "R", "S");
            PropertyKeys keys = PropertyKeys.of(List.of(new Property(VALUE, 0, false)), kernel);
            assertThatThrownBy(() -> RelationshipRecords.of(kernel, all, keys)
                            .orElseThrow()
                            .scan(2, Stop.NEVER, (worker, sources, targets, types, values, count) -> {}))
                    .isInstanceOf(ProjectionException.class)
                    .hasMessageContaining("only numbers can be projected")
                    .hasMessageContaining("the function `proxima.graph.project`");
            assertThat(RelationshipRecords.of(
                            kernel, all, PropertyKeys.of(List.of(new Property("unused", 0, false)), kernel)))
                    .as("no sample has the property, so the layout is not known")
                    .isEmpty();
        }
    }

    @Test
    void shouldReportCommittedNumbersWhileTheyChange() throws Exception {
        GraphDatabaseAPI db = database(db_format.defaultValue());
        createGraph(db);
        AtomicBoolean ended = new AtomicBoolean();
        try {
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> changeNumbers(db, ended));
            for (int scan = 0; scan < 20; scan++) {
                try (InternalTransaction transaction = begin(db)) {
                    KernelTransaction kernel = transaction.kernelTransaction();
                    RelationshipTypes types = types(kernel, "R", "S");
                    PropertyKeys keys = PropertyKeys.of(List.of(new Property(NUMBER, Double.NaN, false)), kernel);
                    // empty if a sample changed
                    RelationshipRecords.of(kernel, types, keys)
                            .ifPresent(records -> assertThat(collect(sink -> records.scan(2, Stop.NEVER, sink)))
                                    .hasSizeGreaterThan(RELATIONSHIPS / 2)
                                    .extracting(relationship -> relationship.values.get(0))
                                    .allMatch(value -> Double.isNaN(value) || isWritten(value)));
                }
            }
            ended.set(true);
            assertThat(writer.join()).isPositive();
        } finally {
            ended.set(true);
        }
    }

    /** No sampled record is of this type, so only the rights tell that the caller may not read its property. */
    @Test
    void shouldHideAPropertyThatTheCallerMayNotReadOfOneType() throws KernelException {
        GraphDatabaseAPI db = database(db_format.defaultValue());
        createGraph(db);
        try (Transaction transaction = db.beginTx()) {
            // takes the id 0, which is sampled
            transaction.createNode().createRelationshipTo(transaction.createNode(), RelationshipType.withName("Q"));
            transaction
                    .createNode()
                    .createRelationshipTo(transaction.createNode(), RelationshipType.withName("SECRET"))
                    .setProperty(NUMBER, 42);
            transaction.commit();
        }
        int secret;
        int number;
        try (InternalTransaction transaction = begin(db)) {
            secret = transaction.kernelTransaction().tokenRead().relationshipType("SECRET");
            number = transaction.kernelTransaction().tokenRead().propertyKey(NUMBER);
            assertThat(secretNumbers(transaction)).containsExactly(42.0);
        }
        // may traverse everything, but not read this property of this type
        SecurityContext restricted = RestrictedAccess.reader((method, given) -> switch (method) {
            case "allowsReadPropertyAllRelTypes" -> (int) given[0] != number;
            case "allowsReadRelationshipProperty" ->
                (int) given[1] != number || ((RelTypeSupplier) given[0]).getRelType() != secret;
            default -> null;
        });
        try (InternalTransaction transaction = db.beginTransaction(KernelTransaction.Type.EXPLICIT, restricted)) {
            assertThat(secretNumbers(transaction)).containsExactly(Double.NaN);
        }
    }

    private static List<Double> secretNumbers(InternalTransaction transaction) {
        return collect(sink -> StoreSource.of(transaction, Stop.NEVER)
                        .scanRelationships(
                                List.of("R", "S", "SECRET"),
                                List.of(new Property(NUMBER, Double.NaN, false)),
                                2,
                                Stop.NEVER,
                                sink))
                .stream()
                .filter(relationship -> relationship.type == 2)
                .map(relationship -> relationship.values.get(0))
                .toList();
    }

    /** Numbers are less than RELATIONSHIPS; changed ones are 2^40 to 2^41, so that they take more space. */
    private static boolean isWritten(double value) {
        return Math.abs(value) <= RELATIONSHIPS || (value >= 1L << 40 && value < 1L << 41);
    }

    private static int changeNumbers(GraphDatabaseAPI db, AtomicBoolean ended) {
        SplittableRandom random = new SplittableRandom(7);
        int commits = 0;
        for (; !ended.get(); commits++) {
            try (Transaction transaction = db.beginTx();
                    ResourceIterator<org.neo4j.graphdb.Relationship> found =
                            transaction.findRelationships(RelationshipType.withName("R"))) {
                for (int i = 0; i < 200 && found.hasNext(); i++) {
                    org.neo4j.graphdb.Relationship relationship = found.next();
                    switch (random.nextInt(4)) {
                        case 0 -> relationship.removeProperty(NUMBER);
                        case 1 -> relationship.setProperty(NUMBER, (1L << 40) + random.nextInt(1000));
                        case 2 -> relationship.setProperty(NUMBER, random.nextInt(1000));
                        default -> relationship.setProperty("text", "x".repeat(random.nextInt(200)));
                    }
                }
                transaction.commit();
            }
        }
        return commits;
    }

    /** How often each is in the list. */
    private static Map<Relationship, Long> counted(List<Relationship> relationships) {
        return relationships.stream().collect(Collectors.groupingBy(found -> found, Collectors.counting()));
    }

    private static RelationshipTypes types(KernelTransaction kernel, String... names) {
        return new RelationshipTypes(Stream.of(names)
                .mapToInt(name -> kernel.tokenRead().relationshipType(name))
                .toArray());
    }

    @Test
    void shouldFindNoRecordsInAStoreWithoutRelationships() {
        try (InternalTransaction transaction = begin(database(db_format.defaultValue()))) {
            assertThat(RelationshipRecords.of(
                            transaction.kernelTransaction(),
                            new RelationshipTypes(new int[] {TokenConstants.ANY_RELATIONSHIP_TYPE}),
                            PropertyKeys.of(List.of(), transaction.kernelTransaction())))
                    .isEmpty();
        }
    }

    @Test
    void shouldDecodeNodesAndReferencesOfAnySize() {
        RelationshipRecordFormat format = new RelationshipRecordFormat();
        SplittableRandom random = new SplittableRandom(42);
        for (int round = 0; round < 1000; round++) {
            long bound = MAX_NODE >>> random.nextInt(35);
            RelationshipRecord record = new RelationshipRecord(round);
            record.setInUse(true);
            record.setLinks(random.nextLong(bound + 1), random.nextLong(bound + 1), random.nextInt(MAX_TYPE));
            record.setNextProp(
                    round == 0 ? PropertyRecords.NONE : random.nextLong(MAX_PROPERTY >>> random.nextInt(36)));
            PageCursor page = ByteArrayPageCursor.wrap(RelationshipRecordFormat.RECORD_SIZE);
            format.write(record, page, RelationshipRecordFormat.RECORD_SIZE, 1);
            assertThat(RelationshipRecords.startNode(page, 0, page.getByte(0))).isEqualTo(record.getFirstNode());
            assertThat(RelationshipRecords.endNode(page, 0, page.getInt(RelationshipRecords.TYPE)))
                    .isEqualTo(record.getSecondNode());
            assertThat(page.getInt(RelationshipRecords.TYPE) & RelationshipRecords.TYPE_BITS)
                    .isEqualTo(record.getType());
            assertThat(RelationshipRecords.firstProperty(page, 0, page.getByte(0)))
                    .isEqualTo(record.getNextProp());
        }
    }

    /** Three types, ids that were never used, records of deleted relationships, and properties of all types. */
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
            int[] keys = new int[3 + FILLERS];
            for (int key = 0; key < keys.length; key++) {
                keys[key] = transaction
                        .kernelTransaction()
                        .tokenWrite()
                        .propertyKeyGetOrCreateForName(
                                key < 3 ? List.of(NUMBER, VALUE, "unused").get(key) : "filler" + key);
            }
            long[] nodes = new long[NODES];
            for (int node = 0; node < NODES; node++) {
                nodes[node] = write.nodeCreate();
            }
            for (int i = 0; i < RELATIONSHIPS; i++) {
                long relationship =
                        write.relationshipCreate(nodes[i % NODES], types[i % 3], nodes[(i * 7 + i / NODES) % NODES]);
                if (i % 5 != 0) {
                    setProperties(write, relationship, i, keys);
                }
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

    /** A number of one relationship in two, a value of others, and of some a chain of many records before or after. */
    private static void setProperties(Write write, long relationship, int i, int[] keys) throws KernelException {
        SplittableRandom random = new SplittableRandom(i);
        int fillers = i % 11 == 0 ? random.nextInt(FILLERS) : 0;
        for (int filler = 0; filler < fillers; filler++) {
            write.relationshipSetProperty(relationship, keys[3 + filler], VALUES.get(random.nextInt(VALUES.size())));
        }
        if (i % 2 == 0) {
            double number = random.nextInt(-RELATIONSHIPS, RELATIONSHIPS);
            write.relationshipSetProperty(
                    relationship,
                    keys[0],
                    switch (random.nextInt(6)) {
                        case 0 -> Values.byteValue((byte) number);
                        case 1 -> Values.shortValue((short) number);
                        case 2 -> Values.intValue((int) number);
                        case 3 -> Values.longValue((long) number);
                        case 4 -> Values.floatValue((float) number / 3);
                        default -> Values.doubleValue(number / 3);
                    });
        }
        if (i % 3 != 1) {
            // of Q any value, of S numbers
            write.relationshipSetProperty(
                    relationship,
                    keys[1],
                    i % 3 == 0 ? VALUES.get(random.nextInt(VALUES.size())) : Values.longValue(random.nextLong()));
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
                int place = i;
                found.add(new Relationship(
                        sources[i],
                        targets[i],
                        types[i],
                        Stream.of(values).map(ofProperty -> ofProperty[place]).toList()));
            }
        });
        return found;
    }
}
