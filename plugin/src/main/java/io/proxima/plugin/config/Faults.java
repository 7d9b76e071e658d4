/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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

    /** Creates an empty list. */
    public Faults() {}

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
