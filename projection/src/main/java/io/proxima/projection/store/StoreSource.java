// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphSource;
import io.proxima.projection.IdMap;
import io.proxima.projection.PartialSource;
import io.proxima.projection.ProjectionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.neo4j.collection.diffset.LongDiffSets;
import org.neo4j.common.EntityType;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.TokenReadSession;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.txstate.TxStateHolder;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.storageengine.api.txstate.ReadableTransactionState;
import org.neo4j.token.api.TokenConstants;

/**
 * The graph that a transaction may see, with its caller's privileges. Ordinary cursors are used, which hide what the
 * caller may not traverse. Uncommitted changes of the transaction are visible; only one thread reads then, because
 * Neo4j hides them from other threads. Concurrent commits may be seen in part, as with any read.
 *
 * <p>Nodes are read through the token lookup index if it is online, otherwise by a scan of all nodes. Relationships are
 * read in the way that costs least by the counts of the store: by a scan of all of them; through the lookup index, if
 * their types have few; or node by node, if the nodes of the labels have few of the types. For a caller who may
 * traverse everything, the scan decodes the pages of the store, see {@link RelationshipRecords}.
 *
 * <p>If the transaction is terminated, scans throw its {@code TransactionTerminatedException}, unless the stop was
 * requested first.
 */
public final class StoreSource implements GraphSource, PartialSource {

    /** Cost of a relationship found through the lookup index, where a step of a scanning cursor costs 1. */
    private static final int INDEX_COST_IN_CURSOR_STEPS = 2;

    /** The same, where decoding a record costs 1. */
    private static final int INDEX_COST_IN_RECORDS = 8;

    /** Cost of a node or a relationship that is read node by node, where a step of a scanning cursor costs 1. */
    private static final int NODE_COST_IN_CURSOR_STEPS = 4;

    /** The same, where decoding a record costs 1. */
    private static final int NODE_COST_IN_RECORDS = 32;

    private final KernelTransaction transaction;

    /** Tokens of the labels of the last scan of nodes. */
    private int[] scannedLabels = {TokenConstants.ANY_LABEL};

    /** Ends the scans that count. */
    private final Stop stop;

    /** Counts that the store's own do not give, by token; each requires a scan. */
    private final Map<Integer, Long> nodeCounts = new HashMap<>();

    private final Map<Integer, Long> relationshipCounts = new HashMap<>();

    private StoreSource(KernelTransaction transaction, Stop stop) {
        this.transaction = transaction;
        this.stop = stop;
    }

    /**
     * Creates the source of a transaction. If it is that of a restricted caller, estimates scan the store.
     *
     * @param transaction the caller's transaction; read on the calling thread and, through execution contexts of it, on
     *     workers, until the projection returns
     * @param stop requests an estimate to end early with a {@link io.proxima.concurrent.StoppedException}
     * @throws IllegalArgumentException if the transaction is not one of Neo4j itself
     */
    public static StoreSource of(Transaction transaction, Stop stop) {
        if (transaction instanceof InternalTransaction internal) {
            return new StoreSource(internal.kernelTransaction(), stop);
        }
        throw new IllegalArgumentException("not a transaction of an embedded Neo4j: transaction=" + transaction);
    }

    /**
     * Whether the store has a label of that name, even if no node has it. A label of which the caller may not see any
     * node counts as absent.
     */
    public boolean hasLabel(String label) {
        int token = transaction.tokenRead().nodeLabel(label);
        // the second question is for rights that depend on properties of the node
        return token != TokenConstants.NO_TOKEN
                && (transaction.securityContext().mode().allowsTraverseNode(token) || nodes(token) > 0);
    }

    /**
     * Whether the store has a relationship type of that name, even if no relationship has it. A type of which the
     * caller may not see any relationship counts as absent.
     */
    public boolean hasType(String type) {
        int token = transaction.tokenRead().relationshipType(type);
        return token != TokenConstants.NO_TOKEN
                && (transaction.securityContext().mode().allowsTraverseRelType(token) || relationships(token) > 0);
    }

