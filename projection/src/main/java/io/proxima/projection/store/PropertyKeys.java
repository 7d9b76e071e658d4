// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.projection.RelationshipSource.Property;
import io.proxima.projection.csc.ProjectionException;
import java.util.List;
import java.util.stream.IntStream;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Value;

/** The properties that a scan of relationships reads, by their tokens. */
final class PropertyKeys {

    /** No properties. */
    static final PropertyKeys NONE = new PropertyKeys(List.of(), new int[0]);

    /** Maximum length of a value in a message. */
    private static final int SHOWN = 100;

    private final List<Property> properties;

    /** For each property its token; {@link TokenConstants#NO_TOKEN} if it is not read from the store. */
    private final int[] tokens;

    private final int[] stored;
    private final PropertySelection selection;

    private PropertyKeys(List<Property> properties, int[] tokens) {
        this.properties = properties;
        this.tokens = tokens;
        this.stored = IntStream.of(tokens)
                .filter(token -> token != TokenConstants.NO_TOKEN)
                .distinct()
                .toArray();
        this.selection = PropertySelection.selection(stored);
    }

    /** The keys of properties; a property that the store does not have is absent from every relationship. */
    static PropertyKeys of(List<Property> properties, KernelTransaction transaction) {
        int[] tokens = properties.stream()
                .mapToInt(property -> transaction.tokenRead().propertyKey(property.key()))
                .toArray();
        return new PropertyKeys(properties, tokens);
    }

    boolean isEmpty() {
        return properties.isEmpty();
    }

    int count() {
        return properties.size();
    }

    /** For each property its token; {@link TokenConstants#NO_TOKEN} if no relationship has it. Not to be changed. */
    int[] tokens() {
        return tokens;
    }

    /** Whether a property is 1 where a relationship has it, whatever its value. */
    boolean counts(int property) {
        return properties.get(property).counts();
    }

    /** Sets the values of a relationship of a batch to those of a relationship without properties. */
    void readNone(RelationshipBatch batch, int place) {
        for (int i = 0; i < tokens.length; i++) {
            batch.values[i][place] = properties.get(i).absent();
        }
    }

    /** The tokens of the properties that are read from the store. */
    int[] stored() {
        return stored;
    }

    /** What a cursor of relationships is to read. */
    PropertySelection selection() {
        return selection;
    }

    /**
     * Reads the properties of a relationship of a batch, which the cursor is before.
     *
     * @param relationship the id of the relationship in the store, for messages
     * @throws ProjectionException if a value that is used is not a number
     */
    void read(long relationship, PropertyCursor cursor, RelationshipBatch batch, int place) {
        readNone(batch, place);
        while (cursor.next()) {
            for (int i = 0; i < tokens.length; i++) {
                if (tokens[i] == cursor.propertyKey()) {
                    batch.values[i][place] =
                            counts(i) ? 1 : number(relationship, i, cursor.propertyValue(), batch, place);
                }
            }
        }
    }

    private double number(long relationship, int property, Value value, RelationshipBatch batch, int place) {
        if (value instanceof NumberValue number) {
            return number.doubleValue();
        }
        if (!batch.uses(place, property)) {
            return Double.NaN;
        }
        String text = value.prettyPrint();
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
        throw new ProjectionException(
                "The property `" + properties.get(property).key() + "` of the relationship " + relationship + " is "
                        + shown + ", but only numbers can be projected. Project another property, or select or convert"
                        + " the values in a query with the function `proxima.graph.project`.");
    }
}
