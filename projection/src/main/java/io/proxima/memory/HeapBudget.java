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

/** The heap that several pieces of work share: each reserves what it will take before it allocates. Thread-safe. */
@FunctionalInterface
public interface HeapBudget {

    /** Refuses nothing, for programs that guard no heap. */
    HeapBudget UNLIMITED = bytes -> Reservation.UNLIMITED;

    /**
     * Reserves heap.
     *
     * @param bytes what the work takes at its peak
     * @return the reservation, to be closed when the work has let go of the heap
     * @throws HeapShortageException if so much is not free
     */
    Reservation reserve(long bytes);

    /** Heap that one piece of work may take. */
    interface Reservation extends AutoCloseable {

        /** Grows without limit. */
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
         * @param bytes on top of what is reserved
         * @throws HeapShortageException if so much is not free; the reservation stays as it was
         */
        void grow(long bytes);

        /** Gives the heap back; has no effect the second time. */
        @Override
        void close();
    }
}
