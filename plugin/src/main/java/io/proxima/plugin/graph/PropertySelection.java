// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphJob;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.Selected;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.projection.GraphPart;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node properties that a call selects: its arguments {@code nodeProperties} and {@code nodeLabels}, and the common
 * keys of such calls.
 *
 * @param newNames for each property the names to write it under
 * @param labels the wanted labels, or {@code *}
 * @param keys the keys of the job
 * @param configuration the effective configuration
 */
record PropertySelection(
        Map<String, Set<String>> newNames, List<String> labels, JobKeys keys, Map<String, Object> configuration) {

    private static final String PROPERTIES = "nodeProperties";
    private static final String LABELS = "nodeLabels";

    /**
     * Reads the arguments; the caller has read the keys of its own call.
     *
     * @param nodeProperties a name or a list of names
     * @param nodeLabels a label or a list of labels
     * @param renaming whether a map from name to new name may replace a name
     */
    static PropertySelection read(
            Caller caller, Object nodeProperties, Object nodeLabels, boolean renaming, ConfigReader reader) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (Object element : elements(PROPERTIES, nodeProperties, "name at least one property", reader)) {
            if (element instanceof String name && !name.isBlank()) {
                add(names, name, name);
            } else if (renaming && element instanceof Map<?, ?> map && isRenaming(map)) {
                reader.budget().take(PROPERTIES, map.size(), ArgumentBudget.NAME_BYTES);
                map.forEach((name, newName) -> {
                    reader.requirePropertyName(PROPERTIES, (String) newName);
                    add(names, (String) name, (String) newName);
                });
            } else {
                reader.fault("`" + PROPERTIES + "` must be the name of a property, "
                        + (renaming ? "a MAP from its name to its name in the database, " : "")
                        + "or a LIST of these, but one was " + Shown.value(element) + ".");
            }
        }
        requireDifferentNames(names, reader);
        List<String> labels = new ArrayList<>();
        for (Object element : elements(LABELS, nodeLabels, "be '*' or name at least one label", reader)) {
            if (element instanceof String label && !label.isBlank()) {
                labels.add(label);
            } else {
                reader.fault("`" + LABELS + "` must be '*', a label or a LIST of labels, but one was "
                        + Shown.value(element) + ".");
            }
        }
        Concurrency.read(caller, reader);
        JobKeys keys = JobKeys.read(reader);
        return new PropertySelection(names, labels, keys, reader.finish());
    }

    private static void add(Map<String, Set<String>> names, String name, String newName) {
        names.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(newName);
    }

    /** Two properties under one name would overwrite each other. */
    private static void requireDifferentNames(Map<String, Set<String>> names, ConfigReader reader) {
        Map<String, String> propertyOfName = new HashMap<>();
        names.forEach((name, newNames) -> newNames.forEach(newName -> {
            String other = propertyOfName.put(newName, name);
            if (other != null) {
                reader.fault("`" + PROPERTIES + "` writes both `" + Shown.text(other) + "` and `" + Shown.text(name)
                        + "` to `" + Shown.text(newName) + "`: give them different names.");
            }
        }));
    }

    /** The elements of an argument, each once. */
    private static Set<?> elements(String argument, Object given, String rule, ConfigReader reader) {
        Set<Object> distinct = new LinkedHashSet<>();
        reader.budget().elements(argument, given, ArgumentBudget.NAME_BYTES).forEach(distinct::add);
        if (distinct.isEmpty()) {
            reader.fault("`" + argument + "` must " + rule + ", but it was an empty list.");
        }
        return distinct;
    }

    private static boolean isRenaming(Map<?, ?> map) {
        return !map.isEmpty() && map.values().stream().allMatch(name -> name instanceof String text && !text.isBlank());
    }

    List<String> names() {
        return List.copyOf(newNames.keySet());
    }

    List<String> allNewNames() {
        return newNames.values().stream().flatMap(Set::stream).toList();
    }

    /**
     * The selected properties, each with the selected labels whose nodes have it.
     *
     * @throws ProximaException if no node of the labels has one of them, or if a named label lacks one
     */
    Map<NodeProperty, Set<String>> of(GraphEntry entry) {
        Map<String, NodeProperty> known = entry.properties();
        Collection<String> wanted = wantedLabels(entry);
        Map<NodeProperty, Set<String>> selected = new LinkedHashMap<>();
        List<String> nowhere = new ArrayList<>();
        for (String name : newNames.keySet()) {
            Set<String> both = new LinkedHashSet<>(wanted);
            both.retainAll(known.containsKey(name) ? known.get(name).labels() : Set.of());
            if (both.isEmpty()) {
                nowhere.add(name);
            } else {
                selected.put(known.get(name), both);
            }
        }
        if (!labels.contains(ProjectionSpec.ALL)) {
            wanted.forEach(label -> requireAll(label, known.values()));
        } else if (!nowhere.isEmpty()) {
            throw ProximaException.invalidArgument("Expecting at least one node projection to contain property key(s) "
                    + Shown.names(nowhere) + SimilarNames.hint(nowhere.get(0), known.keySet()) + ". Defined keys: "
                    + Shown.names(known.keySet())
                    + ". Mutate modes and `proxima.graph.nodeProperties.set` add properties of nodes.");
        }
        return selected;
    }

    private void requireAll(String label, Collection<NodeProperty> known) {
        List<String> defined = known.stream()
                .filter(property -> property.labels().contains(label))
                .map(NodeProperty::name)
                .toList();
        List<String> missing = new ArrayList<>(names());
        missing.removeAll(Set.copyOf(defined));
        if (!missing.isEmpty()) {
            throw ProximaException.invalidArgument("Expecting all specified node projections to have all given"
                    + " properties defined. Could not find property key(s) " + Shown.names(missing) + " for label "
                    + Shown.text(label) + ". Defined keys: " + Shown.names(defined) + ".");
        }
    }

    private Collection<String> wantedLabels(GraphEntry entry) {
        Faults faults = new Faults();
        Collection<String> wanted = Selected.labels(entry.projection(), labels, faults);
        faults.throwIfAny();
        return wanted;
    }

    /**
     * For each set of labels the nodes with one of them; the heap for all is promised to the job.
     *
     * @param more heap that the job needs besides
     */
    static Map<Set<String>, IdMap> nodes(GraphJob work, Collection<Set<String>> labels, long more, Caller caller) {
        Map<Set<String>, GraphPart> parts = new HashMap<>();
        for (Set<String> some : labels) {
            parts.computeIfAbsent(some, unused -> work.entry().projection().part(some, List.of(), caller.stop()));
        }
        long bytes = more;
        for (GraphPart part : parts.values()) {
            bytes += part.plan(caller.stop()).peak().maxBytes();
        }
        work.job().expectMemory(bytes, 0, 0);
        Map<Set<String>, IdMap> nodes = new HashMap<>();
        parts.forEach((some, part) -> nodes.put(
                some,
                part.make(caller.limits().defaultConcurrency(), caller.stop()).idMap()));
        return nodes;
    }
}
