// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.calibration;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.CscBuilder;
import io.proxima.projection.Orientation;
import java.util.SplittableRandom;

/**
 * Generates the undirected graphs of a calibration, the same on every host. The graphs of small diameter are ordered by
 * degree before they are searched. A lattice is numbered row by row, like a road network after reordering.
 *
 * @param scale of the graphs of small diameter: 2^scale vertices and 16 edges per vertex
 * @param side length of the lattice, in vertices
 * @param concurrency threads that generate the graphs
 */
public record CalibrationGraphs(int scale, int side, int concurrency) {

    private static final int EDGES_A_VERTEX = 16;
    private static final int CHUNK = 1 << 14;
    private static final long SEED = 2026;

    // Graph500: the quadrant of the matrix in which an edge lies, bit by bit
    private static final double LEFT = 0.76;
    private static final double LEFT_TOP = 0.57;
    private static final double RIGHT_TOP = 0.95;

    /** The share of the lattice's links that exist. Above a half, so that most vertices are connected. */
    private static final double KEPT = 0.6;

    /** Graphs that exceed the caches of every device and take seconds to generate and measure. */
    public static CalibrationGraphs full(int concurrency) {
        return new CalibrationGraphs(19, 1 << 9, concurrency);
    }

    private interface EdgeMaker {
        void add(long index, SplittableRandom random, CscBuilder.EdgeBuffer edges);
    }

    /** A graph with the degree distribution of social networks: R-MAT with the parameters of Graph500. */
    public Csc scaleFree(Stop stop) {
        return make(1 << scale, edgeCount(), 1, stop, (index, random, edges) -> {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                double draw = random.nextDouble();
                boolean right = draw >= LEFT;
                source = 2 * source + (right ? 1 : 0);
                target = 2 * target + (draw >= (right ? RIGHT_TOP : LEFT_TOP) ? 1 : 0);
            }
            edges.add(source, target);
        });
    }

    /** A uniform random graph. */
    public Csc uniform(Stop stop) {
        int n = 1 << scale;
        return make(n, edgeCount(), 1, stop, (index, random, edges) -> edges.add(random.nextInt(n), random.nextInt(n)));
    }

    /** A square lattice with missing links, of a diameter like that of a road network. */
    public Csc lattice(Stop stop) {
        int n = side * side;
        return make(n, n, 2, stop, (index, random, edges) -> {
            int v = (int) index;
            if (random.nextDouble() < KEPT && v % side < side - 1) {
                edges.add(v, v + 1);
            }
            if (random.nextDouble() < KEPT && v < n - side) {
                edges.add(v, v + side);
            }
        });
    }

    private long edgeCount() {
        return (long) EDGES_A_VERTEX << scale;
    }

    private Csc make(int vertexCount, long draws, int edgesADraw, Stop stop, EdgeMaker maker) {
        CscBuilder builder = new CscBuilder(vertexCount, Orientation.UNDIRECTED, concurrency, draws * edgesADraw);
        Workers.forRanges(concurrency, draws, CHUNK, stop, (worker, from, to) -> {
            // seeded by range, so that the graph does not depend on the number of threads
            SplittableRandom random = new SplittableRandom(SEED + from);
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (long i = from; i < to; i++) {
                maker.add(i, random, edges);
            }
        });
        return builder.build(concurrency, stop);
    }

    /** Peak heap: one graph exists while the other is built. */
    MemoryTree heap() {
        int n = 1 << scale;
        long first = 2 * edgeCount() * Integer.BYTES + (n + 1L) * Long.BYTES;
        return MemoryTree.together(
                "graphs to measure on",
                MemoryTree.between("one graph", first / 2, first),
                CscBuilder.memory(n, Orientation.UNDIRECTED, concurrency, edgeCount())
                        .built());
    }
}
