// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.files.ExportFolder;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.GraphFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.configuration.Config;
import org.neo4j.io.fs.FileUtils;

/** Export and import through Cypher. */
class GraphExportTest {

    private static final Path FOLDER = TestDbms.exportFolder();

    @BeforeEach
    void createGraph() throws IOException {
        TestDbms.clear();
        Files.createDirectories(FOLDER);
        run("UNWIND range(0, 60) AS i CREATE (:N {i: i})");
        run("MATCH (n:N) WHERE n.i % 3 = 0 SET n:Third");
        run("MATCH (a:N), (b:N) WHERE b.i = (a.i * 7 + 1) % 61 OR b.i = a.i + 1"
                + " CREATE (a)-[:R {w: a.i * 1.5}]->(b), (b)-[:S]->(a)");
        run("CALL proxima.graph.project('g', ['N', 'Third'], {R: {}, S: {orientation: 'UNDIRECTED'}, W: {type: 'R',"
                + " orientation: 'REVERSE', properties: {w: {defaultValue: 1.0}}}})");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'})");
        run("MATCH (n:N {i: 5}) CALL proxima.bfs.mutate('g', {sourceNode: n, mutateProperty: 'hops', maxDepth: 2})"
                + " YIELD mutateMillis RETURN mutateMillis");
    }

    @AfterEach
    void deleteFiles() throws IOException {
        TestDbms.clear();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(FOLDER)) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void shouldImportAnEqualGraph() {
        Map<String, Object> exported =
                run("CALL proxima.graph.export('g', 'g.proxima')").get(0);
        assertThat(exported)
                .containsEntry("graphName", "g")
                .containsEntry("fileName", "g.proxima")
                .containsEntry("nodeCount", 61L)
                .containsEntry("nodeProperties", List.of("score", "hops"))
                .containsEntry("bytes", FOLDER.resolve("g.proxima").toFile().length());
        assertThat((String) exported.get("fingerprint")).matches("[0-9a-f]{32}");

        Map<String, Object> imported =
                run("CALL proxima.graph.import('g.proxima', 'h')").get(0);

        assertThat(imported)
                .containsEntry("graphName", "h")
                .containsEntry("fingerprint", exported.get("fingerprint"))
                .containsEntry("relationshipCount", exported.get("relationshipCount"))
                .containsEntry("nodeProperties", List.of("score", "hops"));
        assertThat(listed("h")).isEqualTo(listed("g"));
        for (String call : List.of(
                "closeness.stream('%s', {nodeLabels: ['Third'], relationshipTypes: ['R', 'S']})",
                "closeness.stream('%s')",
                "eccentricity.stream('%s', {relationshipTypes: ['W']})",
                "graph.nodeProperties.stream('%s', ['score', 'hops'])")) {
            assertThat(run("CALL proxima." + String.format(call, "h")))
                    .as(call)
                    .isEqualTo(run("CALL proxima." + String.format(call, "g")))
                    .isNotEmpty();
        }
        String costs = "MATCH (n:N {i: 5}) CALL proxima.allShortestPaths.delta.stream('%s', {sourceNode: n,"
                + " relationshipTypes: ['W'], relationshipWeightProperty: 'w'}) YIELD targetNode, totalCost"
                + " RETURN targetNode, totalCost";
        assertThat(run(String.format(costs, "h"))).isEqualTo(run(String.format(costs, "g")));
        assertThat(run("CALL proxima.graph.export('h', 'h.proxima')").get(0))
                .containsEntry("fingerprint", exported.get("fingerprint"))
                .containsEntry("bytes", exported.get("bytes"));
        run("CALL proxima.graph.nodeProperties.write('h', ['hops'])");
        assertThat(TestDbms.value("MATCH (n:N) WHERE n.hops IS NOT NULL RETURN max(n.hops)"))
                .isEqualTo(2L);
    }

