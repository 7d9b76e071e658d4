// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.Locale;

/**
 * Identifies a graph: a 128-bit hash of the number of vertices, the degrees and the row indices of its CSC and, for a
 * projection, of the neo4jIds. Two graphs with equal arrays have equal fingerprints, whatever the size of their pages.
 * Different graphs have equal fingerprints with a probability of 2^-128, but a person can construct two graphs with
 * equal fingerprints.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record GraphFingerprint(long high, long low) {

    // odd, with bits set all over: the multipliers of splitmix64 and of its first variant
    private static final long HIGH_FACTOR = 0xBF58476D1CE4E5B9L;
    private static final long LOW_FACTOR = 0x94D049BB133111EBL;

    private static final int COLUMNS_AT_ONCE = 1 << 14;
    private static final int ENTRIES_AT_ONCE = 1 << 17;

    /**
     * Reads the whole graph once.
     *
     * @param concurrency threads that read, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphFingerprint of(Csc graph, int concurrency, Stop stop) {
        int n = graph.vertexCount();
        Hash all = new Hash();
        all.add(n);
        all.addRanges(n, COLUMNS_AT_ONCE, concurrency, stop, (hash, from, to) -> {
            for (int column = (int) from; column < to; column++) {
                hash.add(graph.degree(column));
            }
        });
        all.addRanges(graph.entryCount(), ENTRIES_AT_ONCE, concurrency, stop, (hash, from, to) -> graph.rowIndices()
                .forParts(from, to, stop, (page, at, index, count) -> {
                    for (int i = at; i < at + count; i++) {
                        hash.add(page[i]);
                    }
                }));
        return all.finished();
    }

    /**
     * The fingerprint of a graph and its nodes: this one, and the neo4jIds. Graphs of other nodes with equal arrays
     * differ in it.
     *
     * @param ids the nodes of the graph, by vertex
     * @param concurrency threads that read, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    GraphFingerprint withNodes(IdMap ids, int concurrency, Stop stop) {
        Hash all = new Hash();
        all.add(high);
        all.add(low);
        all.addRanges(ids.size(), COLUMNS_AT_ONCE, concurrency, stop, (hash, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                hash.add(ids.toNeo4jId(vertex));
            }
        });
        return all.finished();
    }

    /**
     * The fingerprint of all relationships of a graph, of all types together, and of its nodes.
     *
     * @param concurrency threads that read, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphFingerprint of(GraphProjection graph, int concurrency, Stop stop) {
        return of(graph.csc(concurrency, stop), concurrency, stop).withNodes(graph.idMap(), concurrency, stop);
    }

    private static long finished(long hash) {
        long mixed = (hash ^ hash >>> 30) * HIGH_FACTOR;
        mixed = (mixed ^ mixed >>> 27) * LOW_FACTOR;
        return mixed ^ mixed >>> 31;
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%016x%016x", high, low);
    }

    /** Adds the elements {@code from} to {@code to - 1} to a hash. */
    @FunctionalInterface
    private interface RangeHash {
        void add(Hash hash, long from, long to);
    }

    /** Two chains of multiplications, which the processor works on side by side. */
    private static final class Hash {
        private long high = HIGH_FACTOR;
        private long low = LOW_FACTOR;

        void add(int value) {
            high = (high ^ value) * HIGH_FACTOR;
            high ^= high >>> 29;
            low = (low + value) * LOW_FACTOR;
            low ^= low >>> 32;
        }

        void add(long value) {
            add((int) value);
            add((int) (value >>> 32));
        }

        /** Adds the hashes of ranges of a fixed length, which several threads compute. */
        void addRanges(long size, int length, int concurrency, Stop stop, RangeHash of) {
            Hash[] hashes = new Hash[Math.toIntExact((size + length - 1) / length)];
            Workers.forRanges(concurrency, size, length, stop, (worker, from, to) -> {
                Hash hash = new Hash();
                of.add(hash, from, to);
                hashes[(int) (from / length)] = hash;
            });
            for (Hash hash : hashes) {
                add(hash.high);
                add(hash.low);
            }
        }

        GraphFingerprint finished() {
            return new GraphFingerprint(GraphFingerprint.finished(high), GraphFingerprint.finished(low));
        }
    }
}
