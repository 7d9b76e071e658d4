// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

/**
 * A part of a structure on the heap. Structures that share a part count it once.
 *
 * @param object identifies the part by object identity and lives as long as the part: the array of the part that was
 *     allocated first
 * @param bytes heap of the whole part
 */
public record HeapPart(Object object, long bytes) {

    /** An array. */
    public static HeapPart of(int[] array) {
        return new HeapPart(array, (long) array.length * Integer.BYTES);
    }

    /** An array. */
    public static HeapPart of(long[] array) {
        return new HeapPart(array, (long) array.length * Long.BYTES);
    }

    /** An array. */
    public static HeapPart of(double[] array) {
        return new HeapPart(array, (long) array.length * Double.BYTES);
    }
}
