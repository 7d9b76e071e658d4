// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.store.StoreSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** The labels, relationship types and properties of the database that a projection names. */
public final class StoreNames {

    private static final Pattern ORIENTATION = Pattern.compile(
            Stream.of(Orientation.values()).map(Enum::name).collect(Collectors.joining("|")), Pattern.CASE_INSENSITIVE);

    private StoreNames() {}

    /**
     * Requires that the database has all of them. A label or type of which the caller may see nothing counts as absent,
     * and no message proposes it. Neo4j's lists of those in use would scan the store for each and not hear a kill.
     *
     * @throws ProximaException if it lacks some
     */
    public static void requireAll(Caller caller, StoreSource source, ProjectionSpec spec) {
        Transaction transaction = caller.transaction();
        List<String> faults = new ArrayList<>();
        List<String> labels = unknown(spec.labels().values().stream(), source::hasLabel);
        if (!labels.isEmpty()) {
            faults.add("Invalid node projection, one or more labels not found: "
                    + text(
                            labels,
                            names(transaction.getAllLabels(), Label::name),
                            label -> source.estimateNodeCount(List.of(label)) > 0)
                    + swapped(labels, source::hasType, "a relationship type", "relationshipProjection"));
        }
        List<String> types = unknown(spec.types().values().stream().map(TypeProjection::type), source::hasType);
        if (!types.isEmpty()) {
            faults.add("Invalid relationship projection, one or more relationship types not found: "
                    + text(
                            types,
                            names(transaction.getAllRelationshipTypes(), RelationshipType::name),
                            type -> source.estimateRelationshipCount(List.of(type)) > 0)
                    + swapped(types, source::hasLabel, "a label", "nodeProjection")
                    + (types.stream().anyMatch(ORIENTATION.asMatchPredicate())
                            ? ". Give an orientation as in `{KNOWS: {orientation: 'UNDIRECTED'}}`."
                            : ""));
        }
        // thousands of types may share thousands of properties
        Set<Map<String, PropertyProjection>> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        spec.types().values().forEach(type -> shared.add(type.properties()));
        List<String> properties = unknown(
                shared.stream().flatMap(some -> some.values().stream()).map(PropertyProjection::property),
                source::hasProperty);
        if (!properties.isEmpty()) {
            faults.add("Relationship properties not found: "
                    + text(properties, names(transaction.getAllPropertyKeys(), name -> name), name -> true)
                    + ". To count parallel relationships, use the property '*' with the aggregation 'COUNT'.");
        }
        if (!faults.isEmpty()) {
            throw ProximaException.invalidArgument(String.join("\n", faults));
        }
    }

    /**
     * Refuses properties that rows name without ever giving a value. Their names may be those of other properties.
     *
     * @param lacking the properties, in the order of the message
     * @throws ProximaException if there are any
     */
    public static void requireValues(Caller caller, Set<String> lacking) {
        if (!lacking.isEmpty()) {
            List<String> others = names(caller.transaction().getAllPropertyKeys(), name -> name)
                    .filter(name -> !lacking.contains(name))
                    .toList();
            throw ProximaException.invalidArgument("No row has a value for the relationship properties "
                    + Shown.names(lacking)
                    + SimilarNames.hint(lacking.iterator().next(), others)
                    + ". Correct the name, give a default as in `{km: coalesce(r.km, 1)}`, or leave it out of"
                    + " `relationshipProperties`.");
        }
    }

    private static List<String> unknown(Stream<String> wanted, Predicate<String> known) {
        return wanted.distinct()
                .filter(name -> !name.equals(ProjectionSpec.ALL) && !known.test(name))
                .toList();
    }

    /** A hint at the first unknown name that belongs in another argument; empty without one. */
    private static String swapped(List<String> unknown, Predicate<String> inOther, String kind, String other) {
        return unknown.stream()
                .filter(inOther)
                .findFirst()
                .map(name -> " ('" + Shown.text(name) + "' is " + kind + ": give it in `" + other + "`)")
                .orElse("");
    }

    /** The unknown names in quotes, and which ones the caller may have meant. */
    private static String text(List<String> unknown, Stream<String> known, Predicate<String> isUsed) {
        return "'" + Shown.joined(unknown, name -> name) + "'"
                + SimilarNames.hint(unknown.get(0), known.toList(), isUsed);
    }

    private static <T> Stream<String> names(Iterable<T> known, Function<T, String> nameOf) {
        return StreamSupport.stream(known.spliterator(), false).map(nameOf);
    }
}
