// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BoltLoader;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A kill of what runs on a GPU. */
@Tag("gpu")
class DeviceTest {

    private static final int NODES = 70_000;
    private static final String CLOSENESS =
            "CALL proxima.closeness.stream('path', {backend: 'cuda'}) YIELD score RETURN sum(score) AS sum";

    private ServerProcess server;
    private Cypher cypher;

    @BeforeEach
    void start() throws Exception {
        assumeThat(Backends.names()).as("backends").contains("cuda");
        Installation installation = Installation.built();
        server = ServerProcess.in(installation, installation.newHome("device")).start();
        cypher = new Cypher(server.driver());
        BoltLoader.load(server.driver(), "Path", "NEXT", EdgeList.path(NODES));
        project();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void project() {
        cypher.row("CALL proxima.graph.project('path', 'Path', 'NEXT')");
    }

    @Test
    void shouldEndWhenKilledOnTheDevice() {
        Object sum = cypher.value(CLOSENESS);
        try (RunningQuery query = new RunningQuery(
                        cypher, "UNWIND range(1, 1000000) AS i CALL { " + CLOSENESS + " } RETURN max(sum)")
                .awaitStart()) {
            RunningQuery.await("a run on the device", () -> !cypher.rows("CALL proxima.listProgress()")
                    .isEmpty());
            query.terminate();
            assertThatThrownBy(query::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("terminated");
        }
        assertThat(cypher.value(CLOSENESS)).isEqualTo(sum);
    }
}