    @Test
    void shouldRefuseValuesOfOtherNodesWithTheSameRelationships() throws IOException {
        run("UNWIND range(0, 4) AS i CREATE (:Chain {i: i})");
        run("MATCH (a:Chain), (b:Chain) WHERE b.i = a.i + 1 CREATE (a)-[:NEXT]->(b)");
        // a chain of the same length that begins one node later
        run(
                "MATCH (a:Chain) WHERE a.i < 4 WITH collect(a) AS nodes MATCH (a)-[:NEXT]->(b) WHERE a IN nodes AND b IN nodes"
                        + " RETURN proxima.graph.project('before', a, b)");
        run(
                "MATCH (a:Chain) WHERE a.i > 0 WITH collect(a) AS nodes MATCH (a)-[:NEXT]->(b) WHERE a IN nodes AND b IN nodes"
                        + " RETURN proxima.graph.project('after', a, b)");
        Object fingerprint = run("CALL proxima.graph.export('before', 'before.proxima')")
                .get(0)
                .get("fingerprint");
        Object second = TestDbms.value("MATCH (n:Chain {i: 1}) RETURN elementId(n)");
        Files.writeString(FOLDER.resolve("second.csv"), "elementId,place\n" + second + ",2\n");
        String load = "', 'second.csv', {fingerprint: '" + fingerprint + "'})";

        assertFails(
                "CALL proxima.graph.nodeProperties.load('after" + load,
                "its nodes or relationships are not those that the values were computed from");
        assertThat(run("CALL proxima.graph.nodeProperties.load('before" + load)).hasSize(1);
    }

    @Test
    void shouldLoadValuesByElementId() throws IOException {
        Object fingerprint =
                run("CALL proxima.graph.export('g', 'g.proxima')").get(0).get("fingerprint");
        Files.createDirectories(FOLDER.resolve("results"));
        for (int part = 0; part < 2; part++) {
            List<Map<String, Object>> rows = run("MATCH (n:N) WHERE n.i < 40 AND n.i % 2 = " + part
                    + " RETURN elementId(n) + ',' + n.i + ',' + CASE n.i WHEN 7 THEN '' ELSE n.i / 4.0 END AS line");
            Files.writeString(
                    FOLDER.resolve("results").resolve("part-" + part + ".csv"),
                    rows.stream()
                            .map(row -> row.get("line") + "\n")
                            .collect(Collectors.joining("", "elementId,rank,share\n", "")));
        }
        Files.writeString(FOLDER.resolve("results").resolve("_SUCCESS.csv"), "");

        Map<String, Object> loaded = run("CALL proxima.graph.nodeProperties.load('g', 'results', {fingerprint: '"
                        + fingerprint + "'})")
                .get(0);

        assertThat(loaded)
                .containsEntry("graphName", "g")
                .containsEntry("fileName", "results")
                .containsEntry("nodeProperties", List.of("rank", "share"))
                .containsEntry("nodeCount", 40L);
        run("CALL proxima.graph.nodeProperties.write('g', ['rank', 'share'])");
        assertThat(run("MATCH (n:N) WHERE n.i < 40 AND n.rank = n.i RETURN count(n.rank) AS ranks, count(n.share) AS"
                        + " shares, count(CASE n.share WHEN n.i / 4.0 THEN 1 END) AS right"))
                .containsExactly(Map.of("ranks", 40L, "shares", 39L, "right", 39L));
        assertThat(TestDbms.value("MATCH (n:N) RETURN count(n.rank)")).isEqualTo(40L);

        assertFails("CALL proxima.graph.nodeProperties.load('g', 'results')", "`rank` already exists");
        assertFails(
                "CALL proxima.graph.nodeProperties.load('g', 'results', {nodeProperties: ['other']})",
                "it must have the columns [other], but has [elementId, rank, share]");
        assertFails(
                "CALL proxima.graph.nodeProperties.load('g', 'results', {fingerprint: '" + "0".repeat(32) + "'})",
                "`rank` already exists");
        run("CALL proxima.graph.nodeProperties.drop('g', ['rank', 'share'])");
        assertFails(
                "CALL proxima.graph.nodeProperties.load('g', 'results', {fingerprint: '" + "0".repeat(32) + "'})",
                "has the fingerprint `" + fingerprint + "` and not `" + "0".repeat(32) + "`");
        assertFails("CALL proxima.graph.nodeProperties.load('g', 'missing.csv')", "`missing.csv` does not exist");
        assertFails("CALL proxima.graph.nodeProperties.load('g', '../results')", "must be the name of a file");
        assertThat(run("CALL proxima.graph.list('g') YIELD schema").toString())
                .contains("score")
                .doesNotContain("rank");
    }

