// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The faults of the arguments of one call, each text once. Only the first {@value #MOST} are kept, because arguments
 * may have millions of wrong elements.
 */
public final class Faults {

    private static final int MOST = 20;

    private final Set<String> texts = new LinkedHashSet<>();
    private long more;

    /** Adds a fault. */
    public void add(String text) {
        String kept = ProximaException.shortened(text);
        if (texts.contains(kept)) {
            return;
        }
        if (texts.size() < MOST) {
            texts.add(kept);
        } else {
            more++;
        }
    }

    int size() {
        return texts.size();
    }

    /**
     * Ends the reading of arguments.
     *
     * @throws ProximaException with all faults, if there are any
     */
    public void throwIfAny() {
        if (texts.size() == 1) {
            throw ProximaException.invalidArgument(texts.iterator().next());
        }
        if (!texts.isEmpty()) {
            throw ProximaException.invalidArgument("Multiple errors in configuration arguments:\n\t"
                    + String.join("\n\t", texts) + (more == 0 ? "" : "\n\tand " + more + " more"));
        }
    }
}
