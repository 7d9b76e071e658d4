// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.NearestAssignment;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunControl;
import io.proxima.projection.Csc;

/** The nearest of several sources for every vertex: one search from all of them, then {@link NearestAssignment}. */
final class NearestSourceSearch {

    private NearestSourceSearch() {}

    static NearestSources run(Csc out, Csc in, int[] sources, int maxDepth, RunControl control) {
        BreadthFirstSearch search = new BreadthFirstSearch(out, in, true, control);
        search.run(sources, maxDepth, new int[0]);
        long[] frontierSizes = search.frontierSizes();
        return NearestAssignment.assign(out, sources, search.levelArray(), search.order(), frontierSizes, control);
    }
}
