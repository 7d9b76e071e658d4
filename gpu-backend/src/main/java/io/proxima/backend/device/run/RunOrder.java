// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.order.OrderPolicy;

/**
 * What is known before a run of the order of its graph.
 *
 * @param mayBeOrdered whether the graph is, or may be, in another order than that of its vertices
 * @param isSure whether that is known
 * @param isMade whether the run may compute the order
 */
record RunOrder(boolean mayBeOrdered, boolean isSure, boolean isMade) {

    private static final RunOrder NATURAL = new RunOrder(false, true, false);

    static RunOrder of(LaunchPolicy policy, GraphShape graph, Contents contents, Workload work) {
        VertexOrder asked = policy.order(work.options());
        if (!work.operation().readsLoadedGraph()) {
            return NATURAL;
        }
        if (contents.isThere()) {
            return new RunOrder(contents.ordered(), true, false);
        }
        if (graph.vertexCount() == 0 || asked == VertexOrder.NATURAL) {
            return NATURAL;
        }
        if (asked != VertexOrder.AUTO) {
            return new RunOrder(true, true, true);
        }
        boolean mayBe = OrderPolicy.mayOrderFirst(
                graph, work.operation().mayBeManySearches(), policy.asksForSliceSets(work.options()));
        return new RunOrder(mayBe, !mayBe, mayBe);
    }
}
