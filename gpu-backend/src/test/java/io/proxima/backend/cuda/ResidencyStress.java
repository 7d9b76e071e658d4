// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BorrowedGraph;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TextbookFarness;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.RandomFaults;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Users who share a device and do at random, by a seed, what may be done: load and drop graphs, run every kernel in
 * every order, ask for estimates, kill, while calls of the driver fail. Each run gives the right answer or fails with
 * one of the types that its caller is promised, and at the end nothing is left on the device.
 */
final class ResidencyStress {

    private static final List<Operation> RUNS = Runs.OF_DEVICES;

    /** How often things go wrong: one in so many. */
    record Rates(int kills, int shortMemory, int passing, int failures) {}

    /**
     * What happened.
     *
     * @param answers runs that ended with an answer, which was right
     * @param refusals runs that a lack of memory ended
     * @param failures runs that a failed call of the driver ended, and nothing else
     * @param losses runs that a failure of the device ended
     * @param kills runs that were stopped
     */
    record Tally(long answers, long refusals, long failures, long losses, long kills) {
        Tally plus(Tally other) {
            return new Tally(
                    answers + other.answers,
                    refusals + other.refusals,
                    failures + other.failures,
                    losses + other.losses,
                    kills + other.kills);
        }
    }

    private static final int HANDLES_A_USER = 2;

    private final List<Expected> graphs;
    private final int concurrency;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong losses = new AtomicLong();
    private final AtomicLong kills = new AtomicLong();

    /** A graph with what is found in it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Expected(Csc csc, TextbookFarness farness, double[] betweenness) {
        static Expected of(Csc csc) {
            try (LoadedGraph graph = new CpuBackend().load(csc)) {
                return new Expected(csc, new TextbookFarness(csc), graph.betweenness(null, RunContext.of(2)));
            }
        }
    }

    /** A stress over these graphs; runs of each user work with so many threads. */
    ResidencyStress(List<Expected> graphs, int concurrency) {
        this.graphs = graphs;
        this.concurrency = concurrency;
    }

