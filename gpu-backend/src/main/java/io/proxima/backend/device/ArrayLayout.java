// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The layout of several arrays in one allocation, each aligned to {@link #ALIGNMENT} bytes. Allocation and estimate use
 * the same layout.
 */
public final class ArrayLayout {

    public static final int ALIGNMENT = 256;

    private final Map<String, Long> offsets = new HashMap<>();
    private final Set<String> absent = new HashSet<>();
    private long bytes;

    /** Bytes of all arrays added so far. */
    public long bytes() {
        return bytes;
    }

    /**
     * Adds an array that is found by its name, which is that of the kernel's argument; one without entries is null
     * there.
     */
    public ArrayLayout add(String name, long entries, int entryBytes) {
        offsets.put(name, bytes);
        bytes = Math.addExact(bytes, bytesOf(entries, entryBytes));
        if (entries * entryBytes == 0) {
            absent.add(name);
        }
        return this;
    }

    /** The offset of an array. */
    public long at(String name) {
        return offsets.get(name);
    }

    /** The device address of an array in an allocation at {@code at}, 0 if the array has no entries. */
    public long addressOf(String name, long at) {
        return absent.contains(name) ? 0 : at + at(name);
    }

    /** The names of the arrays that have one. */
    Set<String> names() {
        return offsets.keySet();
    }

    /** The bytes of an allocation with a single array. */
    public static long bytesOf(long entries, int entryBytes) {
        long length = Math.multiplyExact(entries, (long) entryBytes);
        return Math.addExact(length, ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
    }
}
