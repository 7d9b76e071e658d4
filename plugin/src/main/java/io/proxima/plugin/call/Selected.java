// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The part of a graph that a run sees.
 *
 * @param labels projected labels
 * @param types projected types
 */
public record Selected(Collection<String> labels, Collection<String> types) {

    public static final String AVAILABLE_LABELS = "Available labels are ";
    public static final String AVAILABLE_TYPES = "Available relationship types are ";

    /**
     * The labels and types that the keys {@code nodeLabels} and {@code relationshipTypes} select.
     *
     * @throws io.proxima.plugin.ProximaException if the graph lacks one of them
     */
    static Selected of(GraphProjection whole, RunConfig config) {
        Faults faults = new Faults();
        Collection<String> labels = labels(whole, config.nodeLabels(), faults);
        Collection<String> types =
                resolve(config.relationshipTypes(), whole.types(), "`relationshipTypes`", AVAILABLE_TYPES, faults);
        faults.throwIfAny();
        return new Selected(labels, types);
    }

    /** The selected projected labels; adds a fault if the graph lacks one. */
    public static Collection<String> labels(GraphProjection whole, List<String> wanted, Faults faults) {
        return resolve(wanted, whole.labels(), "`nodeLabels`", AVAILABLE_LABELS, faults);
    }

    private static Collection<String> resolve(
            List<String> wanted, Set<String> known, String key, String available, Faults faults) {
        List<String> names =
                wanted.stream().filter(name -> !name.equals(ProjectionSpec.ALL)).toList();
        requireKnown(names, known, key, available, faults);
        return wanted.contains(ProjectionSpec.ALL) ? known : wanted;
    }

    /** Adds a fault if some of the names are unknown. */
    public static void requireKnown(
            Collection<String> names, Set<String> known, String key, String available, Faults faults) {
        List<String> unknown =
                names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            faults.add("Could not find the specified " + key + " of " + Shown.names(unknown)
                    + SimilarNames.hint(unknown.get(0), known) + ". " + available
                    + Shown.names(known) + ".");
        }
    }
}
