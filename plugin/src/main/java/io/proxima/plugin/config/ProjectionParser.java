// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.projection.Orientation;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the native projection syntax of GDS: {@code '*'}, a name, a list of either, or a map from projected name to a
 * name or to {@code {label}} or {@code {type, orientation, properties, aggregation}}. Properties of nodes are not
 * projected, and must be empty. Without properties, parallel relationships never change a result, so
 * {@code aggregation} has no effect; {@code indexInverse} is checked and ignored.
 */
public final class ProjectionParser {

    private static final Kind NODES = new Kind("node", "label");
    private static final Kind RELATIONSHIPS = new Kind("relationship", "type");

    private ProjectionParser() {}

    /**
     * The parsed projections, and their expanded form for the caller.
     *
     * @param spec the specification for the projector
     * @param nodeProjection projected label to label and properties
     * @param relationshipProjection projected type to type, orientation and the rest
     * @param schema projected type to the description of each of its properties
     */
    public record Parsed(
            ProjectionSpec spec,
            Map<String, Object> nodeProjection,
            Map<String, Object> relationshipProjection,
            Map<String, Map<String, String>> schema) {}

    /**
     * Reads both projections. Faults are added to those of the configuration, and thrown by its
     * {@link ConfigReader#finish()}.
     *
     * @param config the configuration of the same call
     * @return the projections, null after a fault
     */
    public static Parsed parse(Object nodeProjection, Object relationshipProjection, ConfigReader config) {
        Map<String, String> labels = new LinkedHashMap<>();
        Map<String, Object> shownNodes = new LinkedHashMap<>();
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        Map<String, Object> shownRelationships = new LinkedHashMap<>();

        Map<String, Map<String, String>> schema = new LinkedHashMap<>();
        RelationshipProperties common = RelationshipProperties.read(config, "relationshipProperties");
        boolean labelsSound = parse(NODES, nodeProjection, config, (name, entry) -> {
            String label = name(entry, "label", name);
            entry.requireNoProperties();
            requireSame("label", name, labels.putIfAbsent(name, label), label, config);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("label", label);
            shown.put("properties", Map.of());
            shownNodes.put(name, shown);
        });
        labelsSound = labelsSound && requireSome(NODES, labels.isEmpty(), config);
        boolean typesSound = parse(RELATIONSHIPS, relationshipProjection, config, (name, entry) -> {
            String type = name(entry, "type", name);
            Orientation orientation =
                    entry.reader().readConstant(Key.inner("orientation", Orientation.NATURAL), "Orientation");
            RelationshipProperties.Aggregating aggregation = entry.reader()
                    .readConstant(Key.inner("aggregation", RelationshipProperties.Aggregating.DEFAULT), "Aggregation");
            boolean indexInverse = entry.reader().readBoolean(Key.inner("indexInverse", false));
            RelationshipProperties.OfType properties = RelationshipProperties.read(entry.reader(), "properties")
                    .and(common, entry.reader())
                    .under(aggregation, entry.reader());
            TypeProjection projection = new TypeProjection(type, orientation, properties.projections());
            requireSame("type", name, types.putIfAbsent(name, projection), projection, config);
            schema.put(name, properties.schema());
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("type", type);
            shown.put("orientation", orientation.name());
            shown.put("aggregation", aggregation.name());
            shown.put("indexInverse", indexInverse);
            shown.put("properties", properties.shown());
            shownRelationships.put(name, shown);
        });
        typesSound = typesSound && requireSome(RELATIONSHIPS, types.isEmpty(), config);
        if (!labelsSound || !typesSound) {
            return null;
        }
        return new Parsed(new ProjectionSpec(labels, types), shownNodes, shownRelationships, schema);
    }

    /** Adds a fault if a projected name was projected differently before. */
    private static void requireSame(String token, String name, Object before, Object now, ConfigReader config) {
        if (before != null && !before.equals(now)) {
            config.fault("The projected " + token + " `" + Shown.text(name)
                    + "` is given twice with different projections. Give each" + " projection a name of its own.");
        }
    }

    /** The terms for one of the two projections in messages. */
    private record Kind(String entity, String token) {
        String argument() {
            return entity + "Projection";
        }
    }

    @FunctionalInterface
    private interface EntryParser {
        void parse(String name, Entry entry);
    }

