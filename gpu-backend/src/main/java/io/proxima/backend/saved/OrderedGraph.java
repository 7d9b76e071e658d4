// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.VertexOrder;
import io.proxima.projection.GraphFingerprint;

/**
 * A graph in an order, ready to be traversed.
 *
 * @param fingerprint fingerprint of the CSC in vertex id space
 * @param order the order; never AUTO
 * @param permutation vertices to slots
 * @param bvss in slot id space
 * @param divergence the update divergence of {@code bvss}, in rows
 */
public record OrderedGraph(
        GraphFingerprint fingerprint, VertexOrder order, Permutation permutation, Bvss bvss, double divergence) {

    /** Checks that the parts are of one graph. */
    public OrderedGraph {
        if (order == VertexOrder.AUTO || permutation.size() != bvss.vertexCount()) {
            throw new IllegalArgumentException("permutation and BVSS must be of the same graph: order=" + order
                    + ", permutation=" + permutation.size() + ", vertexCount=" + bvss.vertexCount());
        }
    }
}
