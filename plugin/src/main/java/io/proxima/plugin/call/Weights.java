// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.GraphPlan;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSize;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The weights of the relationships that a call follows, before they are read.
 *
 * @param count maximum number of relationships with weights, parallel ones counted each
 * @param relationshipCount maximum number of directed edges
 * @param memory heap to join the weights of several types
 */
public record Weights(long count, long relationshipCount, MemoryTree memory) {

    /** No weights. */
    static final Weights NONE = new Weights(0, 0, MemoryTree.NONE);

    /**
     * Reads the name of the property that has the weights; empty for none.
     *
     * @param meaning what the algorithm does with the weights
     */
    public static String readProperty(ConfigReader reader, String meaning) {
        return reader.readString(
                Key.of("relationshipWeightProperty", "", meaning).absentMeans("none"));
    }

    /** The weights of a graph of the catalog. */
    static Weights of(String property, GraphProjection graph, Collection<String> types) {
        require(property, types, graph::properties);
        long relationshipCount =
                types.stream().mapToLong(type -> graph.csc(type).entryCount()).sum();
        return new Weights(
                graph.weightedEntryCount(property, types), relationshipCount, graph.weightedMemory(property, types));
    }

    /** The weights of a described graph. */
    static Weights of(String property, DescribedGraph graph, ProjectionSize size, GraphPlan plan) {
        require(property, graph.types(), graph::properties);
        return new Weights(size.relationshipCount(), plan.relationshipCount(), size.weightedMemory());
    }

    /** Heap of the weights with every relationship reversed, which an undirected graph does not need. */
    public MemoryTree reversedMemory(int vertexCount, int threads) {
        return MemoryTree.between(
                "reversed weights",
                0,
                WeightedCsc.transposingMemory(vertexCount, count, threads).maxBytes());
    }

    /**
     * Checks that every type has the property.
     *
     * @throws ProximaException with the types that lack it
     */
    private static void require(String property, Collection<String> types, Function<String, Set<String>> properties) {
        List<String> lacking = types.stream()
                .filter(type -> !properties.apply(type).contains(property))
                .toList();
        if (!lacking.isEmpty()) {
            Set<String> common =
                    new LinkedHashSet<>(properties.apply(types.iterator().next()));
            types.forEach(type -> common.retainAll(properties.apply(type)));
            throw ProximaException.invalidArgument("Relationship weight property `" + property
                    + "` not found in relationship types " + Shown.names(lacking)
                    + SimilarNames.hint(property, common) + ". Properties existing on all relationship types: "
                    + Shown.names(common)
                    + ". Project it with `relationshipProperties`.");
        }
    }
}
