// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

/** How a stored relationship becomes edges, in the terms of GDS's native projection. */
public enum Orientation {
    /** One edge from the start node to the end node. */
    NATURAL,
    /** One edge from the end node to the start node. */
    REVERSE,
    /** Two edges, one each way. */
    UNDIRECTED
}
