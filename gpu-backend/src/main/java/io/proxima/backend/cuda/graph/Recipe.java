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
package io.proxima.backend.cuda.graph;

import java.util.List;

/**
 * What the making of a structure takes of a device beside the structure itself. The estimate of a run adds up the recipes of its structures,
 * and no maker allocates more than its recipe says.
 *
 * @param from structures that the making reads; they are made first if they are not resident
 * @param scratchBytes freed when the structure is made; counted while the structures of {@code from} are made too
 */
public record Recipe(List<DeviceStructure<?>> from, long scratchBytes) {

    /** The structure is made on the host, or comes from a file, and is copied. */
    public static final Recipe COPY = new Recipe(List.of(), 0);

    /**
     * What recipes depend on beside the sizes of the graph.
     *
     * @param mostBlocks blocks of the largest grid on the device
     * @param ordered whether the vertices lie in another order than projected
     * @param saved whether the slice sets are read from a file
     */
    public record Circumstances(int mostBlocks, boolean ordered, boolean saved) {}
}
