// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.LinkedHashMap;
import java.util.Map;

/** Graphs and short cuts of the tests of this package. */
final class Graphs {

    private Graphs() {}

    /**
     * The worked example of the format page: 20 vertices, so 3 slice sets, of which the middle one has no slices and the
     * last covers 4 columns only.
     */
    static EdgeList workedExample() {
        return new EdgeList(20)
                .add(0, 3)
                .add(1, 3)
                .add(6, 3)
                .add(2, 9)
                .add(0, 17)
                .add(7, 17)
                .add(4, 18)
                .add(5, 19)
                .add(16, 0)
                .add(19, 0)
                .add(17, 18)
                .add(19, 18);
    }

    /** Slice set 1 of 4 has exactly {@code slices} slices, one to three bits each; set 0 has one and the others none. */
    static EdgeList withSlices(int slices) {
        EdgeList edges = new EdgeList(Math.max(32, 16 + slices));
        edges.add(3, 5);
        for (int slice = 0; slice < slices; slice++) {
            for (int bit = 0; bit <= slice % 3; bit++) {
                edges.add(8 + (slice + 3 * bit) % 8, 16 + slice);
            }
        }
        return edges;
    }

    /** One graph of each shape, by name. */
    static Map<String, EdgeList> shapes() {
        Map<String, EdgeList> shapes = new LinkedHashMap<>();
        shapes.put("empty", TestGraphs.empty());
        shapes.put("singleVertex", TestGraphs.singleVertex());
        shapes.put("workedExample", workedExample());
        shapes.put("path", TestGraphs.path(1000));
        shapes.put("cycle", TestGraphs.cycle(321));
        shapes.put("star", TestGraphs.star(1500));
        shapes.put("clique", TestGraphs.clique(150));
        shapes.put("grid", TestGraphs.grid(31, 33));
        shapes.put("tree", TestGraphs.binaryTree(500));
        shapes.put("lollipop", TestGraphs.lollipop(40, 60));
        shapes.put("disconnected", TestGraphs.disconnected(100));
        shapes.put("uniform", TestGraphs.uniform(700, 3000, 1, true));
        shapes.put("rmat", TestGraphs.rmat(10, 8, 2));
        for (int n : new int[] {7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 2047, 2048, 2049}) {
            shapes.put("uniform-" + n, TestGraphs.uniform(n, 4L * n, n, true));
            // the last vertex is in the last, perhaps partial, slice set both as a column and as a row
            shapes.put("cycle-" + n, TestGraphs.cycle(n));
        }
        return shapes;
    }

    static Csc csc(EdgeList edges, Orientation orientation) {
        return edges.toCsc(orientation, 1, Stop.NEVER);
    }

    static Bvss bvss(Csc graph) {
        return BvssBuilder.build(graph, 2, Stop.NEVER, Progress.NONE);
    }
}
