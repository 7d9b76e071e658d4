// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;

/**
 * Exact eccentricities from few searches. A search from z bounds the eccentricity of each vertex v that is strongly
 * connected with z: {@code ecc(z) - d(z,v) <= ecc(v) <= d(v,z) + ecc(z)}. A search from f against the edges bounds that
 * of every vertex that reaches f: {@code ecc(v) >= d(v,f)}. A vertex whose bounds meet needs no search.
 *
 * <p>Single searches come first, in turn from the open vertex of the greatest upper bound and from that of the least
 * lower bound [1]. One search takes a source of every weakly connected component that is not small. If all
 * eccentricities are wanted, the rest follows from searches from the vertices farthest from one of these sources, the
 * hub z, farthest first, many at once [2]: when all vertices farther than r from z are searched, {@code ecc(v) <=
 * max(lower(v), d(v,z) + r)}. As the lower bounds hold already, these searches end at {@code r < t} with {@code t = min
 * (lower(v) - d(v,z) + 1)} over the open vertices, so that their number is limited before they begin. The hub with the
 * least limit is taken. The diameter and the radius go on by single searches [1, 3].
 *
 * <p>If the limit exceeds half of the vertices after {@value #SINGLES} single searches, the bounds do not pay, and every
 * vertex is searched.
 *
 * <p>[1] F. W. Takes, W. A. Kosters: Determining the Diameter of Small World Networks, CIKM 2011. [2] W. Li, M. Qiao, L.
 * Qin, L. Chang, Y. Zhang, X. Lin: On Scalable Computation of Graph Eccentricities, SIGMOD 2022. [3] M. Borassi, P.
 * Crescenzi, M. Habib, W. A. Kosters, A. Marino, F. W. Takes: Fast diameter and radius BFS-based computation in (weakly
 * connected) real-world graphs, Theoretical Computer Science 586, 2015.
 */
public final class EccentricityBounds {

    /** Single searches before every vertex is searched. */
    static final int SINGLES = 32;

    /** Single searches for the diameter or radius, after which open vertices are searched many at once. */
    private static final int MOST_SINGLES = 256;

    /** Sources that a search of many sources takes at least; components of no more vertices are small. */
    static final int BATCH = 64;

    /** A batch has one in this many of the searches that are left at most. */
    private static final int BATCH_SHARE = 8;

    /** A batch ends with a level if it has one in this many of the sources of the smallest batch. */
    private static final int LEVEL_SHARE = 8;

    /** Single searches after which the searches that they saved are compared with those of a batch. */
    private static final int TRIAL = 4;

    /** Searches in cores, as a share of all vertices, that a directed graph takes even if the bounds do not pay. */
    private static final int CORE_SHARE = 32;

    private static final int GRAIN = 1 << 12;
    private static final int NONE = -1;
    private static final int[] NO_TARGETS = {};

    private final Csc graph;
    private final LoadedGraph along;
    private final LoadedGraph against;
    private final boolean all;

    /** Whether exact eccentricities of whole components are wanted, for themselves or to bound those before them. */
    private final boolean hasHubs;

    private final boolean diameter;
    private final boolean radius;
    private final Runnable beforeAll;
    private final RunControl control;
    private final RunControl quiet;
    private final Stop stop;
    private final int singles;
    private final int batch;

    /** By vertex: the index of its weakly connected component, {@link #NONE} if that is small. */
    private int[] group;

    private int groups;

    /** By vertex: its strongly connected component in a directed graph, see {@link StrongComponents}; null if symmetric. */
    private int[] strong;

    private int[] strongSizes;

    /** The vertices in the order of their components. */
    private int[] byComponent;

    /** By group: its largest strongly connected component. */
    private int[] core;

    /** By vertex: lower and upper bounds. */
    private int[] low;

    private int[] high;

    /** The vertices of greatest reach; null if the radius is not wanted. */
    private final BitSet widest;

    /** Vertices in components of at least two. */
    private int linked;

    /** The greatest eccentricity or distance found so far: a lower bound of the diameter. */
    private int farthest;

    /** The least eccentricity of a searched vertex of greatest reach. */
    private int nearest = Integer.MAX_VALUE;

    private long searches;
    private long limit;
    private long leftBefore;

    // by group: the hub of the least limit, and by vertex the distances from it and to it
    private int[] hub;
    private int[] hubFrom;
    private int[] hubTo;

