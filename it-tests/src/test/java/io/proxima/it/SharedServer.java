// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;

/**
 * One server for all tests of this JVM that do not need one of their own; nothing but Proxima is in its plugins folder
 * and no security setting in its configuration. Tests leave the database as they like: each begins with
 * {@link Cypher#clear()}.
 */
public final class SharedServer {

    private SharedServer() {}

    public static ServerProcess server() {
        return Holder.SERVER;
    }

    /** As the user neo4j. */
    public static Cypher cypher() {
        return Holder.CYPHER;
    }

    private static final class Holder {

        private static final ServerProcess SERVER;
        private static final Cypher CYPHER;

        static {
            Installation installation = Installation.built();
            // ends with this JVM
            SERVER = ServerProcess.in(installation, installation.newHome("shared-" + Fork.name()))
                    .setting("server.proxima.export_directory", "exported")
                    .withoutOptimizingCompiler()
                    .start();
            CYPHER = new Cypher(SERVER.driver());
        }
    }
}
