// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.file.GraphFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exported benchmark graph is read as proxima.graph.export writes one, and the sums are those of its graph. */
class ExportBenchmarkTest {

    @TempDir
    private Path folder;

    @Test
    void shouldExportAGraphAndItsSums() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            ExportBenchmark.run(out, folder.toString(), "3", "kron9", "cpu", "cpu");
        }

        Csc graph;
        try (GraphFile file = GraphFile.open(folder.resolve("kron9.proxima"))) {
            graph = file.read(1, Stop.NEVER, Progress.NONE).graph().csc(1, Stop.NEVER);
        }
        LongBuffer sums = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("kron9.sums")))
                .asLongBuffer();
        try (LoadedGraph loaded = TraversalBackends.select(Wanted.CPU).backend().load(graph)) {
            Farness expected = loaded.farness(Set.of(), RunControl.of(1));
            assertThat(graph.isSymmetric()).isTrue();
            assertThat(sums.remaining()).isEqualTo(2 * graph.vertexCount());
            for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
                assertThat(sums.get(vertex)).isEqualTo(expected.farness()[vertex]);
                assertThat(sums.get(graph.vertexCount() + vertex)).isEqualTo(expected.reach()[vertex]);
            }
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("RESULT kron9,in")))
                .hasSize(2);
    }
}