    private EccentricityBounds(
            Csc graph,
            LoadedGraph along,
            LoadedGraph against,
            Set<Wanted> wanted,
            int singles,
            int batch,
            Runnable beforeAll,
            RunControl control) {
        this.graph = graph;
        this.along = along;
        this.against = against;
        this.beforeAll = beforeAll;
        this.control = control;
        this.singles = singles;
        this.batch = batch;
        all = wanted.contains(Wanted.ALL);
        hasHubs = all || (against != along && wanted.contains(Wanted.DIAMETER));
        diameter = all || wanted.contains(Wanted.DIAMETER);
        radius = wanted.contains(Wanted.RADIUS);
        stop = control.stop();
        quiet = new RunControl(
                control.concurrency(), stop, Progress.NONE, control.observer(), control.options(), control.searched());
        low = new int[graph.vertexCount()];
        high = new int[graph.vertexCount()];
        group = along.components(quiet);
        widest = radius ? new BitSet(graph.vertexCount()) : null;
    }

    /**
     * Finds eccentricities.
     *
     * @param graph edges j to i; vertex id space
     * @param along the graph, loaded
     * @param against the graph with every edge reversed, loaded; {@code along} if the graph is symmetric
     * @param beforeAll called before every vertex is searched, if the bounds do not pay
     * @param control concurrency, stop, progress and options of the run. The progress counts the searches by which the
     *     greatest possible number of searches left falls
     */
    public static Eccentricities find(
            Csc graph,
            LoadedGraph along,
            LoadedGraph against,
            Set<Wanted> wanted,
            Runnable beforeAll,
            RunControl control) {
        return find(graph, along, against, wanted, SINGLES, BATCH, beforeAll, control);
    }

    /** As the other, with these values of {@link #SINGLES} and {@link #BATCH}. */
    static Eccentricities find(
            Csc graph,
            LoadedGraph along,
            LoadedGraph against,
            Set<Wanted> wanted,
            int singles,
            int batch,
            Runnable beforeAll,
            RunControl control) {
        return graph.vertexCount() == 0
                ? new Eccentricities(wanted.contains(Wanted.ALL) ? new int[0] : null, 0, 0, 0)
                : new EccentricityBounds(graph, along, against, wanted, singles, batch, beforeAll, control).run();
    }

    /**
     * Heap of the bounds, and of the distances that they come from, in any graph. The searches themselves take no more
     * than a run from all vertices.
     */
    public static MemoryTree memory(int vertexCount) {
        long ints = (long) vertexCount * Integer.BYTES;
        return MemoryTree.together(
                "bounds",
                MemoryTree.between("bounds by node", 0, 3 * ints + vertexCount / Byte.SIZE),
                MemoryTree.between("distances of a batch", 0, (long) vertexCount * LoadedGraph.SOURCES_AT_ONCE),
                MemoryTree.between("components by node", 0, 3 * ints));
    }

    private Eccentricities run() {
        begin();
        limit = linked;
        if (groups > 0) {
            control.progress().beginTask(BackendTask.BOUNDS, limit);
        }
        Survey survey = overVertices(Survey::see);
        for (int round = 0; goesOn(survey, round); round++) {
            survey = search(new Round(sources(survey, round)));
            advance(survey.limit());
        }
        boolean pays = survey.limit() <= linked / 2;
        if (hub != null && survey.openInAll() > 0 && (pays || (strong != null && survey.costOfHubs() <= linked / CORE_SHARE))) {
            searchFarthest(survey);
            propagate();
            pays = overVertices(Survey::see).limit() <= linked / 2;
        }
        if (!pays) {
            return searchAll();
        }
        searchOpen();
        return result(all ? low : null);
    }

    /** Whether another round of single searches pays. */
    private boolean goesOn(Survey survey, int round) {
        long left = survey.limit() - survey.openInSmall;
        if (left == 0 || (all && round > 0 && left <= batch)) {
            return false;
        }
        if (round % TRIAL == 0) {
            long saved = leftBefore - left;
            leftBefore = left;
            if (round > 0 && left <= linked / 2 && left > batch && saved <= batch) {
                return false;
            }
        }
        return round < singles || (!all && left <= batch && round < MOST_SINGLES);
    }

