// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

/** A heap budget that several pieces of work share. Each reserves its memory before it allocates. Thread-safe. */
@FunctionalInterface
public interface HeapBudget {

    /** Grants every reservation, for programs that do not limit the heap. */
    HeapBudget UNLIMITED = bytes -> Reservation.UNLIMITED;

    /**
     * Reserves heap.
     *
     * @param bytes the peak of the work
     * @return the reservation, to be closed when the work has released the heap
     * @throws HeapShortageException if not enough heap is free
     */
    Reservation reserve(long bytes);

    /** Heap reserved for one piece of work. */
    interface Reservation extends AutoCloseable {

        /** A reservation without a limit. */
        Reservation UNLIMITED = new Reservation() {
            @Override
            public void grow(long bytes) {
                // there is no limit
            }

            @Override
            public void close() {
                // nothing is counted
            }
        };

        /**
         * Reserves more heap.
         *
         * @param bytes in addition to the reserved bytes
         * @throws HeapShortageException if not enough heap is free; the reservation does not change
         */
        void grow(long bytes);

        /** Releases the heap; has no effect the second time. */
        @Override
        void close();
    }
}
