// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * The vertices of the greatest closeness, with the scores of a search from each vertex, but from far fewer searches:
 * Bergamini, Borassi, Crescenzi, Marino, Meyerhenke, Computing top-k closeness centrality faster in unweighted graphs,
 * ACM TKDD 13(5), 2019; their bound by neighbourhoods.
 *
 * <p>How many vertices reach a vertex is known without a search, see {@link StrongComponents}. Of these, the first
 * levels are counted, the next level has at most the neighbours of the last one, and all others are at least one hop
 * farther: that bounds the score. A vertex whose bound is below the k-th score found so far is pruned, one whose bound
 * equals it is not. The most promising vertices are searched from, so that the k-th score rises. Then the second level
 * is bounded by {@link SecondLevel}, which prunes most vertices of graphs with hubs. Of the others, the first levels
 * are counted, up to four, and the rest are searched from. A device searches from the vertices that the neighbours
 * leave at once, which takes less time. If a sample shows that more than half of the vertices would be left, all are
 * searched from instead.
 *
 * <p>The bound on a quotient of reach and farness is its formula with a lower farness: rounding keeps the order. The
 * bound on a sum of reciprocals has a margin for rounding.
 */
public final class TopCloseness {

    /** Searches that share their levels; a bit each. */
    static final int WIDTH = Long.SIZE;

    /** The most sources of a run on a backend, unless more vertices are wanted. */
    private static final int MOST_SOURCES = 1 << 10;

    /** Levels that are counted for a vertex before it is searched from. */
    private static final int LEVELS = 4;

    /**
     * So many vertices, if they are no more than one in {@link #SHARE}, are searched from in less time than their first
     * levels are counted: they share an order of the graph, and wider searches.
     */
    private static final int MANY = 1 << 12;

    private static final int SHARE = 8;

    /**
     * Each chunk of vertices whose levels are counted is twice as large as the one before; the first has so many
     * batches.
     */
    private static final int FIRST_BATCHES = 8;

    /** Above the relative error of a sum of up to 2^31 reciprocals, and of its bound. */
    private static final double MARGIN = 1 + 0x1p-20;

    private static final int VERTICES_AT_ONCE = 1 << 10;

    /** Heap of one of the best vertices while they are sorted: a boxed number, two references, and the result. */
    private static final long BYTES_OF_BEST = 6 * Long.BYTES;

    private final LoadedGraph graph;
    private final Csc csc;
    private final Csc lists;
    private final ClosenessFormula formula;
    private final int[] chosen;
    private final int width;
    private final Runnable beforeAll;
    private final RunContext control;
    private final Stop stop;

    private final int[] reach;

    /** Upper bounds of the scores; of settled vertices the scores. */
    private final double[] bounds;

    private final boolean[] settled;

    /** The greatest scores of settled vertices: once it is full, a heap whose first element is the least. */
    private final double[] best;

    private int bestCount;
    private volatile double threshold = -1;
    private long searches;
    private long left;
    private final LongAdder edges = new LongAdder();

    /**
     * The best vertices.
     *
     * @param vertices by descending score, equal ones by ascending vertex; vertex id space
     * @param scores the score of each
     * @param searches number of searches made
     * @param edges edges along which the searches for the bounds went
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Top(int[] vertices, double[] scores, long searches, long edges) {}

    private TopCloseness(
            LoadedGraph graph,
            Csc csc,
            ClosenessFormula formula,
            int k,
            int[] chosen,
            int width,
            Runnable beforeAll,
            RunContext control) {
        this.graph = graph;
        this.csc = csc;
        this.formula = formula;
        this.chosen = chosen;
        this.width = width;
        this.beforeAll = beforeAll;
        this.control = control;
        stop = control.stop();
        lists = csc.transposed(control.concurrency(), stop);
        StrongComponents components = StrongComponents.of(csc, control.concurrency(), stop);
        int[] reaching = components.reached(false, control.concurrency(), stop);
        reach = new int[csc.vertexCount()];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < reach.length; vertex++) {
            reach[vertex] = reaching[components.of(vertex)] - 1;
            paced.worked(1);
        }
        bounds = new double[reach.length];
        settled = new boolean[reach.length];
        left = chosen == null ? reach.length : chosen.length;
        best = new double[(int) Math.min(k, left)];
    }

    /**
     * Finds the best vertices.
     *
     * @param graph the graph on a backend, which makes the searches
     * @param csc the same graph; edges j to i, vertex id space. A directed one is transposed
     * @param k how many vertices, at least 1
     * @param chosen the vertices to choose from, ascending; null for all
     * @param beforeAll called before all of them are searched from, if the bounds do not pay
     * @param control concurrency, stop, progress and options. A search that turns out to be needless counts as progress
     */
    public static Top of(
            LoadedGraph graph,
            Csc csc,
            ClosenessFormula formula,
            int k,
            int[] chosen,
            Runnable beforeAll,
            RunContext control) {
        return of(graph, csc, formula, k, chosen, WIDTH, beforeAll, control);
    }