    /** A source of each group that has open vertices: in turn one of the least and of the greatest eccentricity. */
    private int[] sources(Survey survey, int round) {
        int[] chosen = new int[groups];
        int count = 0;
        for (int g = 0; g < groups; g++) {
            int one = round % 2 == 0 ? survey.central[g] : survey.peripheral[g];
            int other = round % 2 == 0 ? survey.peripheral[g] : survey.central[g];
            if (survey.open[g] > 0) {
                chosen[count++] = one == NONE ? other : one;
            }
        }
        return Arrays.copyOf(chosen, count);
    }

    /** Numbers the components that are not small, and bounds all vertices by the sizes of their components. */
    private void begin() {
        int n = graph.vertexCount();
        PacedStop paced = new PacedStop(stop);
        int[] sizes = new int[n];
        int largest = 0;
        for (int lowest : group) {
            largest = Math.max(largest, ++sizes[lowest]);
            paced.worked(1);
        }
        int[] numbers = low;
        for (int vertex = 0; vertex < n; vertex++) {
            int lowest = group[vertex];
            if (lowest == vertex) {
                numbers[vertex] = sizes[vertex] > batch ? groups++ : NONE;
            }
            high[vertex] = sizes[lowest] - 1;
            linked += sizes[lowest] > 1 ? 1 : 0;
            if (radius && along == against && sizes[lowest] == largest) {
                widest.set(vertex);
            }
            paced.worked(1);
        }
        for (int vertex = n - 1; vertex >= 0; vertex--) {
            // the lowest vertex of a component comes last
            group[vertex] = numbers[group[vertex]];
            numbers[vertex] = along == against ? Math.min(1, high[vertex]) : 0;
            paced.worked(1);
        }
        nearest = largest - 1;
        farthest = along == against ? Math.min(1, largest - 1) : 0;
        if (along != against) {
            beginDirected(sizes, paced);
        }
    }

    /**
     * Finds the cores of the groups and the vertices of greatest reach, and bounds all vertices by those after them.
     *
     * @param order receives the vertices by component
     */
    private void beginDirected(int[] order, PacedStop paced) {
        int n = graph.vertexCount();
        StrongComponents components = StrongComponents.of(graph, control.concurrency(), stop);
        strong = new int[n];
        for (int vertex = 0; vertex < n; vertex++) {
            strong[vertex] = components.of(vertex);
            paced.worked(1);
        }
        strongSizes = new int[components.count()];
        int[] next = new int[strongSizes.length + 1];
        for (int number = 0; number < strongSizes.length; number++) {
            strongSizes[number] = components.size(number);
            next[number + 1] = next[number] + strongSizes[number];
        }
        core = new int[groups];
        byComponent = order;
        for (int vertex = 0; vertex < n; vertex++) {
            int number = strong[vertex];
            byComponent[next[number]++] = vertex;
            int g = group[vertex];
            if (g != NONE && strongSizes[number] > strongSizes[core[g]]) {
                core[g] = number;
            }
            paced.worked(1);
        }
        if (radius) {
            int[] reached = components.reached(true, control.concurrency(), stop);
            int most = Arrays.stream(reached).max().orElse(0);
            for (int vertex = 0; vertex < n; vertex++) {
                widest.set(vertex, reached[strong[vertex]] == most);
                paced.worked(1);
            }
        }
        propagate();
    }

    /**
     * Bounds the vertices of small strongly connected components by those that their edges lead to. A path out of a
     * component has at most as many edges in it as it has other vertices.
     */
    private void propagate() {
        if (strong == null) {
            return;
        }
        PacedStop paced = new PacedStop(stop);
        for (int start = 0, end; start < byComponent.length; start = end) {
            int number = strong[byComponent[start]];
            int size = strongSizes[number];
            end = start + size;
            if (size > batch) {
                continue;
            }
            int most = 0;
            for (int i = start; i < end; i++) {
                most = Math.max(most, mostBeyond(byComponent[i], number, paced));
            }
            for (int i = start; i < end; i++) {
                int vertex = byComponent[i];
                high[vertex] = Math.min(high[vertex], size - 1 + most);
                if (radius && widest.get(vertex)) {
                    nearest = Math.min(nearest, high[vertex]);
                }
            }
        }
    }