    /** Whether the store has a property of that name, even if no relationship has it. */
    public boolean hasProperty(String property) {
        return transaction.tokenRead().propertyKey(property) != TokenConstants.NO_TOKEN;
    }

    @Override
    public long estimateNodeCount(List<String> labels) {
        return Arrays.stream(labelTokens(labels)).mapToLong(this::nodes).sum();
    }

    @Override
    public long estimateRelationshipCount(List<String> types) {
        int[] tokens = typeTokens(types, transaction);
        return Arrays.stream(tokens).anyMatch(token -> token == TokenConstants.ANY_RELATIONSHIP_TYPE)
                ? relationships(TokenConstants.ANY_RELATIONSHIP_TYPE)
                : Arrays.stream(tokens).mapToLong(this::relationships).sum();
    }

    @Override
    public long estimateRelationshipCount(List<String> labels, List<String> types) {
        long all = estimateRelationshipCount(types);
        // the store's counts by label are scans for a restricted caller, and leave out changes of the transaction
        if (isRestricted() || transaction.dataRead().transactionStateHasChanges()) {
            return all;
        }
        int[] ofLabels = labelTokens(labels);
        int[] ofTypes = typeTokens(types, transaction);
        return Math.min(
                all,
                Math.min(
                        relationshipsOfNodes(ofLabels, ofTypes, true), relationshipsOfNodes(ofLabels, ofTypes, false)));
    }

