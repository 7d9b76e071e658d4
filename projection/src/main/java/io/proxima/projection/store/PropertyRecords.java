// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.io.IOException;
import java.util.Arrays;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.io.pagecache.PageCursor;
import org.neo4j.io.pagecache.PagedFile;
import org.neo4j.kernel.api.ExecutionContext;
import org.neo4j.kernel.impl.store.PropertyType;
import org.neo4j.kernel.impl.store.record.PropertyBlock;
import org.neo4j.token.api.TokenConstants;

/**
 * Numbers in the pages of the store's property records. A relationship names the first record of its chain. Not
 * thread-safe: each worker has its own.
 *
 * <p>Layout of a record in Neo4j's formats "aligned" and "standard", 41 bytes:
 *
 * <pre>
 * byte   0      bits 0 to 3: bits 32 to 35 of the next record
 * bytes  1-4    not read
 * bytes  5-8    next record, bits 0 to 31
 * bytes  9-40   four longs: values of one to four longs each; the first long of a value tells its key, type and length
 * </pre>
 *
 * All numbers are stored there. A value that is used and not a number is read with a cursor of the kernel, which then
 * refuses it as it does elsewhere.
 */
final class PropertyRecords implements AutoCloseable {

    /** The first record of a relationship without properties. */
    static final long NONE = -1;

    static final int RECORD_SIZE = 41;
    private static final long NEXT_HIGH_BITS = 0xF;
    private static final int NEXT = 5;
    private static final int FIRST_LONG = 9;
    private static final long LOW_BITS = 0xFFFF_FFFFL;
    private static final int NO_LOW_BITS = -1;

    private final ExecutionContext context;
    private final PropertyKeys keys;
    private final PacedStop stop;
    private final int recordsPerPage;
    private final PageCursor page;
    private final RelationshipScanCursor relationships;
    private final PropertyCursor properties;
    private final int[] tokens;

    /** Number of tokens that a record can have. */
    private final int storedTokens;

    /** The longs of a record. */
    private final long[] longs = new long[(RECORD_SIZE - FIRST_LONG) / Long.BYTES];

    PropertyRecords(PagedFile file, PropertyKeys keys, ExecutionContext context, Stop stop) throws IOException {
        this.context = context;
        this.keys = keys;
        this.stop = new PacedStop(stop);
        this.recordsPerPage = file.payloadSize() / RECORD_SIZE;
        this.tokens = keys.tokens();
        this.storedTokens = (int) Arrays.stream(tokens)
                .filter(token -> token != TokenConstants.NO_TOKEN)
                .count();
        this.page = file.io(0, PagedFile.PF_SHARED_READ_LOCK, context.cursorContext());
        this.relationships =
                context.cursors().allocateRelationshipScanCursor(context.cursorContext(), context.memoryTracker());
        this.properties = context.cursors().allocatePropertyCursor(context.cursorContext(), context.memoryTracker());
    }

    /**
     * Reads the properties of a relationship of a batch.
     *
     * @param first the first record of its properties, or {@link #NONE}
     * @return whether any of them was decoded as a number, or counted
     * @throws io.proxima.projection.csc.ProjectionException if a value that is used is not a number, and not counted
     */
    boolean read(long relationship, long first, RelationshipBatch batch, int place) throws IOException {
        keys.readNone(batch, place);
        int left = storedTokens;
        for (long record = first; record != NONE && left > 0; ) {
            stop.worked(1);
            long pageId = record / recordsPerPage;
            if (page.getCurrentPageId() != pageId && !page.next(pageId)) {
                break;
            }
            record = load((int) (record % recordsPerPage) * RECORD_SIZE);
            int taken = takeNumbers(batch, place);
            if (taken < 0) {
                readWithCursor(relationship, batch, place);
                return false;
            }
            left -= taken;
        }
        return left < storedTokens;
    }

    /** Like {@link #read}, with a cursor of the kernel. */
    void readWithCursor(long relationship, RelationshipBatch batch, int place) {
        context.dataRead().singleRelationship(relationship, relationships);
        if (relationships.next()) {
            relationships.properties(properties, keys.selection());
            keys.read(relationship, properties, batch, place);
        } else {
            // deleted since its record was read
            keys.readNone(batch, place);
        }
    }

    /** Loads the longs of a record of the page; returns the next record, or {@link #NONE}. */
    private long load(int offset) throws IOException {
        long next;
        do {
            next = record(page.getInt(offset + NEXT), page.getByte(offset) & NEXT_HIGH_BITS);
            for (int i = 0; i < longs.length; i++) {
                longs[i] = page.getLong(offset + FIRST_LONG + i * Long.BYTES);
            }
        } while (page.shouldRetry());
        return next;
    }

    /** The record that a reference of two parts names, or {@link #NONE}. */
    static long record(int lowBits, long highBits) {
        return lowBits == NO_LOW_BITS && highBits == 0 ? NONE : (highBits << Integer.SIZE) | (lowBits & LOW_BITS);
    }

    /** Takes the numbers of the loaded record; returns how many, or -1 if there is a used value of another type. */
    private int takeNumbers(RelationshipBatch batch, int place) {
        int taken = 0;
        PropertyType type;
        for (int i = 0;
                i < longs.length && (type = PropertyType.getPropertyTypeOrNull(longs[i])) != null;
                i += Math.max(1, type.calculateNumberOfBlocksUsed(longs[i]))) {
            int token = PropertyBlock.keyIndexId(longs[i]);
            for (int property = 0; property < tokens.length; property++) {
                if (tokens[property] == token) {
                    if (keys.counts(property) || isNumber(type)) {
                        batch.values[property][place] = keys.counts(property) ? 1 : number(type, i);
                        taken++;
                    } else if (batch.uses(place, property)) {
                        return -1;
                    } else {
                        batch.values[property][place] = Double.NaN;
                    }
                }
            }
        }
        return taken;
    }

    private static boolean isNumber(PropertyType type) {
        return switch (type) {
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> true;
            default -> false;
        };
    }

    private double number(PropertyType type, int i) {
        return switch (type) {
            case BYTE -> PropertyBlock.fetchByte(longs[i]);
            case SHORT -> PropertyBlock.fetchShort(longs[i]);
            case INT -> PropertyBlock.fetchInt(longs[i]);
            // one bit tells whether the number is in the first long
            case LONG ->
                PropertyBlock.valueIsInlined(longs[i]) ? PropertyBlock.fetchLong(longs[i]) >>> 1 : longs[i + 1];
            case FLOAT -> Float.intBitsToFloat(PropertyBlock.fetchInt(longs[i]));
            case DOUBLE -> Double.longBitsToDouble(longs[i + 1]);
            default -> throw new IllegalStateException("not a number: type=" + type);
        };
    }

    @Override
    public void close() {
        try (page;
                relationships;
                properties) {
            // closes all three, whichever fails
        }
    }
}
