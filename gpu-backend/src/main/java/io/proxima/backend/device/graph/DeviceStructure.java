// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.SlotOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of device structure: a group of arrays that kernels need of a graph on a device. A kernel family names the
 * structures that it reads. A structure is built when a run first needs it, counts against the device's memory, and is
 * freed with the graph. Stateless: there is one instance of each kind, compared by identity. Only {@link WeightedLists} have a
 * kind for each property.
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

    /** The context of building a structure. Lives while the structure is built. */
    interface BuildContext {
        /** The device. */
        Device device();

        /** The graph on the host, in vertex id space. */
        Csc graph();

        /** The order of the graph. */
        SlotOrder order();

        /** The graph on the host, relabelled to slot id space; computed once per context. */
        Csc graphInSlots();

        /**
         * Another structure, built first if it is not resident. It is freed when building ends, unless a run needs it
         * too.
         */
        <B extends Arrays> B structure(DeviceStructure<B> other);

        /** As {@link #structure(DeviceStructure)}, but builds the structure in another way if it is not resident. */
        <B extends Arrays> B structure(DeviceStructure<B> other, Function<BuildContext, B> how);

        /**
         * Frees what was allocated for the structure so far and unpins the structures that it used, to build it in
         * another way.
         */
        void startOver();

        /**
         * Allocates device memory within a lease. It belongs to the structure's arrays, or is freed when building ends.
         */
        DeviceArray allocate(DeviceLease lease, String what, long bytes);

        /** Whether the lists of this run do not fit the device, so that {@link #allocateLists} allocates mapped memory. */
        boolean listsMapped();

        /** Allocates memory for the entries of lists as {@link #allocate} does: on the device or in mapped host memory. */
        DeviceArray allocateLists(DeviceLease lease, String what, long bytes);

        /** The maximum number of CPU threads. */
        int concurrency();

        /** The request to end early. */
        Stop stop();

        /** Receives the progress. */
        Progress progress();
    }

    /**
     * The structure that contains these arrays: this one, or another one with equal arrays.
     *
     * @param symmetric whether the graph was known to be symmetric when it got its order
     */
    default DeviceStructure<A> sharedBy(boolean symmetric) {
        return this;
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

    /**
     * The figures on which {@link #bytes}, or a search that reads the arrays, depends and that only building
     * determines.
     */
    default Set<GraphSizes.Figure> figures() {
        return Set.of();
    }

    /** The maximum heap for building if it does not fit the device, without {@link BuildContext#graphInSlots}. */
    default long heapBytes(GraphSizes graph) {
        return 0;
    }

    /** The maximum heap for an order that the structure computes for itself, wherever it is built. */
    default long orderingHeapBytes(GraphSizes graph, int concurrency) {
        return 0;
    }

    /** The recipe if it fits the device. */
    Recipe recipe(GraphSizes graph);

    /** The recipe that takes the least device memory; the same if there is no other. */
    default Recipe scarceRecipe(GraphSizes graph) {
        return recipe(graph);
    }
}
