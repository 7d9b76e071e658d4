// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Touches;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** The part of a database that a graph shows, and that must change before the graph is stale. Immutable. */
public final class Selection {

    /** Of a graph of which it is not known what it was read from. */
    public static final Selection EVERYTHING = new Selection(null, null, Map.of(), false);

    private final IdMap nodes;

    /** Labels of the store; null for everything. */
    private final Set<String> labels;

    /** For each stored type the properties that are read. */
    private final Map<String, Set<String>> types;

    private final boolean refusesEnds;

    private Selection(IdMap nodes, Set<String> labels, Map<String, Set<String>> types, boolean refusesEnds) {
        this.nodes = nodes;
        this.labels = labels;
        this.types = types;
        this.refusesEnds = refusesEnds;
    }

    /**
     * The selection of a projection.
     *
     * @param labels labels of the store
     * @param types what was read of each type
     * @param nodes the nodes of the graph
     * @param refusesEnds whether a relationship to a node outside of the graph matters, because it refuses the
     *     projection
     */
    public static Selection of(
            Collection<String> labels, Collection<TypeProjection> types, IdMap nodes, boolean refusesEnds) {
        Map<String, Set<String>> read = new HashMap<>();
        for (TypeProjection type : types) {
            Set<String> properties = read.computeIfAbsent(type.type(), unused -> new HashSet<>());
            type.properties().values().forEach(property -> properties.add(property.property()));
        }
        return new Selection(nodes, Set.copyOf(labels), read, refusesEnds);
    }

    boolean concerns(Changes changes) {
        if (labels == null) {
            return true;
        }
        for (int row = 0; row < changes.size(); row++) {
            if (concerns(changes, row)) {
                return true;
            }
        }
        return false;
    }

    private boolean concerns(Changes changes, int row) {
        return changes.isOfNode(row)
                ? concernsNode(changes, row)
                : concernsType(changes, row)
                        && (refusesEnds || (isNode(changes.first(row)) && isNode(changes.second(row))));
    }

    private boolean concernsNode(Changes changes, int row) {
        String label = changes.name(row);
        // a node that was created has its labels in other rows
        return label == null
                ? labels.contains(ProjectionSpec.ALL) || isNode(changes.first(row))
                : labels.contains(label);
    }

    private boolean concernsType(Changes changes, int row) {
        return changes.first(row) != changes.second(row)
                && (reads(changes.name(row), changes.property(row))
                        || reads(ProjectionSpec.ALL, changes.property(row)));
    }

    private boolean reads(String type, String property) {
        Set<String> properties = types.get(type);
        return properties != null && (property == null || properties.contains(property));
    }

    private boolean isNode(long neo4jId) {
        return nodes.toVertex(neo4jId) != IdMap.ABSENT;
    }

    /** What the graph must read again; a type with an end that is not in the graph is left to the reader. */
    Touches touches(Collection<Changes> all) {
        Set<Long> touched = new TreeSet<>();
        Set<Long> reborn = new TreeSet<>();
        Set<Pair> pairs = new LinkedHashSet<>();
        for (Changes changes : all) {
            for (int row = 0; row < changes.size(); row++) {
                long first = changes.first(row);
                long second = changes.second(row);
                if (!changes.isOfNode(row)) {
                    if (concernsType(changes, row)) {
                        pairs.add(new Pair(Math.min(first, second), Math.max(first, second)));
                    }
                } else if (concernsNode(changes, row)) {
                    touched.add(first);
                }
                // not for a creation alone: whoever has read that id since has read the new node
                if (changes.isDeletion(row)) {
                    reborn.add(first);
                }
            }
        }
        reborn.retainAll(touched);
        return new Touches(
                array(touched),
                array(reborn),
                pairs.stream()
                        .flatMapToLong(pair -> LongStream.of(pair.one, pair.other))
                        .toArray());
    }

    private record Pair(long one, long other) {}

    private static long[] array(Set<Long> ids) {
        return ids.stream().mapToLong(Long::longValue).toArray();
    }
}
