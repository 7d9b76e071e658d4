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
