// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import io.proxima.it.Cypher;
import io.proxima.it.Fork;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A server that holds every {@link DataGraph}, each under its own label, and has the Graph Data Science library beside
 * Proxima where the build laid it out.
 */
public final class DataServer {

    private DataServer() {}

    public static Cypher cypher() {
        return Holder.CYPHER;
    }

    private static final class Holder {

        private static final Cypher CYPHER;

        static {
            Installation installation = Installation.built();
            Path home = installation.newHome("data-" + Fork.name());
            BulkImport.run(
                    installation,
                    home,
                    Arrays.stream(DataGraph.values())
                            .map(graph -> new BulkImport.Graph(graph.label(), graph.type(), graph.read()))
                            .toList());
            ServerBuilder server =
                    ServerProcess.in(installation, home).heap("2g").withoutHttp();
            if (!installation.peers().isEmpty()) {
                server.withPeers();
            }
            // ends with this JVM
            CYPHER = new Cypher(server.start().driver());
        }
    }
}
