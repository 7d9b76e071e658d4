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
package io.proxima.plugin.procedures;

import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.server.ServerLimits;
import io.proxima.projection.GraphSource;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.ProjectionSpec;

/** Refuses work that does not fit the memory before any of it is allocated, with the figures; sudo overrides. */
final class MemoryGuard {

    private MemoryGuard() {}

    /**
     * Guards a run by the most heap and the least device memory that it can take.
     *
     * @param estimate of the run, what is returned and kept included
     * @param backend name of where it is to run
     * @param onDevice whether it must run on a device
     * @throws ProximaException if heap or device is too small
     */
    static void requireRun(MemoryEstimate estimate, String backend, boolean onDevice, boolean sudo) {
        requireHeap(estimate.heap(), sudo);
        if (!sudo && onDevice && !estimate.fitsDevice()) {
            throw blocked(
                    "minimum", estimate.deviceBytes(), estimate.availableDeviceBytes(), "device memory of " + backend);
        }
    }

    /**
     * Guards a projection by the counts of the store.
     *
     * @return the heap that it will take, in bytes
     */
    static long requireProjection(GraphSource source, ProjectionSpec spec, int concurrency, boolean sudo) {
        long bytes = ProjectionSize.of(source, spec).peak(concurrency).maxBytes();
        if (!sudo) {
            requireHeap(bytes);
        }
        return bytes;
    }

    /**
     * Guards a step by the most heap that it can take.
     *
     * @throws ProximaException if that is not free
     */
    static void requireHeap(MemoryTree memory, boolean sudo) {
        requireGrowth(memory.maxBytes(), sudo);
    }

    /**
     * Guards what grows while nobody knows how far.
     *
     * @param bytes heap that it will take on top of what it holds already
     */
    static void requireGrowth(long bytes, boolean sudo) {
        if (!sudo) {
            requireHeap(bytes);
        }
    }

    /**
     * Free heap may only look short because garbage has not been collected; so the collector runs once before a call is
     * refused.
     */
    private static void requireHeap(long bytes) {
        if (bytes <= ServerLimits.freeHeap()) {
            return;
        }
        if (bytes <= Runtime.getRuntime().maxMemory()) {
            System.gc();
        }
        long free = ServerLimits.freeHeap();
        if (bytes > free) {
            throw blocked("maximum", bytes, Math.max(0, free), ServerLimits.freeHeapName());
        }
    }

    private static ProximaException blocked(String which, long needed, long free, String what) {
        return ProximaException.failed("Procedure was blocked since " + which + " estimated memory ("
                + MemoryTree.humanReadable(needed) + ") exceeds current " + what + " (" + MemoryTree.humanReadable(free)
                + "). Drop graphs that are not needed, give the server more memory, or use 'sudo: true' to override"
                + " the check.");
    }
}
