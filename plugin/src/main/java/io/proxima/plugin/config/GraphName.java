// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;

/**
 * The rules for graph names: case-sensitive and not blank. Surrounding whitespace is ignored on use, and refused on
 * creation, as are control characters and names of more than {@value KeptName#MAX_LENGTH} characters.
 */
public final class GraphName {

    private static final String ARGUMENT = "graphName";

    private GraphName() {}

    /** The name under which to look up an existing graph. */
    public static String ofExisting(String name) {
        return ofExisting(ARGUMENT, name);
    }

    /** The name under which to look up an existing graph, from an argument of another name. */
    public static String ofExisting(String argument, String name) {
        requirePresent(argument, name);
        return name.strip();
    }

    /** The name of a new graph. */
    public static String ofNew(String name) {
        requirePresent(ARGUMENT, name);
        if (!name.strip().equals(name)) {
            throw ProximaException.invalidArgument("`" + ARGUMENT
                    + "` must not end or begin with whitespace characters, but got `" + Shown.text(name) + "`.");
        }
        KeptName.fault(ARGUMENT, name).ifPresent(fault -> {
            throw ProximaException.invalidArgument(fault);
        });
        return name;
    }

    /**
     * Checks a name that is given for an argument.
     *
     * @throws ProximaException if it is null or blank
     */
    public static void requirePresent(String argument, String name) {
        if (name == null || name.isBlank()) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` can not be null or blank, but it was `" + Shown.text(name) + "`.");
        }
    }
}
