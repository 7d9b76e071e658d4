// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.Orientation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/**
 * Graphs of the kinds that papers measure, with the parameters of GAP, Graph500 and DIMACS; the same for the same name
 * on every host. Undirected: kron&lt;S&gt;, urand&lt;S&gt;, rgg&lt;S&gt;, delaunay&lt;S&gt;, grid&lt;side&gt;,
 * road&lt;side&gt; (a grid without 40 % of its links), roadc&lt;side&gt; (its largest component), tailed&lt;S&gt;
 * (kron&lt;S&gt; with a path of 1,000 vertices that hangs from it). Directed: oneway&lt;side&gt; (roadc&lt;side&gt; in
 * which a tenth of the links leads one way only), dkron&lt;S&gt; (the edges of kron&lt;S&gt;), cite&lt;S&gt; (2^S
 * papers that cite 12 earlier ones, mostly recent or much cited ones), bowtie&lt;S&gt; (a core of a third of the
 * vertices, and chains that lead into it and out of it), and the path of a gzipped list of edges. A name can end with
 * "-reverse" or "-undirected".
 */
public final class BenchmarkGraphs {

    private static final int EDGES_A_VERTEX = 16;
    private static final int CHUNK = 1 << 16;
    private static final double ROAD_KEPT = 0.6;
    private static final int DOUBLE_BITS = 53;
    private static final long UPPER_LEFT = drawn(0.57);
    private static final long LEFT = drawn(0.76);
    private static final long ALL_BUT_LOWER_RIGHT = drawn(0.95);
    private static final int TAIL = 1000;
    private static final int ONE_WAY = 10;
    private static final int CITATIONS = 12;
    private static final int FAME = 16;
    private static final String UNDIRECTED = "-undirected";
    private static final String REVERSE = "-reverse";

    private final int concurrency;

    /** Graphs that are built by this many threads. */
    public BenchmarkGraphs(int concurrency) {
        this.concurrency = concurrency;
    }

    /** The graph of a name. */
    public Csc make(String name) {
        if (name.endsWith(UNDIRECTED)) {
            return undirected(make(name.substring(0, name.length() - UNDIRECTED.length())));
        }
        if (name.endsWith(REVERSE)) {
            return make(name.substring(0, name.length() - REVERSE.length())).transposed(concurrency, Stop.NEVER);
        }
        if (name.endsWith(".gz")) {
            return file(Path.of(name));
        }
        String kind = name.replaceAll("\\d", "");
        int size = Integer.parseInt(name.replaceAll("\\D", ""));
        return switch (kind) {
            case "kron" -> kronecker(size, Orientation.UNDIRECTED);
            case "dkron" -> kronecker(size, Orientation.NATURAL);
            case "cite" -> citations(1 << size);
            case "bowtie" -> bowTie(1 << size);
            case "urand" -> uniform(size);
            case "rgg" -> randomGeometric(size);
            case "delaunay" -> delaunay(size);
            case "grid" -> lattice(size, 1);
            case "road" -> lattice(size, ROAD_KEPT);
            case "roadc" -> largestComponent(lattice(size, ROAD_KEPT));
            case "tailed" -> tailed(kronecker(size, Orientation.UNDIRECTED));
            case "oneway" -> oneWay(largestComponent(lattice(size, ROAD_KEPT)));
            default -> throw new IllegalArgumentException("no such kind of graph: " + name);
        };
    }

    /** A share of the numbers that {@link SplittableRandom#nextDouble} draws from. */
    private static long drawn(double share) {
        return (long) (share * (1L << DOUBLE_BITS));
    }

    /** 1 if a number from 0 to 2^53 is at least another one, otherwise 0. */
    private static int atLeast(long number, long least) {
        return (int) ((least - 1 - number) >>> (Long.SIZE - 1));
    }

