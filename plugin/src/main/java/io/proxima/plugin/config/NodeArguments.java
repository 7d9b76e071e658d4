// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import org.neo4j.graphdb.Node;

/**
 * Converts nodes in arguments to neo4jIds: a Node, an elementId string, an INTEGER id, or a list of these. It does not
 * check whether the nodes are in a projection.
 */
public final class NodeArguments {

    private static final String ACCEPTED = "A NODE, an elementId STRING, an INTEGER id";

    static final String WHY_NULL =
            "A value is null, for example, if an OPTIONAL MATCH found nothing, or if the property does not exist.";

    /** Maximum number of nodes in a message. */
    private static final int SHOWN = 10;

    private final ToLongFunction<String> idOfElementId;
    private final ArgumentBudget budget;

    /**
     * Creates the parser.
     *
     * @param idOfElementId returns the neo4jId of an elementId of this database; throws IllegalArgumentException if the
     *     text is not an elementId
     * @param budget counts the nodes
     */
    public NodeArguments(ToLongFunction<String> idOfElementId, ArgumentBudget budget) {
        this.idOfElementId = idOfElementId;
        this.budget = budget;
    }

    /**
     * The single node of {@code value}.
     *
     * @throws ProximaException if {@code value} is not a single node
     */
    public long requireOne(String key, Object value) {
        Faults faults = new Faults();
        long[] ids = single(key, value, faults);
        faults.throwIfAny();
        return ids[0];
    }

    /** The single node of {@code given}; empty after a fault. */
    long[] single(String key, Object given, Faults faults) {
        String start = "Failed to parse `" + key + "` as a single node ID. ";
        Object element = CypherTypes.value(given);
        if (element instanceof Collection<?> list) {
            if (list.size() != 1) {
                faults.add(start + "A LIST must have exactly one element, but this one has `" + list.size() + "`.");
                return new long[0];
            }
            element = list.iterator().next();
        }
        String accepted = start + ACCEPTED + " or a LIST with exactly one of them can be parsed, but this ";
        return parse(key, Collections.singletonList(element), accepted, faults);
    }

    /** The nodes of {@code given}, in order; fewer after a fault. */
    long[] several(String key, Object given, Faults faults) {
        String accepted = "Failed to parse `" + key + "` as a LIST of node IDs. " + ACCEPTED
                + " or a LIST of these can be parsed, but this ";
        Object value = CypherTypes.value(given);
        Collection<?> elements = value instanceof Collection<?> list ? list : Collections.singletonList(value);
        budget.take(key, elements.size(), ArgumentBudget.ID_BYTES);
        return parse(key, elements, accepted, faults);
    }

    private long[] parse(String key, Collection<?> elements, String accepted, Faults faults) {
        long[] ids = new long[elements.size()];
        int count = 0;
        List<Long> negative = new ArrayList<>();
        List<String> virtual = new ArrayList<>();
        for (Object given : elements) {
            Object element = CypherTypes.value(given);
            budget.step();
            long id;
            if (element instanceof Long number) {
                id = number;
            } else if (element instanceof Node || element instanceof String) {
                String elementId = element instanceof Node node ? node.getElementId() : (String) element;
                if (isVirtual(element)) {
                    if (shows(virtual)) {
                        virtual.add(Shown.text(elementId));
                    }
                    continue;
                }
                try {
                    id = idOfElementId.applyAsLong(elementId);
                } catch (IllegalArgumentException e) {
                    faults.add("Failed to parse `" + key + "`: the STRING `" + Shown.text(elementId)
                            + "` is not the elementId of a node of this database. MATCH the node, and give it.");
                    return new long[0];
                }
            } else {
                faults.add(accepted + Shown.value(element) + " cannot." + (element == null ? " " + WHY_NULL : ""));
                return new long[0];
            }
            if (id >= 0) {
                ids[count++] = id;
            } else if (shows(negative)) {
                negative.add(id);
            }
        }
        if (!negative.isEmpty()) {
            faults.add("Negative node ids are not supported for the field `" + key + "`. Negative node ids: "
                    + shown(negative));
        }
        if (!virtual.isEmpty()) {
            faults.add("Virtual nodes are not supported for the field `" + key
                    + "`: only nodes of the database can be in a projection. Virtual node ids: " + shown(virtual));
        }
        return count == ids.length ? ids : new long[0];
    }

    /**
     * Whether it is a virtual node. These have negative ids, even copies of a stored node, which keep its elementId.
     */
    @SuppressWarnings("removal")
    private static boolean isVirtual(Object nodeOrElementId) {
        return nodeOrElementId instanceof Node node ? node.getId() < 0 : ((String) nodeOrElementId).startsWith("-");
    }

    /** Whether a message about these nodes shows one more. */
    public static boolean shows(Collection<?> nodes) {
        return nodes.size() <= SHOWN;
    }

    /** The first nodes of a list, for messages. */
    public static String shown(Collection<?> nodes) {
        List<?> first = nodes.stream().limit(SHOWN).toList();
        return nodes.size() > SHOWN ? first + " and others" : first.toString();
    }
}
