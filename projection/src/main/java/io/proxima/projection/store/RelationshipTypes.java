// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import java.util.Arrays;
import org.neo4j.token.api.TokenConstants;

/** The index of each relationship type in the list of selected types, by its token. */
final class RelationshipTypes {

    static final int NOT_SELECTED = -1;

    /** For each token below its length the index of the selected type, or {@link #NOT_SELECTED}. */
    private final int[] indexOfToken;

    /** The index of all other tokens. */
    private final int otherIndex;

    /**
     * Creates the index.
     *
     * @param tokens tokens of the selected types; {@link TokenConstants#ANY_RELATIONSHIP_TYPE} for all others
     */
    RelationshipTypes(int[] tokens) {
        int other = NOT_SELECTED;
        int length = 0;
        for (int type = 0; type < tokens.length; type++) {
            if (tokens[type] == TokenConstants.ANY_RELATIONSHIP_TYPE) {
                other = type;
            }
            length = Math.max(length, tokens[type] + 1);
        }
        this.otherIndex = other;
        this.indexOfToken = new int[length];
        Arrays.fill(indexOfToken, other);
        for (int type = 0; type < tokens.length; type++) {
            if (tokens[type] != TokenConstants.ANY_RELATIONSHIP_TYPE) {
                indexOfToken[tokens[type]] = type;
            }
        }
    }

    /** Whether every type is selected. */
    boolean selectsAll() {
        return otherIndex != NOT_SELECTED;
    }

    int index(int token) {
        return token < indexOfToken.length ? indexOfToken[token] : otherIndex;
    }
}