    /** The database could not hold the second one, and no mutate mode accepts the first one. */
    @ParameterizedTest
    @ValueSource(strings = {" rank", "ra\0nk"})
    void shouldRefuseColumnsWhoseNamesNoPropertyCanHave(String name) throws IOException {
        Object id = TestDbms.value("MATCH (n:N {i: 1}) RETURN elementId(n)");
        Files.writeString(FOLDER.resolve("names.csv"), "elementId," + name + "\n" + id + ",1\n");
        assertFails("CALL proxima.graph.nodeProperties.load('g', 'names.csv')", "`nodeProperties` must");
        Files.delete(FOLDER.resolve("names.csv"));
    }

    @Test
    void shouldKeepTheNameAndKnowWhenTheStoreHasChanged() {
        run("CALL proxima.graph.export('g', 'g.proxima')");
        run("CALL proxima.graph.drop('g')");
        assertThat(run("CALL proxima.graph.import('g.proxima')").get(0)).containsEntry("graphName", "g");
        assertThat(TestDbms.value("CALL proxima.graph.list('g') YIELD stale RETURN stale"))
                .isEqualTo(false);
        assertFails("CALL proxima.graph.import('g.proxima')", "A graph with name 'g' already exists");
        run("CREATE (:N)");
        run("CALL proxima.graph.import('g.proxima', 'g', {replace: true, jobId: 'imported'})");
        assertThat(TestDbms.value("CALL proxima.graph.list('g') YIELD stale RETURN stale"))
                .isEqualTo(true);
        run("CALL proxima.graph.export('g', 'stale.proxima')");
        run("CALL proxima.graph.import('stale.proxima', 'h')");
        assertThat(TestDbms.value("CALL proxima.graph.list('h') YIELD stale")).isEqualTo(true);
        assertThat(run("CALL proxima.listProgress('imported') YIELD taskName RETURN taskName")
                        .toString())
                .contains("Graph Import", "Read file", "Check graph");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/g.proxima",
                "../g.proxima",
                "..",
                ".",
                "./g.proxima",
                "a/../../g.proxima",
                "a/../g.proxima",
                "none/g.proxima",
                "g.unfinished",
                "g.unfinished/",
                "link",
                "linked/g.proxima",
                "folder"
            })
    void shouldNotLeaveTheFolder(String fileName, @TempDir Path outside) throws IOException {
        Path target = Files.createFile(outside.resolve("g.proxima"));
        Path link = Files.createSymbolicLink(FOLDER.resolve("link"), target);
        Path linked = Files.createSymbolicLink(FOLDER.resolve("linked"), outside);
        Path folder = Files.createDirectory(FOLDER.resolve("folder"));

        assertFails("CALL proxima.graph.export('g', '" + fileName + "', {overwrite: true})", "`fileName` must");
        assertFails("CALL proxima.graph.import('" + fileName + "')", "`fileName` must");

        assertThat(target).isEmptyFile();
        assertThat(outside).isDirectoryContaining(path -> path.equals(target));
        for (Path made : List.of(link, linked, folder)) {
            Files.delete(made);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL proxima.graph.export('g', $name)",
                "CALL proxima.graph.import($name)",
                "CALL proxima.graph.nodeProperties.load('g', $name)",
                "CALL proxima.graph.nodeProperties.load('g', $name + '/' + $name)",
            })
    void shouldShowTheBeginningOfALongName(String call) {
        assertThatThrownBy(() -> run(call, Map.of("name", "n".repeat(10_000))))
                .message()
                .contains("n".repeat(100) + "… (")
                .hasSizeLessThan(500);
    }

    @Test
    void shouldWriteInAFolderOfTheFolder() throws IOException {
        Path folder = Files.createDirectory(FOLDER.resolve("sub"));
        run("CALL proxima.graph.export('g', 'sub/g')");
        run("CALL proxima.graph.import('sub/g', 'h')");
        Files.delete(folder.resolve("g"));
    }

    @Test
    void shouldReplaceOnlyGraphsAndOnlyOnRequest() throws IOException {
        run("CALL proxima.graph.export('g', 'g')");
        assertFails(
                "CALL proxima.graph.export('g', 'g')",
                "The file `g` exists already. Choose another name, or set `overwrite: true` to replace it.");
        run("CALL proxima.graph.export('g', 'g', {overwrite: true})");
        Files.writeString(FOLDER.resolve("notes"), "something else that nobody wants to lose, surely not by an export");
        assertFails(
                "CALL proxima.graph.export('g', 'notes', {overwrite: true})",
                "is not an exported graph: it does not begin with the characters PROXGRPH");
        assertThat(FOLDER.resolve("notes")).content().startsWith("something else");
        assertFails("CALL proxima.graph.import('notes')", "is not an exported graph");
        for (String call : List.of("graph.import('none')", "graph.nodeProperties.load('g', 'none')")) {
            assertFails(
                    "CALL proxima." + call,
                    "The file `none` does not exist in " + FOLDER.toRealPath()
                            + ". Use a name that `proxima.file.list` returns.");
        }
        String tooLong = "a".repeat(300);
        assertThatThrownBy(() -> run("CALL proxima.graph.import('" + tooLong + "')"))
                .hasMessageContaining("The file `" + Shown.text(tooLong) + "` cannot be used: File name too long.");
        assertFails("CALL proxima.graph.export('none', 'x')", "Graph with name `none` does not exist");
    }

    @Test
    void shouldRefuseAFileOfAnotherDatabase() throws IOException {
        exportChanged(origin -> {
            assertThat(TestDbms.value("MATCH (n:N) RETURN elementId(n) ORDER BY id(n) LIMIT 1"))
                    .isEqualTo(origin.elementId((Long) TestDbms.value("MATCH (n:N) RETURN min(id(n))")));
            return new Origin("g", "", "sales", "4:x:", origin.created(), origin.storeId(), origin.lastTransaction());
        });
        assertFails(
                "CALL proxima.graph.import('g')",
                "The file `g` was exported from another database, `sales`, whose elementIds begin with `4:x:`");
    }

    @ParameterizedTest
    @ValueSource(strings = {" h", "", "h\nh"})
    void shouldRefuseAFileWhoseGraphHasANameThatNoCallCanUse(String name) throws IOException {
        exportChanged(origin -> changed(origin, name, origin.lastTransaction()));
        assertFails("CALL proxima.graph.import('g')", "`graphName`");
        run("CALL proxima.graph.import('g', 'h')");
    }

    @Test
    void shouldBeStaleInAnotherHistoryOfTheStore() throws IOException {
        // as after a backup was restored and other transactions were committed
        exportChanged(origin -> changed(origin, "g", origin.lastTransaction().replaceFirst("-[^-]*-", "-0-")));
        run("CALL proxima.graph.import('g', 'h')");
        assertThat(TestDbms.value("CALL proxima.graph.list('h') YIELD stale")).isEqualTo(true);
    }

    private static Origin changed(Origin origin, String graphName, String lastTransaction) {
        return new Origin(
                graphName,
                origin.owner(),
                origin.database(),
                origin.elementIdPrefix(),
                origin.created(),
                origin.storeId(),
                lastTransaction);
    }

    /** Exports the graph to a file of its name, with another origin. */
    private static void exportChanged(UnaryOperator<Origin> change) throws IOException {
        run("CALL proxima.graph.export('g', 'g')");
        Path path = FOLDER.resolve("g");
        ExportedGraph graph;
        try (GraphFile file = GraphFile.open(path)) {
            graph = file.read(1, Stop.NEVER, Progress.NONE);
        }
        Origin origin = change.apply(graph.origin());
        GraphFile.write(
                path,
                new ExportedGraph(origin, graph.fingerprint(), graph.graph(), graph.types(), graph.columns()),
                1,
                Stop.NEVER,
                Progress.NONE,
                () -> {});
    }

    @Test
    void shouldBeUpToDateAfterARestartAndRefusedAfterTheStoreWasOverwritten(@TempDir Path home) throws Exception {
        try (TestDbms.Other first = start(home)) {
            first.run("CREATE (:N)-[:R]->(:N)");
            first.run("CALL proxima.graph.project('g', 'N', 'R') YIELD graphName"
                    + " CALL proxima.graph.export(graphName, 'g') YIELD bytes RETURN bytes");
        }
        try (TestDbms.Other restarted = start(home)) {
            String stale = "CALL proxima.graph.import('g') YIELD graphName"
                    + " CALL proxima.graph.list(graphName) YIELD stale RETURN stale";
            assertThat(restarted.database().<Object>executeTransactionally(stale, Map.of(), result -> result.next()
                            .get("stale")))
                    .isEqualTo(false);
        }
        // what `neo4j-admin database load --overwrite-destination` does: the database keeps its id in `system`
        for (String folder : List.of("data/databases/neo4j", "data/transactions/neo4j")) {
            FileUtils.deleteDirectory(home.resolve(folder));
        }
        try (TestDbms.Other overwritten = start(home)) {
            overwritten.run("CREATE (:N)-[:R]->(:N)");
            assertThatThrownBy(() -> overwritten.run("CALL proxima.graph.import('g')"))
                    .rootCause()
                    .hasMessage("The file `g` was exported before the store of the database `neo4j` was overwritten by"
                            + " another one, in which its ids are those of other nodes. Project the graph again.");
        }
    }

    private static TestDbms.Other start(Path home) throws Exception {
        return TestDbms.Other.open(home, Map.of(ProximaSettings.EXPORT_DIRECTORY, "exported"));
    }

    @Test
    void shouldLetOneOfSeveralExportsToOneNameSucceed() {
        AtomicInteger succeeded = new AtomicInteger();
        Workers.run(4, Stop.NEVER, (worker, stop) -> {
            try {
                run("CALL proxima.graph.export('g', 'same')");
                succeeded.incrementAndGet();
            } catch (RuntimeException e) {
                assertThat(e.getMessage()).containsAnyOf("exists already", "Another call is exporting");
            }
        });
        assertThat(succeeded).hasValue(1);
        run("CALL proxima.graph.import('same', 'h')");
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldRefuseADamagedFileAndLeaveNothing() throws IOException {
        run("CALL proxima.graph.export('g', 'g')");
        byte[] bytes = Files.readAllBytes(FOLDER.resolve("g"));
        bytes[bytes.length - 1]++;
        Files.write(FOLDER.resolve("g"), bytes);
        assertFails("CALL proxima.graph.import('g', 'h')", "is damaged: the checksum of its bytes from");
        assertThat(TestDbms.value("CALL proxima.graph.exists('h') YIELD exists RETURN exists"))
                .isEqualTo(false);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldAskForTheSetting() {
        assertThatThrownBy(() -> ExportFolder.of(Config.defaults(), Stop.NEVER))
                .hasMessage("No folder for exported graphs is set. Set it in neo4j.conf, as in"
                        + " `server.proxima.export_directory=graphs`, and restart the server.");
    }

    private static Object listed(String name) {
        return run("CALL proxima.graph.list('" + name + "') YIELD nodeCount, relationshipCount, schemaWithOrientation,"
                + " schema, density, stale RETURN nodeCount, relationshipCount, schemaWithOrientation, schema,"
                + " density, stale");
    }

    private static void assertFails(String call, String message) {
        assertThatThrownBy(() -> run(call)).rootCause().hasMessageContaining(message);
    }
}