    /** As the other, with batches of up to {@code width} searches before the first bounds are known. */
    static Top of(
            LoadedGraph graph,
            Csc csc,
            ClosenessFormula formula,
            int k,
            int[] chosen,
            int width,
            Runnable beforeAll,
            RunContext control) {
        control.progress()
                .beginTask(BackendTask.FARNESS_OF_SOURCES, chosen == null ? csc.vertexCount() : chosen.length);
        return new TopCloseness(graph, csc, formula, k, chosen, width, beforeAll, control).find();
    }

    /** Number of sources that mostly suffice. */
    public static int sources(int k) {
        return Math.max(k, MOST_SOURCES);
    }

    /** Number of sources of the largest run on a backend, if not all vertices are searched from. */
    public static int mostSources(int vertices) {
        return Math.min(vertices, Math.max(MOST_SOURCES, vertices / 2));
    }

    /** Heap that is kept while a backend searches. */
    public static MemoryTree heldMemory(int vertexCount, int k) {
        long vertices = vertexCount;
        return MemoryTree.together(
                "bounds",
                MemoryTree.exactly("reach by node", vertices * Integer.BYTES),
                MemoryTree.exactly("bound by node", vertices * (Double.BYTES + 1)),
                MemoryTree.between("open nodes", 0, 2 * vertices * Integer.BYTES),
                MemoryTree.exactly("best scores", Math.min(k, vertices) * Double.BYTES));
    }

    /** Peak heap of the work between the searches, on the host. */
    public static MemoryTree memory(GraphShape graph, int k, int concurrency) {
        long vertices = graph.vertexCount();
        return MemoryTree.oneByOne(
                "bounds",
                MemoryTree.together(
                        "reach",
                        MemoryTree.between("reach by node", 0, vertices * Integer.BYTES),
                        StrongComponents.memory(graph, concurrency)),
                MemoryTree.together(
                        "order of nodes",
                        heldMemory(graph.vertexCount(), k),
                        MemoryTree.between("nodes by bound", 0, 2 * vertices * Long.BYTES)),
                MemoryTree.together(
                        "second level",
                        heldMemory(graph.vertexCount(), k),
                        MemoryTree.between("neighbours by degree", 0, SecondLevel.bytes(graph.vertexCount()))),
                MemoryTree.together(
                        "best nodes",
                        heldMemory(graph.vertexCount(), k),
                        MemoryTree.between("best nodes", 0, Math.min(k, vertices) * BYTES_OF_BEST)),
                MemoryTree.together(
                        "first levels",
                        heldMemory(graph.vertexCount(), k),
                        MemoryTree.between("search state of a thread", 0, FirstLevels.bytes(graph.vertexCount()))
                                .times(concurrency)));
    }

    private Top find() {
        long count = left;
        int[] rest = chosen == null ? IntStream.range(0, reach.length).toArray() : chosen;
        boundByNeighbours(rest);
        rest = open(rest);
        int first = Math.max(width, best.length);
        if (rest.length > 0 && first > count / 2) {
            return searchAll();
        }
        search(head(rest, first));
        rest = open(tail(rest, first));
        boolean onDevice = !graph.residences().isEmpty();
        if (!onDevice && rest.length > first && SecondLevel.fits(lists)) {
            boundBySecondLevel(rest);
            rest = open(rest);
        }
        if (onDevice && rest.length > count / 2) {
            return searchAll();
        }
        if (onDevice || rest.length <= first || (rest.length > MANY && rest.length <= count / SHARE)) {
            search(rest);
            rest = new int[0];
        }
        int[] counted = {};
        for (int chunk = FIRST_BATCHES * width; rest.length > 0; chunk = Math.min(2 * chunk, 1 << 29)) {
            boolean isFirst = chunk == FIRST_BATCHES * width;
            // some may have been settled, as a part of the sample
            int[] next = open(head(rest, chunk));
            rest = tail(rest, chunk);
            countLevels(next);
            counted = open(IntStream.concat(Arrays.stream(counted), Arrays.stream(next))
                    .toArray());
            // the k-th score rises the more, the better the bounds are by which the sources are chosen
            search(head(counted, isFirst ? first : width));
            counted = open(tail(counted, isFirst ? first : width));
            rest = open(rest);
            if (isFirst && shareLeft(rest, chunk) * rest.length + counted.length > count / 2.0) {
                return searchAll();
            }
            advance((long) rest.length + counted.length);
        }
        int batch = Math.min(MOST_SOURCES, graph.multiSourceBatchSize());
        while (counted.length > 0) {
            search(head(counted, batch));
            counted = open(tail(counted, batch));
            advance(counted.length);
        }
        advance(0);
        return top();
    }

