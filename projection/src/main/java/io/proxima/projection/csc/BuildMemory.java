// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.memory.MemoryTree;
import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * Heap of a {@link CscBuilder}.
 *
 * @param added heap of the edges after all have been added
 * @param built peak heap of the edges and the build
 * @param held heap of the graphs
 */
public record BuildMemory(MemoryTree added, MemoryTree built, MemoryTree held) {

    /** Peak heap of builds one after another. The edges of all are added before the first, and the graphs are kept. */
    public static MemoryTree peak(Collection<BuildMemory> builds) {
        return MemoryTree.between(
                "relationships", peak(builds, MemoryTree::minBytes), peak(builds, MemoryTree::maxBytes));
    }

    private static long peak(Collection<BuildMemory> builds, ToLongFunction<MemoryTree> bound) {
        long others = builds.stream()
                .mapToLong(build -> bound.applyAsLong(build.added))
                .sum();
        long peak = 0;
        for (BuildMemory build : builds) {
            others -= bound.applyAsLong(build.added);
            peak = Math.max(peak, others + bound.applyAsLong(build.built));
            others += bound.applyAsLong(build.held);
        }
        return peak;
    }
}
