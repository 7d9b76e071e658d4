// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.FarnessFile;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.DistanceFigures;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Exact closeness of every node, or of chosen nodes only, which take one search each.
 */
public final class Closeness extends ClosenessAlgorithm<StreamRow> {

    private static final Key<List<Long>> TARGET_NODES = Key.of(
            "targetNodes",
            List.of(),
            "Restricts the call to these nodes: only they are searched and scored. Empty: all nodes.");
    private static final Key<Boolean> RESUME = Key.of(
            "resume",
            false,
            "Keeps finished parts of the run on disk. A later call with the same `jobId` continues the run after a crash"
                    + " or a restart of the server, or after a kill.");
    private static final String HARMONIC = "Harmonic Closeness";

    private final boolean alwaysHarmonic;

    /** The nodes to score; none for all. */
    private Sources targets;

    private boolean resume;

    private Closeness(Caller caller, Mode mode, boolean alwaysHarmonic) {
        super(caller, mode, Operation.FARNESS, alwaysHarmonic ? HARMONIC : "Closeness", StreamRow::new);
        this.alwaysHarmonic = alwaysHarmonic;
    }

    /** Closeness by the formula that the configuration names. */
    public static Closeness byKeys(Caller caller, Mode mode) {
        return new Closeness(caller, mode, false);
    }

    /** Harmonic closeness; the configuration has no keys for the formula. */
    public static Closeness harmonic(Caller caller, Mode mode) {
        return new Closeness(caller, mode, true);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        if (!alwaysHarmonic) {
            readFormula(reader);
        }
        targets = Sources.read(reader, TARGET_NODES, caller());
        if (mode() == Mode.WRITE) {
            resume = reader.readBoolean(RESUME);
            if (resume && (!(reader.given(JobKeys.JOB_ID) instanceof String jobId) || jobId.isBlank())) {
                reader.fault("`resume` requires a `jobId`: the id by which a later call finds the finished part.");
            }
        }
    }

    @Override
    protected String task() {
        return harmonic() ? HARMONIC : super.task();
    }

    @Override
    protected int searches(int vertexCount) {
        return ofAll() ? vertexCount : targets.count();
    }

    @Override
    protected Operation operation() {
        return ofAll() && !resume ? super.operation() : Operation.FARNESS_OF_SOURCES;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        int scores = searches(vertexCount);
        Set<DistanceMeasure> measures = measures(measuresOfFigures());
        Workload sums =
                operation() == Operation.FARNESS ? Workload.farness(measures) : Workload.farness(scores, measures);
        if (resume) {
            MemoryTree sources = MemoryTree.exactly("sources", (long) scores * Integer.BYTES);
            sums = sums.keeping(
                    MemoryTree.together("resumable run", sources, FarnessFile.memory(scores)), MemoryTree.NONE);
        }
        return sums.keeping(
                MemoryTree.together("targets and sums", targets.memory().named("target nodes"), sums.kept()),
                MemoryTree.together(
                        "rows", scoresMemory(scores, wholeVertexCount), hopDistributionMemory(vertexCount)));
    }

    @Override
    protected Passes passes(int vertexCount) {
        // eccentricities are measured along the relationships, closeness against them
        return ofAll() && mode() == Mode.STATS && computes("radius") ? Passes.BOTH : Passes.ALONG;
    }

    @Override
    protected int[] resultVertices(GraphRun run) {
        return ofAll() ? null : targets.ascendingVertices(run);
    }

    private boolean ofAll() {
        return targets.count() == 0;
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        // a graph without nodes must not end a job of another graph
        if (run.vertexCount() == 0 && ofAll() && !resume) {
            return scores(run, new double[0], DistanceFigures.NONE);
        }
        Stop stop = caller().stop();
        int[] vertices = resultVertices(run);
        Set<DistanceMeasure> measures = measures(measuresOfFigures());
        boolean radius = mode() == Mode.STATS && computes("radius");
        LoadedGraph reversed = radius && ofAll() && !run.isSymmetric() ? loadReversed(run) : null;
        // reversing may have detected that the graph is symmetric
        boolean bothWays = reversed != null && !run.isSymmetric();
        if (bothWays) {
            run.job().expectTasks(operation().tasks());
        }
        LoadedGraph graph = load(run);
        return timed(() -> {
            // only the radius is kept while the other sums are computed, as the estimate assumes
            long ofReversed = bothWays
                    ? DistanceFigures.radius(
                            reversed.farness(Set.of(DistanceMeasure.ECCENTRICITY), run.control()), stop)
                    : 0;
            Farness sums = sums(run, graph, vertices, measures);
            long found = radius && !bothWays ? DistanceFigures.radius(sums, stop) : ofReversed;
            return scores(
                    run,
                    vertices,
                    formula().scores(sums, vertex -> run.vertexCount() - 1L, stop),
                    mode() == Mode.STATS ? DistanceFigures.of(sums, found, stop) : Map.of());
        });
    }

    /**
     * The sums of the nodes to score.
     *
     * @param vertices null for all
     */
    private Farness sums(GraphRun run, LoadedGraph graph, int[] vertices, Set<DistanceMeasure> measures) {
        if (resume) {
            int[] chosen = vertices != null
                    ? vertices
                    : IntStream.range(0, run.vertexCount()).toArray();
            return finishedSums().complete(run, graph, chosen, measures);
        }
        return vertices == null
                ? graph.farness(measures, run.control())
                : graph.farness(vertices, measures, run.control());
    }

    /** A run that can be resumed can be until its scores have been written. */
    @Override
    protected void written() {
        if (resume) {
            finishedSums().delete();
        }
    }

    private FinishedSums finishedSums() {
        return new FinishedSums(caller(), config().job().jobId());
    }
}