    private void advance(long open) {
        control.progress().advance(left - open);
        left = open;
    }

    private static int[] head(int[] vertices, int count) {
        return Arrays.copyOf(vertices, Math.min(count, vertices.length));
    }

    private static int[] tail(int[] vertices, int count) {
        return Arrays.copyOfRange(vertices, Math.min(count, vertices.length), vertices.length);
    }

    /** The share of vertices that the first levels leave open, of a sample. */
    private double shareLeft(int[] vertices, int size) {
        if (vertices.length <= size) {
            return 0;
        }
        int[] sample = new int[size];
        Arrays.setAll(sample, i -> vertices[(int) ((long) i * vertices.length / size)]);
        countLevels(sample);
        return (double) open(sample).length / size;
    }

    /** Those of the vertices that may be among the best, in about descending order of their bounds. */
    private int[] open(int[] vertices) {
        PacedStop paced = new PacedStop(stop);
        long[] keys = new long[vertices.length];
        int count = 0;
        for (int vertex : vertices) {
            if (!settled[vertex] && bounds[vertex] >= threshold) {
                int rank = Integer.MAX_VALUE - Float.floatToIntBits((float) bounds[vertex]);
                keys[count++] = (long) rank << Integer.SIZE | vertex;
            }
            paced.worked(1);
        }
        keys = RadixSort.sort(keys, new long[count], count, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        int[] open = new int[count];
        for (int i = 0; i < count; i++) {
            open[i] = (int) keys[i];
            paced.worked(1);
        }
        return open;
    }

    private void search(int[] sources) {
        if (sources.length > 0) {
            settleAll(sources, graph.farness(sources, formula.measures(), control.withoutProgress()));
        }
    }

    private Top searchAll() {
        beforeAll.run();
        RunContext shown = control.with(showingSearches(control.progress()));
        settleAll(
                chosen,
                chosen == null
                        ? graph.farness(formula.measures(), shown.forRun(Operation.FARNESS))
                        : graph.farness(chosen, formula.measures(), shown));
        return top();
    }

    /** Shows the number of searches beside their task. */
    private static Progress showingSearches(Progress progress) {
        return new Progress() {
            @Override
            public void beginTask(Task task, long volume) {
                boolean searches =
                        task.isSameKind(BackendTask.FARNESS) || task.isSameKind(BackendTask.FARNESS_OF_SOURCES);
                progress.beginTask(searches ? task.with("(" + volume + " searches)") : task, volume);
            }

            @Override
            public void advance(long volume) {
                progress.advance(volume);
            }
        };
    }

    private void settleAll(int[] vertices, Farness sums) {
        PacedStop paced = new PacedStop(stop);
        int rows = sums.reach().length;
        searches += rows;
        for (int row = 0; row < rows; row++) {
            settle(vertices == null ? row : vertices[row], formula.score(sums, row, reach.length - 1L));
            paced.worked(1);
        }
    }

    private void settle(int vertex, double score) {
        if (!settled[vertex]) {
            settled[vertex] = true;
            bounds[vertex] = score;
            if (score > threshold) {
                addToBest(score);
            }
        }
    }

    private synchronized void addToBest(double score) {
        if (bestCount < best.length) {
            best[bestCount++] = score;
            Arrays.sort(best, 0, bestCount == best.length ? bestCount : 0);
        } else if (score > best[0]) {
            int place = 0;
            for (int child = 1; child < best.length; child = 2 * place + 1) {
                child += child + 1 < best.length && best[child + 1] < best[child] ? 1 : 0;
                if (best[child] >= score) {
                    break;
                }
                best[place] = best[child];
                place = child;
            }
            best[place] = score;
        }
        threshold = bestCount < best.length ? threshold : best[0];
    }

    private Top top() {
        PacedStop paced = new PacedStop(stop);
        IntStream better = IntStream.range(0, reach.length)
                .peek(vertex -> paced.worked(1))
                .filter(vertex -> settled[vertex] && bounds[vertex] > threshold)
                .boxed()
                .sorted((one, other) -> {
                    paced.worked(1);
                    return Double.compare(bounds[other], bounds[one]);
                })
                .mapToInt(vertex -> vertex);
        IntStream equal = IntStream.range(0, reach.length)
                .peek(vertex -> paced.worked(1))
                .filter(vertex -> settled[vertex] && bounds[vertex] == threshold);
        int[] vertices = IntStream.concat(better, equal).limit(best.length).toArray();
        double[] scores =
                Arrays.stream(vertices).mapToDouble(vertex -> bounds[vertex]).toArray();
        return new Top(vertices, scores, searches, edges.sum());
    }

    private void boundByNeighbours(int[] vertices) {
        int back = lists.isSymmetric() ? 1 : 0;
        boundByFirstLevel(vertices, (vertex, paced) -> {
            long rest = (long) reach[vertex] - lists.degree(vertex);
            long neighbours = 0;
            for (long e = lists.columnStart(vertex); e < lists.columnEnd(vertex) && neighbours < rest; e++) {
                neighbours += lists.degree(lists.rowIndices().get(e)) - back;
                paced.worked(1);
            }
            return neighbours;
        });
    }

    private void boundBySecondLevel(int[] vertices) {
        boundByFirstLevel(vertices, new SecondLevel(csc, lists, control.concurrency(), stop)::mostOf);
    }

    /** The most vertices that the second level of a search can have. */
    @FunctionalInterface
    private interface MostBeyond {
        long of(int vertex, PacedStop paced);
    }

    private void boundByFirstLevel(int[] vertices, MostBeyond most) {
        Workers.forRanges(control.concurrency(), vertices.length, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int i = (int) from; i < to; i++) {
                int vertex = vertices[i];
                int degree = lists.degree(vertex);
                paced.worked(1);
                bound(vertex, 1, degree, degree, Farness.addHarmonic(0, degree, 1), most.of(vertex, paced));
            }
        });
    }

    /**
     * Bounds a score by the first levels of a search, and settles the vertex if there are no others.
     *
     * @param level the last one of them
     * @param near number of vertices of these levels
     * @param farness sum of their distances
     * @param harmonic sum of the reciprocals
     * @param neighbours the most vertices that the next level can have
     */
    private void bound(int vertex, int level, long near, long farness, double harmonic, long neighbours) {
        long rest = reach[vertex] - near;
        long next = Math.min(neighbours, rest);
        long least = farness + (level + 1) * next + (level + 2) * (rest - next);
        double most = Farness.addHarmonic(Farness.addHarmonic(harmonic, next, level + 1), rest - next, level + 2);
        double score =
                formula.score((double) least, reach[vertex], rest == 0 ? harmonic : most * MARGIN, reach.length - 1L);
        if (rest == 0) {
            settle(vertex, score);
        } else {
            bounds[vertex] = score;
        }
    }

    /**
     * Bounds the scores of vertices by the first levels of searches, which end when the vertex is settled or pruned.
     */
    private void countLevels(int[] vertices) {
        // the same for all, so that which vertices stay open does not depend on the threads
        double pruned = threshold;
        int threads = Math.min(control.concurrency(), (vertices.length + WIDTH - 1) / WIDTH);
        FirstLevels[] levels = new FirstLevels[threads];
        Workers.forRanges(Math.max(1, threads), vertices.length, WIDTH, stop, (worker, from, to) -> {
            levels[worker] = levels[worker] == null ? new FirstLevels(lists, stop) : levels[worker];
            count(levels[worker], Arrays.copyOfRange(vertices, (int) from, (int) to), pruned);
        });
    }

    private void count(FirstLevels levels, int[] sources, double pruned) {
        int back = lists.isSymmetric() ? 1 : 0;
        long[] near = new long[sources.length];
        long[] farness = new long[sources.length];
        double[] harmonic = new double[sources.length];
        levels.begin(sources);
        long live = -1L >>> (Long.SIZE - sources.length);
        for (int level = 1; level <= LEVELS && live != 0; level++) {
            long[] found = new long[sources.length];
            long[] neighbours = new long[sources.length];
            edges.add(levels.advance(live, (vertex, bits, earlier) -> {
                int degree = lists.degree(vertex) - back;
                for (long rest = bits; rest != 0; rest &= rest - 1) {
                    int s = Long.numberOfTrailingZeros(rest);
                    found[s]++;
                    neighbours[s] += degree;
                }
            }));
            for (long rest = live; rest != 0; rest &= rest - 1) {
                int s = Long.numberOfTrailingZeros(rest);
                near[s] += found[s];
                farness[s] += level * found[s];
                harmonic[s] = Farness.addHarmonic(harmonic[s], found[s], level);
                bound(sources[s], level, near[s], farness[s], harmonic[s], neighbours[s]);
                live &= settled[sources[s]] || bounds[sources[s]] < pruned ? ~(1L << s) : -1;
            }
        }
    }
}
