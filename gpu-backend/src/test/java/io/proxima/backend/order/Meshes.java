// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Meshes of the tests of this package, undirected. */
final class Meshes {

    private Meshes() {}

    static Csc lattice(int side, double kept, long seed) {
        return lattice(side, kept, seed, IntStream.range(0, side * side).toArray());
    }

    /** Vertices in random order. */
    static Csc shuffledLattice(int side, double kept, long seed) {
        int[] id = IntStream.range(0, side * side).toArray();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = id.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int other = id[j];
            id[j] = id[i];
            id[i] = other;
        }
        return lattice(side, kept, seed, id);
    }

    private static Csc lattice(int side, double kept, long seed, int[] id) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeList edges = new EdgeList(side * side);
        for (int v = 0; v < side * side; v++) {
            if (v % side < side - 1 && random.nextDouble() < kept) {
                edges.add(id[v], id[v + 1]);
            }
            if (v + side < side * side && random.nextDouble() < kept) {
                edges.add(id[v], id[v + side]);
            }
        }
        return edges.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
    }
}
