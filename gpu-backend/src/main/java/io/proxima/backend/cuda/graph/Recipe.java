// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import java.util.List;

/**
 * What building a structure takes on a device besides the structure itself. The estimate of a run adds up the recipes
 * of its structures, and no builder allocates more than its recipe.
 *
 * @param from structures that are read, and built first if they are not resident
 * @param scratchBytes bytes freed when the structure is built; they also count while the structures of {@code from} are
 *     built
 */
public record Recipe(List<DeviceStructure<?>> from, long scratchBytes) {

    /** The recipe of a structure that is built on the host and copied. */
    public static final Recipe COPY = new Recipe(List.of(), 0);

    /**
     * What recipes depend on besides the sizes of the graph.
     *
     * @param mostBlocks blocks of the largest grid on the device
     * @param ordered whether the graph is reordered
     */
    public record Circumstances(int mostBlocks, boolean ordered) {}
}
