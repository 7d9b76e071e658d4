// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Heap of texts and collections, by the layout of objects in HotSpot. An object that is reached several times counts
 * once. Numbers and objects of other classes count as the largest box.
 */
public final class ObjectBytes {

    /** From 32 GiB on, the JVM does not compress references. */
    private static final int REFERENCE = Runtime.getRuntime().maxMemory() < 32L << 30 ? Integer.BYTES : Long.BYTES;

    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int OBJECT = 24;
    private static final int HASH_MAP = 56;
    private static final int HASH_NODE = HEADER + Integer.BYTES + 5 * REFERENCE;

    /** Slots of a table for each element: of a hash map that has grown, and of a map or set that cannot. */
    private static final int SLOTS = 2;

    private static final int LEAST_HASH_TABLE = 16;

    private final Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    private long bytes;

    /** Bytes of a collection with everything in it. */
    public static long of(Object kept) {
        return new ObjectBytes().add(kept).sum();
    }

    /** Bytes of an immutable set without its elements. */
    public static long ofTable(Set<?> set) {
        return OBJECT + (set.size() <= 2 ? 0 : array((long) SLOTS * set.size() * REFERENCE));
    }

    /** The sum. */
    public long sum() {
        return bytes;
    }

    /** Adds maps, collections, texts and numbers, with everything in them. */
    public ObjectBytes add(Object kept) {
        if (kept == null || kept instanceof Boolean || kept instanceof Enum || !counted.add(kept)) {
            return this;
        }
        if (kept instanceof String text) {
            long perCharacter = text.chars().allMatch(character -> character < 256) ? 1 : 2;
            bytes += OBJECT + array(perCharacter * text.length());
        } else if (kept instanceof Map<?, ?> map) {
            bytes += map instanceof HashMap ? hashMap(map.size()) : OBJECT + array(2L * SLOTS * map.size() * REFERENCE);
            map.forEach((key, value) -> add(key).add(value));
        } else if (kept instanceof Collection<?> list) {
            bytes += OBJECT + array((long) SLOTS * list.size() * REFERENCE);
            list.forEach(this::add);
        } else {
            bytes += OBJECT;
        }
        return this;
    }

    /** Adds a hash map of a number of entries, without what is in it. */
    public ObjectBytes addHashMap(int entries) {
        bytes += hashMap(entries);
        return this;
    }

    private static long hashMap(int entries) {
        long slots = entries == 0 ? 0 : Math.max(LEAST_HASH_TABLE, (long) SLOTS * entries);
        return HASH_MAP + (slots == 0 ? 0 : array(slots * REFERENCE)) + entries * aligned(HASH_NODE);
    }

    private static long array(long bytes) {
        return aligned(ARRAY_HEADER + bytes);
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & -8;
    }
}
