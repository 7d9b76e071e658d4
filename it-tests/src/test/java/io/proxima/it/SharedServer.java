// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One server of each line of Neo4j for all tests of this JVM that do not need one of their own; nothing but Proxima is
 * in its plugins folder and no security setting in its configuration. Tests leave the database as they like: each
 * begins with {@link Cypher#clear()}.
 */
public final class SharedServer {

    /** Empty where the start failed, which is not tried again. */
    private static final Map<Installation.Line, Optional<SharedServer>> SERVERS =
            new EnumMap<>(Installation.Line.class);

    private final ServerProcess process;
    private final Cypher cypher;

    private SharedServer(Installation installation) {
        // ends with this JVM
        this.process = ServerProcess.in(installation, installation.newHome("shared-" + Fork.name()))
                .setting("server.proxima.export_directory", "exported")
                .withoutOptimizingCompiler()
                .withoutHttp()
                .start();
        this.cypher = new Cypher(process.driver());
    }

    private static SharedServer of(Installation.Line line) {
        if (!SERVERS.containsKey(line)) {
            SERVERS.put(line, Optional.empty());
            SERVERS.put(line, Optional.of(new SharedServer(Installation.built(line))));
        }
        return SERVERS.get(line)
                .orElseThrow(
                        () -> new IllegalStateException("The shared server of the line " + line + " did not start."));
    }

    /** The server of the selected line. */
    public static ServerProcess server() {
        return of(Installation.line()).process;
    }

    /** As the user neo4j. */
    public static Cypher cypher() {
        return cypher(Installation.line());
    }

    /** As the user neo4j, on the server of a line. */
    public static Cypher cypher(Installation.Line line) {
        return of(line).cypher;
    }
}