    /** The greatest upper bound of a path whose first edge leaves the component; 0 if there is none. */
    private int mostBeyond(int vertex, int number, PacedStop paced) {
        int most = 0;
        long last = graph.columnEnd(vertex);
        for (long i = graph.columnStart(vertex); i < last; i++) {
            int target = graph.rowIndices().get(i);
            if (target != vertex) {
                // the only edge
                int least = last - graph.columnStart(vertex) == 1 && strong[target] != number ? low[target] : 0;
                low[vertex] = Math.max(low[vertex], 1 + least);
                farthest = Math.max(farthest, low[vertex]);
            }
            if (strong[target] != number) {
                most = Math.max(most, 1 + high[target]);
            }
            paced.worked(1);
        }
        return most;
    }

    private boolean isInCore(int vertex) {
        return strong == null || strong[vertex] == core[group[vertex]];
    }

    /**
     * The distances from one source of each component.
     *
     * @return {@code int[vertexCount]}; null without sources
     */
    private int[] search(LoadedGraph loaded, int[] sources) {
        searches += sources.length;
        return sources.length == 0
                ? null
                : loaded.levelsTo(sources, NO_TARGETS, LoadedGraph.NO_MAX_DEPTH, quiet);
    }

    /** Reports that the greatest possible number of searches left has fallen. */
    private void advance(long left) {
        if (left < limit) {
            control.progress().advance(limit - left);
            limit = left;
        }
    }

    private boolean isOpen(int vertex) {
        return all
                ? low[vertex] < high[vertex]
                : (diameter && high[vertex] > farthest) || (radius && isOpenForRadius(vertex));
    }

    private boolean isOpenForRadius(int vertex) {
        return widest.get(vertex) && low[vertex] < nearest;
    }

    /** Single searches from a source of each group that has open vertices, and back. */
    private final class Round {
        private final int[] source = new int[groups];
        private final int[] depth = new int[groups];
        private final int[] deepest = new int[groups];

        // by vertex: the distances from the source and to it, and in directed graphs to the vertex farthest from it
        private final int[] from;
        private final int[] to;
        private final int[] toDeepest;

        Round(int[] sources) {
            Arrays.fill(source, NONE);
            for (int vertex : sources) {
                source[group[vertex]] = vertex;
            }
            from = search(along, sources);
            PacedStop paced = new PacedStop(stop);
            for (int vertex = 0; vertex < from.length; vertex++) {
                int g = group[vertex];
                if (g != NONE && from[vertex] > depth[g]) {
                    depth[g] = from[vertex];
                    deepest[g] = vertex;
                }
                paced.worked(1);
            }
            for (int vertex : sources) {
                farthest = Math.max(farthest, depth[group[vertex]]);
                if (radius && widest.get(vertex)) {
                    nearest = Math.min(nearest, depth[group[vertex]]);
                }
            }
            if (strong == null) {
                to = from;
                toDeepest = null;
            } else {
                to = search(
                        against,
                        Arrays.stream(sources)
                                .filter(vertex -> strongSizes[strong[vertex]] > 1)
                                .toArray());
                toDeepest = search(
                        against,
                        Arrays.stream(sources)
                                .map(vertex -> deepest[group[vertex]])
                                .filter(vertex -> depth[group[vertex]] > 0)
                                .toArray());
            }
        }

        boolean isHub(int g) {
            return source[g] != NONE && to != null && isInCore(source[g]);
        }

        /** Tightens the bounds of a vertex. */
        void tighten(Survey survey, int vertex) {
            int g = group[vertex];
            if (g == NONE || source[g] == NONE) {
                return;
            }
            if (strong == null || strong[vertex] == strong[source[g]]) {
                int there = vertex == source[g] ? 0 : to[vertex];
                low[vertex] = Math.max(low[vertex], Math.max(there, depth[g] - from[vertex]));
                high[vertex] = Math.min(high[vertex], there + depth[g]);
            } else if (to != null) {
                low[vertex] = Math.max(low[vertex], to[vertex]);
            }
            if (toDeepest != null) {
                low[vertex] = Math.max(low[vertex], toDeepest[vertex]);
            }
            survey.note(vertex);
        }
    }

    /** What is known of all vertices; of each thread, and added up. */
    private final class Survey {
        // by group
        private final int[] open = new int[groups];
        private final int[] outside = new int[groups];

        // by group: the vertices of the core whose bounds differ
        private final int[] unsettled = new int[groups];
        private final int[] central = new int[groups];
        private final int[] peripheral = new int[groups];

