// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

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
 * <p>If the limit exceeds half of the vertices after {@value #SINGLES} rounds, the bounds do not pay, and every
 * vertex is searched.
 *
 * <p>[1] F. W. Takes, W. A. Kosters: Determining the Diameter of Small World Networks, CIKM 2011. [2] W. Li, M. Qiao, L.
 * Qin, L. Chang, Y. Zhang, X. Lin: On Scalable Computation of Graph Eccentricities, SIGMOD 2022. [3] M. Borassi, P.
 * Crescenzi, M. Habib, W. A. Kosters, A. Marino, F. W. Takes: Fast diameter and radius BFS-based computation in (weakly
 * connected) real-world graphs, Theoretical Computer Science 586, 2015.
 */
public final class EccentricityBounds {

    /** Rounds of single searches before every vertex is searched. */
    static final int SINGLES = 32;

    /** Sources that a search of many sources takes at least; components of no more vertices are small. */
    static final int BATCH = 64;

    /** Rounds for the diameter or radius if few vertices are open. */
    private static final int MOST_SINGLES = 256;

    /** A batch of a deep graph has one in this many of the sources. */
    private static final int BATCH_SHARE = 8;

    /** Rounds after which the searches that they saved are compared with those of a batch. */
    private static final int TRIAL = 4;

    private static final int GRAIN = 1 << 12;
    private static final int NONE = -1;
    private static final int[] NO_TARGETS = {};

    private final Csc graph;
    private final LoadedGraph along;
    private final LoadedGraph against;
    private final boolean symmetric;
    private final boolean all;
    private final boolean diameter;
    private final boolean radius;
    private final int singles;
    private final int batch;
    private final Runnable beforeAll;
    private final RunContext control;
    private final RunContext quiet;
    private final PacedStop paced;

    /** By vertex: the index of its weakly connected component, {@link #NONE} if that is small. */
    private int[] group;

    private int groups;

    /** By vertex of a directed graph: its strongly connected component, see {@link StrongComponents}. */
    private int[] strong;

    private int[] strongSizes;

    /** The vertices of a directed graph in the order of their strongly connected components. */
    private int[] byComponent;

    /** By group of a directed graph: its largest strongly connected component. */
    private int[] core;

    // by vertex: lower and upper bounds
    private int[] low;
    private int[] high;

    /** The vertices of greatest reach, if the radius is wanted. */
    private final BitSet widest = new BitSet();

    /** Vertices in components of at least two. */
    private int linked;

    /** A lower bound of the diameter, and an upper bound of the radius. */
    private int farthest;

    private int nearest;

    private long searches;
    private long limit;
    private long leftBefore;

    /** By group: the vertex farthest from the last source. */
    private int[] deepest;

    // by vertex: the distances from the hub of its group and to it, if all eccentricities are wanted
    private int[] hubFrom;
    private int[] hubTo;

    /** With other values of {@link #SINGLES} and {@link #BATCH}; see {@link #find} for the rest. */
    EccentricityBounds(
            Csc graph,
            LoadedGraph along,
            LoadedGraph against,
            Set<Wanted> wanted,
            int singles,
            int batch,
            Runnable beforeAll,
            RunContext control) {
        this.graph = graph;
        this.along = along;
        this.against = against;
        this.singles = singles;
        this.batch = batch;
        this.beforeAll = beforeAll;
        this.control = control;
        symmetric = along == against;
        all = wanted.contains(Wanted.ALL);
        diameter = all || wanted.contains(Wanted.DIAMETER);
        radius = wanted.contains(Wanted.RADIUS);
        paced = new PacedStop(control.stop());
        quiet = control.withoutProgress();
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
            RunContext control) {
        return new EccentricityBounds(graph, along, against, wanted, SINGLES, BATCH, beforeAll, control).run();
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

    Eccentricities run() {
        if (graph.vertexCount() == 0) {
            return new Eccentricities(all ? new int[0] : null, 0, 0, 0);
        }
        begin();
        limit = linked;
        if (groups > 0) {
            control.progress().beginTask(BackendTask.BOUNDS, limit);
        }
        Survey survey = survey();
        for (int round = 0; goesOn(survey, round); round++) {
            search(sources(survey, round));
            survey = survey();
            advance(survey.left());
        }
        if (survey.left() > linked / 2) {
            return searchAll();
        }
        if (hubFrom != null) {
            searchFarthest(survey);
            propagate();
        }
        searchOpen();
        return result(low);
    }

    /** Numbers the components that are not small, and bounds all vertices by the sizes of their components. */
    private void begin() {
        int n = graph.vertexCount();
        group = along.components(quiet);
        low = new int[n];
        high = new int[n];
        int[] sizes = new int[n];
        int largest = 0;
        for (int lowest : group) {
            largest = Math.max(largest, ++sizes[lowest]);
            paced.worked(1);
        }
        nearest = largest - 1;
        int[] numbers = low;
        for (int vertex = 0; vertex < n; vertex++) {
            int size = sizes[group[vertex]];
            if (group[vertex] == vertex) {
                numbers[vertex] = size > batch ? groups++ : NONE;
            }
            high[vertex] = size - 1;
            linked += size > 1 ? 1 : 0;
            widest.set(vertex, radius && symmetric && size == largest);
            paced.worked(1);
        }
        for (int vertex = n - 1; vertex >= 0; vertex--) {
            // the lowest vertex of a component comes last
            group[vertex] = numbers[group[vertex]];
            low[vertex] = symmetric ? Math.min(1, high[vertex]) : 0;
            farthest = Math.max(farthest, low[vertex]);
            paced.worked(1);
        }
        deepest = new int[groups];
        Arrays.fill(deepest, NONE);
        if (!symmetric) {
            byComponent = sizes;
            beginDirected();
        }
    }

    /** Finds the cores of the groups and the vertices of greatest reach, and bounds vertices by those after them. */
    private void beginDirected() {
        StrongComponents components = StrongComponents.of(graph, control.concurrency(), control.stop());
        strong = new int[graph.vertexCount()];
        strongSizes = new int[components.count()];
        int[] next = new int[strongSizes.length + 1];
        for (int number = 0; number < strongSizes.length; number++) {
            strongSizes[number] = components.size(number);
            next[number + 1] = next[number] + strongSizes[number];
        }
        core = new int[groups];
        int[] reached =
                radius ? components.reached(true, control.concurrency(), control.stop()) : new int[strongSizes.length];
        int most = Arrays.stream(reached).max().orElse(0);
        for (int vertex = 0; vertex < strong.length; vertex++) {
            int number = components.of(vertex);
            strong[vertex] = number;
            byComponent[next[number]++] = vertex;
            int g = group[vertex];
            if (g != NONE && strongSizes[number] > strongSizes[core[g]]) {
                core[g] = number;
            }
            widest.set(vertex, radius && reached[number] == most);
            paced.worked(1);
        }
        propagate();
    }

    /**
     * Bounds the vertices of small strongly connected components by those that their edges lead to. A path out of a
     * component has at most as many edges in it as it has other vertices.
     */
    private void propagate() {
        for (int start = 0, end; !symmetric && start < byComponent.length; start = end) {
            int number = strong[byComponent[start]];
            int size = strongSizes[number];
            end = start + size;
            int most = 0;
            for (int i = start; size <= batch && i < end; i++) {
                most = Math.max(most, mostBeyond(byComponent[i], number));
            }
            for (int i = start; size <= batch && i < end; i++) {
                bound(byComponent[i], 0, size - 1 + most);
                farthest = Math.max(farthest, low[byComponent[i]]);
                if (widest.get(byComponent[i])) {
                    nearest = Math.min(nearest, high[byComponent[i]]);
                }
            }
        }
    }

    /** The greatest upper bound of a path whose first edge leaves the component; 0 if there is none. */
    private int mostBeyond(int vertex, int number) {
        int most = 0;
        for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
            int target = graph.rowIndices().get(i);
            boolean leaves = strong[target] != number;
            low[vertex] = Math.max(low[vertex], leaves && graph.degree(vertex) == 1 ? 1 + low[target] : 1);
            most = Math.max(most, leaves ? 1 + high[target] : 0);
            paced.worked(1);
        }
        return most;
    }

    private void bound(int vertex, int below, int above) {
        low[vertex] = Math.max(low[vertex], below);
        high[vertex] = Math.min(high[vertex], above);
    }

    private boolean isInCore(int vertex) {
        return symmetric || strong[vertex] == core[group[vertex]];
    }

    private boolean isOpen(int vertex) {
        return all ? low[vertex] < high[vertex] : isOpenForDiameter(vertex) || isOpenForRadius(vertex);
    }

    private boolean isOpenForDiameter(int vertex) {
        return diameter && high[vertex] > farthest;
    }

    private boolean isOpenForRadius(int vertex) {
        return widest.get(vertex) && low[vertex] < nearest;
    }

    /** Reports that the greatest possible number of searches left has fallen. */
    private void advance(long left) {
        if (left < limit) {
            control.progress().advance(limit - left);
            limit = left;
        }
    }

    /** What is known of all vertices, by group; of each thread, and added up. */
    private final class Survey {
        private final int[] open = new int[groups];
        private final int[] outside = new int[groups];

        // the best sources: their keys, above 0, and their complemented numbers
        private final long[] centralKeys = new long[groups];
        private final int[] central = new int[groups];
        private final long[] peripheralKeys = new long[groups];
        private final int[] peripheral = new int[groups];

        /** The least distance from the hub that must still be searched from, and the vertices that are so far. */
        private int[] ends = new int[groups];

        private int[] far = new int[groups];
        private int openInSmall;
        private int mostLow;
        private int leastHigh = Integer.MAX_VALUE;

        Survey() {
            Arrays.fill(central, NONE);
            Arrays.fill(peripheral, NONE);
            Arrays.fill(ends, Integer.MAX_VALUE);
        }

        void see(int vertex) {
            int g = group[vertex];
            boolean open = isOpen(vertex);
            if (g == NONE) {
                openInSmall += open ? 1 : 0;
                return;
            }
            boolean first = !symmetric && !all && isOpenForRadius(vertex);
            if (low[vertex] < high[vertex] && (first || isInCore(vertex))) {
                long key = (first ? 1L << 62 : 0) | (long) (Integer.MAX_VALUE - low[vertex]) << 31;
                choose(g, vertex, key | graph.degree(vertex), central, centralKeys);
            }
            if (!open) {
                return;
            }
            this.open[g]++;
            outside[g] += isInCore(vertex) ? 0 : 1;
            if (all || isOpenForDiameter(vertex)) {
                choose(g, vertex, (long) high[vertex] << 31 | graph.degree(vertex), peripheral, peripheralKeys);
            }
        }

        private void choose(int g, int vertex, long key, int[] chosen, long[] keys) {
            if (vertex != NONE && (key > keys[g] || (key == keys[g] && vertex < chosen[g]))) {
                chosen[g] = vertex;
                keys[g] = key;
            }
        }

        void note(int vertex) {
            mostLow = Math.max(mostLow, low[vertex]);
            leastHigh = widest.get(vertex) ? Math.min(leastHigh, high[vertex]) : leastHigh;
        }

        void add(Survey other) {
            openInSmall += other.openInSmall;
            mostLow = Math.max(mostLow, other.mostLow);
            leastHigh = Math.min(leastHigh, other.leastHigh);
            for (int g = 0; g < groups; g++) {
                open[g] += other.open[g];
                outside[g] += other.outside[g];
                far[g] += other.far[g];
                ends[g] = Math.min(ends[g], other.ends[g]);
                choose(g, other.central[g], other.centralKeys[g], central, centralKeys);
                choose(g, other.peripheral[g], other.peripheralKeys[g], peripheral, peripheralKeys);
            }
        }

        /** Whether the searches from vertices far from the hub are fewer than those from the open vertices. */
        boolean pays(int g) {
            return hubFrom != null && far[g] < open[g] - outside[g];
        }

        /** The searches that settle all open vertices, at most. */
        long left() {
            return openInSmall
                    + IntStream.range(0, groups)
                            .mapToLong(g -> pays(g) ? far[g] + outside[g] : open[g])
                            .sum();
        }
    }

    /** Looks at each vertex. */
    private Survey overVertices(ObjIntConsumer<Survey> look) {
        Survey[] parts = new Survey[control.concurrency()];
        Workers.forRanges(parts.length, graph.vertexCount(), GRAIN, control.stop(), (worker, begin, end) -> {
            parts[worker] = parts[worker] == null ? new Survey() : parts[worker];
            for (int vertex = (int) begin; vertex < end; vertex++) {
                look.accept(parts[worker], vertex);
            }
        });
        Survey whole = new Survey();
        Arrays.stream(parts).filter(Objects::nonNull).forEach(whole::add);
        return whole;
    }

    private Survey survey() {
        Survey survey = overVertices(Survey::see);
        if (hubFrom != null) {
            Survey ofHubs = beyond(hubFrom, hubTo);
            survey.ends = ofHubs.ends;
            survey.far = ofHubs.far;
        }
        return survey;
    }

    /** Finds the vertices far from a source of each group that must be searched from if the source is the hub. */
    private Survey beyond(int[] from, int[] to) {
        Survey ends = overVertices((part, vertex) -> {
            int g = group[vertex];
            if (g != NONE && low[vertex] < high[vertex] && isInCore(vertex)) {
                part.ends[g] = Math.min(part.ends[g], low[vertex] - to[vertex] + 1);
            }
        });
        ends.far = overVertices((part, vertex) -> {
                    int g = group[vertex];
                    part.far[Math.max(0, g)] += g != NONE && from[vertex] >= ends.ends[g] ? 1 : 0;
                })
                .far;
        return ends;
    }

    /** Whether another round of single searches pays. */
    private boolean goesOn(Survey survey, int round) {
        long left = survey.left() - survey.openInSmall;
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
        for (int g = 0; g < groups; g++) {
            int last = deepest[g] != NONE && low[deepest[g]] < high[deepest[g]] ? deepest[g] : NONE;
            int edge = survey.peripheral[g] == NONE ? last : survey.peripheral[g];
            boolean central = survey.central[g] != NONE && (round % 2 == 0 || edge == NONE);
            chosen[g] = survey.open[g] == 0 ? NONE : central ? survey.central[g] : edge;
        }
        return Arrays.stream(chosen).filter(vertex -> vertex != NONE).toArray();
    }

    /** The distances from one source of each group; null without sources. */
    private int[] search(LoadedGraph loaded, int[] sources) {
        searches += sources.length;
        return sources.length == 0 ? null : loaded.levelsTo(sources, NO_TARGETS, LoadedGraph.NO_MAX_DEPTH, quiet);
    }

    /** Searches from a source of each group and back, in a directed graph also to the vertex farthest from it. */
    private void search(int[] sources) {
        int[] from = search(along, sources);
        int[] source = new int[groups];
        Arrays.fill(source, NONE);
        Arrays.stream(sources).forEach(vertex -> source[group[vertex]] = vertex);
        int[] depths = new int[groups];
        for (int vertex = 0; vertex < from.length; vertex++) {
            int g = group[vertex];
            if (g != NONE && from[vertex] >= depths[g]) {
                depths[g] = from[vertex];
                deepest[g] = vertex;
            }
            paced.worked(1);
        }
        int[] to = symmetric
                ? from
                : search(
                        against,
                        Arrays.stream(sources)
                                .filter(vertex -> strongSizes[strong[vertex]] > 1)
                                .toArray());
        int[] toDeepest = symmetric
                ? null
                : search(
                        against,
                        Arrays.stream(sources)
                                .filter(vertex -> depths[group[vertex]] > 0)
                                .map(vertex -> deepest[group[vertex]])
                                .toArray());
        Survey bounds = overVertices((part, vertex) -> {
            int g = group[vertex];
            if (g == NONE || source[g] == NONE) {
                return;
            }
            if (symmetric || strong[vertex] == strong[source[g]]) {
                int back = vertex == source[g] ? 0 : to[vertex];
                bound(vertex, Math.max(back, depths[g] - from[vertex]), back + depths[g]);
            } else if (to != null) {
                bound(vertex, to[vertex], Integer.MAX_VALUE);
            }
            bound(vertex, toDeepest == null ? 0 : toDeepest[vertex], Integer.MAX_VALUE);
            part.note(vertex);
        });
        farthest = Math.max(farthest, bounds.mostLow);
        nearest = Math.min(nearest, bounds.leastHigh);
        propagate();
        if (all && groups > 0 && to != null) {
            chooseHubs(source, from, to);
        }
    }

    /** Makes sources hubs if they leave fewer vertices to search from than the hubs before. */
    private void chooseHubs(int[] source, int[] from, int[] to) {
        if (hubFrom == null) {
            // all vertices of a group without a hub are so far that they must be searched from
            hubFrom = new int[from.length];
            Arrays.fill(hubFrom, Integer.MAX_VALUE);
            hubTo = symmetric ? hubFrom : new int[from.length];
        }
        Survey before = beyond(hubFrom, hubTo);
        Survey found = beyond(from, to);
        overVertices((part, vertex) -> {
            int g = group[vertex];
            boolean mayBe = g != NONE && source[g] != NONE && isInCore(source[g]);
            if (mayBe && found.far[g] < before.far[g]) {
                hubFrom[vertex] = from[vertex];
                hubTo[vertex] = to[vertex];
            }
        });
    }

    /** Searches from the vertices farthest from the hubs, as long as that settles more than it searches. */
    private void searchFarthest(Survey first) {
        long[] byExcess = descending(
                vertex -> group[vertex] != NONE && first.pays(group[vertex]),
                vertex -> hubFrom[vertex] - first.ends[group[vertex]]);
        int count = byExcess.length;
        // the fewer batches of a deep graph, the more of their sources are near each other
        int share = graph.depth(control.stop()) == GraphDepth.DEEP ? count / BATCH_SHARE : 0;
        int width = Math.max(share, batch);
        int least = share > batch ? share / 2 : 0;
        Survey now = first;
        for (int done = 0; done < count; ) {
            int[] sources = new int[Math.min(width, count - done)];
            int size = 0;
            // a level that has been searched settles more than a part of one
            while (done < count
                    && size < sources.length
                    && (size <= least || excess(byExcess[done]) == excess(byExcess[done - 1]))) {
                int vertex = (int) byExcess[done++];
                if (hubFrom[vertex] >= now.ends[group[vertex]]) {
                    sources[size++] = vertex;
                }
            }
            searches += size;
            int[] greatest = against.greatestDistances(Arrays.copyOf(sources, size), quiet);
            int excess = done < count ? excess(byExcess[done]) : -1;
            overVertices((part, vertex) -> {
                int g = group[vertex];
                if (g != NONE) {
                    bound(vertex, greatest[vertex], Integer.MAX_VALUE);
                    int rest = first.pays(g) && isInCore(vertex)
                            ? hubTo[vertex] + first.ends[g] + excess
                            : Integer.MAX_VALUE;
                    bound(vertex, 0, Math.max(low[vertex], rest));
                }
            });
            now = survey();
            long open = 0;
            for (int g = 0; g < groups; g++) {
                open += first.pays(g) ? now.open[g] - now.outside[g] : 0;
            }
            long left = 0;
            for (int i = done; i < count; i++) {
                int vertex = (int) byExcess[i];
                left += hubFrom[vertex] >= now.ends[group[vertex]] ? 1 : 0;
                paced.worked(1);
            }
            advance(now.openInSmall + Arrays.stream(now.open).sum() - Math.max(0, open - left));
            if (open <= left) {
                return;
            }
        }
    }

    private static int excess(long key) {
        return Integer.MAX_VALUE - (int) (key >>> Integer.SIZE);
    }

    /** Vertices by a value that is at least 0 for those that take part, the greatest first: the value is in the key. */
    private long[] descending(IntPredicate takesPart, IntUnaryOperator value) {
        long[] keys = new long[1 << 10];
        int count = 0;
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            if (takesPart.test(vertex) && value.applyAsInt(vertex) >= 0) {
                keys = count < keys.length ? keys : Arrays.copyOf(keys, 2 * count);
                keys[count++] = (long) (Integer.MAX_VALUE - value.applyAsInt(vertex)) << Integer.SIZE | vertex;
            }
            paced.worked(1);
        }
        long[] sorted =
                RadixSort.sort(keys, new long[count], count, Integer.SIZE, 2 * Integer.SIZE - 1, control.stop());
        return Arrays.copyOf(sorted, count);
    }

    /** Searches the open vertices: all at once if all eccentricities are wanted, else the highest first, in batches. */
    private void searchOpen() {
        for (long width = all ? Integer.MAX_VALUE : batch; ; width *= 2) {
            long[] open = descending(this::isOpen, vertex -> high[vertex]);
            advance(open.length);
            if (open.length == 0) {
                return;
            }
            int[] sources =
                    Arrays.stream(open).limit(width).mapToInt(key -> (int) key).toArray();
            searches += sources.length;
            int[] found = against.farness(sources, Set.of(DistanceMeasure.ECCENTRICITY), quiet)
                    .eccentricity();
            for (int i = 0; i < sources.length; i++) {
                bound(sources[i], found[i], found[i]);
                take(sources[i], found[i]);
            }
            propagate();
        }
    }

    /** Takes an exact eccentricity into account. */
    private void take(int vertex, int eccentricity) {
        farthest = Math.max(farthest, eccentricity);
        nearest = widest.get(vertex) ? Math.min(nearest, eccentricity) : nearest;
        paced.worked(1);
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
        int[] found =
                against.farness(Set.of(DistanceMeasure.ECCENTRICITY), control).eccentricity();
        searches += linked;
        for (int vertex = 0; vertex < found.length; vertex++) {
            take(vertex, found[vertex]);
        }
        return result(found);
    }

    private Eccentricities result(int[] found) {
        for (int vertex = 0; all && vertex < found.length; vertex++) {
            take(vertex, found[vertex]);
        }
        return new Eccentricities(all ? found : null, diameter ? farthest : 0, radius ? nearest : 0, searches);
    }
}
