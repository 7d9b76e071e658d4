/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
