// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * The arrays that are freed, but not yet reclaimed from the driver, in the order in which they were freed. A linked
 * list, because freeing allocates nothing. Guarded by the monitor of the memory.
 */
final class FreedArrays {

    private DeviceArray first;
    private DeviceArray last;

    void add(DeviceArray array) {
        if (last == null) {
            first = array;
        } else {
            last.setNextReturned(array);
        }
        last = array;
    }

    /** The array that was freed first; null if there is none. */
    DeviceArray first() {
        return first;
    }

    /** Removes the {@link #first} array. */
    void removeFirst() {
        DeviceArray removed = first;
        first = removed.nextReturned();
        removed.setNextReturned(null);
        last = first == null ? null : last;
    }

    void clear() {
        first = null;
        last = null;
    }

    /** The bytes of the arrays in mapped memory, or of the others. */
    long bytes(boolean ofMapped) {
        long bytes = 0;
        for (DeviceArray array = first; array != null; array = array.nextReturned()) {
            bytes += array.isMapped() == ofMapped ? array.bytes() : 0;
        }
        return bytes;
    }
}