    /** The map of one projected name; empty for a short form. */
    private record Entry(String name, String shortForm, ConfigReader reader) {

        void requireNoProperties() {
            if (reader.asksForProperties("properties")) {
                reader.fault("Proxima projects no properties of nodes, but the projection `" + Shown.text(name)
                        + "` asks for `properties`. Leave them out.");
            }
        }
    }

    private static String name(Entry entry, String key, String projectedName) {
        if (entry.shortForm() != null) {
            return entry.shortForm();
        }
        String name = entry.reader().readString(Key.inner(key, projectedName));
        if (name.isBlank()) {
            entry.reader()
                    .fault("The " + key + " of the projection `" + Shown.text(projectedName) + "` must not be blank.");
        }
        return name;
    }

    private static boolean parse(Kind kind, Object projection, ConfigReader config, EntryParser parser) {
        if (projection instanceof String name) {
            return parseShortForm(kind, name, config, parser);
        }
        if (projection instanceof Map<?, ?> map) {
            return parseMap(kind, map, config, parser);
        }
        if (projection instanceof Collection<?> list) {
            config.budget().take(kind.argument(), list.size(), ArgumentBudget.PROJECTION_BYTES);
            boolean sound = true;
            Set<String> read = new HashSet<>();
            for (Object element : list) {
                config.budget().step();
                if (element instanceof String name) {
                    sound &= !read.add(name) || parseShortForm(kind, name, config, parser);
                } else if (element instanceof Map<?, ?> map) {
                    sound &= parseMap(kind, map, config, parser);
                } else {
                    sound &= refuse(kind, "it was a LIST with ", element, config);
                }
            }
            return sound;
        }
        return refuse(kind, "it was ", projection, config);
    }

    private static boolean parseShortForm(Kind kind, String name, ConfigReader config, EntryParser parser) {
        if (name.isBlank()) {
            config.fault("A " + kind.token() + " in `" + kind.argument() + "` must not be blank.");
            return false;
        }
        String projectedName = name.equals(ProjectionSpec.ALL) ? ProjectionSpec.ALL_NAME : name;
        parser.parse(projectedName, new Entry(projectedName, name, config.inner(kind.argument(), Map.of())));
        return true;
    }

    private static boolean parseMap(Kind kind, Map<?, ?> map, ConfigReader config, EntryParser parser) {
        config.budget().take(kind.argument(), map.size(), ArgumentBudget.PROJECTION_BYTES);
        boolean sound = true;
        for (Map.Entry<?, ?> given : map.entrySet()) {
            config.budget().step();
            String name = String.valueOf(given.getKey());
            if (name.isBlank()) {
                config.fault("A projected " + kind.token() + " in `" + kind.argument() + "` must not be blank.");
                sound = false;
            } else if (name.equals(ProjectionSpec.ALL)) {
                config.fault("A projected " + kind.token() + " in `" + kind.argument()
                        + "` must not be `*`, which stands for all of them. Give it another name.");
                sound = false;
            } else if (given.getValue() instanceof String token && !token.isBlank()) {
                parser.parse(name, new Entry(name, token, config.inner(name, Map.of())));
            } else if (given.getValue() instanceof Map<?, ?> details) {
                ConfigReader inner = config.inner(name, details);
                parser.parse(name, new Entry(name, null, inner));
                inner.rejectUnknownKeys();
            } else {
                sound &= refuse(kind, "for `" + Shown.text(name) + "` it was ", given.getValue(), config);
            }
        }
        return sound;
    }

    /** Adds a fault if nothing is projected: the projection is empty, or a list of empty maps. */
    private static boolean requireSome(Kind kind, boolean empty, ConfigReader config) {
        if (empty) {
            config.fault("An empty " + kind.entity() + " projection was given; at least one "
                    + (kind.entity().equals("node") ? "node label" : "relationship type") + " must be projected.");
        }
        return !empty;
    }

    private static boolean refuse(Kind kind, String how, Object value, ConfigReader config) {
        config.fault("`" + kind.argument() + "` must be a STRING, a LIST<STRING> or a MAP from projected "
                + kind.token() + " to " + kind.token() + ", but " + how + "`" + CypherTypes.nameOf(value)
                + "`" + ("".equals(value) || value instanceof String ? " that is blank" : "") + ".");
        return false;
    }
}
