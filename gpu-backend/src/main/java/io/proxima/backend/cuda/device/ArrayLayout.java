/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.device;

/**
 * Lays out the arrays of one allocation, one behind the other, each from a multiple of {@link #ALIGNMENT} bytes on. A layout
 * has the offsets of its arrays and the bytes of all; what is allocated and what is estimated are bytes of the same layout.
 */
public final class ArrayLayout {

    public static final int ALIGNMENT = 256;

    /** Bytes of the control block that host and kernel share: RunControl of persistent.cuh. */
    public static final int CONTROL_BYTES = 256;

    private long bytes;

    /** Bytes of all arrays added so far. */
    public long bytes() {
        return bytes;
    }

    /** Adds an array and returns its offset. */
    public long add(long entries, int entryBytes) {
        long at = bytes;
        bytes = Math.addExact(at, bytesOf(entries, entryBytes));
        return at;
    }

    /** What an allocation of one array takes. */
    public static long bytesOf(long entries, int entryBytes) {
        long length = Math.multiplyExact(entries, (long) entryBytes);
        return Math.addExact(length, ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
    }

    /** An array of a bit a slot has a multiple of so many: BIT_ALIGNMENT of persistent.cuh. */
    public static final int BIT_ALIGNMENT = 128;

    /** Words of 32 bits of an array of a bit a slot: bitWords of persistent.cuh. */
    public static int bitWords(int slots) {
        return (int) ((slots + BIT_ALIGNMENT - 1L) / BIT_ALIGNMENT * (BIT_ALIGNMENT / Integer.SIZE));
    }
}
