// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.Findings;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.LayoutState;
import io.proxima.backend.cuda.graph.Shortage;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BatchedSums;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.TrialKernels;
import io.proxima.concurrent.Stop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses the kernels of multi-source BFS and of sums: the requested kernels, or those that suit the graph.
 *
 * <p>'auto' runs a few searches up to {@link #LEVELS_OF_A_SHALLOW_GRAPH} levels. If they are not complete by then, the
 * graph is deep. A shallow graph gets the bit-parallel kernels 'words'. On a deep graph, distances and sums by source get
 * the kernels 'blocks', and sums get the fastest kernels of a trial: a deep graph may be a shallow one with a long tail, for which
 * 'words' is faster. The choice is made once per layout; see docs/decisions/0023 and 0027.
 */
final class BatchDispatch {

    /**
     * Levels after which a trial of sums aborts 'words' if it has already taken longer than the best kernels so far.
     */
    static final int LEVELS_OF_A_TRIAL_OF_SUMS = 256;

    /** The maximum number of levels of a shallow graph. */
    static final int LEVELS_OF_A_SHALLOW_GRAPH = 64;

    /** Whether the graph is deep. */
    static final Findings.Key<Boolean> DEEP = new Findings.Key<>();

    /** The kernels that a trial of sums found fastest on a deep graph. */
    static final Findings.Key<SumKernels> SUMS = new Findings.Key<>();

    private static final Kernel OF_SHALLOW_GRAPHS = Kernel.of("words");
    private static final Kernel GIVEN_SOURCES_OF_DEEP_GRAPHS = Kernel.of("blocks");

    private final CudaDevice device;
    private final KernelFamilies families;

    BatchDispatch(CudaDevice device, KernelFamilies families) {
        this.device = device;
        this.families = families;
    }

    /** Chooses the kernels of distances. */
    BatchKernels distances(HeldGraph graph, Kernel asked, Stop stop) {
        BatchKernels chosen = families.distances(device, ofGivenSources(graph, asked, stop));
        graph.endTrial(chosen.structures());
        return chosen;
    }

    /** Chooses the kernels of sums by source. */
    RowKernels rows(HeldGraph graph, Kernel asked, Stop stop) {
        RowKernels chosen = families.rows(device, ofGivenSources(graph, asked, stop));
        graph.endTrial(chosen.structures());
        return chosen;
    }

    private Kernel ofGivenSources(HeldGraph graph, Kernel asked, Stop stop) {
        if (!asked.equals(Kernel.AUTO)) {
            return asked;
        }
        return isDeep(graph, stop) ? GIVEN_SOURCES_OF_DEEP_GRAPHS : OF_SHALLOW_GRAPHS;
    }

    /** Chooses the kernels of sums. */
    SumKernels sums(HeldGraph graph, Kernel asked, Stop stop) {
        if (asked.equals(Kernel.AUTO) && isDeep(graph, stop)) {
            return ofDeepSums(graph, stop);
        }
        SumKernels chosen = asked.equals(Kernel.AUTO) ? words() : families.sums(device, asked);
        graph.endTrial(chosen.structures());
        return chosen;
    }

    private SumKernels words() {
        return families.sums(device, OF_SHALLOW_GRAPHS);
    }

    /**
     * Every selection path of a run, for its estimate.
     *
     * @param state the state of the graph's layout on the device
     */
    List<SelectionPath> paths(Run run, Kernel asked, int vertexCount, LayoutState state) {
        if (!asked.equals(Kernel.AUTO)) {
            return List.of(SelectionPath.straight(of(run, asked)));
        }
        DeviceKernels words = of(run, OF_SHALLOW_GRAPHS);
        Boolean deep = state.findings().get(DEEP);
        boolean isShallow = deep == null ? !mayBeDeep(vertexCount) : !deep;
        if (isShallow) {
            return List.of(SelectionPath.straight(words));
        }
        List<TrialKernels> tried = new ArrayList<>();
        List<SelectionPath> paths = new ArrayList<>();
        if (deep == null) {
            tried.add(families.distances(device, OF_SHALLOW_GRAPHS));
            paths.add(new SelectionPath(List.copyOf(tried), words));
        }
        SumKernels known = state.findings().get(SUMS);
        if (run != Run.FARNESS) {
            paths.add(new SelectionPath(tried, of(run, GIVEN_SOURCES_OF_DEEP_GRAPHS)));
        } else if (known != null) {
            paths.add(new SelectionPath(tried, known));
        } else {
            // any of them may be chosen, if the others do not fit the device
            paths.add(new SelectionPath(List.copyOf(tried), words));
            for (SumKernels candidate : families.each(family -> family.triedSums(device))) {
                tried.add(candidate);
                paths.add(new SelectionPath(List.copyOf(tried), candidate));
                paths.add(new SelectionPath(List.copyOf(tried), words));
            }
            tried.add(words());
            paths.addAll(
                    tried.stream().map(taken -> new SelectionPath(tried, taken)).toList());
            paths.removeIf(path -> !(path.taken() instanceof SumKernels));
        }
        return paths;
    }

    private DeviceKernels of(Run run, Kernel kernel) {
        return switch (run) {
            case FARNESS -> families.sums(device, kernel);
            case FARNESS_OF_SOURCES -> families.rows(device, kernel);
            default -> families.distances(device, kernel);
        };
    }

    /** Whether a graph with this number of vertices can be deep. */
    private static boolean mayBeDeep(int vertexCount) {
        return vertexCount > LEVELS_OF_A_SHALLOW_GRAPH;
    }

    private boolean isDeep(HeldGraph graph, Stop stop) {
        if (!mayBeDeep(graph.vertexCount())) {
            return false;
        }
        Boolean known = graph.found(DEEP);
        if (known == null) {
            known = tryDepth(graph, stop);
            graph.keep(DEEP, known);
        }
        return known;
    }

    /**
     * The kernels for the sums of a deep graph.
     *
     * @throws DeviceMemoryException if its lists lie in mapped host memory: the kernels for deep graphs read structures on
     *     the device, and 'words' read all lists once for each of many levels
     */
    private SumKernels ofDeepSums(HeldGraph graph, Stop stop) {
        if (graph.readsMappedLists() && graph.entryCount() >= device.policy().smallestTrial()) {
            throw new DeviceMemoryException("Device " + device.name() + " has too little memory for closeness of this"
                    + " graph, which has many levels: its lists of neighbours do not fit the device, and reading them from"
                    + " mapped host memory at each level takes long. Use backend: 'cpu', or kernel: 'words' to do so"
                    + " nevertheless.");
        }
        SumKernels known = graph.found(SUMS);
        if (known != null) {
            graph.endTrial(known.structures());
            return known;
        }
        Set<SumKernels> tooLarge = new LinkedHashSet<>();
        SumKernels chosen = trySums(graph, tooLarge, stop);
        graph.endTrial(chosen.structures());
        graph.keep(SUMS, chosen, tooLarge.isEmpty() ? Shortage.NONE : Shortage.OF_FREE_MEMORY);
        return chosen;
    }

    private SumKernels trySums(HeldGraph graph, Set<SumKernels> tooLarge, Stop stop) {
        SumKernels best = null;
        double least = Double.POSITIVE_INFINITY;
        for (SumKernels candidate : families.each(family -> family.triedSums(device))) {
            try {
                // a trial must not evict other graphs
                double millis = device.memory().withoutEvicting(() -> millisASource(candidate, graph, stop));
                if (millis < least) {
                    best = candidate;
                    least = millis;
                }
            } catch (DeviceMemoryException e) {
                tooLarge.add(candidate);
            }
        }
        if (best == null) {
            return words();
        }
        try {
            double fastest = least;
            return device.memory().withoutEvicting(() -> areWordsFaster(fastest, graph, stop)) ? words() : best;
        } catch (DeviceMemoryException e) {
            return best;
        }
    }

    private double millisASource(SumKernels kernels, HeldGraph graph, Stop stop) {
        graph.tryOut(kernels.structures(), kernels::leastWorkspace);
        int most = kernels.mostSources();
        int count = kernels.trialSources(graph);
        int least = kernels.sourceMultiple();
        // from the middle of the order, where searches have a typical depth
        int first = (graph.vertexCount() - count) / 2 / least * least;
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(kernels.trialBytes(graph));
            BatchKernels.Sums sums = kernels.trialSums(graph, at);
            // the first launch of a kernel loads its code
            kernels.begin(lease, graph, most, at, first, Math.min(count, least), sums)
                    .end();
            SumKernels.Added added =
                    kernels.begin(lease, graph, most, at, first, count, sums).end();
            return added.outcome().millis() / added.sources();
        }
    }

    /**
     * Whether the kernels 'words' take less time per source. Their trial stops early at a level where they have already
     * taken more.
     */
    private boolean areWordsFaster(double millisASource, HeldGraph graph, Stop stop) {
        BatchKernels words = families.distances(device, OF_SHALLOW_GRAPHS);
        BatchedSums sums = new BatchedSums(words);
        graph.tryOut(words.structures(), words::leastWorkspace);
        int count = sums.trialSources(graph);
        int first = (graph.vertexCount() - count) / 2;
        int[] sources = IntStream.range(first, first + count).toArray();
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(sums.trialBytes(graph));
            BatchKernels.Sums into = sums.trialSums(graph, at);
            for (int maxDepth : new int[] {1, LEVELS_OF_A_TRIAL_OF_SUMS, LoadedGraph.NO_MAX_DEPTH}) {
                double millis = words.launch(lease, graph, sums.mostSources(), at, sources, 0, count, maxDepth, 0, into)
                        .millis();
                // the first launch of a kernel loads its code
                if (maxDepth != 1 && millis / count >= millisASource) {
                    return false;
                }
            }
            return true;
        }
    }

    private boolean tryDepth(HeldGraph graph, Stop stop) {
        BatchKernels words = families.distances(device, OF_SHALLOW_GRAPHS);
        graph.tryOut(words.structures(), words::leastWorkspace);
        int[] sources = Arrays.stream(graph.order().toSlots(graph.trialSources()))
                .distinct()
                .toArray();
        int deepest = LEVELS_OF_A_SHALLOW_GRAPH;
        // a search that counts levels ends at the last level that has room for counts
        BatchKernels.Sums nothing = BatchKernels.Sums.NONE.withLevelCounts(0, deepest, 1);
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(words.trialBytes(graph));
            return words.launch(lease, graph, sources.length, at, sources, 0, sources.length, deepest, 0, nothing)
                            .level()
                    == deepest;
        }
    }
}
