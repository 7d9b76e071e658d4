// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

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
     * @param types the schema of each projected type
     */
    public record Parsed(
            ProjectionSpec spec,
            Map<String, Object> nodeProjection,
            Map<String, Object> relationshipProjection,
            Map<String, TypeSchema> types) {}

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

        Map<String, TypeSchema> schemas = new LinkedHashMap<>();
        RelationshipProperties common = RelationshipProperties.read(config, "relationshipProperties");
        parse(NODES, nodeProjection, labels, config, (name, keys) -> {
            String label = name(keys, "label", name);
            if (keys.asksForProperties("properties")) {
                config.fault("Proxima projects no properties of nodes, but the projection `" + Shown.text(name)
                        + "` asks for `properties`. " + ConfigReader.SET_PROPERTIES);
            }
            requireSame("label", name, labels.putIfAbsent(name, label), label, config);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("label", label);
            shown.put("properties", Map.of());
            shownNodes.put(name, shown);
        });
        parse(RELATIONSHIPS, relationshipProjection, types, config, (name, keys) -> {
            String type = name(keys, "type", name);
            Orientation orientation = keys.readConstant(Key.inner("orientation", Orientation.NATURAL), "Orientation");
            RelationshipProperties.Aggregating aggregation = keys.readConstant(
                    Key.inner("aggregation", RelationshipProperties.Aggregating.DEFAULT), "Aggregation");
            boolean indexInverse = keys.readBoolean(Key.inner("indexInverse", false));
            RelationshipProperties.OfType properties = RelationshipProperties.read(keys, "properties")
                    .and(common, keys)
                    .under(aggregation, keys);
            TypeProjection projection = new TypeProjection(type, orientation, properties.projections());
            requireSame("type", name, types.putIfAbsent(name, projection), projection, config);
            schemas.put(name, new TypeSchema(orientation == Orientation.UNDIRECTED, properties.schema()));
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("type", type);
            shown.put("orientation", orientation.name());
            shown.put("aggregation", aggregation.name());
            shown.put("indexInverse", indexInverse);
            shown.put("properties", properties.shown());
            shownRelationships.put(name, shown);
        });
        return config.faultCount() > 0
                ? null
                : new Parsed(new ProjectionSpec(labels, types), shownNodes, shownRelationships, schemas);
    }

    /** Adds a fault if a projected name was projected differently before. */
    private static void requireSame(String token, String name, Object before, Object now, ConfigReader config) {
        if (before != null && !before.equals(now)) {
            config.fault("The projected " + token + " `" + Shown.text(name)
                    + "` is given twice with different projections. Give each projection a name of its own.");
        }
    }

    /** The terms for one of the two projections in messages. */
    private record Kind(String entity, String token) {
        String argument() {
            return entity + "Projection";
        }

        /** The keys that the short form of a projection stands for. */
        ConfigReader keys(String name, ConfigReader config) {
            return config.inner(argument(), Map.of(token, name));
        }
    }

    /** The name in the database of what is projected under another name. */
    private static String name(ConfigReader keys, String key, String projectedName) {
        String name = keys.readString(Key.inner(key, projectedName));
        if (name.isBlank()) {
            keys.fault("The " + key + " of the projection `" + Shown.text(projectedName) + "` must not be blank.");
        }
        return name;
    }

    /**
     * Parses one of the projections.
     *
     * @param parser reads what is projected under a name from its keys
     * @param projected what the parser projects by name; without a fault it must not remain empty
     */
    private static void parse(
            Kind kind,
            Object given,
            Map<String, ?> projected,
            ConfigReader config,
            BiConsumer<String, ConfigReader> parser) {
        int faultsBefore = config.faultCount();
        Object projection = CypherTypes.value(given);
        if (projection instanceof Collection<?> list) {
            for (Object element : config.budget().elements(kind.argument(), list, ArgumentBudget.PROJECTION_BYTES)) {
                parseElement(kind, "it was a LIST with ", element, config, parser);
            }
        } else {
            parseElement(kind, "it was ", projection, config, parser);
        }
        if (projected.isEmpty() && config.faultCount() == faultsBefore) {
            config.fault("An empty " + kind.entity() + " projection was given; at least one "
                    + (kind.equals(NODES) ? "node label" : "relationship type") + " must be projected.");
        }
    }

    private static void parseElement(
            Kind kind, String how, Object element, ConfigReader config, BiConsumer<String, ConfigReader> parser) {
        if (element instanceof String name) {
            if (name.isBlank()) {
                config.fault("A " + kind.token() + " in `" + kind.argument() + "` must not be blank.");
            } else {
                String projectedName = name.equals(ProjectionSpec.ALL) ? ProjectionSpec.ALL_NAME : name;
                parser.accept(projectedName, kind.keys(name, config));
            }
        } else if (element instanceof Map<?, ?> map) {
            config.budget().take(kind.argument(), map.size(), ArgumentBudget.PROJECTION_BYTES);
            map.forEach((name, projection) -> {
                config.budget().step();
                parseProjection(kind, String.valueOf(name), projection, config, parser);
            });
        } else {
            refuse(kind, how, element, config);
        }
    }

    private static void parseProjection(
            Kind kind, String name, Object projection, ConfigReader config, BiConsumer<String, ConfigReader> parser) {
        if (name.isBlank()) {
            config.fault("A projected " + kind.token() + " in `" + kind.argument() + "` must not be blank.");
        } else if (name.equals(ProjectionSpec.ALL)) {
            config.fault("A projected " + kind.token() + " in `" + kind.argument()
                    + "` must not be `*`, which stands for all of them. Give it another name.");
        } else if (projection instanceof String token && !token.isBlank()) {
            parser.accept(name, kind.keys(token, config));
        } else if (projection instanceof Map<?, ?> details) {
            ConfigReader inner = config.inner(name, details);
            parser.accept(name, inner);
            inner.rejectUnknownKeys();
        } else {
            refuse(kind, "for `" + Shown.text(name) + "` it was ", projection, config);
        }
    }

    private static void refuse(Kind kind, String how, Object value, ConfigReader config) {
        config.fault("`" + kind.argument() + "` must be a STRING, a LIST<STRING> or a MAP from projected "
                + kind.token() + " to " + kind.token() + ", but " + how + Shown.value(value) + ".");
    }
}
