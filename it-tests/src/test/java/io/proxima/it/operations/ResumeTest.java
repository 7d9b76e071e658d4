// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closeness with {@code resume: true} survives a server process that is killed in the middle of the run. */
@Tag("full")
class ResumeTest {

    /** On a grid, one range of sources takes long enough to be met, and there are several. */
    private static final int SIDE = 80;

    private static final int NODES = SIDE * SIDE;

    private static final int FIRST_RANGE = 4096;

    private static final String PROJECT =
            "CALL proxima.graph.project('grid', 'Point', {NEXT: {orientation: 'UNDIRECTED'}})";

    private static final String RESUMED =
            "CALL proxima.closeness.write('grid', {writeProperty: 'resumed', resume: true,"
                    + " jobId: 'night', backend: 'cpu'}) YIELD nodePropertiesWritten AS written RETURN written";

    @Test
    void shouldContinueAfterTheServerWasKilled() {
        Installation installation = Installation.built();
        Path home = installation.newHome("resume");
        Path jobs = home.resolve("data/proxima/jobs");
        ServerProcess server = ServerProcess.in(installation, home)
                .withoutOptimizingCompiler()
                .withoutHttp()
                .start();
        Cypher cypher = new Cypher(server.driver());
        createGrid(cypher);
        cypher.row(PROJECT);
        try (RunningQuery running = new RunningQuery(cypher, RESUMED)) {
            long oneRange = 16L * FIRST_RANGE;
            RunningQuery.await("a range of sums to be finished", () -> bytes(jobs) > oneRange);
            assertThat(running.isDone()).isFalse();
            server.kill();
            RunningQuery.await("the query to lose its server", running::isDone);
        }
        assertThat(bytes(jobs)).isPositive();
        try (ServerProcess restarted = server.restart()) {
            Cypher again = new Cypher(restarted.driver());
            again.row(PROJECT);
            assertThat(again.value("MATCH (p:Point) WHERE p.resumed IS NOT NULL RETURN count(*)"))
                    .isEqualTo(0L);
            assertThat(again.failure(RESUMED.replace("resume:", "harmonic: true, resume:")))
                    .contains("The job 'night' cannot be resumed from ");
            assertThat(again.value(RESUMED)).isEqualTo((long) NODES);
            assertThat(restarted.debugLog() + restarted.logTail())
                    .containsPattern("\\[night] The job resumes: \\d{4,} of " + NODES + " nodes are finished\\.");
            again.rows("CALL proxima.closeness.write('grid', {writeProperty: 'plain', backend: 'cpu'})");
            assertThat(again.value("MATCH (p:Point) WHERE p.plain = p.resumed RETURN count(*)"))
                    .isEqualTo((long) NODES);
            assertThat(bytes(jobs)).isZero();
        }
    }

    private static void createGrid(Cypher cypher) {
        cypher.rows("UNWIND range(0, $nodes - 1) AS key CREATE (:Point {key: key})", "nodes", NODES);
        cypher.rows(
                "MATCH (p:Point) WITH p ORDER BY p.key WITH collect(p) AS points UNWIND range(0, $nodes - 1) AS i"
                        + " UNWIND CASE (i + 1) % $side WHEN 0 THEN [] ELSE [i + 1] END + [i + $side] AS j"
                        + " WITH points[i] AS a, points[j] AS b WHERE b IS NOT NULL CREATE (a)-[:NEXT]->(b)",
                "nodes", NODES, "side", SIDE);
    }

    private static long bytes(Path folder) {
        if (Files.notExists(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