        // by group: the least distance from the last source, and from the hub, that must still be searched from
        private final int[] ends = new int[groups];
        private final int[] hubEnds = new int[groups];

        // by group: the vertices at these distances and beyond
        private int[] cost = new int[groups];
        private int[] hubCost = new int[groups];

        private int openInSmall;
        private int mostLow;
        private int leastHigh = Integer.MAX_VALUE;

        Survey() {
            Arrays.fill(central, NONE);
            Arrays.fill(peripheral, NONE);
            Arrays.fill(ends, Integer.MAX_VALUE);
            Arrays.fill(hubEnds, Integer.MAX_VALUE);
        }

        void note(int vertex) {
            mostLow = Math.max(mostLow, low[vertex]);
            if (radius && widest.get(vertex)) {
                leastHigh = Math.min(leastHigh, high[vertex]);
            }
        }

        void see(int vertex) {
            int g = group[vertex];
            if (g != NONE && low[vertex] < high[vertex] && rank(vertex) > 1) {
                central[g] = moreCentral(central[g], vertex);
            }
            if (!isOpen(vertex)) {
                return;
            }
            if (g == NONE) {
                openInSmall++;
                return;
            }
            open[g]++;
            outside[g] += isInCore(vertex) ? 0 : 1;
            if (all || (diameter && high[vertex] > farthest)) {
                peripheral[g] = morePeripheral(peripheral[g], vertex);
            }
        }

        /** Finds how far the searches from the vertices far from the last source, and from the hub, must come. */
        void seeEnds(int vertex, Round round) {
            int g = group[vertex];
            if (g == NONE || low[vertex] == high[vertex] || !isInCore(vertex)) {
                return;
            }
            unsettled[g]++;
            if (round != null && round.isHub(g)) {
                ends[g] = Math.min(ends[g], low[vertex] - round.to[vertex] + 1);
            }
            if (hub != null && hub[g] != NONE) {
                hubEnds[g] = Math.min(hubEnds[g], low[vertex] - hubTo[vertex] + 1);
            }
        }

        void count(int vertex, Round round, Survey seen) {
            int g = group[vertex];
            if (g == NONE) {
                return;
            }
            cost[g] += round.from[vertex] >= seen.ends[g] ? 1 : 0;
            hubCost[g] += hub != null && hubFrom[vertex] >= seen.hubEnds[g] ? 1 : 0;
        }

        void add(Survey other) {
            openInSmall += other.openInSmall;
            mostLow = Math.max(mostLow, other.mostLow);
            leastHigh = Math.min(leastHigh, other.leastHigh);
            for (int g = 0; g < groups; g++) {
                open[g] += other.open[g];
                outside[g] += other.outside[g];
                unsettled[g] += other.unsettled[g];
                central[g] = moreCentral(central[g], other.central[g]);
                peripheral[g] = morePeripheral(peripheral[g], other.peripheral[g]);
                ends[g] = Math.min(ends[g], other.ends[g]);
                hubEnds[g] = Math.min(hubEnds[g], other.hubEnds[g]);
                cost[g] += other.cost[g];
                hubCost[g] += other.hubCost[g];
            }
        }

        /** The searches that settle all open vertices, at most. */
        long limit() {
            long sum = openInSmall;
            for (int g = 0; g < groups; g++) {
                sum += Math.min(open[g], pays(g) ? hubCost[g] + outside[g] : open[g]);
            }
            return sum;
        }

        int openInAll() {
            return openInSmall + Arrays.stream(open).sum();
        }

        /** The searches from the vertices far from the hubs. */
        long costOfHubs() {
            long sum = 0;
            for (int g = 0; g < groups; g++) {
                sum += pays(g) ? hubCost[g] : 0;
            }
            return sum;
        }

        /** Whether searches from the vertices far from the hub are fewer than those from the open vertices. */
        boolean pays(int g) {
            return hub != null && hub[g] != NONE && hubCost[g] < unsettled[g];
        }
    }

    /** Looks at each vertex. */
    private interface Look {
        void at(EccentricityBounds.Survey survey, int vertex);
    }

    private Survey overVertices(Look look) {
        Survey[] parts = new Survey[control.concurrency()];
        Workers.forRanges(control.concurrency(), graph.vertexCount(), GRAIN, stop, (worker, begin, end) -> {
            if (parts[worker] == null) {
                parts[worker] = new Survey();
            }
            for (int vertex = (int) begin; vertex < end; vertex++) {
                look.at(parts[worker], vertex);
            }
        });
        Survey whole = new Survey();
        for (Survey part : parts) {
            if (part != null) {
                whole.add(part);
            }
        }
        return whole;
    }

