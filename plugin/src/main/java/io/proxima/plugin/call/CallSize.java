// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Call.Mode;
import java.util.function.Function;

/**
 * What the plan of a call depends on besides the keys of its algorithm.
 *
 * @param vertexCount number of vertices of the graph that the run sees
 * @param wholeVertexCount number of vertices of the graph in the catalog
 * @param threads number of threads of the run
 * @param writeConcurrency number of transactions that write concurrently; 0 if the mode writes nothing
 * @param weighing returns the weights of the relationships by the name of a property
 */
public record CallSize(
        Mode mode,
        int vertexCount,
        int wholeVertexCount,
        int threads,
        int writeConcurrency,
        Function<String, Weights> weighing) {

    /**
     * The weights of the relationships.
     *
     * @param property empty if they have none
     * @throws io.proxima.plugin.ProximaException if a type lacks the property
     */
    public Weights weights(String property) {
        return property.isEmpty() ? Weights.NONE : weighing.apply(property);
    }

    /** Heap of the property of the mode mutate beside its values, see {@link VertexValues#propertyMemory}. */
    public MemoryTree property(int count, int valueBytes) {
        return mode == Mode.MUTATE ? VertexValues.propertyMemory(count, wholeVertexCount, valueBytes) : MemoryTree.NONE;
    }

    /** Heap of a property of the mode mutate whose values are ids. */
    public MemoryTree idProperty() {
        return mode == Mode.MUTATE ? VertexValues.longsMemory(wholeVertexCount) : MemoryTree.NONE;
    }

    /** Heap of the hop distribution of the mode stats, for a graph of maximum depth. */
    public MemoryTree hopDistribution() {
        // a reference, and a boxed number
        return mode == Mode.STATS
                ? MemoryTree.between("hopDistribution", 0, (Integer.BYTES + 2L * Long.BYTES) * vertexCount)
                : MemoryTree.NONE;
    }
}
