// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.DeviceArray;
import java.util.List;
import java.util.Map;

/**
 * A kind of device structure: a group of arrays that kernels need of a graph on a device. A kernel family names the
 * structures that it reads. A structure is built when a run first needs it, counts against the device's memory, and is
 * freed with the graph, or with the run if no other can read it. Stateless: there is one instance of each kind,
 * compared by identity. Only {@link WeightedLists} have a kind for each property.
 *
 * @param <A> the arrays
 */
public interface DeviceStructure<A extends DeviceStructure.Arrays> {

    /** The arrays of a structure on a device. */
    interface Arrays {
        /** The allocation that contains the arrays, or the first of several. */
        DeviceArray array();

        /** All allocations of the structure. */
        default List<DeviceArray> allocations() {
            return List.of(array());
        }

        /** The exact number of bytes on the device. */
        default long bytes() {
            return allocations().stream()
                    .filter(allocation -> !allocation.isMapped())
                    .mapToLong(DeviceArray::bytes)
                    .sum();
        }

        /** The exact number of bytes in mapped host memory. */
        default long mappedBytes() {
            return allocations().stream().mapToLong(DeviceArray::bytes).sum() - bytes();
        }

        /** The figures of the structure that building it has determined. */
        default Map<GraphSizes.Figure, Long> figures() {
            return Map.of();
        }

        /** Frees the arrays. */
        default void close() {
            allocations().forEach(DeviceArray::close);
        }
    }

    /**
     * The structure that contains these arrays: this one, or another one with equal arrays.
     *
     * @param symmetric whether the graph was known to be symmetric when it got its order
     */
    default DeviceStructure<A> sharedBy(boolean symmetric) {
        return this;
    }

    /** Whether later runs may read the structure, so that it stays resident after the run that has required it. */
    default boolean isKept() {
        return true;
    }

    /**
     * Builds the arrays.
     *
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit; nothing is left then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is left then
     */
    A build(BuildContext context);

    /** The name in an estimate. */
    String label();

    /** The exact number of bytes of the arrays. */
    long bytes(GraphSizes graph);

    /** The part of these bytes that may lie in mapped host memory: only lists may. */
    default long mappableBytes(GraphSizes graph) {
        return 0;
    }

    /** The maximum heap for building on the host, without {@link BuildContext#graphInSlots}. */
    default long heapBytes(GraphSizes graph, int concurrency) {
        return 0;
    }

    /** The maximum heap for an order that the structure computes for itself, wherever it is built. */
    default long orderingHeapBytes(GraphSizes graph, int concurrency) {
        return 0;
    }

    /** The recipe if it fits the device: a copy of what the host builds, unless kernels build it. */
    default Recipe recipe(GraphSizes graph) {
        return Recipe.COPY;
    }

    /** The recipe that takes the least device memory; the same if there is no other. */
    default Recipe scarceRecipe(GraphSizes graph) {
        return recipe(graph);
    }
}
