// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Exact eccentricities from few searches. A search from z bounds the eccentricity of each vertex v that is strongly
 * connected with z: {@code ecc(z) - d(z,v) <= ecc(v) <= d(v,z) + ecc(z)}. A search from f against the edges bounds that
 * of every vertex that reaches f: {@code ecc(v) >= d(v,f)}. A vertex whose bounds meet needs no search.
 *
 * <p>Single searches are made in turn from the open vertex of the least lower bound and from that of the greatest upper
 * bound [1]. One search takes a source of every weakly connected component that is not small. When all vertices farther
 * than r from a source z have been searched, {@code ecc(v) <= max(lower(v), d(v,z) + r)} [2]. If all eccentricities are
 * wanted, each source z is therefore a hub: the vertices farthest from it are searched, many at once, as long as each
 * of them is expected to settle {@value #PRICE} vertices. An open vertex v is settled when the vertices from the
 * distance {@code lower(v) - d(v,z) + 1} on are. Once such vertices were searched, every other source is a central
 * vertex that may be settled.
 *
 * <p>The single searches end when they settle few vertices. Then the vertices far from the hub that leaves the fewest
 * of them are searched, as long as they are fewer than the open ones, and finally the open ones. The number of the
 * former is known in each round. If it exceeds half of the vertices after {@value #SINGLES} rounds, the bounds do not
 * pay, and every vertex is searched. The diameter and the radius are found by single searches [1, 3]. If these leave
 * few vertices of an undirected graph open, a path longer than the longest so far would connect two of them: searches
 * from all of them that meet half way find whether there is one.
 *
 * <p>[1] F. W. Takes, W. A. Kosters: Determining the Diameter of Small World Networks, CIKM 2011. [2] W. Li, M. Qiao,
 * L. Qin, L. Chang, Y. Zhang, X. Lin: On Scalable Computation of Graph Eccentricities, SIGMOD 2022. [3] M. Borassi, P.
 * Crescenzi, M. Habib, W. A. Kosters, A. Marino, F. W. Takes: Fast diameter and radius BFS-based computation in (weakly
 * connected) real-world graphs, Theoretical Computer Science 586, 2015.
 */
public final class EccentricityBounds {

    /** Searches that find all eccentricities of most graphs with hubs. */
    public static final int USUAL_SEARCHES = 256;

    /** Rounds of single searches before every vertex is searched. */
    static final int SINGLES = 32;

    /** Sources that a search of many sources takes at least; components of no more vertices are small. */
    static final int BATCH = 64;

    /** Rounds for the diameter or radius if few vertices are open. */
    private static final int MOST_SINGLES = 256;

    /** Rounds after which the searches that they saved are compared with those of a batch. */
    private static final int TRIAL = 4;

    /** The vertices that each of many searches at once must settle, as long as single searches settle many. */
    private static final int PRICE = 32;

    /** With more levels, one thread counts the vertices of each. */
    private static final int MOST_LEVELS = 1 << 16;

    private static final int NONE = VertexBounds.NONE;
    private static final int[] NO_TARGETS = {};

    private final Csc graph;
    private final LoadedGraph along;
    private final LoadedGraph against;
    private final Set<Wanted> wanted;
    private final boolean symmetric;
    private final boolean all;
    private final boolean diameter;
    private final int singles;
    private final int batch;
    private final Runnable beforeAll;
    private final RunContext control;
    private final RunContext quiet;
    private final PacedStop paced;

    /** Null before the first search. */
    private VertexBounds bounds;

    private long searches;
    private long limit;
    private long openBefore;

    /** The most open vertices among which a longer path is looked for. */
    private int compared = Long.SIZE;

    /** Whether vertices far from a source were searched. */
    private boolean farSearched;

    /** Whether the next source may be a settled vertex. */
    private boolean settledToo;

    /** The vertices whose distances from all others are part of the lower bounds. */
    private final BitSet searched = new BitSet();

    // by group: the source from which the fewest vertices are so far that they must be searched, and their number
    private int[] hub;
    private int[] far;

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
        this.wanted = Set.copyOf(wanted);
        symmetric = along == against;
        all = wanted.contains(Wanted.ALL);
        diameter = all || wanted.contains(Wanted.DIAMETER);
        paced = new PacedStop(control.stop());
        // the reversed graph exists already
        quiet = control.withoutProgress().again();
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
     * Heap of the bounds, and of the distances that they come from. The searches of a backend take no more than a run
     * from all vertices.
     *
     * @param withAll whether all eccentricities are wanted
     */
    public static MemoryTree memory(int vertexCount, boolean withAll) {
        long ints = (long) vertexCount * Integer.BYTES;
        long bits = vertexCount / Byte.SIZE;
        return MemoryTree.together(
                "bounds",
                MemoryTree.between("bounds and component by node", 0, 3 * ints),
                MemoryTree.between("sets of nodes", 0, bits + (withAll ? bits : 0)),
                // of a directed graph, or of an undirected one
                MemoryTree.between(
                        "strongly connected components, or searches that meet",
                        0,
                        withAll ? 2 * ints : FirstLevels.bytes(vertexCount)),
                MemoryTree.between("levels of a round", 0, withAll ? 2 * ints : 0));
    }

    /** Peak heap of the work before the searches: the radius is that of the vertices that reach the most. */
    public static MemoryTree memoryBefore(GraphShape graph, int concurrency) {
        return graph.symmetric()
                ? MemoryTree.NONE
                : MemoryTree.together(
                        "reach",
                        MemoryTree.exactly("bounds and component by node", 3L * graph.vertexCount() * Integer.BYTES),
                        StrongComponents.memory(graph, concurrency));
    }

    /**
     * The runs that find bounds, for the plan of a call: each takes no more heap than the run from all vertices, with
     * which the search begins or ends.
     */
    public static Workload[] runs(int vertexCount) {
        return new Workload[] {
            new Workload(Operation.COMPONENTS, 0, LoadedGraph.NO_MAX_DEPTH),
            // from one vertex of each component that is not small
            Workload.bfs((vertexCount + 1) / 2, 0, LoadedGraph.NO_MAX_DEPTH),
            new Workload(
                    Operation.MULTI_SOURCE_BFS,
                    Math.min(vertexCount, LoadedGraph.SOURCES_AT_ONCE),
                    LoadedGraph.NO_MAX_DEPTH),
            Workload.farness(vertexCount, Set.of(DistanceMeasure.ECCENTRICITY))
        };
    }

    Eccentricities run() {
        if (graph.vertexCount() == 0) {
            return new Eccentricities(all ? new int[0] : null, 0, 0, 0);
        }
        bounds = new VertexBounds(graph, along, symmetric, wanted, batch, quiet);
        limit = bounds.linked();
        if (bounds.groups() > 0) {
            control.progress().beginTask(BackendTask.BOUNDS, limit);
        }
        hub = bounds.none();
        far = new int[bounds.groups()];
        Arrays.fill(far, Integer.MAX_VALUE);
        Survey survey = survey(null);
        for (int round = 0; goesOn(survey, round); round++) {
            boolean central = farSearched || round % 2 == 0;
            settledToo = farSearched && round % 2 == 1;
            survey = lookForLonger(search(sources(survey, central), central, PRICE));
            advance(survey.left());
        }
        if (survey.left() > bounds.linked() / 2) {
            return searchAll();
        }
        searchHubs(survey);
        searchOpen();
        return result(all ? bounds.lower() : null);
    }

    /** Reports that the greatest possible number of searches left has fallen. */
    private void advance(long left) {
        if (left < limit) {
            control.progress().advance(limit - left);
            limit = left;
        }
    }

    /** A search from a source of each group, and in a directed graph one back to a target of each. */
    private final class Round {
        private final int[] source;
        private final int[] target;
        private final int[] depth = new int[bounds.groups()];
        private Levels from;
        private Levels to;

        /** By group: where its levels begin in {@code unsearched}: the vertices of each that were not searched. */
        private final int[] start = new int[bounds.groups() + 1];

        private int[] unsearched;

        /** By group: the last level with such a vertex. */
        private final int[] rest = new int[bounds.groups()];

        /** By vertex: the greatest distance to a vertex that was searched since the round began; null if none was. */
        private int[] greatest;

        Round(int[] source) {
            this.source = source;
            target = symmetric ? source : bounds.none();
        }

        /** Whether the distances from the source and to it are known, and bound all other vertices of the core. */
        boolean isHub(int g) {
            return source[g] != NONE && target[g] == source[g] && bounds.isInCore(source[g]);
        }

        void bound(int vertex) {
            int g = bounds.group(vertex);
            if (g == NONE || source[g] == NONE || bounds.low(vertex) == bounds.high(vertex)) {
                return;
            }
            if (greatest != null) {
                bounds.bound(vertex, greatest[vertex], Integer.MAX_VALUE);
            }
            boolean together = bounds.areConnected(vertex, source[g]);
            int back = to == null ? NONE : to.level(vertex);
            int below = together ? Math.max(back, depth[g] - from.level(vertex)) : back;
            bounds.bound(vertex, below, vertex == source[g] ? depth[g] : Integer.MAX_VALUE);
            if (together && target[g] == source[g]) {
                // the distances of the others are part of the lower bound
                bounds.bound(vertex, 0, Math.max(bounds.low(vertex), back + rest[g]));
            }
        }
    }

    /** What is known of all vertices, by group; of each thread, and added up. */
    private final class Survey {
        private final int[] open = new int[bounds.groups()];
        private final int[] outside = new int[bounds.groups()];

        // the best sources, and their keys, above 0
        private final int[] central = bounds.none();
        private final long[] centralKeys = new long[bounds.groups()];
        private final int[] peripheral = bounds.none();
        private final long[] peripheralKeys = new long[bounds.groups()];

        /** By level of a round: vertices; see {@link Round#start}. */
        private final int[] levels;

        private int openInSmall;

        Survey(int levelCount) {
            levels = new int[levelCount];
        }

        /**
         * Looks at a vertex.
         *
         * @param round the last one; null if there is none
         */
        void see(int vertex, Round round) {
            int g = bounds.group(vertex);
            boolean open = bounds.isOpen(vertex);
            if (g == NONE) {
                openInSmall += open ? 1 : 0;
                return;
            }
            if (bounds.low(vertex) == bounds.high(vertex)) {
                if (settledToo && bounds.isInCore(vertex) && !searched.get(vertex)) {
                    choose(g, vertex, Integer.MAX_VALUE - bounds.low(vertex), central, centralKeys);
                }
                return;
            }
            boolean inCore = bounds.isInCore(vertex);
            boolean first = !symmetric && !all && bounds.isOpenForRadius(vertex);
            if (first || inCore) {
                int rank = Integer.MAX_VALUE - bounds.low(vertex);
                choose(g, vertex, first ? Integer.MAX_VALUE + 1L + rank : rank, central, centralKeys);
            }
            if (all || bounds.isOpenForDiameter(vertex)) {
                choose(g, vertex, bounds.high(vertex), peripheral, peripheralKeys);
            } else if (!diameter && round != null && round.source[g] != NONE) {
                choose(g, vertex, round.from.level(vertex) + 1L, peripheral, peripheralKeys);
            }
            if (open) {
                this.open[g]++;
                outside[g] += inCore ? 0 : 1;
            }
            if (inCore && levels.length > 0 && round.isHub(g)) {
                // if all vertices from this distance on are searched, this one is settled
                levels[round.start[g] + bounds.low(vertex) - round.to.level(vertex) + 1]++;
            }
        }

        /** Chooses a vertex if its rank, or its degree at the same rank, exceeds that of the one chosen before. */
        void choose(int g, int vertex, long rank, int[] chosen, long[] keys) {
            if (rank >= keys[g] >>> 31) {
                take(g, vertex, rank << 31 | graph.degree(vertex), chosen, keys);
            }
        }

        private void take(int g, int vertex, long key, int[] chosen, long[] keys) {
            if (vertex != NONE && (key > keys[g] || (key == keys[g] && vertex < chosen[g]))) {
                chosen[g] = vertex;
                keys[g] = key;
            }
        }

        void add(Survey other) {
            openInSmall += other.openInSmall;
            for (int g = 0; g < bounds.groups(); g++) {
                open[g] += other.open[g];
                outside[g] += other.outside[g];
                take(g, other.central[g], other.centralKeys[g], central, centralKeys);
                take(g, other.peripheral[g], other.peripheralKeys[g], peripheral, peripheralKeys);
            }
            for (int level = 0; level < levels.length; level++) {
                levels[level] += other.levels[level];
            }
        }

        long openInGroups() {
            return Arrays.stream(open).asLongStream().sum();
        }

        /** The searches that settle all open vertices, at most. */
        long left() {
            return openInSmall
                    + IntStream.range(0, bounds.groups())
                            .mapToLong(g -> Math.min(open[g], far[g]))
                            .sum();
        }
    }

    /** Looks at the vertices of a range. */
    private interface Look {
        void at(Survey part, int begin, int end);
    }

    private Survey overVertices(Look look) {
        return overVertices(0, look);
    }

    private Survey overVertices(int levels, Look look) {
        Survey[] parts = new Survey[levels > MOST_LEVELS ? 1 : control.concurrency()];
        bounds.overRanges(parts.length, (worker, begin, end) -> {
            parts[worker] = parts[worker] == null ? new Survey(levels) : parts[worker];
            look.at(parts[worker], begin, end);
        });
        Survey whole = new Survey(levels);
        Arrays.stream(parts).filter(Objects::nonNull).forEach(whole::add);
        return whole;
    }

    /** Bounds all vertices by the searches of a round if there is one, and looks at them. */
    private Survey survey(Round round) {
        boolean narrows = round != null && symmetric;
        if (round != null && !symmetric) {
            bounds.overRanges(control.concurrency(), (worker, begin, end) -> IntStream.range(begin, end)
                    .forEach(round::bound));
            bounds.propagate();
        }
        return overVertices(all && round != null ? round.unsearched.length : 0, (part, begin, end) -> {
            for (int vertex = begin; vertex < end; vertex++) {
                if (narrows) {
                    round.bound(vertex);
                }
                part.see(vertex, round);
            }
        });
    }

    /** Whether another round of single searches pays. */
    private boolean goesOn(Survey survey, int round) {
        long open = survey.openInGroups();
        if (open == 0 || (all && round > 0 && open <= batch)) {
            return false;
        }
        boolean pays = survey.left() <= bounds.linked() / 2;
        if (round % TRIAL == 0) {
            long settled = openBefore - open;
            openBefore = open;
            if (round > 0 && pays && open > batch && settled <= batch) {
                return false;
            }
        }
        return round < singles || (all ? pays : open <= batch && round < MOST_SINGLES);
    }

    /** A source of each group that has open vertices: one of the least or of the greatest eccentricity. */
    private int[] sources(Survey survey, boolean central) {
        int[] sources = bounds.none();
        for (int g = 0; g < bounds.groups(); g++) {
            boolean least = survey.central[g] != NONE && (central || survey.peripheral[g] == NONE);
            sources[g] = survey.open[g] == 0 ? NONE : least ? survey.central[g] : survey.peripheral[g];
        }
        return sources;
    }

    /** The levels from or to one vertex of each group; null if there are none. */
    private Levels search(LoadedGraph loaded, int[] byGroup) {
        int[] sources = Arrays.stream(byGroup).filter(vertex -> vertex != NONE).toArray();
        searches += sources.length;
        return sources.length == 0
                ? null
                : loaded.bfs(sources, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, quiet.forRun(Operation.BFS));
    }

    /**
     * Searches from sources, and from vertices far from them if that settles enough. In a directed graph, a search back
     * to a source gives upper bounds if its eccentricity is small, and one to the vertex farthest from it gives lower
     * bounds otherwise.
     *
     * @param sources by group
     * @param central whether their eccentricities are small
     * @param price see {@link #far(Survey, Round, int)}
     */
    private Survey search(int[] sources, boolean central, int price) {
        Round round = new Round(sources);
        round.from = search(along, sources);
        countLevels(round, central);
        round.to = symmetric ? round.from : search(against, round.target);
        Arrays.stream(round.target).filter(vertex -> vertex != NONE).forEach(searched::set);
        leaveOut(round, searched.stream());
        for (int g = 0; g < bounds.groups(); g++) {
            if (sources[g] != NONE) {
                bounds.takeEccentricity(sources[g], round.depth[g]);
            }
        }
        if (!symmetric && round.to != null) {
            bounds.takeDistance(round.to.depth());
        }
        Survey survey = survey(round);
        int[] distant = all ? far(survey, round, price) : NO_TARGETS;
        while (distant.length > 0) {
            searches += distant.length;
            farSearched = true;
            round.greatest = against.greatestDistances(distant, quiet.forRun(Operation.MULTI_SOURCE_BFS));
            Arrays.stream(distant).forEach(searched::set);
            leaveOut(round, Arrays.stream(distant));
            survey = survey(round);
            distant = far(survey, round, price);
        }
        return survey;
    }

    /**
     * Searches from the end of a path longer than the longest so far, as long as one is found among few open vertices.
     */
    private Survey lookForLonger(Survey last) {
        Survey survey = last;
        while (symmetric
                && diameter
                && !all
                && !bounds.areAllNear()
                && survey.openInGroups() > 0
                && survey.openInGroups() <= compared) {
            int[] ends = Arrays.stream(
                            bounds.descending(vertex -> bounds.group(vertex) != NONE && bounds.isOpenForDiameter(vertex)
                                    ? bounds.high(vertex)
                                    : NONE))
                    .mapToInt(key -> (int) key)
                    .toArray();
            long[] near = ends.length == 0 ? new long[0] : near(ends);
            if (near == null) {
                compared = ends.length / 2;
                return survey;
            }
            int end = IntStream.range(0, ends.length)
                    .filter(i -> IntStream.range(0, ends.length)
                            .anyMatch(j -> bounds.group(ends[i]) == bounds.group(ends[j])
                                    && (near[i] & 1L << j) == 0
                                    && (near[j] & 1L << i) == 0))
                    .findFirst()
                    .orElse(NONE);
            if (end == NONE) {
                bounds.allAreNear();
                return survey(null);
            }
            int[] sources = bounds.none();
            sources[bounds.group(ends[end])] = ends[end];
            survey = search(sources, false, PRICE);
        }
        return survey;
    }

    /**
     * Which vertices are no farther apart than {@code farthest}: bit j of element i or bit i of element j is set for
     * the vertices i and j. Null if more edges than those of the graph would be looked at.
     */
    private long[] near(int[] vertices) {
        FirstLevels levels = new FirstLevels(graph, control.stop());
        long[] near = new long[vertices.length];
        FirstLevels.Visitor meet = (vertex, sources, others) -> {
            for (long rest = sources; rest != 0; rest &= rest - 1) {
                near[Long.numberOfTrailingZeros(rest)] |= sources | others;
            }
        };
        searches++;
        levels.begin(vertices);
        long left = graph.entryCount();
        for (int level = 0; level < bounds.farthest() / 2; level++) {
            left -= levels.edges();
            if (left < 0) {
                return null;
            }
            levels.advance(-1, meet);
        }
        if (bounds.farthest() % 2 == 1) {
            if (left < levels.edges()) {
                return null;
            }
            levels.visitBeyond(meet);
        }
        return near;
    }

    /** Counts the vertices of each level and group, and chooses the targets of the search back in a directed graph. */
    private void countLevels(Round round, boolean central) {
        if (symmetric && bounds.groups() == 1) {
            round.depth[0] = round.from.depth();
        } else {
            findDeepest(round, central);
        }
        for (int g = 0; g < bounds.groups(); g++) {
            round.start[g + 1] = round.start[g] + (round.source[g] == NONE ? 0 : round.depth[g] + 1);
        }
        if (bounds.groups() == 1) {
            round.unsearched = Arrays.stream(round.from.frontierSizes())
                    .mapToInt(Math::toIntExact)
                    .toArray();
            return;
        }
        round.unsearched = overVertices(round.start[bounds.groups()], (part, begin, end) -> {
                    for (int vertex = begin; vertex < end; vertex++) {
                        int level = bounds.group(vertex) == NONE ? NONE : round.from.level(vertex);
                        if (level != NONE) {
                            part.levels[round.start[bounds.group(vertex)] + level]++;
                        }
                    }
                })
                .levels;
    }

    /** Finds the depth of the search in each group, and in a directed graph the targets of the search back. */
    private void findDeepest(Round round, boolean central) {
        Survey deepest = overVertices((part, begin, end) -> {
            for (int vertex = begin; vertex < end; vertex++) {
                if (bounds.group(vertex) != NONE) {
                    long rank = round.from.level(vertex) + 1L;
                    part.choose(bounds.group(vertex), vertex, rank, part.peripheral, part.peripheralKeys);
                }
            }
        });
        for (int g = 0; g < bounds.groups(); g++) {
            int source = round.source[g];
            if (source != NONE) {
                round.depth[g] = (int) (deepest.peripheralKeys[g] >>> 31) - 1;
            }
            if (source != NONE && !symmetric) {
                boolean back = central && !bounds.isAlone(source);
                round.target[g] = back ? source : round.depth[g] > 0 ? deepest.peripheral[g] : NONE;
            }
        }
    }

    private void leaveOut(Round round, IntStream vertices) {
        vertices.forEach(vertex -> {
            int g = bounds.group(vertex);
            if (g != NONE && round.source[g] != NONE && round.from.level(vertex) != NONE) {
                round.unsearched[round.start[g] + round.from.level(vertex)]--;
            }
            paced.worked(1);
        });
        for (int g = 0; g < bounds.groups(); g++) {
            int level = round.depth[g];
            while (round.source[g] != NONE && level > 0 && round.unsearched[round.start[g] + level] == 0) {
                level--;
                paced.worked(1);
            }
            round.rest[g] = level;
        }
    }

    /**
     * The next vertices to search from together: as many of the farthest from the sources of a round as settle the most
     * at a price, but no more than a batch.
     *
     * @param price the vertices that each search must settle
     */
    private int[] far(Survey survey, Round round, int price) {
        int[] ends = new int[bounds.groups()];
        for (int g = 0; g < bounds.groups(); g++) {
            ends[g] = Integer.MAX_VALUE;
            long most = 0;
            int settled = 0;
            int sources = 0;
            for (int level = round.rest[g]; round.isHub(g) && level > 0; level--) {
                int at = round.start[g] + level;
                settled += survey.levels[at];
                sources += round.unsearched[at];
                if (settled - (long) price * sources > most) {
                    most = settled - (long) price * sources;
                    ends[g] = level;
                }
                if (survey.levels[at] > 0
                        && settled == survey.open[g] - survey.outside[g]
                        && sources + survey.outside[g] < far[g]) {
                    far[g] = sources + survey.outside[g];
                    hub[g] = round.source[g];
                }
                paced.worked(1);
            }
        }
        if (Arrays.stream(ends).allMatch(end -> end == Integer.MAX_VALUE)) {
            return NO_TARGETS;
        }
        return Arrays.stream(bounds.descending(vertex -> {
                    int g = bounds.group(vertex);
                    return g == NONE || searched.get(vertex) ? NONE : round.from.level(vertex) - ends[g];
                }))
                .limit(batch)
                .mapToInt(key -> (int) key)
                .toArray();
    }

    /** Searches from the vertices that are so far from the hubs that they must be searched, where these are few. */
    private void searchHubs(Survey survey) {
        int[] sources = bounds.none();
        for (int g = 0; g < bounds.groups(); g++) {
            sources[g] = far[g] < survey.open[g] ? hub[g] : NONE;
        }
        if (Arrays.stream(sources).anyMatch(vertex -> vertex != NONE)) {
            search(sources, true, 1);
        }
    }

    /** Searches the open vertices: all at once if all eccentricities are wanted, else the highest first, in batches. */
    private void searchOpen() {
        for (long width = all ? Integer.MAX_VALUE : batch; ; width *= 2) {
            long[] open = bounds.descending(vertex -> bounds.isOpen(vertex) ? bounds.high(vertex) : NONE);
            advance(open.length);
            if (open.length == 0) {
                return;
            }
            int[] sources =
                    Arrays.stream(open).limit(width).mapToInt(key -> (int) key).toArray();
            searches += sources.length;
            int[] found = against.eccentricities(sources, quiet.forRun(Operation.FARNESS_OF_SOURCES));
            for (int i = 0; i < sources.length; i++) {
                bounds.bound(sources[i], found[i], found[i]);
                bounds.take(sources[i]);
            }
            bounds.propagate();
        }
    }

    private Eccentricities searchAll() {
        // the run takes its heap anew
        bounds.free();
        beforeAll.run();
        searches += bounds.linked();
        return result(against.farness(Set.of(DistanceMeasure.ECCENTRICITY), control.forRun(Operation.FARNESS))
                .eccentricity());
    }

    /**
     * The result.
     *
     * @param exact the eccentricities; null if bounds have found what is wanted
     */
    private Eccentricities result(int[] exact) {
        if (exact != null) {
            bounds.takeAll(exact);
        }
        return new Eccentricities(
                all ? exact : null,
                diameter ? bounds.farthest() : 0,
                wanted.contains(Wanted.RADIUS) ? bounds.nearest() : 0,
                searches);
    }
}
