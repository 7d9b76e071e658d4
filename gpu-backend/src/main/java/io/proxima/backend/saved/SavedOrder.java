// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.VertexOrder;
import io.proxima.projection.GraphFingerprint;

/**
 * The order of a saved graph, without its slice sets, which stay in the file until a kernel reads them.
 *
 * @param fingerprint fingerprint of the CSC in vertex id space
 * @param order the order; never AUTO
 * @param permutation vertices to slots
 * @param virtualSliceSetCount number of virtual slice sets in the file
 */
public record SavedOrder(
        GraphFingerprint fingerprint, VertexOrder order, Permutation permutation, int virtualSliceSetCount) {}
