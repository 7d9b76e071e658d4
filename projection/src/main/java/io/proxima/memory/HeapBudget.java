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