    /** The graphs of a stress: a social network, a directed graph, a mesh, and a graph of many components. */
    static List<Expected> graphs(EdgeList social, EdgeList directed, EdgeList mesh, EdgeList components) {
        return Stream.of(
                        social.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                        directed.toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                        mesh.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                        components.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER))
                .map(Expected::of)
                .toList();
    }

    /**
     * Lets users act while calls of the driver fail, and fails if anything is left afterwards.
     *
     * @param faults takes the faults of the driver, which end with the run
     * @param users that act at once
     * @param actions of each, or as many as come before the end
     * @param deadline of {@link System#nanoTime}
     */
    Tally run(
            CudaBackends backends,
            Consumer<CheckedDriver.Faults> faults,
            long seed,
            int users,
            int actions,
            long deadline,
            Rates rates) {
        faults.accept(RandomFaults.of(seed, rates.shortMemory(), rates.passing(), rates.failures()));
        Tally tally = act(backends, seed, users, actions, deadline, rates);
        faults.accept(CheckedDriver.Faults.NONE);
        assertNothingIsLeft(backends);
        return tally;
    }

    private Tally act(CudaBackends backends, long seed, int users, int actions, long deadline, Rates rates) {
        SplittableRandom seeds = new SplittableRandom(seed);
        List<SplittableRandom> randoms = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            randoms.add(seeds.split());
        }
        Workers.run(users, Stop.NEVER, (user, stop) -> {
            try (User acting = new User(backends, randoms.get(user), rates, stop)) {
                for (int i = 0; i < actions && System.nanoTime() < deadline && !stop.requested(); i++) {
                    acting.act();
                }
            }
        });
        return new Tally(answers.get(), refusals.get(), failures.get(), losses.get(), kills.get());
    }

    /** One user: handles of some graphs, and a course of actions. */
    private final class User implements AutoCloseable {

        private final CudaBackends backends;

        private final SplittableRandom random;
        private final Rates rates;
        private final Stop end;
        private final Expected[] expected = new Expected[HANDLES_A_USER];
        private final LoadedGraph[] loaded = new LoadedGraph[HANDLES_A_USER];

        User(CudaBackends backends, SplittableRandom random, Rates rates, Stop end) {
            this.backends = backends;
            this.random = random;
            this.rates = rates;
            this.end = end;
        }

        void act() {
            TraversalBackend backend = backends.choose().backend();
            if (backend == null) {
                // lost until all runs have left it
                LockSupport.parkNanos(100_000);
                return;
            }
            int handle = random.nextInt(HANDLES_A_USER);
            if (loaded[handle] == null || random.nextInt(8) == 0) {
                drop(handle);
                expected[handle] = graphs.get(random.nextInt(graphs.size()));
                loaded[handle] = backend.load(expected[handle].csc());
            }
            switch (random.nextInt(12)) {
                case 0 -> backends.list();
                case 1 -> estimate(backend, expected[handle].csc());
                default -> search(loaded[handle], expected[handle]);
            }
        }

        private void estimate(TraversalBackend backend, Csc csc) {
            Workload work = oneOf(Runs.workloads(csc.vertexCount(), 3, List.of(Set.of(DistanceMeasure.HARMONIC)))
                    .toList());
            assertThat(backend.estimate(csc, random.nextBoolean(), work.with(options(work.operation())), concurrency)
                            .heap()
                            .maxBytes())
                    .isPositive();
        }

        private <T> T oneOf(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }

        private RunOptions options(Operation run) {
            List<Kernel> kernels = Kernel.of(run).stream()
                    .sorted(Comparator.comparing(Kernel::keyword))
                    .toList();
            return new RunOptions(
                    random.nextBoolean() ? VertexOrder.AUTO : oneOf(List.of(VertexOrder.values())),
                    random.nextInt(3) == 0 ? Kernel.AUTO : oneOf(kernels));
        }

        /** Stops after a random number of looks, now and then. */
        private Stop stop() {
            if (!RandomFaults.oneIn(rates.kills(), random)) {
                return end;
            }
            AtomicLong looks = new AtomicLong(1L << random.nextInt(10));
            return () -> looks.decrementAndGet() < 0 || end.requested();
        }

        private void search(LoadedGraph loaded, Expected right) {
            Operation run = oneOf(RUNS);
            RunContext control = new RunContext(concurrency, stop(), Progress.NONE).with(options(run));
            Workload work = new Workload(run, random.nextInt(1, 200), LoadedGraph.NO_MAX_DEPTH);
            try (LoadedGraph graph = random.nextInt(4) == 0
                    ? loaded.reserve(work, work.searches(loaded.vertexCount()), control)
                    : new BorrowedGraph(loaded)) {
                switch (run) {
                    case FARNESS -> {
                        Set<DistanceMeasure> measures =
                                random.nextBoolean() ? Set.of() : Set.of(DistanceMeasure.values());
                        right.farness().check(graph.farness(measures, control), measures);
                    }
                    case BETWEENNESS ->
                        TextbookChecks.checkScores(graph.betweenness(null, control), right.betweenness());
                    case BFS, SHORTEST_PATHS -> Runs.check(run, right.csc(), graph, vertices(right, 2), control);
                    case NEAREST_SOURCE, COST_SUMS -> Runs.check(run, right.csc(), graph, vertices(right, 4), control);
                    default -> Runs.check(run, right.csc(), graph, vertices(right, 40), control);
                }
                answers.incrementAndGet();
            } catch (DeviceMemoryException e) {
                refusals.incrementAndGet();
            } catch (DeviceFailureException e) {
                boolean passes = e.getMessage().matches("A call failed on device cuda:\\d+: .*");
                if ((passes ? rates.passing() : rates.failures()) == RandomFaults.NEVER) {
                    throw new AssertionError("no call of the driver was to fail like this", e);
                }
                if (passes) {
                    failures.incrementAndGet();
                } else {
                    assertThat(e).hasMessageMatching("Device cuda:\\d+ has failed: .*");
                    losses.incrementAndGet();
                }
                assertThat(e).hasMessageContaining("backend: 'cpu'");
            } catch (StoppedException e) {
                kills.incrementAndGet();
            }
        }

        private int[] vertices(Expected right, int most) {
            return random.ints(random.nextInt(1, most), 0, right.csc().vertexCount())
                    .distinct()
                    .toArray();
        }

        private void drop(int handle) {
            if (loaded[handle] != null) {
                loaded[handle].close();
                loaded[handle] = null;
            }
        }

        @Override
        public void close() {
            for (int handle = 0; handle < HANDLES_A_USER; handle++) {
                drop(handle);
            }
        }
    }

    /** Waits for the background, and fails if a device that is not lost holds anything. */
    private static void assertNothingIsLeft(CudaBackends backends) {
        TraversalBackend backend = backends.choose().backend();
        if (backend != null) {
            DeviceBackend cuda = (DeviceBackend) backend;
            cuda.preparer().awaitIdle();
            // the last calls that free memory may have failed
            cuda.device().reclaim();
            DeviceMemory memory = cuda.device().memory();
            assertThat(memory.usedBytes()).as("bytes promised").isZero();
            assertThat(memory.hasReturned()).as("memory to be reclaimed").isFalse();
            assertThat(cuda.device().leases().length()).as("leases").isZero();
        }
    }
}