    /** Graph500 R-MAT, a/b/c = .57/.19/.19, 16 edges a vertex, ids shuffled. */
    private Csc kronecker(int scale, Orientation orientation) {
        int[] id = permutation(1 << scale);
        return edges(1 << scale, orientation, (long) EDGES_A_VERTEX << scale, 27_491_095, (random, edges) -> {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                // without branches, of which many would be mispredicted
                long drawn = random.nextLong() >>> (Long.SIZE - DOUBLE_BITS);
                int right = atLeast(drawn, LEFT);
                source = 2 * source + right;
                target = 2 * target + atLeast(drawn, UPPER_LEFT + (-right & (ALL_BUT_LOWER_RIGHT - UPPER_LEFT)));
            }
            edges.add(id[source], id[target]);
        });
    }

    private Csc uniform(int scale) {
        int n = 1 << scale;
        return edges(
                n,
                Orientation.UNDIRECTED,
                (long) EDGES_A_VERTEX << scale,
                27_491_095,
                (random, edges) -> edges.add(random.nextInt(n), random.nextInt(n)));
    }

    /** Citations lead back by a random share of the time, mostly a small one, or to one of the much cited papers. */
    private Csc citations(int n) {
        int[] id = permutation(n);
        return edges(n, Orientation.NATURAL, (long) CITATIONS * n, 5, (random, edges) -> {
            int citing = 1 + random.nextInt(n - 1);
            double share = random.nextDouble() * random.nextDouble() * random.nextDouble();
            int cited = Math.max(0, citing - 1 - (int) (share * n / 2));
            cited -= random.nextInt(3) == 0 ? cited % FAME : 0;
            edges.add(id[citing], id[cited]);
        });
    }

    private Csc bowTie(int n) {
        int[] id = permutation(n);
        int core = n / 3;
        return edges(n, Orientation.NATURAL, (long) EDGES_A_VERTEX * core, 5, (random, edges) -> {
            edges.add(id[random.nextInt(core)], id[random.nextInt(core)]);
            int side = core + random.nextInt(n - core);
            int inner = random.nextInt(random.nextBoolean() ? core : side);
            // even vertices lead to the core, odd ones away from it
            edges.add(id[side % 2 == 0 ? side : inner], id[side % 2 == 0 ? inner : side]);
        });
    }

    /** The graph of lines of two vertices, which count from 1 on. */
    private Csc file(Path path) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
            int[][] links = reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Arrays.stream(line.trim().split("\\s+"))
                            .mapToInt(word -> Integer.parseInt(word) - 1)
                            .toArray())
                    .toArray(int[][]::new);
            int n = Arrays.stream(links).flatMapToInt(Arrays::stream).max().orElse(-1) + 1;
            CscBuilder builder = new CscBuilder(n, Orientation.NATURAL, 1, links.length);
            for (int[] link : links) {
                builder.buffer(0).add(link[0], link[1]);
            }
            return builder.build(concurrency, Stop.NEVER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A square lattice with a share of its links, ids shuffled. */
    private Csc lattice(int side, double kept) {
        int n = side * side;
        int[] id = permutation(n);
        CscBuilder builder = new CscBuilder(n, Orientation.UNDIRECTED, concurrency, 2L * n);
        Workers.forRanges(concurrency, n, CHUNK, Stop.NEVER, (worker, from, to) -> {
            SplittableRandom random = new SplittableRandom(7 + from);
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (int v = (int) from; v < to; v++) {
                if (v % side < side - 1 && random.nextDouble() < kept) {
                    edges.add(id[v], id[v + 1]);
                }
                if (v < n - side && random.nextDouble() < kept) {
                    edges.add(id[v], id[v + side]);
                }
            }
        });
        return builder.build(concurrency, Stop.NEVER);
    }

    /** Random points in the unit square, linked within 0.55 sqrt(ln n / n), as rgg_n_2 of DIMACS. */
    private Csc randomGeometric(int scale) {
        int n = 1 << scale;
        double radius = 0.55 * Math.sqrt(Math.log(n) / n);
        return new RandomPoints(n, (int) (1 / radius)).within(radius, concurrency);
    }

    private Csc delaunay(int scale) {
        int n = 1 << scale;
        return new RandomPoints(n, (int) Math.sqrt(n / 2.0)).delaunay(concurrency);
    }

    private Csc largestComponent(Csc graph) {
        int[] levels = new int[0];
        try (CpuBackend cpu = new CpuBackend();
                LoadedGraph loaded = cpu.load(graph)) {
            long reached = 0;
            SplittableRandom random = new SplittableRandom(3);
            while (reached <= graph.vertexCount() / 2) {
                var found = loaded.bfs(random.nextInt(graph.vertexCount()), -1, new int[0], RunContext.of(concurrency));
                reached = found.reached();
                levels = found.levels();
            }
        }
        int[] id = new int[levels.length];
        int count = 0;
        for (int v = 0; v < levels.length; v++) {
            id[v] = levels[v] >= 0 ? count++ : -1;
        }
        return ofLinks(graph, count, Orientation.UNDIRECTED, (v, neighbour, edges) -> {
            if (id[v] >= 0) {
                edges.add(id[v], id[neighbour]);
            }
        });
    }

    /** With a path to nowhere, which begins at the first vertex that has a link to a higher one. */
    private Csc tailed(Csc graph) {
        int n = graph.vertexCount();
        int first = 0;
        while (lastNeighbour(graph, first) < first) {
            first++;
        }
        int from = first;
        return ofLinks(graph, n + TAIL, Orientation.UNDIRECTED, (v, neighbour, edges) -> {
            edges.add(v, neighbour);
            if (v == from && neighbour == lastNeighbour(graph, v)) {
                edges.add(v, n);
                for (int i = n + 1; i < n + TAIL; i++) {
                    edges.add(i - 1, i);
                }
            }
        });
    }

    private static int lastNeighbour(Csc graph, int v) {
        return graph.degree(v) == 0 ? -1 : graph.rowIndices().get(graph.columnEnd(v) - 1);
    }

    private Csc oneWay(Csc graph) {
        return ofLinks(graph, graph.vertexCount(), Orientation.NATURAL, (v, neighbour, edges) -> {
            edges.add(v, neighbour);
            if ((v + neighbour) % ONE_WAY != 0) {
                edges.add(neighbour, v);
            }
        });
    }

    private Csc undirected(Csc graph) {
        CscBuilder builder =
                new CscBuilder(graph.vertexCount(), Orientation.UNDIRECTED, concurrency, graph.entryCount());
        Workers.forRanges(concurrency, graph.vertexCount(), CHUNK, Stop.NEVER, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (int v = (int) from; v < to; v++) {
                for (long i = graph.columnStart(v); i < graph.columnEnd(v); i++) {
                    edges.add(v, graph.rowIndices().get(i));
                }
            }
        });
        return builder.build(concurrency, Stop.NEVER);
    }

    private interface LinkTaker {
        void take(int v, int neighbour, CscBuilder.EdgeBuffer edges);
    }

    /** A graph of what is made of each link of another, which is told once, the lower vertex first. */
    private Csc ofLinks(Csc graph, int n, Orientation orientation, LinkTaker taker) {
        CscBuilder builder = new CscBuilder(n, orientation, concurrency, graph.entryCount());
        Workers.forRanges(concurrency, graph.vertexCount(), CHUNK, Stop.NEVER, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (int v = (int) from; v < to; v++) {
                for (long i = graph.columnStart(v); i < graph.columnEnd(v); i++) {
                    int neighbour = graph.rowIndices().get(i);
                    if (v < neighbour) {
                        taker.take(v, neighbour, edges);
                    }
                }
            }
        });
        return builder.build(concurrency, Stop.NEVER);
    }

    private interface EdgeMaker {
        void add(SplittableRandom random, CscBuilder.EdgeBuffer edges);
    }

    private Csc edges(int n, Orientation orientation, long count, long seed, EdgeMaker maker) {
        CscBuilder builder = new CscBuilder(n, orientation, concurrency, count);
        Workers.forRanges(concurrency, count, CHUNK, Stop.NEVER, (worker, from, to) -> {
            SplittableRandom random = new SplittableRandom(seed + from);
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (long i = from; i < to; i++) {
                maker.add(random, edges);
            }
        });
        return builder.build(concurrency, Stop.NEVER);
    }

    private static int[] permutation(int n) {
        int[] id = new int[n];
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            id[i] = id[j];
            id[j] = i;
        }
        return id;
    }

    /** Different vertices that have an edge. */
    static int[] sources(Csc graph, int count) {
        return new SplittableRandom(5)
                .ints(0, graph.vertexCount())
                .filter(v -> graph.degree(v) > 0)
                .distinct()
                .limit(count)
                .toArray();
    }
}
