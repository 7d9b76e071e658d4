// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.GraphShape;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Inputs of the size formulas of structures and searches, for a resident or a hypothetical graph. */
public interface GraphSizes {

    int vertexCount();

    /** Directed edges. */
    long entryCount();

    /** Whether the graph is known to be symmetric. */
    boolean symmetric();

    /** Whether the graph is in another order than that of its vertices. */
    boolean ordered();

    /** Blocks of the largest grid on the device. */
    int mostBlocks();

    /**
     * A figure that building a structure has determined.
     *
     * @throws IllegalStateException if the structure was never built
     */
    long figure(Figure figure);

    /**
     * Sizes with a bound for each figure that is not known yet.
     *
     * @param known the figures that building structures has determined
     * @param atMost whether unknown figures have their maximum, rather than their minimum
     */
    record Bounds(
            int vertexCount,
            long entryCount,
            boolean symmetric,
            boolean ordered,
            int mostBlocks,
            Map<Figure, Long> known,
            boolean atMost)
            implements GraphSizes {

        /** The maximum sizes of a graph in its own order, of which no structure was built. */
        public static Bounds of(GraphShape shape, int mostBlocks) {
            return new Bounds(
                    shape.vertexCount(), shape.entryCount(), shape.symmetric(), false, mostBlocks, Map.of(), true);
        }

        @Override
        public long figure(Figure figure) {
            Long value = known.get(figure);
            if (value != null) {
                return value;
            }
            return (atMost ? figure.most() : figure.least()).applyAsLong(this);
        }
    }

    /**
     * A number on which sizes depend and that only building a structure determines. There is one instance of each kind.
     *
     * @param least the minimum, which must not depend on other figures
     * @param most the maximum, which must not either
     */
    record Figure(ToLongFunction<GraphSizes> least, ToLongFunction<GraphSizes> most) {}
}
