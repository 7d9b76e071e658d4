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
