// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphDepth;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The progress of a job against the truth. The truth is the share of counted work: the steps that the loops of the CPU
 * backend report to their {@link PacedStop}. They are the job's clock too, so that the test does not depend on time.
 */
class JobProgressTest {

    /** Steps between two checks of a {@link PacedStop}. */
    private static final long STEPS = 1 << 15;

    static Stream<Arguments> graphs() {
        return Stream.of(
                Arguments.of("R-MAT 13", TestGraphs.rmat(13, 16, 1), Orientation.UNDIRECTED),
                Arguments.of("R-MAT 15", TestGraphs.rmat(15, 8, 2), Orientation.UNDIRECTED),
                Arguments.of("directed R-MAT 14", TestGraphs.rmat(14, 8, 3), Orientation.NATURAL),
                Arguments.of("grid 100 x 100", TestGraphs.grid(100, 100), Orientation.UNDIRECTED),
                Arguments.of("grid 150 x 150", TestGraphs.grid(150, 150), Orientation.UNDIRECTED),
                Arguments.of("grid 20 x 1000", TestGraphs.grid(20, 1000), Orientation.UNDIRECTED),
                Arguments.of("directed grid 120 x 120", TestGraphs.grid(120, 120), Orientation.NATURAL));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("graphs")
    void shouldBeWithinTenPointsOfTheCountedWork(String name, EdgeList edges, Orientation orientation) {
        Csc graph = edges.toCsc(orientation, 1, Stop.NEVER);
        CountedWork counted = new CountedWork();
        List<Update> updates = new ArrayList<>();
        TraversalBackend backend = TraversalBackends.select(Wanted.CPU).backend();
        try (Job job = JobRegistry.begin(
                        "ann",
                        name,
                        "Closeness",
                        counted,
                        HeapLedger.ofThisJvm().open(),
                        line -> {},
                        counted::steps);
                LoadedGraph loaded = backend.load(graph)) {
            job.expectTasks(Run.FARNESS.tasks());
            boolean deep = graph.depth(Stop.NEVER) == GraphDepth.DEEP;
            double entries = (double) graph.vertexCount() + graph.entryCount();
            job.expectWork(TaskRates.Work.of(BackendTask.ORDER_VERTICES, "cpu", deep, entries, 1));
            job.expectWork(TaskRates.Work.of(BackendTask.FARNESS, "cpu", deep, entries * graph.vertexCount(), 1));
            Runnable update = () -> updates.add(new Update(job.fraction(), counted.steps()));
            loaded.farness(Set.of(), new RunControl(1, counted, new Watched(job, update)));
            update.run();
            job.succeed();
        }
        double all = updates.get(updates.size() - 1).steps;
        assertThat(updates).hasSizeGreaterThan(10);
        assertThat(updates).allSatisfy(update -> assertThat(update.shown)
                .as("the progress after %,d of %,.0f steps", update.steps, all)
                .isBetween(update.steps / all - 0.1, update.steps / all + 0.1));
    }

    /** What a job shows after some work. */
    private record Update(double shown, long steps) {}

    /** Counts the checks of loops, and not those at the start of levels and batches, which stand for no work. */
    private static final class CountedWork implements Stop {
        private final AtomicLong checks = new AtomicLong();

        @Override
        public boolean requested() {
            boolean paced = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                    .walk(frames -> frames.limit(5).anyMatch(frame -> frame.getDeclaringClass() == PacedStop.class));
            if (paced) {
                checks.incrementAndGet();
            }
            return false;
        }

        long steps() {
            return checks.get() * STEPS;
        }
    }

    /** Calls back after each report. */
    private record Watched(Progress job, Runnable update) implements Progress {
        @Override
        public void beginTask(Task task, long volume) {
            job.beginTask(task, volume);
            update.run();
        }

        @Override
        public void advance(long volume) {
            job.advance(volume);
            update.run();
        }
    }
}
