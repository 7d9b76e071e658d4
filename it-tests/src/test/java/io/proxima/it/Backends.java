// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import java.util.ArrayList;
import java.util.List;

/** The backends that tests run on: the CPU always, the GPU where there is one. */
public final class Backends {

    private Backends() {}

    /**
     * The values of the configuration key {@code backend} that can run in a server.
     *
     * @param cypher asks that server
     * @throws AssertionError if the GPU is required (-Dgpu.required=true) and cannot run
     */
    public static List<String> names(Cypher cypher) {
        List<String> names = new ArrayList<>(List.of("cpu"));
        boolean cuda = (boolean) cypher.value("CALL proxima.backend.list() YIELD name, available"
                + " RETURN any(x IN collect(available AND name STARTS WITH 'cuda') WHERE x)");
        if (cuda) {
            names.add("cuda");
        } else if (Boolean.getBoolean("gpu.required")) {
            throw new AssertionError("gpu.required=true but no CUDA backend is available: "
                    + cypher.rows("CALL proxima.backend.list() YIELD name, reason"));
        }
        return names;
    }
}
