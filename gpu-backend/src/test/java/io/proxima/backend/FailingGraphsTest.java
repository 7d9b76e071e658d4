// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FailingGraphsTest {

    private static final EdgeList GRAPH = new EdgeList(4).add(2, 1).add(0, 3);

    @Test
    void shouldSaveAnEdgeListAndPointToIt() throws IOException {
        AssertionError failure = new AssertionError("wrong");

        Throwable thrown = catchThrowable(() -> FailingGraphs.saving("FailingGraphsTest.list", GRAPH, () -> {
            throw failure;
        }));

        assertThat(thrown).isSameAs(failure);
        String note = thrown.getSuppressed()[0].getMessage();
        assertThat(note).startsWith("The failing graph is in ").endsWith("FailingGraphsTest.list.edges");
        Path file = Path.of(note.substring("The failing graph is in ".length()));
        assertThat(Files.readAllLines(file)).containsExactly("# vertexCount=4", "2 1", "0 3");
        Files.delete(file);
    }

    @Test
    void shouldSaveACscColumnByColumn() throws IOException {
        Path file = FailingGraphs.save("FailingGraphsTest.csc", GRAPH.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER));

        assertThat(Files.readAllLines(file)).containsExactly("# vertexCount=4", "0 3", "1 2", "2 1", "3 0");
        Files.delete(file);
    }
}