    /** Which vertices are good sources to bound others from above: those of large strongly connected components. */
    private int rank(int vertex) {
        if (strong == null || (radius && !all && isOpenForRadius(vertex))) {
            return Integer.MAX_VALUE;
        }
        return strongSizes[strong[vertex]];
    }

    private int moreCentral(int one, int other) {
        if (one == NONE || other == NONE) {
            return Math.max(one, other);
        }
        int difference = Integer.compare(rank(other), rank(one));
        difference = difference == 0 ? low[one] - low[other] : difference;
        return prior(one, other, difference);
    }

    private int morePeripheral(int one, int other) {
        if (one == NONE || other == NONE) {
            return Math.max(one, other);
        }
        return prior(one, other, high[other] - high[one]);
    }

    /** The one with the negative difference; among equals, that of the higher degree. */
    private int prior(int one, int other, int difference) {
        int decisive = difference == 0 ? graph.degree(other) - graph.degree(one) : difference;
        return decisive < 0 || (decisive == 0 && one < other) ? one : other;
    }

    /** Tightens the bounds by a round of searches, and looks at what is open. */
    private Survey search(Round round) {
        Survey bounds = overVertices(round::tighten);
        farthest = Math.max(farthest, bounds.mostLow);
        nearest = Math.min(nearest, bounds.leastHigh);
        propagate();
        Survey survey = overVertices((part, vertex) -> {
            part.see(vertex);
            if (hasHubs) {
                part.seeEnds(vertex, round);
            }
        });
        for (int g = 0; g < groups; g++) {
            int deepest = round.deepest[g];
            if (survey.peripheral[g] == NONE && round.source[g] != NONE && low[deepest] < high[deepest]) {
                survey.peripheral[g] = deepest;
            }
        }
        if (hasHubs) {
            chooseHubs(survey, round);
        }
        return survey;
    }

    /** Makes the sources of a round hubs where they have a lower limit. */
    private void chooseHubs(Survey survey, Round round) {
        Survey counted = overVertices((part, vertex) -> part.count(vertex, round, survey));
        survey.cost = counted.cost;
        survey.hubCost = counted.hubCost;
        if (hub == null) {
            hub = new int[groups];
            Arrays.fill(hub, NONE);
            hubFrom = new int[graph.vertexCount()];
            hubTo = strong == null ? hubFrom : new int[graph.vertexCount()];
        }
        boolean[] better = new boolean[groups];
        for (int g = 0; g < groups; g++) {
            if (round.isHub(g) && (hub[g] == NONE || survey.cost[g] < survey.hubCost[g])) {
                better[g] = true;
                hub[g] = round.source[g];
                survey.hubEnds[g] = survey.ends[g];
                survey.hubCost[g] = survey.cost[g];
            }
        }
        overVertices((part, vertex) -> {
            if (group[vertex] != NONE && better[group[vertex]]) {
                hubFrom[vertex] = round.from[vertex];
                hubTo[vertex] = round.to[vertex];
            }
        });
    }

