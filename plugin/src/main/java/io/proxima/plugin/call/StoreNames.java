// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.store.StoreSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;

/** The labels, relationship types and properties of the database that a projection names. */
public final class StoreNames {

    private StoreNames() {}

    /**
     * Requires that the database has all of them. A label or type of which the caller may see nothing counts as absent,
     * and is not proposed either.
     *
     * @throws ProximaException if it lacks some
     */
    public static void requireAll(Caller caller, StoreSource source, ProjectionSpec spec) {
        List<String> faults = new ArrayList<>();
        Unknown labels = Unknown.of(spec.labels().values().stream(), source::hasLabel);
        if (!labels.isEmpty()) {
            faults.add("Invalid node projection, one or more labels not found: "
                    + labels.text(caller.transaction().getAllLabelsInUse(), Label::name));
        }
        Unknown types = Unknown.of(spec.types().values().stream().map(TypeProjection::type), source::hasType);
        if (!types.isEmpty()) {
            faults.add("Invalid relationship projection, one or more relationship types not found: "
                    + types.text(caller.transaction().getAllRelationshipTypesInUse(), RelationshipType::name));
        }
        // thousands of types may share thousands of properties
        Set<Map<String, PropertyProjection>> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        spec.types().values().forEach(type -> shared.add(type.properties()));
        Unknown properties = Unknown.of(
                shared.stream().flatMap(some -> some.values().stream()).map(PropertyProjection::property),
                source::hasProperty);
        if (!properties.isEmpty()) {
            faults.add("Relationship properties not found: "
                    + properties.text(caller.transaction().getAllPropertyKeys(), name -> name)
                    + ". To count parallel relationships, use the property '*' with the aggregation 'COUNT'.");
        }
        if (!faults.isEmpty()) {
            throw ProximaException.invalidArgument(String.join("\n", faults));
        }
    }

    /**
     * Names that the database lacks.
     *
     * @param has whether it has a name
     */
    private record Unknown(Collection<String> names, Predicate<String> has) {

        static Unknown of(Stream<String> wanted, Predicate<String> has) {
            return new Unknown(
                    wanted.distinct()
                            .filter(name -> !name.equals(ProjectionSpec.ALL) && !has.test(name))
                            .toList(),
                    has);
        }

        boolean isEmpty() {
            return names.isEmpty();
        }

        /** The names in quotes, and which ones the caller may have meant. */
        <T> String text(Iterable<T> known, Function<T, String> nameOf) {
            List<String> candidates =
                    StreamSupport.stream(known.spliterator(), false).map(nameOf).toList();
            return "'" + Shown.joined(names, name -> name) + "'"
                    + SimilarNames.hint(names.iterator().next(), candidates, has);
        }
    }
}
