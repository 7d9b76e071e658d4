// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.CudaBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.FullFolder;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs in an order outlive the server, on a fake device. */
class SavedLayoutTest {

    private static final int SOURCE = 1234;

    /** Where a file has its permutation, in bytes: the manual's page "The format of saved graphs". */
    private static final int FIRST_SECTION = 4096;

    /** Large enough to be saved. */
    private static final Csc GRAPH =
            TestGraphs.uniform(20_000, 80_000, 3, false).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);

    private static final int[] LEVELS = TextbookBfs.levels(GRAPH, -1, SOURCE);

    @TempDir
    Path folder;

    private final List<String> log = new CopyOnWriteArrayList<>();

    @Test
    void shouldFindAnOrderAgainAfterARestart() throws IOException {
        assertThat(search(VertexOrder.RCM)).doesNotContain("saved");
        assertThat(files()).singleElement().asString().endsWith("-rcm.proxima");

        assertThat(search(VertexOrder.RCM)).contains("rcm", "An earlier run saved this order.");
        assertThat(search(VertexOrder.AUTO)).contains("rcm", "An earlier run saved this order.");
        assertThat(search(VertexOrder.NATURAL)).contains("natural");
        assertThat(search(VertexOrder.DEGREE)).contains("degree").doesNotContain("saved");
        assertThat(files()).hasSize(2);
        assertThat(log).isEmpty();
    }

    @Test
    void shouldOrderAgainAndReplaceAFileWhoseOrderIsDamaged() throws IOException {
        search(VertexOrder.RCM);
        Path file = files().get(0);
        byte[] good = damage(file, FIRST_SECTION + 40);

        assertThat(search(VertexOrder.RCM)).doesNotContain("saved");

        assertThat(log).singleElement().asString().contains("damaged", "ordered again");
        assertThat(Files.readAllBytes(file)).isEqualTo(good);
        assertThat(search(VertexOrder.RCM)).contains("An earlier run saved this order.");
    }

    @Test
    void shouldBuildAgainAndReplaceAFileWhoseSliceSetsAreDamaged() throws IOException {
        search(VertexOrder.RCM);
        Path file = files().get(0);
        byte[] good = damage(file, (int) Files.size(file) / 2);

        assertThat(search(VertexOrder.RCM)).contains("An earlier run saved this order.");

        assertThat(log).singleElement().asString().contains("damaged", "built again");
        assertThat(Files.readAllBytes(file)).isEqualTo(good);
    }

    @Test
    void shouldReadSliceSetsOnlyForKernelsThatNeedThem() throws IOException {
        search(VertexOrder.RCM);
        damage(files().get(0), (int) Files.size(files().get(0)) / 2);
        SavedGraphs saved = SavedGraphs.in(folder, log::add);

        String found = search(GRAPH, new RunOptions(VertexOrder.RCM, Kernel.of("directional")), saved, LEVELS, SOURCE);

        assertThat(found).contains("An earlier run saved this order.");
        assertThat(log).as("nobody has seen the damage").isEmpty();
    }

    /** Changes a byte of a file; returns what it was before. */
    private static byte[] damage(Path file, int at) throws IOException {
        byte[] good = Files.readAllBytes(file);
        byte[] bad = good.clone();
        bad[at] ^= 4;
        Files.write(file, bad);
        return good;
    }

    @Test
    void shouldSaveAgainWhatWasDeletedMeanwhile() throws IOException {
        search(VertexOrder.RCM);
        Path file = files().get(0);
        byte[] good = Files.readAllBytes(file);
        Files.delete(file);

        assertThat(search(VertexOrder.RCM)).doesNotContain("saved");

        assertThat(Files.readAllBytes(file)).isEqualTo(good);
        assertThat(search(VertexOrder.RCM)).contains("An earlier run saved this order.");
    }

    @Test
    void shouldKeepNothingOfSmallGraphsNorWithoutAFolder() throws IOException {
        Csc small = TestGraphs.grid(20, 20).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        search(small, VertexOrder.RCM, SavedGraphs.in(folder, log::add), TextbookBfs.levels(small, -1, 7), 7);
        search(GRAPH, VertexOrder.RCM, null, LEVELS, SOURCE);
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldNotBuildForAFolderWithoutRoom() throws IOException {
        SavedGraphs full = FullFolder.in(folder, GRAPH.entryCount(), log::add);
        search(GRAPH, VertexOrder.RCM, full, LEVELS, SOURCE);
        assertThat(files()).isEmpty();
        assertThat(log).singleElement().asString().contains("not saved: it needs at least", "half of the free space");
    }

    private String search(VertexOrder order) throws IOException {
        return search(GRAPH, order, SavedGraphs.in(folder, log::add), LEVELS, SOURCE);
    }

    private static String search(Csc graph, VertexOrder order, SavedGraphs saved, int[] levels, int source) {
        return search(graph, new RunOptions(order, Kernel.AUTO), saved, levels, source);
    }

    /** Starts, searches, waits for the background and stops; returns the order and its reason. */
    private static String search(Csc graph, RunOptions options, SavedGraphs saved, int[] levels, int source) {
        List<String> told = new ArrayList<>();
        RunObserver observer = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {}

            @Override
            public void runsWith(String name, String kernel, String reason) {
                told.add(name + ": " + reason);
            }
        };
        RunOptions defaults = new RunOptions(VertexOrder.AUTO, Kernel.of("blest-full"));
        try (CudaBackends backends =
                FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY), FakeDevices.policy(defaults))) {
            backends.keepGraphsIn(saved);
            CudaBackend backend = (CudaBackend) backends.choose().backend();
            try (LoadedGraph loaded = backend.load(graph)) {
                RunControl control = new RunControl(2, Stop.NEVER, Progress.NONE, observer).with(options);
                assertThat(loaded.bfs(source, -1, new int[0], control).levels()).isEqualTo(levels);
                FakeDevices.improver(backend).awaitIdle();
            }
        }
        return told.get(told.size() - 1);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".proxima")).toList();
        }
    }
}