    /** Searches from the vertices farthest from the hubs, as long as that settles more than it searches. */
    private void searchFarthest(Survey first) {
        int count = 0;
        for (int g = 0; g < groups; g++) {
            count += first.pays(g) ? first.hubCost[g] : 0;
        }
        long[] byExcess = new long[count];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0, next = 0; vertex < graph.vertexCount(); vertex++) {
            int g = group[vertex];
            if (g != NONE && first.pays(g) && hubFrom[vertex] >= first.hubEnds[g]) {
                byExcess[next++] = (long) (Integer.MAX_VALUE - (hubFrom[vertex] - first.hubEnds[g])) << Integer.SIZE | vertex;
            }
            paced.worked(1);
        }
        byExcess = RadixSort.sort(byExcess, new long[count], count, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        // the fewer batches of a deep graph, the more of their sources are near each other
        int share = graph.depth(stop) == GraphDepth.DEEP ? count / BATCH_SHARE : 0;
        int width = Math.max(share, batch);
        int least = share > batch ? share / 2 : batch / LEVEL_SHARE;
        Survey now = first;
        for (int done = 0; done < count; ) {
            int[] sources = new int[Math.min(width, count - done)];
            int size = 0;
            while (done < count && size < sources.length) {
                // a level that has been searched settles more than a part of one
                if (size > least && byExcess[done] >>> Integer.SIZE > byExcess[done - 1] >>> Integer.SIZE) {
                    break;
                }
                int vertex = (int) byExcess[done++];
                if (hubFrom[vertex] >= now.hubEnds[group[vertex]]) {
                    sources[size++] = vertex;
                }
            }
            int excess = done < count ? Integer.MAX_VALUE - (int) (byExcess[done] >>> Integer.SIZE) : -1;
            searches += size;
            int[] greatest = against.greatestDistances(Arrays.copyOf(sources, size), quiet);
            now = settle(greatest, first, excess);
            int left = 0;
            for (int i = done; i < count; i++) {
                int vertex = (int) byExcess[i];
                left += hubFrom[vertex] >= now.hubEnds[group[vertex]] ? 1 : 0;
                paced.worked(1);
            }
            int unsettled = 0;
            for (int g = 0; g < groups; g++) {
                unsettled += first.pays(g) ? now.unsettled[g] : 0;
            }
            advance(now.openInAll() + (all ? Math.min(0, left - unsettled) : 0));
            if (unsettled <= left) {
                return;
            }
        }
    }

    /** Tightens the bounds when all vertices of a greater excess over the ends were searched from. */
    private Survey settle(int[] greatest, Survey first, int excess) {
        return overVertices((part, vertex) -> {
            int g = group[vertex];
            if (g != NONE) {
                low[vertex] = Math.max(low[vertex], greatest[vertex]);
                if (first.pays(g) && isInCore(vertex)) {
                    int rest = hubTo[vertex] + first.hubEnds[g] + excess;
                    high[vertex] = Math.min(high[vertex], Math.max(low[vertex], rest));
                }
            }
            part.see(vertex);
            part.seeEnds(vertex, null);
        });
    }

    /** Searches the open vertices: all at once if all eccentricities are wanted, else in batches. */
    private void searchOpen() {
        int[] open;
        for (long width = all ? Integer.MAX_VALUE : batch; (open = open(width)).length > 0; width *= 2) {
            searches += open.length;
            int[] found = against.farness(open, Set.of(DistanceMeasure.ECCENTRICITY), quiet)
                    .eccentricity();
            for (int i = 0; i < open.length; i++) {
                low[open[i]] = found[i];
                high[open[i]] = found[i];
                farthest = Math.max(farthest, found[i]);
                if (radius && widest.get(open[i])) {
                    nearest = Math.min(nearest, found[i]);
                }
            }
            propagate();
        }
    }

    /** The open vertices of the greatest upper bounds. */
    private int[] open(long most) {
        PacedStop paced = new PacedStop(stop);
        int count = 0;
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            count += isOpen(vertex) ? 1 : 0;
            paced.worked(1);
        }
        advance(count);
        long[] highest = new long[count];
        for (int vertex = 0, next = 0; next < count; vertex++) {
            if (isOpen(vertex)) {
                highest[next++] = (long) (Integer.MAX_VALUE - high[vertex]) << Integer.SIZE | vertex;
            }
            paced.worked(1);
        }
        if (count > most) {
            highest = RadixSort.sort(highest, new long[count], count, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        }
        int[] chosen = new int[(int) Math.min(count, most)];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = (int) highest[i];
        }
        return chosen;
    }

    private Eccentricities searchAll() {
        // the run takes its heap anew
        group = null;
        low = null;
        high = null;
        strong = null;
        byComponent = null;
        hubFrom = null;
        hubTo = null;
        beforeAll.run();
        Farness sums = against.farness(Set.of(DistanceMeasure.ECCENTRICITY), control);
        searches += linked;
        return result(sums.eccentricity());
    }

    private Eccentricities result(int[] found) {
        if (found != null) {
            PacedStop paced = new PacedStop(stop);
            for (int vertex = 0; vertex < found.length; vertex++) {
                farthest = Math.max(farthest, found[vertex]);
                if (radius && widest.get(vertex)) {
                    nearest = Math.min(nearest, found[vertex]);
                }
                paced.worked(1);
            }
        }
        return new Eccentricities(all ? found : null, diameter ? farthest : 0, radius ? nearest : 0, searches);
    }
}
