// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A server goes on without the GPU whose driver is broken. */
class BrokenDriverTest {

    /** The driver's library is found, so JCuda's is unpacked and linked to it, and that fails. */
    @Test
    void shouldRunOnTheCpuWithADriverThatIsCutOff() throws IOException {
        assumeThat(Backends.names()).as("a host without a GPU").containsExactly("cpu");
        Installation installation = Installation.built();
        Path home = installation.newHome("broken-driver");
        Path libraries = Files.createDirectories(home.resolve("broken"));
        Path library = Files.writeString(libraries.resolve("libcuda.so.1"), "cut off");
        Path temporary = Files.createDirectories(home.resolve("tmp"));
        try (ServerProcess server = ServerProcess.in(installation, home)
                .environment("LD_LIBRARY_PATH", libraries.toString())
                .jvmOption("-Djava.io.tmpdir=" + temporary)
                .withoutOptimizingCompiler()
                .start()) {
            RunningQuery.await("the warm-up", () -> server.debugLog().contains("Warm-up of Proxima completed on cpu"));
            assertThat(server.debugLog()).doesNotContain("Proxima's settings could not be applied");
            Cypher cypher = new Cypher(server.driver());
            String reason = (String)
                    cypher.value("CALL proxima.backend.list() YIELD name, reason WHERE name = 'cuda' RETURN reason");
            assertThat(reason)
                    .startsWith("The NVIDIA driver's library cannot be loaded: ")
                    .contains(library + ": file too short")
                    .endsWith("or use backend: 'cpu'.");
            cypher.rows("CREATE (:Node)-[:LINK]->(:Node)");
            cypher.row("CALL proxima.graph.project('g', 'Node', 'LINK')");
            assertThat(cypher.failure("CALL proxima.closeness.stream('g', {backend: 'cuda'})"))
                    .isEqualTo("The CUDA backend cannot run. " + reason);
            assertThat(cypher.row("CALL proxima.closeness.stats('g') YIELD centralityDistribution AS d, configuration"
                            + " RETURN d.max AS max, configuration.backend AS backend"))
                    .isEqualTo(Map.of("max", 1.0, "backend", "cpu"));
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("proxima"));
        }
    }
}
