// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.server.ProximaSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.configuration.Config;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Files that somebody else has left, or that were damaged, in the folders that calls read. */
class FileProceduresTest {

    private static final String STATES =
            "CALL proxima.file.list() YIELD fileName, kind, state RETURN fileName, kind + ' ' + state AS state";

    private static final String MARKED = "proxima-01234567-89ab-4cde-8f01-23456789abcd.unfinished";

    private static Path exports;
    private static Path runs;

    @BeforeEach
    void project() throws IOException {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
        exports = Files.createDirectories(TestDbms.exportFolder()).toRealPath();
        runs = Files.createDirectories(
                KeptFiles.of(TestDbms.component(Config.class), Stop.NEVER).runs());
    }

    @AfterEach
    void deleteFiles() throws IOException {
        TestDbms.clear();
        for (Path folder : List.of(exports, runs)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    if (!file.equals(folder)) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    @Test
    void shouldRunListDropAndExportBesideADamagedOwner() throws IOException {
        Files.write(runs.resolve("x.sums"), new byte[10]);
        Files.write(runs.resolve("x.owner"), new byte[0]);
        assertThat(value("CALL proxima.closeness.write('g', {writeProperty: 'c', resume: true, jobId: 'j'})"
                        + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(8L);
        run("CALL proxima.graph.export('g', 'f')");
        assertThat(TestDbms.<String, String>pairs(STATES))
                .isEqualTo(Map.of("x.sums", "run damaged", "f", "graph complete"));
        assertThat(run("CALL proxima.file.drop('x.sums') YIELD user, state RETURN user, state"))
                .containsExactly(mapOf("user", null, "state", "dropped"));
        assertThat(runs).isEmptyDirectory();
    }

    private static Map<String, Object> mapOf(String one, Object first, String other, Object second) {
        Map<String, Object> map = new HashMap<>();
        map.put(one, first);
        map.put(other, second);
        return map;
    }

    @Test
    void shouldShowEveryKindOfFileAndDropOnlyItsOwn(@TempDir Path outside) throws Exception {
        run("CALL proxima.graph.export('g', 'good')");
        byte[] good = Files.readAllBytes(exports.resolve("good"));
        Files.write(outside.resolve("hidden"), good);
        Files.write(exports.resolve("truncated"), Arrays.copyOf(good, good.length / 2));
        Files.write(exports.resolve("mark"), Arrays.copyOf(good, 8));
        byte[] changed = good.clone();
        changed[60]++;
        Files.write(exports.resolve("changed"), changed);
        byte[] later = good.clone();
        later[8]++;
        Files.write(exports.resolve("later"), later);
        Files.write(exports.resolve(MARKED), new byte[5]);
        List<String> damaged = List.of("truncated", "mark", "changed", "later", MARKED);
        Files.createFile(exports.resolve("empty"));
        Files.writeString(exports.resolve("notes.csv"), "elementId,a\n");
        Files.writeString(exports.resolve("g.unfinished"), "somebody else's download");
        Files.writeString(exports.resolve("b\u00e4r \ud83d\udc3b \n"), "a name of many characters");
        try (RandomAccessFile huge =
                new RandomAccessFile(exports.resolve("huge").toFile(), "rw")) {
            huge.setLength(1L << 40);
        }
        List<String> foreign = List.of("empty", "notes.csv", "g.unfinished", "b\u00e4r \ud83d\udc3b \n", "huge");
        Files.createSymbolicLink(exports.resolve("link"), outside.resolve("hidden"));
        Files.createSymbolicLink(exports.resolve("linked"), outside);
        Files.createSymbolicLink(exports.resolve("circle"), exports.resolve("circle"));
        Files.createSymbolicLink(exports.resolve("above"), exports);
        Files.createDirectory(exports.resolve("folder"));
        assertThat(new ProcessBuilder("mkfifo", exports.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();

        Map<String, String> expected = new TreeMap<>();
        expected.put("good", "graph complete");
        damaged.forEach(name -> expected.put(name, "graph damaged"));
        foreign.forEach(name -> expected.put(name, "other foreign"));
        assertThat(TestDbms.<String, String>pairs(STATES)).isEqualTo(expected);

        // none fails the calls for another file
        run("CALL proxima.graph.export('g', 'folder/another')");
        run("CALL proxima.graph.import('folder/another', 'h')");
        for (String name : List.of("link", "linked/hidden", "circle", "circle/x", "above/good", "folder/.", "pipe")) {
            for (String call :
                    List.of("export('g', '%s', {overwrite: true})", "import('%s')", "nodeProperties.load('g', '%s')")) {
                assertFails("CALL proxima.graph." + String.format(call, name), "`fileName` must");
            }
        }
        for (String name : foreign) {
            assertThatThrownBy(() -> run("CALL proxima.file.drop($name)", Map.of("name", name)))
                    .rootCause()
                    .hasMessage("The file `" + name + "` cannot be dropped, because it is not a file of Proxima. Delete"
                            + " it on the server's disk.");
            assertThat(exports.resolve(name)).exists();
        }
        for (String name : damaged) {
            assertThat(value("CALL proxima.file.drop('" + name + "') YIELD state"))
                    .isEqualTo("dropped");
            assertThat(exports.resolve(name)).doesNotExist();
        }
        assertFails("CALL proxima.file.drop('link')", "You have no file `link`");
        assertThat(outside.resolve("hidden")).hasBinaryContent(good);
    }

    @Test
    void shouldLeaveOutNoFileOfAFolderThatIsLoaded() throws IOException {
        Object node = value("MATCH (n:N {name: 'a'}) RETURN elementId(n)");
        Files.createDirectory(exports.resolve("parts"));
        Files.writeString(exports.resolve("parts/1.csv"), "elementId,a\n" + node + ",1\n");
        Path other = Files.writeString(exports.resolve("2.csv"), "elementId,a\n");
        Path link = Files.createSymbolicLink(exports.resolve("parts/2.csv"), other);
        assertFails("CALL proxima.graph.nodeProperties.load('g', 'parts')", "must not be a link");
        Files.delete(link);
        assertThat(value("CALL proxima.graph.nodeProperties.load('g', 'parts') YIELD nodeCount"))
                .isEqualTo(1L);
    }

    @Test
    void shouldNotDropAFileThatACallWrites() {
        run("CALL proxima.graph.export('g', 'f')");
        try (KeptFiles.Claim claim = KeptFiles.claim(exports.resolve("f"))) {
            assertThat(claim).isNotNull();
            assertThat(TestDbms.<String, String>pairs(STATES)).isEqualTo(Map.of("f", "graph running"));
            assertFails(
                    "CALL proxima.file.drop('f')",
                    "The file `f` cannot be dropped, because a call is writing to it. Wait until the call ends, or kill"
                            + " its query.");
        }
        run("CALL proxima.file.drop('f')");
        assertThat(exports).isEmptyDirectory();
    }

    @Test
    void shouldNotReplaceWhatHasBeenWrittenSinceTheExportBegan() throws IOException {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Caller caller = TestDbms.caller(transaction, () -> {});
            ExportFolder folder = ExportFolder.of(caller.config(), Stop.NEVER);
            for (boolean overwrite : List.of(false, true)) {
                try (ExportFolder.Target target = folder.reserve("f" + overwrite, overwrite, caller)) {
                    target.requireFreePlace();
                    Files.writeString(target.path(), "somebody else's");
                    assertThatThrownBy(target::requireFreePlace)
                            .hasMessageContaining(overwrite ? "cannot be replaced" : "exists already");
                }
            }
        }
    }

    @Test
    void shouldRefuseANameThatNoFileCanHaveBeforeTheGraphIsWritten() {
        assertFails("CALL proxima.graph.export('g', '" + "x".repeat(300) + "')", "cannot be used");
        run("CALL proxima.graph.export('g', '" + "x".repeat(255) + "')");
    }

    @Test
    void shouldRefuseToExportWhatAFileCannotHold() {
        run("CALL proxima.graph.project('s', {`\\uD800`: {label: 'N'}, `\\uD801`: {label: 'N'}}, 'R')");
        assertFails(
                "CALL proxima.graph.export('s', 's')",
                "The graph cannot be exported, because the name `\\ud800` is not valid Unicode. Project it with another"
                        + " name.");
        assertThat(exports).isEmptyDirectory();
    }

    @Test
    void shouldListLimitAndDropExportsOfALinkedFolder(@TempDir Path home) throws Exception {
        Path real = Files.createDirectory(home.resolve("real"));
        Path link = Files.createSymbolicLink(home.resolve("link"), real);
        Path foreign = Files.writeString(real.resolve("foreign.unfinished"), "somebody else's download");
        try (TestDbms.Other linked = TestDbms.Other.open(
                home.resolve("home"),
                Map.of(ProximaSettings.EXPORT_DIRECTORY, link.toString(), ProximaSettings.FILES_MAX_BYTES, 60_000L))) {
            linked.run("UNWIND range(1, 1000) AS i CREATE (:V {id: i})-[:E]->(:V {id: -i})");
            linked.run("CALL proxima.graph.project('g', 'V', 'E')");
            linked.run("CALL proxima.graph.export('g', 'f0')");
            String export = "CALL proxima.graph.export('g', 'f1')";
            assertThatThrownBy(() -> linked.run(export)).hasMessageContaining("files_max_bytes");
            assertThat(linked.database()
                            .<List<Object>>executeTransactionally(
                                    "CALL proxima.file.list() YIELD fileName, state RETURN fileName + ' ' + state AS f ORDER BY f",
                                    Map.of(),
                                    rows -> names(rows)))
                    .containsExactly("f0 complete", "foreign.unfinished foreign");
            linked.run("CALL proxima.file.drop('f0')");
            linked.run(export);
        }
        assertThat(real.toFile().list()).containsExactlyInAnyOrder("f1", "foreign.unfinished");
        assertThat(foreign).hasContent("somebody else's download");
    }

    private static List<Object> names(Result rows) {
        return rows.<Object>columnAs("f").stream().toList();
    }

    private static void assertFails(String call, String message) {
        assertThatThrownBy(() -> run(call)).hasMessageContaining(message);
    }
}
