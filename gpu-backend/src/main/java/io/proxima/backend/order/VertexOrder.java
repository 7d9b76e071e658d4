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
package io.proxima.backend.order;

import java.util.Locale;

/** The orders in which a graph's vertices can be laid out; users write them in lower case, as in {@code order: 'rcm'}. */
public enum VertexOrder {
    /** Whichever {@link OrderAdvice} expects to pay. */
    AUTO,
    /** As projected. */
    NATURAL,
    /** Descending degree, ties by vertex. */
    DEGREE,
    /** Vertices of more than the average degree first, by descending degree; the others after them as projected. */
    HUBS,
    /** Breadth-first from the vertex of highest degree of each component. */
    BFS,
    /** Reverse Cuthill-McKee, for graphs of low bandwidth. */
    RCM,
    /** {@link JaccardWithWindows}. */
    JACCARD;

    /** As users write it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
