// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import static io.proxima.plugin.TestDbms.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.RoutedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.current.Touched;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GraphCatalogTest {

    private static final Path DBMS = Path.of("/data");
    private static final UUID DATABASE = UUID.randomUUID();
    private static final Viewer ANN = new Viewer(DBMS, "ann", false, DATABASE, "neo4j");
    private static final Viewer BOB = new Viewer(DBMS, "bob", false, DATABASE, "neo4j");
    private static final Viewer ADMIN = new Viewer(DBMS, "root", true, DATABASE, "neo4j");

    @AfterEach
    void clear() {
        GraphCatalog.dropDatabase(DBMS, DATABASE);
    }

    @Test
    void shouldShowUsersTheirOwnGraphsAndAdminsAll() {
        GraphEntry ofAnn = add(ANN, "g");
        GraphEntry ofBob = add(BOB, "g");
        assertThat(GraphCatalog.find(ANN, "g")).isSameAs(ofAnn);
        assertThat(GraphCatalog.find(BOB, "G")).isNull();
        assertThat(GraphCatalog.list(ANN)).containsExactly(ofAnn);
        assertThat(GraphCatalog.list(ADMIN)).containsExactly(ofAnn, ofBob);
        assertThat(GraphCatalog.exists(ADMIN, "g")).isFalse();
        assertThatThrownBy(() -> GraphCatalog.find(ADMIN, "g"))
                .hasMessageStartingWith("Multiple graphs that match 'g' are found from the users [ann, bob].");
        GraphCatalog.drop(ofBob);
        assertThat(GraphCatalog.find(ADMIN, "g")).isSameAs(ofAnn);
        GraphEntry ofRoot = add(ADMIN, "g");
        assertThat(GraphCatalog.find(ADMIN, "g")).isSameAs(ofRoot);
    }

    @Test
    void shouldKeepDatabasesApart() {
        GraphEntry here = add(ANN, "g");
        Viewer elsewhere = new Viewer(DBMS, "ann", false, UUID.randomUUID(), "other");
        assertThat(GraphCatalog.find(elsewhere, "g")).isNull();
        assertThat(GraphCatalog.findOn(elsewhere, "NEO4J", "g")).isSameAs(here);
        assertThatThrownBy(() -> GraphCatalog.acquire(elsewhere, "g"))
                .hasMessage(
                        "Graph with name `g` does not exist on database `other`. It might exist on another database:"
                                + " `proxima.graph.list` lists your graphs.");
    }

    @Test
    void shouldDropTheGraphsOfAFormerUserWhenAnotherOneOfThatNameCalls() {
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 11, () -> "first");
        GraphEntry ofFirst = add(ANN, "g");
        GraphEntry ofBob = add(BOB, "g");
        GraphCatalog.Addition addition = GraphCatalog.begin(ANN.key("h"), false);
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 12, () -> "first");
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "bob", 12, () -> "of bob");
        assertThat(GraphCatalog.list(ADMIN)).containsExactly(ofFirst, ofBob);
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 13, () -> "second");
        assertThat(GraphCatalog.list(ADMIN)).containsExactly(ofBob);
        assertThatThrownBy(() -> GraphCatalog.add(entry(ANN, "h"), addition))
                .hasMessage("The user `ann` was dropped, replaced or renamed before the graph 'h' was complete, so it"
                        + " is not kept.");
    }

    @Test
    void shouldKeepTheGraphsOfTheNewUserWhenACallThatReadTheFormerTransactionComesLate() {
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 21, () -> "former");
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 22, () -> "new");
        GraphEntry ofNew = add(ANN, "g");
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 21, () -> "new");
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 22, () -> "new");
        assertThat(GraphCatalog.list(ANN)).containsExactly(ofNew);
    }

    @Test
    void shouldReadTheIdOfAUserOnceForEachTransactionOfTheSystemDatabase() {
        Queue<String> reads = new ArrayDeque<>(List.of("first", "second"));
        for (long transaction : new long[] {1, 1, 2, 2}) {
            GraphCatalog.dropGraphsOfFormerUser(DBMS, "cem", transaction, reads::remove);
        }
        assertThat(reads).isEmpty();
    }

    @Test
    void shouldLimitTheGraphsOfAUserInADatabase() {
        for (int i = 0; i < GraphCatalog.MOST_GRAPHS; i++) {
            add(ANN, "g" + i);
        }
        String refusal =
                "The graph 'more' cannot be added, because its user has 1000 graphs in the database `neo4j`; at"
                        + " most 1000 are possible. Drop graphs that are not needed.";
        assertThatThrownBy(() -> GraphCatalog.begin(ANN.key("more"), true)).hasMessage(refusal);
        add(BOB, "more");
        GraphEntry replacement = entry(ANN, "g0");
        GraphCatalog.add(replacement, begin(replacement, true));
        GraphCatalog.drop(replacement);
        GraphEntry more = entry(ANN, "more");
        GraphCatalog.Addition addition = begin(more, false);
        add(ANN, "g0");
        assertThatThrownBy(() -> GraphCatalog.add(more, addition)).hasMessage(refusal);
    }

    /** One of them is a copy of the other one, so the ids of their databases are equal. */
    @Test
    void shouldSeparateTwoDbmsOfOneJvm() {
        Path copy = Path.of("/copy");
        Viewer annOfCopy = new Viewer(copy, "ann", true, DATABASE, "neo4j");
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 31, () -> "here");
        GraphEntry here = add(ANN, "g");
        GraphCatalog.Addition addition = GraphCatalog.begin(ANN.key("h"), false);
        GraphCatalog.dropGraphsOfFormerUser(copy, "ann", 31, () -> "there");
        assertThat(GraphCatalog.list(annOfCopy)).isEmpty();
        assertThat(GraphCatalog.find(annOfCopy, "g")).isNull();
        assertThat(GraphCatalog.findOn(annOfCopy, "neo4j", "g")).isNull();
        GraphEntry there = add(annOfCopy, "g");
        assertThat(GraphCatalog.list(ADMIN)).containsExactly(here);
        GraphCatalog.dropUser(copy, "ann");
        GraphCatalog.dropDatabase(copy, DATABASE);
        assertThat(there.acquire()).isFalse();
        GraphCatalog.add(entry(ANN, "h"), addition);
        assertThat(GraphCatalog.list(ANN)).hasSize(2).contains(here);
    }

    @Test
    void shouldFreeADroppedGraphWhenItsLastRunEnds() {
        CountingBackend backend = new CountingBackend();
        GraphEntry entry = add(ANN, "g");
        GraphEntry run = GraphCatalog.acquire(ANN, "g");
        run.loadedOn(backend, 1, Stop.NEVER);
        assertThat(GraphCatalog.drop(entry)).isTrue();
        assertThat(GraphCatalog.drop(entry)).isFalse();
        assertThat(GraphCatalog.exists(ANN, "g")).isFalse();
        assertThat(backend.open).hasValue(1);
        GraphEntry again = add(ANN, "g");
        run.close();
        assertThat(backend.open).hasValue(0);
        assertThat(GraphCatalog.find(ANN, "g")).isSameAs(again);
        assertThatThrownBy(run::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTellWhereAGraphLiesNowAndCountSharedMemoryOnce() {
        CountingBackend auto = new CountingBackend("auto");
        CountingBackend cuda = new CountingBackend("cuda:0");
        CountingBackend cpu = new CountingBackend("cpu");
        GraphEntry entry = add(ANN, "g");
        long projection = entry.heapBytes();
        for (CountingBackend backend : new CountingBackend[] {auto, cuda, cpu}) {
            entry.loadedOn(backend, 1, Stop.NEVER);
            backend.place = "cpu";
        }
        assertThat(entry.residentOn()).containsExactly("cpu");
        assertThat(entry.deviceBytes()).isZero();
        for (CountingBackend backend : new CountingBackend[] {auto, cuda}) {
            backend.place = "cuda:0";
            backend.bytes = 1000;
        }
        assertThat(entry.residentOn()).containsExactly("cuda:0", "cpu");
        assertThat(entry.deviceBytes()).isEqualTo(1000);
        assertThat(entry.heapBytes()).isEqualTo(projection);
        assertThat(entry.lastBackend()).isEmpty();
        entry.ranOn("cuda:0");
        assertThat(entry.lastBackend()).isEqualTo("cuda:0");
        GraphCatalog.drop(entry);
        assertThat(entry.residentOn()).isEmpty();
        assertThat(entry.deviceBytes()).isZero();
        assertThat(auto.open.get() + cuda.open.get() + cpu.open.get()).isZero();
    }

    @Test
    void shouldRefuseAGraphWhoseDatabaseWasStoppedWhileItWasMade() {
        GraphEntry late = entry(ANN, "g");
        GraphCatalog.Addition addition = begin(late, false);
        GraphCatalog.dropDatabase(DBMS, DATABASE);
        assertThatThrownBy(() -> GraphCatalog.add(late, addition))
                .hasMessage("The database `neo4j` was stopped before the graph 'g' was complete, so it is not kept.");
        assertThat(GraphCatalog.list(ANN)).isEmpty();
        assertThat(late.acquire()).as("in use").isFalse();
    }

    @Test
    void shouldFreeAllFormsOfAGraphEvenIfOneFails() {
        CountingBackend failing = new CountingBackend("failing");
        failing.failure = new OutOfMemoryError("none left");
        CountingBackend other = new CountingBackend("other");
        GraphEntry entry = add(ANN, "g");
        entry.loadedOn(failing, 1, Stop.NEVER);
        entry.loadedOn(other, 1, Stop.NEVER);
        assertThatThrownBy(() -> GraphCatalog.drop(entry)).isSameAs(failing.failure);
        assertThat(other.open).hasValue(0);
    }

    @Test
    void shouldFreeAllGraphsOfAUserOrADatabaseEvenIfOneFails() {
        List<Runnable> ends = List.of(
                () -> GraphCatalog.dropUser(DBMS, "ann"),
                () -> GraphCatalog.dropDatabase(DBMS, DATABASE),
                () -> GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 42, () -> "new"));
        GraphCatalog.dropGraphsOfFormerUser(DBMS, "ann", 41, () -> "former");
        for (Runnable end : ends) {
            CountingBackend failing = new CountingBackend();
            failing.failure = new OutOfMemoryError("none left");
            add(ANN, "a").loadedOn(failing, 1, Stop.NEVER);
            add(ANN, "b").loadedOn(failing, 1, Stop.NEVER);
            assertThatThrownBy(end::run).isSameAs(failing.failure);
            assertThat(failing.open).hasValue(0);
        }
    }

    @Test
    void shouldLetOneOfTwoCallersWinAName() {
        AtomicInteger refused = new AtomicInteger();
        Workers.run(8, Stop.NEVER, (worker, stop) -> {
            try {
                GraphEntry entry = entry(ANN, "g");
                GraphCatalog.add(entry, begin(entry, false));
            } catch (RuntimeException e) {
                assertThat(e).hasMessage("A graph with name 'g' already exists. Drop it, or set `replace: true`.");
                refused.incrementAndGet();
            }
        });
        assertThat(refused).hasValue(7);
        assertThatThrownBy(() -> GraphCatalog.begin(ANN.key("g"), false))
                .hasMessage("A graph with name 'g' already exists. Drop it, or set `replace: true`.");
    }

    @Test
    void shouldNeitherLeakNorUseAfterFreeWhenRunsAndDropsRace() {
        CountingBackend backend = new CountingBackend();
        // on a busy machine the graph may come after all runs
        while (backend.loads.get() == 0) {
            raceRunsAndDrops(backend);
        }
        GraphCatalog.dropDatabase(DBMS, DATABASE);
        assertThat(backend.open).hasValue(0);
        assertThat(backend.usedAfterClose).hasValue(0);
    }

    private static void raceRunsAndDrops(CountingBackend backend) {
        Workers.run(8, Stop.NEVER, (worker, stop) -> {
            for (int i = 0; i < 300; i++) {
                if (worker == 0) {
                    GraphEntry entry = entry(ANN, "g");
                    GraphCatalog.add(entry, begin(entry, true));
                } else if (worker == 1) {
                    GraphEntry entry = GraphCatalog.find(ANN, "g");
                    if (entry != null) {
                        GraphCatalog.drop(entry);
                    }
                } else {
                    runOnce(backend);
                }
            }
        });
    }

    @Test
    void shouldStopWaitingForAnotherLoader() throws InterruptedException {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch mayLoad = new CountDownLatch(1);
        CountingBackend slow = new CountingBackend() {
            @Override
            public LoadedGraph load(Csc graph) {
                loading.countDown();
                await(mayLoad);
                return super.load(graph);
            }
        };
        GraphEntry entry = add(ANN, "g");
        Workers.run(2, Stop.NEVER, (worker, stop) -> {
            if (worker == 1) {
                entry.loadedOn(slow, 1, Stop.NEVER);
                return;
            }
            await(loading);
            assertThatThrownBy(() -> entry.loadedOn(slow, 1, () -> true)).isInstanceOf(StoppedException.class);
            mayLoad.countDown();
        });
        assertThat(slow.loads).hasValue(1);
    }

    private static void runOnce(CountingBackend backend) {
        try {
            GraphEntry entry = GraphCatalog.acquire(ANN, "g");
            try {
                entry.loadedOn(backend, 1, Stop.NEVER).residences();
            } finally {
                entry.close();
            }
        } catch (io.proxima.plugin.ProximaException e) {
            assertThat(e).hasMessageStartingWith("Graph with name `g` does not exist");
        }
    }

    private static GraphCatalog.Addition begin(GraphEntry entry, boolean replace) {
        return GraphCatalog.begin(entry.key(), replace);
    }

    static GraphEntry add(Viewer viewer, String name) {
        GraphEntry entry = entry(viewer, name);
        GraphCatalog.add(entry, begin(entry, false));
        return entry;
    }

    private static GraphEntry entry(Viewer viewer, String name) {
        GraphProjection projection = Projector.project(
                new EdgeList(2).add(0, 1),
                new ProjectionSpec(Map.of("N", "*"), Map.of("R", new TypeProjection("*", Orientation.NATURAL))),
                new Projector.Options(1, false),
                Stop.NEVER,
                Progress.NONE);
        return new GraphEntry(
                viewer.key(name),
                projection,
                new GraphEntry.Details(
                        Map.of(),
                        Map.of("R", new TypeSchema(false, Map.of())),
                        Instant.EPOCH,
                        new Touched(() -> 1, true, Collections::emptyIterator).mark(),
                        null,
                        null,
                        null));
    }

    /** Counts the graphs that are open, and uses of those that are not. */
    static class CountingBackend implements TraversalBackend {
        final AtomicInteger loads = new AtomicInteger();
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger usedAfterClose = new AtomicInteger();
        final String name;
        String place = "test";
        long bytes;
        Error failure;

        CountingBackend() {
            this("test");
        }

        CountingBackend(String name) {
            this.name = name;
        }

        @Override
        public BackendInfo info() {
            return new BackendInfo(name, true, "", "test", "", 0, 0, "");
        }

        @Override
        public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
            return MemoryEstimate.onHeap(MemoryTree.NONE);
        }

        @Override
        public LoadedGraph load(Csc graph) {
            loads.incrementAndGet();
            open.incrementAndGet();
            return new CountedGraph(this);
        }

        @Override
        public void close() {}
    }

    private static final class CountedGraph extends RoutedGraph {

        private final CountingBackend backend;
        private volatile boolean closed;

        CountedGraph(CountingBackend backend) {
            this.backend = backend;
        }

        @Override
        protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int vertexCount() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int multiSourceBatchSize() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Residence> residences() {
            if (closed) {
                backend.usedAfterClose.incrementAndGet();
            }
            return backend.place.equals("cpu")
                    ? List.of()
                    : List.of(new Residence(backend.place, backend.bytes, 0, ""));
        }

        @Override
        public void close() {
            assertThat(closed).isFalse();
            closed = true;
            backend.open.decrementAndGet();
            if (backend.failure != null) {
                throw backend.failure;
            }
        }
    }
}
