// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestGraphsTest {

    @Test
    void shouldHaveTheVerticesAndEdgesOfTheirShape() {
        assertSize(TestGraphs.empty(), 0, 0);
        assertSize(TestGraphs.singleVertex(), 1, 0);
        assertSize(TestGraphs.path(10), 10, 9);
        assertSize(TestGraphs.cycle(10), 10, 10);
        assertSize(TestGraphs.star(10), 10, 9);
        assertSize(TestGraphs.clique(10), 10, 45);
        assertSize(TestGraphs.grid(4, 3), 12, 17);
        assertSize(TestGraphs.binaryTree(10), 10, 9);
        assertSize(TestGraphs.lollipop(5, 3), 8, 13);
        assertSize(TestGraphs.disconnected(6), 12, 10);
        assertSize(TestGraphs.uniform(10, 30, 1, true), 10, 30);
        assertSize(TestGraphs.uniform(10, 30, 1, false), 10, 60);
        assertSize(TestGraphs.rmat(5, 4, 1), 32, 128);
    }

    private static void assertSize(EdgeList edges, int vertexCount, long edgeCount) {
        assertThat(edges.vertexCount()).isEqualTo(vertexCount);
        assertThat(edges.edgeCount()).isEqualTo(edgeCount);
    }

    @Test
    void shouldBeTheSameForTheSameSeedOnly() {
        assertThat(edges(TestGraphs.rmat(8, 4, 1)))
                .isEqualTo(edges(TestGraphs.rmat(8, 4, 1)))
                .isNotEqualTo(edges(TestGraphs.rmat(8, 4, 2)));
    }

    private static long[] edges(EdgeList edges) {
        return IntStream.range(0, (int) edges.edgeCount())
                .mapToLong(edge -> (long) edges.source(edge) << 32 | edges.target(edge))
                .toArray();
    }

    @Test
    void shouldBeSkewedWhenRecursive() {
        Csc csc = TestGraphs.rmat(12, 16, 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

        int highest =
                IntStream.range(0, csc.vertexCount()).map(csc::degree).max().orElseThrow();
        assertThat(highest).isGreaterThan(500);
    }

    @Test
    void shouldReadWhatSnapWrites(@TempDir Path folder) throws IOException {
        String text = "# Directed graph\n# FromNodeId\tToNodeId\n7\t3\n3 100000000000\n\n7\t7\n";
        Path plain = Files.writeString(folder.resolve("graph.txt"), text);
        Path packed = folder.resolve("graph.txt.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }

        EdgeList edges = TestGraphs.readSnap(plain);

        assertSize(edges, 3, 3);
        assertThat(edges(edges)).containsExactly(1L << 32, 2, 1L << 32 | 1);
        assertThat(edges(TestGraphs.readSnap(packed))).isEqualTo(edges(edges));
    }
}
