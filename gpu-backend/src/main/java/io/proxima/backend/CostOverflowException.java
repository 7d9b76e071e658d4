// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** The cost of a path exceeds the greatest double, so that its end could not be told from an unreached vertex. */
public final class CostOverflowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int from;
    private final int to;
    private final double cost;
    private final double weight;

    /**
     * Creates the exception for an edge.
     *
     * @param from vertex that is reached
     * @param to vertex whose cost would exceed the greatest double
     * @param cost the cost of {@code from}
     * @param weight the weight of the edge
     */
    CostOverflowException(int from, int to, double cost, double weight) {
        super("The cost of the path to vertex " + to + " is above the greatest double: that to vertex " + from + " is "
                + cost + ", and the weight of the edge between them is " + weight + ". Scale the weights down.");
        this.from = from;
        this.to = to;
        this.cost = cost;
        this.weight = weight;
    }

    /** The vertex before the edge; vertex id space. */
    public int from() {
        return from;
    }

    /** The vertex behind the edge; vertex id space. */
    public int to() {
        return to;
    }

    /** The cost of the vertex before the edge. */
    public double cost() {
        return cost;
    }

    /** The weight of the edge. */
    public double weight() {
        return weight;
    }
}