    @Override
    public void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink) {
        scannedLabels = labelTokens(labels);
        scanNodes(scannedLabels, concurrency, stop, sink);
    }

    private void scanNodes(int[] tokens, int concurrency, Stop stop, NodeSink sink) {
        Read read = transaction.dataRead();
        Optional<TokenReadSession> index = StoreScans.lookupIndex(transaction, EntityType.NODE);
        List<StoreScan<?, ?>> scans = new ArrayList<>();
        long records = 0;
        for (int label = 0; label < tokens.length; label++) {
            boolean byIndex = index.isPresent() && tokens[label] != TokenConstants.ANY_LABEL;
            scans.add(
                    byIndex
                            ? StoreScans.nodesOfLabel(read, index.get(), tokens[label], label, sink)
                            : StoreScans.nodes(read, tokens[label], label, sink));
            records += read.estimateCountsForNode(byIndex ? tokens[label] : TokenConstants.ANY_LABEL);
        }
        StoreScan.readAll(transaction, scans, records, concurrency, stop);
    }

    @Override
    public void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
        scanRelationships(typeTokens(types, transaction), properties, null, concurrency, stop, sink);
    }

    @Override
    public void scanRelationshipsAmong(
            IdMap nodes,
            List<String> types,
            List<Property> properties,
            int concurrency,
            Stop stop,
            RelationshipSink sink) {
        scanRelationships(typeTokens(types, transaction), properties, nodes, concurrency, stop, sink);
    }

    /** Reads all relationships of the types, or at least those among the nodes. */
    private void scanRelationships(
            int[] tokens, List<Property> properties, IdMap nodes, int concurrency, Stop stop, RelationshipSink sink) {
        RelationshipTypes types = new RelationshipTypes(tokens);
        PropertyKeys keys = PropertyKeys.of(properties, transaction);
        // of the whole store, also for a restricted caller: a scan passes what it hides, and nobody is shown the counts
        long all = storedRelationships(TokenConstants.ANY_RELATIONSHIP_TYPE);
        long wanted = Arrays.stream(tokens).anyMatch(token -> token == TokenConstants.ANY_RELATIONSHIP_TYPE)
                ? all
                : Arrays.stream(tokens).mapToLong(this::storedRelationships).sum();
        Optional<RelationshipRecords> records = all < StoreScan.MIN_PARALLEL_RECORDS
                        || isRestricted()
                        || !PropertyRights.readsAll(
                                transaction.securityContext().mode(), transaction.tokenRead(), keys.stored())
                        || !StoreScan.contextsSeeAsMuch(transaction, keys.stored())
                ? Optional.empty()
                : RelationshipRecords.of(transaction, types, keys);
        long costFactor = records.isPresent() ? INDEX_COST_IN_RECORDS : INDEX_COST_IN_CURSOR_STEPS;
        if (nodes != null) {
            long nodeCost = records.isPresent() ? NODE_COST_IN_RECORDS : NODE_COST_IN_CURSOR_STEPS;
            long leaving = relationshipsOfNodes(scannedLabels, tokens, true);
            long entering = relationshipsOfNodes(scannedLabels, tokens, false);
            // the relationships of a node with few of them are in one list, whatever their direction
            long visited = nodes.size() + leaving + entering;
            if (visited < Math.min(all, wanted * costFactor) / nodeCost) {
                boolean parallel = visited >= StoreScan.MIN_PARALLEL_RECORDS
                        && StoreScan.contextsSeeAsMuch(transaction, keys.stored());
                Direction direction = leaving <= entering ? Direction.OUTGOING : Direction.INCOMING;
                new RelationshipsOfNodes(transaction, new long[0], nodes, direction, Long.MAX_VALUE)
                        .scan(tokens, keys, parallel, concurrency, stop, sink);
                return;
            }
        }
        Optional<TokenReadSession> index = wanted < all / costFactor
                ? StoreScans.lookupIndex(transaction, EntityType.RELATIONSHIP)
                : Optional.empty();
        if (index.isPresent()) {
            List<StoreScan<?, ?>> scans = new ArrayList<>();
            for (int type = 0; type < tokens.length; type++) {
                scans.add(StoreScans.relationshipsOfType(
                        transaction.dataRead(), index.get(), tokens[type], type, keys, sink));
            }
            StoreScan.readAll(transaction, scans, wanted, concurrency, stop);
        } else if (records.isPresent()) {
            records.get().scan(concurrency, stop, sink);
        } else {
            StoreScan<?, ?> scan = StoreScans.relationships(transaction.dataRead(), types, keys, sink);
            StoreScan.readAll(transaction, List.of(scan), all, concurrency, stop);
        }
    }

    @Override
    public void readNodes(List<String> labels, long[] neo4jIds, Stop stop, NodeSink sink) {
        int[] tokens = labelTokens(labels);
        PacedStop paced = new PacedStop(stop);
        try (NodeCursor node =
                transaction.cursors().allocateNodeCursor(transaction.cursorContext(), transaction.memoryTracker())) {
            for (long neo4jId : neo4jIds) {
                paced.worked(4L + tokens.length);
                transaction.dataRead().singleNode(neo4jId, node);
                boolean exists = node.next();
                for (int label = 0; exists && label < tokens.length; label++) {
                    if (tokens[label] == TokenConstants.ANY_LABEL || node.hasLabel(tokens[label])) {
                        sink.accept(0, label, new long[] {neo4jId}, 1);
                    }
                }
            }
        }
    }

    @Override
    public Part part(long[] pairs, long[] nodes, long most) {
        return new RelationshipsOfNodes(transaction, pairs, IdMap.of(nodes), Direction.BOTH, most);
    }

    /** Whether the caller may read all nodes and relationships of a projection, with its properties. */
    public boolean seesAll(ProjectionSpec spec) {
        int[] properties = spec.types().values().stream()
                .flatMap(type -> type.properties().values().stream())
                .mapToInt(property -> transaction.tokenRead().propertyKey(property.property()))
                .filter(token -> token != TokenConstants.NO_TOKEN)
                .distinct()
                .toArray();
        return !isRestricted()
                && PropertyRights.readsAll(transaction.securityContext().mode(), transaction.tokenRead(), properties);
    }

    private long nodes(int label) {
        // Neo4j does not tell the labels of nodes that the transaction has deleted
        return isRestricted() || (label != TokenConstants.ANY_LABEL && deletesNodes())
                ? nodeCounts.computeIfAbsent(label, this::countNodes)
                : transaction.dataRead().estimateCountsForNode(label)
                        + added(
                                label == TokenConstants.ANY_LABEL
                                        ? ReadableTransactionState::addedAndRemovedNodes
                                        : changes -> changes.nodesWithLabelChanged(label));
    }

    private long relationships(int type) {
        return isRestricted()
                ? relationshipCounts.computeIfAbsent(type, this::countRelationships)
                : storedRelationships(type);
    }

    private long storedRelationships(int type) {
        return transaction
                        .dataRead()
                        .estimateCountsForRelationships(TokenConstants.ANY_LABEL, type, TokenConstants.ANY_LABEL)
                + added(
                        type == TokenConstants.ANY_RELATIONSHIP_TYPE
                                ? ReadableTransactionState::addedAndRemovedRelationships
                                : changes -> changes.relationshipsWithTypeChanged(type));
    }

    /**
     * The store's count of relationships of some types that start or end at nodes of some labels, without changes of
     * the transaction.
     */
    private long relationshipsOfNodes(int[] labels, int[] types, boolean starting) {
        Read read = transaction.dataRead();
        long count = 0;
        for (int label : labels) {
            int start = starting ? label : TokenConstants.ANY_LABEL;
            int end = starting ? TokenConstants.ANY_LABEL : label;
            for (int type : types) {
                count += read.estimateCountsForRelationships(start, type, end);
            }
        }
        return count;
    }

    /** What the transaction adds less what it removes; the store's counts leave out both. */
    private long added(Function<ReadableTransactionState, LongDiffSets> entities) {
        if (!transaction.dataRead().transactionStateHasChanges()) {
            return 0;
        }
        LongDiffSets changed = entities.apply(((TxStateHolder) transaction).txState());
        return (long) changed.getAdded().size() - changed.getRemoved().size();
    }

    private boolean deletesNodes() {
        return transaction.dataRead().transactionStateHasChanges()
                && !((TxStateHolder) transaction)
                        .txState()
                        .addedAndRemovedNodes()
                        .getRemoved()
                        .isEmpty();
    }

    // Neo4j's own counts for a restricted caller are scans that do not notice the end of the transaction

    private long countNodes(int label) {
        long[] count = new long[1];
        scanNodes(new int[] {label}, 1, stop, (worker, index, neo4jIds, found) -> count[0] += found);
        return count[0];
    }

    private long countRelationships(int type) {
        long[] count = new long[1];
        scanRelationships(
                new int[] {type},
                List.of(),
                null,
                1,
                stop,
                (worker, sources, targets, types, values, found) -> count[0] += found);
        return count[0];
    }

    /** The store's own counts cover everything, and must not be shown to a caller who may not see everything. */
    private boolean isRestricted() {
        return !mayTraverseEverything(transaction.securityContext().mode());
    }

    /** Whether the mode hides no label and no type. */
    public static boolean mayTraverseEverything(AccessMode mode) {
        return mode.allowsTraverseAllLabels() && mode.allowsTraverseAllRelTypes();
    }

    private int[] labelTokens(List<String> labels) {
        return labels.stream()
                .mapToInt(label -> label.equals(ProjectionSpec.ALL)
                        ? TokenConstants.ANY_LABEL
                        : transaction.tokenRead().nodeLabel(label))
                .toArray();
    }

    static int[] typeTokens(List<String> types, KernelTransaction transaction) {
        return types.stream()
                .mapToInt(type -> type.equals(ProjectionSpec.ALL)
                        ? TokenConstants.ANY_RELATIONSHIP_TYPE
                        : transaction.tokenRead().relationshipType(type))
                .toArray();
    }
}
