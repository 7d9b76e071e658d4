// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.DescribedGraph;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * An algorithm whose relationships may be weighed by a property.
 *
 * @param <T> the row of the mode stream
 */
public abstract class WeightedAlgorithm<T> extends Algorithm<T> {

    private String weightProperty = "";
    private MemoryTree weightsMemory = MemoryTree.NONE;
    private long weightedCount;

    protected WeightedAlgorithm(Caller caller, Mode mode, Operation operation, String task) {
        super(caller, mode, operation, task);
    }

    /**
     * Reads the key of the property.
     *
     * @param meaning what the algorithm does with the weights
     */
    protected final void readWeightProperty(ConfigReader reader, String meaning) {
        weightProperty = reader.readString(
                Key.of("relationshipWeightProperty", "", meaning).absentMeans("none"));
    }

    /** The property; empty if relationships have no weights. */
    protected final String weightProperty() {
        return weightProperty;
    }

    /** Whether relationships have weights. */
    protected final boolean isWeighted() {
        return !weightProperty.isEmpty();
    }

    /** Heap that the call takes for weights: to join those of several types, and for a part of the graph. */
    protected final MemoryTree weightsMemory() {
        return weightsMemory;
    }

    /** The maximum number of relationships with weights, parallel ones counted each; 0 if they have no weights. */
    protected final long weightedCount() {
        return weightedCount;
    }

    /**
     * Heap that the call takes for a part of the graph by weight.
     *
     * @param relationshipCount maximum number of directed edges
     */
    protected MemoryTree partMemory(int vertexCount, long relationshipCount) {
        return MemoryTree.NONE;
    }

    @Override
    protected final void expect(GraphProjection graph, Collection<String> types) {
        if (isWeighted()) {
            requireWeights(types, graph::properties);
            weightedCount = graph.weightedEntryCount(weightProperty, types);
            long relationshipCount = types.stream()
                    .mapToLong(type -> graph.csc(type).entryCount())
                    .sum();
            weightsMemory = MemoryTree.together(
                    "weights",
                    graph.weightedMemory(weightProperty, types),
                    partMemory(graph.vertexCount(), relationshipCount));
        }
    }

    @Override
    protected final void expect(DescribedGraph graph, ProjectionSize size, GraphPlan plan) {
        if (isWeighted()) {
            requireWeights(graph.types(), graph::properties);
            weightedCount = size.relationshipCount();
            weightsMemory = MemoryTree.together(
                    "weights", size.weightedMemory(), partMemory(plan.vertexCount(), plan.relationshipCount()));
        }
    }

    /**
     * Checks that every type has the property.
     *
     * @throws ProximaException with the types that lack it
     */
    private void requireWeights(Collection<String> types, Function<String, Set<String>> properties) {
        List<String> lacking = types.stream()
                .filter(type -> !properties.apply(type).contains(weightProperty))
                .toList();
        if (!lacking.isEmpty()) {
            Set<String> common =
                    new LinkedHashSet<>(properties.apply(types.iterator().next()));
            types.forEach(type -> common.retainAll(properties.apply(type)));
            throw ProximaException.invalidArgument("Relationship weight property `" + weightProperty
                    + "` not found in relationship types " + Shown.names(lacking)
                    + SimilarNames.hint(weightProperty, common) + ". Properties existing on all relationship types: "
                    + Shown.names(common)
                    + ". Project it with `relationshipProperties`.");
        }
    }
}
