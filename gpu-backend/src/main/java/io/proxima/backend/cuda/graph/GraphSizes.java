// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.TraversalBackend.GraphShape;
import java.util.function.ToLongFunction;

/** Inputs of the size formulas of structures and searches, for a resident or a hypothetical graph. */
public interface GraphSizes {

    int vertexCount();

    /** Directed edges. */
    long entryCount();

    /** Whether the graph is known to be symmetric. */
    boolean symmetric();

    /** Whether the lists of neighbours lie in mapped host memory. */
    default boolean mapped() {
        return false;
    }

    /**
     * A figure that building a structure has determined.
     *
     * @throws IllegalStateException if the structure was never built
     */
    long figure(Figure figure);

    /** The sizes of a graph without any structure so far. */
    static GraphSizes of(GraphShape shape) {
        return new GraphSizes() {
            @Override
            public int vertexCount() {
                return shape.vertexCount();
            }

            @Override
            public long entryCount() {
                return shape.entryCount();
            }

            @Override
            public boolean symmetric() {
                return shape.symmetric();
            }

            @Override
            public long figure(Figure figure) {
                throw new IllegalStateException("no structure of the graph was made: " + figure);
            }
        };
    }

    /**
     * The sizes of a graph with the maximum of every figure.
     *
     * @param graph the other sizes
     */
    record Most(GraphSizes graph) implements GraphSizes {
        @Override
        public int vertexCount() {
            return graph.vertexCount();
        }

        @Override
        public long entryCount() {
            return graph.entryCount();
        }

        @Override
        public boolean symmetric() {
            return graph.symmetric();
        }

        @Override
        public boolean mapped() {
            return graph.mapped();
        }

        @Override
        public long figure(Figure figure) {
            return figure.most(graph);
        }
    }

    /**
     * A number on which sizes depend and that only building a structure determines. There is one instance of each kind,
     * compared by identity.
     */
    interface Figure {
        /** The minimum; must not depend on other figures. */
        long least(GraphSizes graph);

        /** The maximum; must not depend on other figures. */
        long most(GraphSizes graph);

        /** A new kind of number, from 0 to a maximum that does not depend on other figures. */
        static Figure upTo(ToLongFunction<GraphSizes> most) {
            return new Figure() {
                @Override
                public long least(GraphSizes graph) {
                    return 0;
                }

                @Override
                public long most(GraphSizes graph) {
                    return most.applyAsLong(graph);
                }
            };
        }
    }
}
