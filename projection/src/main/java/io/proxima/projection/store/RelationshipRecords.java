// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.Stop;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import io.proxima.projection.csc.ProjectionException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.recordstorage.RecordCursorTypes;
import org.neo4j.io.pagecache.PageCursor;
import org.neo4j.io.pagecache.PagedFile;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.ExecutionContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.store.cursor.CachedStoreCursors;

/**
 * The pages of the store's relationship records, which a scan of all relationships decodes itself. For each
 * relationship a cursor of the kernel validates the page, decodes ten fields and checks privileges. A projection needs
 * five fields, and one validation a page.
 *
 * <p>Layout of a record in Neo4j's formats "aligned" and "standard", 34 bytes:
 *
 * <pre>
 * byte   0      bit 0: in use; bits 1 to 3: bits 32 to 34 of the start node; bits 4 to 7: bits 32 to 35 of the
 *               first property record
 * bytes  1-4    start node, bits 0 to 31
 * bytes  5-8    end node, bits 0 to 31
 * bytes  9-12   bits 0 to 15: type; bits 28 to 30: bits 32 to 34 of the end node
 * bytes 13-28   not read
 * bytes 29-32   first property record, bits 0 to 31
 * byte  33      not read
 * </pre>
 *
 * The layout is not assumed: {@link #of} compares records from all parts of the store, and their properties, with what
 * a cursor of the kernel returns for them. Pages are read under the page cache's optimistic lock, so what is read is
 * committed, as with cursors. Neo4j does not reuse a deleted property record before the transaction has ended. Records
 * know no privileges, so the caller of the transaction must be allowed to traverse everything, and to read the
 * properties.
 */
final class RelationshipRecords {

    private static final int RECORD_SIZE = 34;
    private static final int START_NODE = 1;
    private static final int END_NODE = 5;
    static final int TYPE = 9;

    private static final int FIRST_PROPERTY = 29;

    private static final int IN_USE_BIT = 1;
    private static final long START_NODE_HIGH_BITS = 0xE;
    private static final int START_NODE_SHIFT = 31;
    private static final long END_NODE_HIGH_BITS = 0x7000_0000;
    private static final int END_NODE_SHIFT = 4;
    static final int TYPE_BITS = 0xFFFF;
    private static final long FIRST_PROPERTY_HIGH_BITS = 0xF0;
    private static final int FIRST_PROPERTY_SHIFT = 4;
    private static final long LOW_BITS = 0xFFFF_FFFFL;

    /** Records that are compared with a cursor's. */
    private static final int SAMPLES = 64;

    private static final int PAGES_PER_PARTITION = 64;

    private final KernelTransaction transaction;
    private final PagedFile file;
    private final PagedFile propertyFile;
    private final RelationshipTypes types;
    private final PropertyKeys keys;
    private final int recordsPerPage;

    private RelationshipRecords(
            KernelTransaction transaction,
            PagedFile file,
            PagedFile propertyFile,
            RelationshipTypes types,
            PropertyKeys keys) {
        this.transaction = transaction;
        this.file = file;
        this.propertyFile = propertyFile;
        this.types = types;
        this.keys = keys;
        this.recordsPerPage = file.payloadSize() / RECORD_SIZE;
    }

    /**
     * The records of the store, if they can be decoded.
     *
     * @param transaction a transaction without uncommitted changes, whose caller may traverse everything and read the
     *     properties
     * @param types the types of the relationships to report
     * @param keys the properties to read
     * @return empty if the store has another format, if sampled records were changed meanwhile, or if no sample has a
     *     number as one of the properties, so that decoding them cannot be checked
     * @throws ProjectionException if the store cannot be read
     */
    static Optional<RelationshipRecords> of(KernelTransaction transaction, RelationshipTypes types, PropertyKeys keys) {
        if (!(transaction.storeCursors() instanceof CachedStoreCursors cursors)) {
            return Optional.empty();
        }
        RelationshipRecords records = new RelationshipRecords(
                transaction,
                cursors.readCursor(RecordCursorTypes.RELATIONSHIP_CURSOR).getPagedFile(),
                cursors.readCursor(RecordCursorTypes.PROPERTY_CURSOR).getPagedFile(),
                types,
                keys);
        return records.matchCursor() ? Optional.of(records) : Optional.empty();
    }

