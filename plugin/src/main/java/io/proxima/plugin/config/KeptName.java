// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rules for names that outlive a call and are written to the log: of graphs and of jobs. Without them, such names
 * could fill the heap and the log, and imitate lines of the log.
 */
final class KeptName {

    static final int MAX_LENGTH = 256;

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009F\\u2028\\u2029]");

    private KeptName() {}

    /**
     * What is wrong with a name; empty if it may be kept.
     *
     * @param argument the key or argument that has the name
     */
    static Optional<String> fault(String argument, String name) {
        if (name.length() > MAX_LENGTH) {
            return Optional.of("`" + argument + "` must have at most " + MAX_LENGTH + " characters, but it had "
                    + name.length() + ".");
        }
        if (CONTROL.matcher(name).find()) {
            return Optional.of("`" + argument + "` must not contain control characters such as line feeds, but it was `"
                    + CONTROL.matcher(name).replaceAll("?") + "`.");
        }
        return Optional.empty();
    }
}
