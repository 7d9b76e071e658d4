// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.projection.RelationshipSource.RelationshipSink;

/** Relationships that a worker has read, and passes to the sink together. Subclasses read them. */
class RelationshipBatch implements StoreScan.Batch {

    /** Number of relationships after which a batch is passed on. */
    static final int LENGTH = 1 << 10;

    final long[] sources;
    final long[] targets;

    /** For each relationship the index of its type in the list of selected types. */
    final int[] typeOf;

    /** For each property the value of each relationship. */
    final double[][] values;

    /** Number of relationships read. */
    int count;

    private final RelationshipSink sink;
    private final int worker;

    /**
     * Creates a batch.
     *
     * @param properties number of properties that are read
     * @param room maximum number of relationships
     */
    RelationshipBatch(RelationshipSink sink, int worker, int properties, int room) {
        this.sink = sink;
        this.worker = worker;
        this.sources = new long[room];
        this.targets = new long[room];
        this.typeOf = new int[room];
        this.values = new double[properties][room];
    }

    /** Whether the value of a property of a relationship is used, and must be a number. */
    final boolean uses(int place, int property) {
        return sink.uses(sources[place], targets[place], typeOf[place], property);
    }

    @Override
    public final void flush() {
        if (count > 0) {
            sink.accept(worker, sources, targets, typeOf, values, count);
            count = 0;
        }
    }
}
