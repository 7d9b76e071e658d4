// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.server.ProximaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Closeness that can be resumed, through Cypher. The end of the server is a test of it-tests. */
class ClosenessResumeTest {

    private static final Config CONFIG = TestDbms.component(Config.class);

    /** A constraint on one property would be known before the scores are computed. */
    private static final String UNIQUE =
            "CREATE CONSTRAINT unique_scores FOR (n:N) REQUIRE (n.unique, n.same) IS UNIQUE";

    private static final String KEPT =
            "CALL proxima.closeness.write('g', {writeProperty: 'unique', resume: true, jobId: 'kept'})"
                    + " YIELD nodePropertiesWritten AS written RETURN written";

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}})");
        run("CALL proxima.graph.project('other', 'N', 'S')");
    }

    @AfterEach
    void drop() {
        run("DROP CONSTRAINT unique_scores IF EXISTS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "closeness.write('g', {",
                "closeness.write('g', {useWassermanFaust: true, ",
                "closeness.write('other', {harmonic: true, ",
                "closeness.harmonic.write('g', {",
                "closeness.write('g', {targetNodes: [id(one)], "
            })
    void shouldWriteTheSameScoresAndLeaveNoFile(String call) throws IOException {
        String procedure = "MATCH (one:N {name: 'd'}) CALL proxima." + call;
        run(procedure + "writeProperty: 'plain'}) YIELD batches RETURN batches");
        run(procedure + "writeProperty: 'resumed', resume: true, jobId: 'night / 1'}) YIELD batches RETURN batches");
        assertThat(value("MATCH (n:N) WHERE n.plain IS NOT NULL RETURN count(*)"))
                .isNotEqualTo(0L);
        assertThat(value("MATCH (n:N) WHERE n.plain <> n.resumed OR (n.plain IS NULL) <> (n.resumed IS NULL)"
                        + " RETURN count(*)"))
                .isEqualTo(0L);
        assertThat(files()).isEmpty();
    }

    /** Computes scores that cannot be written, because several nodes have the same. */
    private static void failToWrite() throws IOException {
        run("MATCH (n:N) SET n.same = 0");
        run(UNIQUE);
        assertThatThrownBy(() -> run(KEPT)).hasMessageContaining("unique");
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldKeepTheSumsUntilTheScoresAreWritten() throws IOException {
        failToWrite();
        // as of version 0.2
        for (Path file : files()) {
            if (file.toString().endsWith(".owner")) {
                Files.delete(file);
            }
        }
        assertThat(run("CALL proxima.file.list() YIELD jobId WHERE jobId = 'kept' RETURN jobId"))
                .isEmpty();
        assertThatThrownBy(() -> run(KEPT.replace("'g'", "'other'")))
                .hasMessageContaining("The job 'kept' cannot be resumed from ")
                .hasMessageContaining("it has the sums of another graph, of other nodes or of another formula. Use"
                        + " another `jobId`, or drop the file with `proxima.file.drop`.");
        assertThatThrownBy(() -> run(KEPT.replace("resume", "harmonic: true, resume")))
                .hasMessageContaining("of another formula");
        run("DROP CONSTRAINT unique_scores");
        assertThat(value(KEPT)).isEqualTo(value("MATCH (n:N) RETURN count(*)"));
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodeLabels: [], ", "graph: 'empty', "})
    void shouldNotEndAJobByAGraphWithoutNodes(String key) throws IOException {
        failToWrite();
        run("CALL proxima.graph.filter('empty', 'g', 'FALSE', '*')");
        String without = key.startsWith("graph")
                ? KEPT.replace("'g'", "'empty'")
                : KEPT.replace("writeProperty", key + "writeProperty");
        assertThatThrownBy(() -> run(without)).hasMessageContaining("it has the sums of another graph");
        assertThat(files()).hasSize(2);
        run("DROP CONSTRAINT unique_scores");
        run(KEPT);
        assertThat(files()).isEmpty();
        assertThat(value(without)).isEqualTo(0L);
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldListTheRunAndDropItUnlessItsJobIsRunning() throws IOException {
        failToWrite();
        String list = "CALL proxima.file.list() YIELD fileName, kind, jobId, user, database, sizeInBytes, state";
        Map<String, Object> file = run(list + " WHERE kind = 'run' RETURN *").get(0);
        assertThat(file)
                .containsEntry("jobId", "kept")
                .containsEntry("user", "")
                .containsEntry("database", "neo4j")
                .containsEntry("state", "resumable");
        assertThat((long) file.get("sizeInBytes")).isPositive();
        String name = (String) file.get("fileName");
        String drop = "CALL proxima.file.drop('" + name + "') YIELD fileName, state";
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("MATCH (n:N) WITH collect(n) AS all CALL"
                        + " proxima.distances.stream('g', {sourceNodes: all, jobId: 'kept'}) YIELD distance"
                        + " RETURN distance")) {
            assertThat(rows.hasNext()).isTrue();
            assertThat(value(list + " WHERE kind = 'run' RETURN state")).isEqualTo("running");
            assertThatThrownBy(() -> run(drop))
                    .rootCause()
                    .hasMessage(
                            "The file `" + name + "` cannot be dropped, because the job `kept` is running. Wait until"
                                    + " the call ends, or kill its query.");
        }
        for (String other : List.of("../jobs/" + name, "./" + name, name.substring(1), "x")) {
            assertThatThrownBy(() -> run("CALL proxima.file.drop('" + other + "')"))
                    .rootCause()
                    .hasMessage("You have no file `" + other
                            + "` on the server. Use a name that `proxima.file.list` returns.");
        }
        assertThat(run("CALL proxima.file.drop('x', false)")).isEmpty();
        assertThat(run(drop)).containsExactly(Map.of("fileName", name, "state", "dropped"));
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", jobId: ''", ", jobId: ' \n'"})
    void shouldRequireAnIdByWhichALaterCallFindsTheJob(String jobId) throws IOException {
        assertThatThrownBy(
                        () -> run("CALL proxima.closeness.write('g', {writeProperty: 'x', resume: true" + jobId + "})"))
                .rootCause()
                .hasMessageContaining("`resume` requires a `jobId`");
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldLeaveNoFileOfARefusedRun() throws IOException {
        CONFIG.set(ProximaSettings.FILES_MAX_BYTES, 1L);
        try {
            assertThatThrownBy(() -> run(KEPT)).hasMessageContaining("files_max_bytes");
        } finally {
            CONFIG.set(ProximaSettings.FILES_MAX_BYTES, 0L);
        }
        assertThat(files()).isEmpty();
    }

    /** A run takes a file, and another one that says whose it is. */
    private static List<Path> files() throws IOException {
        Path folder = CONFIG.get(GraphDatabaseSettings.data_directory).resolve("proxima/jobs");
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
