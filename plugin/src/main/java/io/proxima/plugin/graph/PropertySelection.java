// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.Selected;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.server.ServerLimits;
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
import java.util.stream.Collectors;

/**
 * The node properties that a call selects: its arguments {@code graphName}, {@code nodeProperties} and
 * {@code nodeLabels}, and the common keys of such calls.
 */
final class PropertySelection {

    private static final String PROPERTIES = "nodeProperties";
    private static final String LABELS = "nodeLabels";

    private final Caller caller;
    private final String graphName;

    /** The names of each property, with the names to write it under. */
    private final Map<String, Set<String>> names;

    private final List<String> labels;
    private final JobKeys keys;
    private final Map<String, Object> effective;

    private PropertySelection(
            Caller caller, String graphName, Map<String, Set<String>> names, List<String> labels, ConfigReader reader) {
        this.caller = caller;
        this.graphName = graphName;
        this.names = names;
        this.labels = labels;
        Concurrency.read(reader);
        this.keys = JobKeys.read(reader);
        this.effective = reader.finish();
    }

    /**
     * Reads the arguments; the caller has read the keys of its own call.
     *
     * @param nodeProperties a name or a list of names
     * @param nodeLabels a label or a list of labels
     */
    static PropertySelection read(
            Caller caller, String graphName, Object nodeProperties, Object nodeLabels, ConfigReader reader) {
        return read(caller, graphName, nodeProperties, nodeLabels, reader, false);
    }

    /** Reads the arguments, where a map from name to new name may replace a name. */
    static PropertySelection readRenaming(
            Caller caller, String graphName, Object nodeProperties, Object nodeLabels, ConfigReader reader) {
        return read(caller, graphName, nodeProperties, nodeLabels, reader, true);
    }

    private static PropertySelection read(
            Caller caller,
            String graphName,
            Object nodeProperties,
            Object nodeLabels,
            ConfigReader reader,
            boolean renaming) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        ArgumentBudget budget = caller.arguments();
        Collection<?> given = elements(nodeProperties);
        budget.take(PROPERTIES, given.size(), ArgumentBudget.NAME_BYTES);
        for (Object element : given) {
            budget.step();
            if (element instanceof String name && !name.isBlank()) {
                add(names, name, name);
            } else if (renaming && element instanceof Map<?, ?> map && isRenaming(map)) {
                budget.take(PROPERTIES, map.size(), ArgumentBudget.NAME_BYTES);
                map.forEach((name, newName) -> {
                    reader.requirePropertyName(PROPERTIES, (String) newName);
                    add(names, (String) name, ((String) newName).strip());
                });
            } else {
                reader.fault("`" + PROPERTIES + "` must be the name of a property, "
                        + (renaming ? "a MAP from its name to its name in the database, " : "")
                        + "or a LIST of these, but one was " + shown(element) + ".");
            }
        }
        requireDifferentNames(names, reader);
        if (nodeProperties instanceof Collection<?> list && list.isEmpty()) {
            reader.fault("`" + PROPERTIES + "` must name at least one property, but it was an empty list.");
        }
        Set<String> labels = new LinkedHashSet<>();
        Collection<?> givenLabels = elements(nodeLabels);
        budget.take(LABELS, givenLabels.size(), ArgumentBudget.NAME_BYTES);
        for (Object element : givenLabels) {
            budget.step();
            if (element instanceof String label && !label.isBlank()) {
                labels.add(label);
            } else {
                reader.fault("`" + LABELS + "` must be '*', a label or a LIST of labels, but one was " + shown(element)
                        + ".");
            }
        }
        if (nodeLabels instanceof Collection<?> list && list.isEmpty()) {
            reader.fault("`" + LABELS + "` must be '*' or name at least one label, but it was an empty list.");
        }
        return new PropertySelection(caller, GraphName.ofExisting(graphName), names, List.copyOf(labels), reader);
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

    private static Collection<?> elements(Object argument) {
        if (argument instanceof Collection<?> list) {
            return list;
        }
        List<Object> single = new ArrayList<>();
        single.add(argument);
        return single;
    }

    private static boolean isRenaming(Map<?, ?> map) {
        return !map.isEmpty() && map.values().stream().allMatch(name -> name instanceof String text && !text.isBlank());
    }

    private static String shown(Object element) {
        return element instanceof String ? "blank" : "`" + CypherTypes.nameOf(element) + "`";
    }

    String graphName() {
        return graphName;
    }

    List<String> names() {
        return List.copyOf(names.keySet());
    }

    List<String> newNames() {
        return names.values().stream().flatMap(Set::stream).toList();
    }

    /** The names to write a property under. */
    Set<String> newNames(NodeProperty property) {
        return names.get(property.name());
    }

    Map<String, Object> configuration() {
        return effective;
    }

    /** Acquires a reference to the graph, to be released by the caller. */
    GraphEntry hold() {
        return GraphCatalog.acquire(caller.viewer(keys.username()), graphName);
    }

    /** Starts a job. */
    Job begin(String task) {
        return keys.begin(caller, task);
    }

    /**
     * The selected properties.
     *
     * @throws ProximaException if no node of the labels has one of them, or if a named label lacks one
     */
    List<NodeProperty> of(GraphEntry entry) {
        Map<String, NodeProperty> known = entry.properties();
        Collection<String> wanted = labels(entry);
        List<String> nowhere = names().stream()
                .filter(name -> !known.containsKey(name)
                        || labels(known.get(name), wanted).isEmpty())
                .toList();
        if (labels.contains(ProjectionSpec.ALL)) {
            if (!nowhere.isEmpty()) {
                throw ProximaException.invalidArgument("Expecting at least one node projection to contain property"
                        + " key(s) " + Shown.names(nowhere) + SimilarNames.hint(nowhere.get(0), known.keySet())
                        + ". Defined keys: " + Shown.names(known.keySet())
                        + ".");
            }
        } else {
            for (String label : wanted) {
                requireAll(label, known);
            }
        }
        return names().stream().map(known::get).toList();
    }

    private void requireAll(String label, Map<String, NodeProperty> known) {
        Set<String> defined = known.values().stream()
                .filter(property -> property.labels().contains(label))
                .map(NodeProperty::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<String> missing =
                names().stream().filter(name -> !defined.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw ProximaException.invalidArgument("Expecting all specified node projections to have all given"
                    + " properties defined. Could not find property key(s) " + Shown.names(missing) + " for label "
                    + Shown.text(label) + ". Defined keys: " + Shown.names(defined) + ".");
        }
    }

    /** The selected labels whose nodes have the property. */
    Set<String> labels(NodeProperty property, Collection<String> wanted) {
        Set<String> both = new LinkedHashSet<>(wanted);
        both.retainAll(property.labels());
        return both;
    }

    /**
     * The selected projected labels.
     *
     * @throws ProximaException if the graph lacks one of them
     */
    Collection<String> labels(GraphEntry entry) {
        Faults faults = new Faults();
        Collection<String> wanted = Selected.labels(entry.projection(), labels, faults);
        faults.throwIfAny();
        return wanted;
    }

    /** The selected nodes that have the property; the heap for them is promised to the job. */
    IdMap nodes(GraphEntry entry, NodeProperty property, Job job) {
        Set<String> ofLabels = labels(property, labels(entry));
        job.expectMemory(
                entry.projection()
                        .plan(ofLabels, List.of(), caller.stop())
                        .making()
                        .maxBytes(),
                0);
        int threads = ServerLimits.defaultConcurrency();
        return entry.projection()
                .filter(ofLabels, List.of(), threads, caller.stop())
                .idMap();
    }
}
