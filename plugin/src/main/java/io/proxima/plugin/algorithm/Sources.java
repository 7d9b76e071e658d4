// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.config.Key;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes of a key, with each node once.
 *
 * @param key the name of the key
 * @param distinct neo4jIds in the order of their first occurrence
 * @param positions for each requested node its index in {@code distinct}
 * @param times for each distinct node the number of times it was requested
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
public record Sources(String key, long[] distinct, int[] positions, int[] times) {

    /** No nodes. */
    public static final Sources NONE = new Sources("", new long[0], new int[0], new int[0]);

    /** The greatest distance of a search. */
    public static final Key<Integer> MAX_DEPTH =
            Key.of("maxDepth", LoadedGraph.NO_MAX_DEPTH, "The greatest distance to visit. -1: no limit.");

    /** Heap of a requested node: the id in the argument and here, its index, its number of times, and its vertex. */
    private static final int NODE_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;

    private static final int MOST_PLACES = 1 << 30;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    /** Reads the nodes of a key. */
    public static Sources read(CallKeys keys, Key<List<Long>> key) {
        long[] nodes = keys.reader().readNodes(key, keys.caller().nodes());
        return of(key.name(), nodes, keys.caller().stop());
    }

    /** Reads the nodes of one of two keys, each of which takes one node or several. */
    public static Sources read(CallKeys keys, Key<List<Long>> one, Key<List<Long>> other) {
        long[] nodes = keys.reader().readNodes(one, other, keys.caller().nodes());
        return of(
                keys.reader().given(one) == null ? other.name() : one.name(),
                nodes,
                keys.caller().stop());
    }

    /**
     * Finds the duplicates, in time linear in the number of nodes.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    static Sources of(String key, long[] neo4jIds, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        // a hash table of indices into distinct, increased by one
        int[] table = new int[(int) Math.min(MOST_PLACES, 4L * Math.max(1, Integer.highestOneBit(neo4jIds.length)))];
        int mask = table.length - 1;
        long[] distinct = new long[neo4jIds.length];
        int[] positions = new int[neo4jIds.length];
        int[] times = new int[neo4jIds.length];
        int count = 0;
        for (int i = 0; i < neo4jIds.length; i++) {
            paced.worked(3);
            long hash = neo4jIds[i] * SCATTER;
            int place = (int) (hash >>> Integer.SIZE) & mask;
            while (table[place] != 0 && distinct[table[place] - 1] != neo4jIds[i]) {
                place = (place + 1) & mask;
            }
            if (table[place] == 0) {
                distinct[count] = neo4jIds[i];
                table[place] = ++count;
            }
            positions[i] = table[place] - 1;
            times[positions[i]]++;
        }
        return count == neo4jIds.length
                ? new Sources(key, distinct, positions, times)
                : new Sources(key, Arrays.copyOf(distinct, count), positions, Arrays.copyOf(times, count));
    }

    /** Number of distinct nodes. */
    public int count() {
        return distinct.length;
    }

    /** The distinct nodes as vertices of a run's graph, in the order of their first occurrence. */
    public int[] vertices(GraphRun run) {
        return run.vertices(key, distinct);
    }

    /** The distinct nodes as vertices of a run's graph, ascending. */
    public int[] ascendingVertices(GraphRun run) {
        return run.distinctVertices(key, distinct);
    }

    /** Heap of the nodes, as ids and as vertices. */
    public MemoryTree memory() {
        return MemoryTree.exactly("source nodes", (long) positions.length * NODE_BYTES);
    }
}
