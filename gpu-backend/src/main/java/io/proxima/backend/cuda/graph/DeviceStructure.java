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
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.saved.OrderedGraph;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of arrays that kernels need of a graph on a device. A family of kernels names the structures it reads; each is made when
 * a run first needs it, counts against the device's memory, and leaves with the graph. A structure has no state: one instance a
 * kind, known by its identity.
 *
 * @param <A> the arrays
 */
public interface DeviceStructure<A extends DeviceStructure.Arrays> {

    /** What lies on the device. */
    interface Arrays {
        /** All of it. */
        DeviceArray array();

        /** Bytes allocated for it, exact. */
        default long bytes() {
            return array().bytes();
        }

        /** What the making has told, of the figures of the structure. */
        default Map<GraphSizes.Figure, Long> figures() {
            return Map.of();
        }

        /** Frees it. */
        default void close() {
            array().close();
        }
    }

    /** What a structure is made from. Lives while the structure is made. */
    interface Making {
        /** The device. */
        CudaDevice device();

        /** The graph; vertex id space, host. */
        Csc graph();

        /** Where its vertices lie. */
        SlotOrder order();

        /** The graph relabelled on the host, as {@link #order} says; made once in a making. Slot id space. */
        Csc graphInSlots();

        /** What was saved of the graph in this order, read from its file; on the host, slot id space. */
        Optional<OrderedGraph> saved();

        /** Another structure, made first if it is not there. Freed after the making unless a run needs it too. */
        <B extends Arrays> B structure(DeviceStructure<B> other);

        /** The same, made in another way if it is not there. */
        <B extends Arrays> B structure(DeviceStructure<B> other, Function<Making, B> how);

        /** Frees what was allocated for the structure so far and lets go of the structures it asked for: it is made in another way. */
        void startOver();

        /** Allocates device memory in a lease, which the structure's arrays own or the making frees. */
        DeviceArray allocate(DeviceLease lease, String what, long bytes);

        /** CPU threads that may work. */
        int concurrency();

        /** Ends the making early. */
        Stop stop();

        /** Is told of a task. */
        Progress progress();
    }

    /**
     * The structure that holds these arrays for a graph: this one, or another that has the same ones anyway.
     *
     * @param symmetric whether the graph was known to be when its layout was made
     */
    default DeviceStructure<A> sharedBy(boolean symmetric) {
        return this;
    }

    /**
     * Whether the structure only makes searches faster. Such a structure is the first to leave where memory is short, even from a graph
     * that runs use, unless one of them has asked for the structure.
     */
    default boolean isSpare() {
        return false;
    }

    /** Those of structures that are spare. */
    static Set<DeviceStructure<?>> sparesOf(Set<DeviceStructure<?>> structures) {
        return structures.stream().filter(DeviceStructure::isSpare).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Makes the arrays.
     *
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit; nothing is left then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is left then
     */
    A make(Making making);

    /** What it is called in an estimate. */
    String label();

    /** Bytes of the arrays; exact. */
    long bytes(GraphSizes graph);

    /** What {@link #bytes}, or a search that reads the arrays, depends on and only the making tells. */
    default Set<GraphSizes.Figure> figures() {
        return Set.of();
    }

    /** Heap bytes at most that the making takes where the device has no room for it, beside {@link Making#graphInSlots}. */
    default long heapBytes(GraphSizes graph) {
        return 0;
    }

    /** Heap bytes at most that the making takes where the structure is read from a file. */
    default long savedHeapBytes(GraphSizes graph) {
        return 0;
    }

    /** Heap bytes at most that the making takes wherever it is made, for an order of its own. */
    default long orderingHeapBytes(GraphSizes graph, int concurrency) {
        return 0;
    }

    /** How it is made where the device has room for that. */
    Recipe recipe(GraphSizes graph, Recipe.Circumstances circumstances);

    /** How it is made where the device has no room for {@link #recipe}; the same if there is no other way. */
    default Recipe scarceRecipe(GraphSizes graph, Recipe.Circumstances circumstances) {
        return recipe(graph, circumstances);
    }
}