    private boolean matchCursor() {
        AtomicBoolean match = new AtomicBoolean();
        ContextWorkers.run(transaction, 1, Stop.NEVER, (context, worker, stop) -> match.set(matchCursor(context)));
        return match.get();
    }

    private boolean matchCursor(ExecutionContext context) {
        boolean anyInUse = false;
        boolean anyProperty = keys.stored().length == 0;
        try (PageCursor page = file.io(0, PagedFile.PF_SHARED_READ_LOCK, context.cursorContext());
                RelationshipScanCursor cursor = context.cursors()
                        .allocateRelationshipScanCursor(context.cursorContext(), context.memoryTracker());
                PropertyRecords properties = new PropertyRecords(propertyFile, keys, context, Stop.NEVER)) {
            long records = (file.getLastPageId() + 1) * recordsPerPage;
            for (int sample = 0; sample < SAMPLES; sample++) {
                long id = records * sample / SAMPLES;
                context.dataRead().singleRelationship(id, cursor);
                boolean inUse = cursor.next();
                if (!page.next(id / recordsPerPage) || !matches(page, (int) (id % recordsPerPage), inUse, cursor)) {
                    return false;
                }
                anyInUse |= inUse;
                if (inUse && types.index(cursor.type()) != RelationshipTypes.NOT_SELECTED) {
                    RelationshipBatch decoded = new RelationshipBatch(new NoSink(), 0, keys.count(), 1);
                    RelationshipBatch wanted = new RelationshipBatch(new NoSink(), 0, keys.count(), 1);
                    anyProperty |= properties.read(id, firstProperty(page, (int) (id % recordsPerPage)), decoded, 0);
                    properties.readWithCursor(id, wanted, 0);
                    if (!Arrays.deepEquals(decoded.values, wanted.values)) {
                        return false;
                    }
                }
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
        return anyInUse && anyProperty;
    }

    private static boolean matches(PageCursor page, int record, boolean inUse, RelationshipScanCursor cursor)
            throws IOException {
        int offset = record * RECORD_SIZE;
        boolean matches;
        do {
            byte flags = page.getByte(offset);
            int type = page.getInt(offset + TYPE);
            boolean same = startNode(page, offset, flags) == cursor.sourceNodeReference()
                    && endNode(page, offset, type) == cursor.targetNodeReference()
                    && (type & TYPE_BITS) == cursor.type();
            matches = inUse ? (flags & IN_USE_BIT) != 0 && same : (flags & IN_USE_BIT) == 0;
        } while (page.shouldRetry());
        return matches;
    }

    private static long firstProperty(PageCursor page, int record) throws IOException {
        int offset = record * RECORD_SIZE;
        long first;
        do {
            first = firstProperty(page, offset, page.getByte(offset));
        } while (page.shouldRetry());
        return first;
    }

    /**
     * Reports every relationship of the selected types, as {@link
     * io.proxima.projection.RelationshipSource#scanRelationships}.
     *
     * @throws ProjectionException if the store cannot be read, or a value that the sink uses is not a number
     */
    void scan(int concurrency, Stop stop, RelationshipSink sink) {
        try {
            long pageCount = file.getLastPageId() + 1;
            AtomicLong nextPage = new AtomicLong();
            ContextWorkers.run(transaction, concurrency, stop, (context, worker, shared) -> {
                try (Batch batch = new Batch(worker, sink, context, shared)) {
                    long first;
                    while ((first = nextPage.getAndAdd(PAGES_PER_PARTITION)) < pageCount) {
                        shared.check();
                        context.performCheckBeforeOperation();
                        read(first, Math.min(first + PAGES_PER_PARTITION, pageCount), context.cursorContext(), batch);
                    }
                    batch.flush();
                } catch (IOException e) {
                    throw unreadable(e);
                }
            });
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private void read(long first, long end, CursorContext cursorContext, Batch batch) {
        try (PageCursor page = file.io(first, PagedFile.PF_SHARED_READ_LOCK | PagedFile.PF_READ_AHEAD, cursorContext)) {
            for (long number = first; number < end && page.next(); number++) {
                batch.add(page);
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static ProjectionException unreadable(IOException e) {
        return new ProjectionException(
                "The relationships of the store could not be read: " + e.getMessage() + " Try to project again.", e);
    }

    static long startNode(PageCursor page, int offset, byte flags) {
        return (page.getInt(offset + START_NODE) & LOW_BITS) | ((flags & START_NODE_HIGH_BITS) << START_NODE_SHIFT);
    }

    static long endNode(PageCursor page, int offset, int type) {
        return (page.getInt(offset + END_NODE) & LOW_BITS) | ((type & END_NODE_HIGH_BITS) << END_NODE_SHIFT);
    }

    /** The first property record of a relationship, or {@link PropertyRecords#NONE}. */
    static long firstProperty(PageCursor page, int offset, byte flags) {
        return PropertyRecords.record(
                page.getInt(offset + FIRST_PROPERTY), (flags & FIRST_PROPERTY_HIGH_BITS) >>> FIRST_PROPERTY_SHIFT);
    }

    /** Receives samples, whose values are only compared. */
    private record NoSink() implements RelationshipSink {
        @Override
        public void accept(int worker, long[] sources, long[] targets, int[] types, double[][] values, int count) {
            // samples are not passed on
        }

        @Override
        public boolean uses(long source, long target, int type, int property) {
            return false;
        }
    }

    /** The relationships that one worker has decoded for the sink. */
    private final class Batch extends RelationshipBatch implements AutoCloseable {
        /** Null if no property is read. */
        private final PropertyRecords properties;

        /** Of the last page: each relationship's id and its first property record. */
        private final long[] ids = new long[recordsPerPage];

        private final long[] firstProperties = new long[recordsPerPage];

        Batch(int worker, RelationshipSink sink, ExecutionContext context, Stop stop) throws IOException {
            super(sink, worker, keys.count(), LENGTH + recordsPerPage);
            this.properties = keys.isEmpty() ? null : new PropertyRecords(propertyFile, keys, context, stop);
        }

        void add(PageCursor page) throws IOException {
            int end;
            do {
                end = decode(page, count);
            } while (page.shouldRetry());
            if (properties != null) {
                for (int i = count; i < end; i++) {
                    properties.read(ids[i - count], firstProperties[i - count], this, i);
                }
            }
            count = end;
            if (count >= LENGTH) {
                flush();
            }
        }

        /** Decodes a page, which may change meanwhile; returns the end of the decoded relationships. */
        private int decode(PageCursor page, int start) {
            int end = start;
            long firstId = page.getCurrentPageId() * recordsPerPage;
            for (int record = 0; record < recordsPerPage; record++) {
                int offset = record * RECORD_SIZE;
                byte flags = page.getByte(offset);
                if ((flags & IN_USE_BIT) != 0) {
                    int type = page.getInt(offset + TYPE);
                    int index = types.index(type & TYPE_BITS);
                    if (index != RelationshipTypes.NOT_SELECTED) {
                        sources[end] = startNode(page, offset, flags);
                        targets[end] = endNode(page, offset, type);
                        typeOf[end] = index;
                        if (properties != null) {
                            ids[end - start] = firstId + record;
                            firstProperties[end - start] = firstProperty(page, offset, flags);
                        }
                        end++;
                    }
                }
            }
            return end;
        }

        @Override
        public void close() {
            if (properties != null) {
                properties.close();
            }
        }
    }
}
