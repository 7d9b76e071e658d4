// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DeviceUse;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.CudaBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.directional.CompactLists;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchTrialTest {

    private static final int[] NO_TARGETS = {};
    private static final String EAGER = "bfs_bvss_eager_mma_grid";
    private static final String LAZY = "bfs_bvss_lazy_mma_grid";
    private static final String DIRECTIONAL = "bfs_directional_p32_grid";

    private FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private CudaBackends backends = FakeDevices.backendsByTrial(driver);

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    @Test
    void shouldTakeTheFastestOnADeepGraphAndFreeWhatTheOthersNeed() {
        backend();
        driver.device().time(entry -> entry.equals(EAGER) ? 2 : 3);
        with(TestGraphs.path(2000), view -> {
            SearchTrial.Decision decision = decide(view);
            assertThat(decision.kernels().name()).isEqualTo("blest-ab");
            assertThat(decision.millis()).isEqualTo(2);
            assertThat(decision.reason()).contains("The graph is deep", "directional 3.000 ms", "blest-ab 2.000 ms");
            assertThat(view.structures()).containsExactly(BvssStructure.BVSS);
        });
        driver.device().time(entry -> entry.equals(EAGER) ? 3 : 2);
        with(TestGraphs.path(2000), view -> {
            assertThat(decide(view).kernels().name()).isEqualTo("directional");
            assertThat(view.structures()).contains(CompactLists.COMPACT).doesNotContain(BvssStructure.BVSS);
        });
    }

    @Test
    void shouldFindADeepGraphFromAnyOfItsVertices() {
        EdgeList edges = new EdgeList(3000);
        for (int v = 2001; v < 3000; v++) {
            edges.add(v - 1, v);
        }
        for (int v = 0; v < 1000; v++) {
            edges.add(v, v + 1000);
        }
        with(edges, view -> assertThat(decide(view).reason()).contains("The graph is deep"));
    }

    @Test
    void shouldNotMakeSliceSetsForAShallowGraph() {
        with(TestGraphs.rmat(10, 8, 3), view -> {
            SearchTrial.Decision decision = decide(view);
            assertThat(decision.kernels().name()).isEqualTo("directional");
            assertThat(decision.reason()).contains("The graph is shallow");
            assertThat(driver.device().launches()).contains(DIRECTIONAL).noneMatch(entry -> entry.contains("bvss"));
        });
    }

    @Test
    void shouldCompareWithSliceSetsThatLieThereAndKeepThem() {
        backend();
        driver.device().time(entry -> entry.equals(LAZY) ? 1 : 2);
        with(TestGraphs.rmat(10, 8, 3), view -> {
            view.require(Set.of(BvssStructure.BVSS));
            assertThat(decide(view).kernels().name()).isEqualTo("blest-full");
        });
        driver.device().time(entry -> entry.equals(LAZY) ? 2 : 1);
        with(TestGraphs.rmat(10, 8, 3), view -> {
            view.require(Set.of(BvssStructure.BVSS));
            assertThat(decide(view).kernels().name()).isEqualTo("directional");
            assertThat(view.structures()).contains(BvssStructure.BVSS);
        });
    }

    @Test
    void shouldTryAgainWhatHadTooLittleMemoryWhenThereIsMore() {
        Csc csc = TestGraphs.path(2000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        backend();
        driver.device().time(entry -> entry.equals(EAGER) ? 2 : 3);
        try (LoadedGraph graph = backend().load(csc)) {
            RunControl directional =
                    RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, Kernel.of("directional")));
            graph.bfs(0, -1, NO_TARGETS, directional);
            driver.device().holdByOthers(FakeDevices.PLENTY - driver.device().usedBytes() - 1000);
            assertThat(kernelsOf(graph)).containsExactly("directional");
            assertThat(kernelsOf(graph)).as("nothing has changed").containsExactly("directional");
            driver.device().holdByOthers(0);
            assertThat(kernelsOf(graph)).containsExactly("blest-ab");
            assertThat(kernelsOf(graph)).containsExactly("blest-ab");
            assertThat(driver.device().launches().stream()
                            .filter(entry -> entry.equals(EAGER))
                            .count())
                    .as("a trial of two searches, and two searches")
                    .isEqualTo(4);
        }
    }

    @Test
    void shouldTryKernelsOfSumsAgainThatHadTooLittleMemory() {
        Csc csc = TestGraphs.grid(4, 700).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        List<String> chosen = new ArrayList<>();
        RunControl control = telling(chosen);
        long free;
        try (LoadedGraph graph = backend().load(csc)) {
            driver.device().time(entry -> entry.startsWith("msbfs_words") ? 1000 : 1);
            graph.farness(Set.of(), control);
            assertThat(chosen).last().isEqualTo("tiles");
            free = driver.device().mostUsedBytes();
        }
        boolean tried = false;
        while (!tried) {
            free -= free / 16;
            driver.device().holdByOthers(FakeDevices.PLENTY - free);
            try (LoadedGraph graph = backend().load(csc)) {
                FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), csc, Set.of());
                if (chosen.get(chosen.size() - 1).equals("words")) {
                    tried = true;
                    graph.farness(Set.of(), control);
                    assertThat(chosen).last().as("nothing has changed").isEqualTo("words");
                    driver.device().holdByOthers(0);
                    FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), csc, Set.of());
                    assertThat(chosen).last().isEqualTo("tiles");
                }
            }
        }
    }

    private static List<String> kernelsOf(LoadedGraph graph) {
        List<String> chosen = new ArrayList<>();
        graph.bfs(0, -1, NO_TARGETS, telling(chosen));
        return chosen;
    }

    private static RunControl telling(List<String> chosen) {
        return new RunControl(
                1,
                Stop.NEVER,
                Progress.NONE,
                new RunObserver() {
                    @Override
                    public void runsOn(String backend, String reason) {}

                    @Override
                    public void runsWith(String order, String kernel, String reason) {
                        chosen.add(kernel);
                    }
                },
                new RunOptions(VertexOrder.NATURAL, Kernel.AUTO));
    }

    @Test
    void shouldTryNothingOnASmallGraph() {
        with(TestGraphs.path(500), view -> {
            assertThat(decide(view).kernels().name()).isEqualTo("directional");
            assertThat(driver.device().launches()).doesNotContain(DIRECTIONAL);
        });
    }

    @Test
    void shouldSearchOverSliceSetsWhereTheListsHaveNoRoom() {
        // no two columns of a clique differ in more than their own rows, so its slice sets are small
        Csc csc = TestGraphs.clique(200).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        long lists = Csr.Layout.of(csc.vertexCount(), csc.entryCount()).bytes();
        backends.close();
        driver = FakeDriver.hopper(lists - 1);
        backends = FakeDevices.backends(driver);
        with(TestGraphs.clique(200), view -> {
            SearchTrial.Decision decision = decide(view);
            assertThat(decision.kernels().name()).isEqualTo("blest-ab");
            assertThat(decision.reason()).contains("too little memory", "'directional'");
            assertThat(view.structures()).isEmpty();
            view.require(decision.kernels().structures());
        });
    }

    @Test
    void shouldEvictOnlyForTheFirstKernels() {
        EdgeList deep = TestGraphs.path(2000);
        Csc csc = deep.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Csc other = TestGraphs.path(700).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        RunControl first = RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, Kernel.of("directional")));
        beside(other, FakeDevices.PLENTY, () -> with(deep, this::decide));
        long most = driver.device().mostUsedBytes();
        int compared = 0;
        for (long bytes = most; bytes > 0; bytes -= 256) {
            long evictions = beside(other, bytes, () -> {
                try (LoadedGraph graph = backend().load(csc)) {
                    graph.bfs(0, -1, new int[0], first);
                }
            });
            if (evictions > 0) {
                break;
            }
            assertThat(beside(other, bytes, () -> with(deep, this::decide)))
                    .as("%d of %d bytes", bytes, most)
                    .isZero();
            compared++;
        }
        assertThat(compared).isPositive();
    }

    /** The evictions of work on a device beside an idle graph. */
    private long beside(Csc other, long totalBytes, Runnable work) {
        backends.close();
        driver = FakeDriver.hopper(totalBytes);
        backends = FakeDevices.backends(driver);
        try (LoadedGraph idle = backend().load(other)) {
            idle.bfs(0, -1, new int[0], control());
            long before = backends.use().get(0).evictions();
            work.run();
            return backends.use().get(0).evictions() - before;
        }
    }

    private SearchTrial.Decision decide(HeldGraph view) {
        return new SearchTrial(backend().device(), KernelFamilies.SHIPPED).decide(view, control());
    }

    private void with(EdgeList edges, Consumer<HeldGraph> check) {
        long before = backends.use().stream().mapToLong(DeviceUse::usedBytes).sum();
        FakeDevices.with(backend(), edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER), control(), 1, check);
        assertThat(driver.device().usedBytes()).isLessThanOrEqualTo(before);
    }

    private static RunControl control() {
        return RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, Kernel.AUTO));
    }

    private CudaBackend backend() {
        return (CudaBackend) backends.choose().backend();
    }
}
