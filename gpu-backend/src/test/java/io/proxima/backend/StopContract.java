// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.result.FarnessFromSources;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Every run of a backend hears its stop wherever it is: by a net of random kills. {@code -Dproxima.kill.seed=} repeats
 * the choices of a failure, {@code -Dproxima.kill.rounds=} casts the net as often with seeds that follow.
 */
public abstract class StopContract {

    private static final long SEED = Long.getLong("proxima.kill.seed", 1);
    private static final int ROUNDS = Integer.getInteger("proxima.kill.rounds", 1);
    private static final Set<DistanceMeasure> ALL_MEASURES = EnumSet.allOf(DistanceMeasure.class);
    private static final List<Set<DistanceMeasure>> MEASURES = List.of(
            Set.of(),
            Set.of(DistanceMeasure.ECCENTRICITY),
            Set.of(DistanceMeasure.HOPS),
            Set.of(DistanceMeasure.HARMONIC));

    /** The backend under test. */
    protected abstract TraversalBackend backend();

    /** About how many vertices the graphs have. */
    protected abstract int vertices();

    /** Kills of each kind of run of each graph, a round. */
    protected abstract int killsOfARun();

    /** The ways of running that are drawn from; how each is done is drawn for every kill. */
    protected List<RunOptions> options(Operation operation) {
        return List.of(RunOptions.AUTO);
    }

    /** Looked at when all runs of a graph have ended and the graph is closed. */
    protected void shouldLeaveNothing() {}

    @Test
    void shouldEndSoonWheneverItIsKilled() {
        int killed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            for (Map.Entry<String, EdgeList> graph :
                    KillGraphs.of(vertices(), seed).entrySet()) {
                for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
                    killed += killAll(graph.getKey() + " " + orientation, graph.getValue(), orientation, seed);
                }
            }
        }
        // so that the net cannot go slack unseen
        assertThat(killed).as("runs that were killed before they were done").isGreaterThan(20 * ROUNDS * killsOfARun());
    }

    private int killAll(String name, EdgeList edges, Orientation orientation, long seed) {
        Random random = new Random(seed * 31 + name.hashCode());
        int killed = 0;
        Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);
        try (LoadedGraph graph = backend().load(csc)) {
            for (Work work : works(csc, random)) {
                for (int kill = 0; kill < killsOfARun(); kill++) {
                    List<RunOptions> options = options(work.kind);
                    RunOptions chosen = options.get(random.nextInt(options.size()));
                    int concurrency = 1 + random.nextInt(2);
                    boolean searched = random.nextBoolean();
                    String what = "proxima.kill.seed=" + seed + ": " + work.name + " of " + name + " with " + chosen
                            + " by " + concurrency + " threads";
                    killed += RandomKill.of(random)
                                    .stops(
                                            what,
                                            stop -> work.run.accept(
                                                    graph,
                                                    new RunContext(
                                                            concurrency,
                                                            stop,
                                                            Progress.NONE,
                                                            RunObserver.NONE,
                                                            chosen,
                                                            searched)))
                            ? 1
                            : 0;
                }
            }
        }
        shouldLeaveNothing();
        return killed;
    }

    private record Work(String name, Operation kind, BiConsumer<LoadedGraph, RunContext> run) {}

    private static List<Work> works(Csc csc, Random random) {
        int count = 1 + random.nextInt(200);
        int[] sources = Runs.sources(csc, count);
        List<Work> works = new ArrayList<>();
        Runs.workloads(csc.vertexCount(), count, MEASURES)
                .forEach(work -> works.add(new Work(
                        work.toString(), work.operation(), (graph, control) -> Runs.run(work, csc, graph, control))));
        for (Operation operation : Runs.OF_DEVICES) {
            works.add(new Work(
                    "preparation of " + operation,
                    operation,
                    (graph, control) -> Runs.prepare(
                            graph, new Workload(operation, csc.vertexCount(), LoadedGraph.NO_MAX_DEPTH), control)));
        }
        works.add(new Work(
                "farness of the sources",
                Operation.MULTI_SOURCE_BFS,
                (graph, control) -> graph.multiSourceBfs(
                        sources,
                        -1,
                        new FarnessOfSources(sources.length, csc.vertexCount(), ALL_MEASURES, control),
                        control)));
        works.add(new Work(
                "farness from the sources",
                Operation.MULTI_SOURCE_BFS,
                (graph, control) -> graph.multiSourceBfs(
                        sources, -1, new FarnessFromSources(csc.vertexCount(), true, control), control)));
        return works;
    }

    /** Every kernel that can do the run, in each of the orders. */
    protected static List<RunOptions> everyKernel(Operation operation, VertexOrder... orders) {
        List<RunOptions> options = new ArrayList<>();
        for (Kernel kernel : Kernel.of(operation)) {
            for (VertexOrder order : orders) {
                options.add(new RunOptions(order, kernel));
            }
        }
        return options;
    }
}
