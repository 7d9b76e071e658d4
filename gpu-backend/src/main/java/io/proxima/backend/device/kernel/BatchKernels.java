// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Workload;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kernels of multi-source BFS: a batch of searches runs at the same time. Immutable. All arrays are in slot id space.
 */
public interface BatchKernels extends DeviceKernels {

    /** The bytes of a distance, which only searching determines. */
    GraphSizes.Figure DISTANCE_BYTES =
            new GraphSizes.Figure(graph -> Byte.BYTES, graph -> levelBytes(graph.vertexCount() - 1L));

    /** Batches of distances. Each way has room for the widest distances of the smallest batch. */
    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        int widest = (int) Math.min(graph.figure(DISTANCE_BYTES), levelBytes(work.deepest(graph.vertexCount())));
        SortedMap<Long, Way> ways = new TreeMap<>(Comparator.reverseOrder());
        long least = 0;
        for (int batch = LaunchPolicy.SMALLEST_BATCH; batch <= mostDistances(); batch *= 2) {
            for (int width = widest; width > 0; width /= 2) {
                long bytes = workspace(graph, batch, Math.min(batch, work.sources()), width)
                        .bytes();
                least = Math.max(least, batch == LaunchPolicy.SMALLEST_BATCH ? bytes : 0);
                ways.put(bytes, Way.inBatches(batch, bytes));
            }
        }
        return List.copyOf(ways.headMap(least - 1).values());
    }

    /** The maximum number of sources of a batch that accumulates sums. */
    int mostSources();

    /**
     * The maximum number of sources of a batch of distances. Smaller, because the host, not the search, limits its
     * throughput.
     */
    default int mostDistances() {
        return mostSources();
    }

    /** Whether the batches search against the edges, and add to sums by source instead of sums by vertex. */
    default boolean bySource() {
        return false;
    }

    /**
     * Whether a launch may have to be resumed without having been asked to pause, so that none may be queued behind it.
     */
    default boolean mayPauseItself() {
        return false;
    }

    /**
     * The workspace of a batch, with {@code sources: int[count]} and {@code levels}: {@code count} rows of {@code
     * vertexCount} distances, in slot id space.
     *
     * @param most maximum sources of all batches, reduced if memory is short: from {@link
     *     LaunchPolicy#SMALLEST_BATCH} to {@link #mostSources}
     * @param count sources of this batch, at most {@code most}
     * @param levelBytes bytes per distance: 1, 2 or 4; 0 if distances are not wanted
     */
    ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes);

    /**
     * Bytes per distance for searches up to level {@code deepest}: 1, 2 or 4. The largest unsigned value of that width
     * means unreached.
     */
    static int levelBytes(long deepest) {
        int bytes = Byte.BYTES;
        while (bytes < Integer.BYTES && deepest > (1L << (Byte.SIZE * bytes)) - 2) {
            bytes *= 2;
        }
        return bytes;
    }

    /**
     * One batch.
     *
     * @param most maximum sources of all batches, as for {@link #workspace}
     * @param count sources of this batch
     * @param maxDepth the last level to visit, -1 for all
     * @param levelBytes bytes per distance: 1, 2 or 4; 0 if distances are not wanted
     * @param sums the sums to accumulate; {@link Sums#NONE} with distances, because a batch whose distances turn out
     *     too narrow is repeated
     */
    record Batch(int most, int count, int maxDepth, int levelBytes, Sums sums) {}

    /** The kernel of a batch, with its arguments but those that all kernels of batches share. */
    BfsKernel.Search search(GraphView graph, Batch batch);

    /**
     * Begins a batch without waiting for its end. Batches begun one after the other may share a workspace.
     *
     * @param at device address of a workspace laid out as {@link #workspace} for this batch
     * @param sources device address of {@code int[count]}: slots
     */
    default DeviceLease.Launch begin(DeviceLease lease, GraphView graph, long at, long sources, Batch batch) {
        BfsKernel.Search search = search(graph, batch);
        return lease.beginLaunch(
                search.grid(),
                batch.sums
                        .set(search.arguments())
                        .set(workspace(graph, batch.most, batch.count, batch.levelBytes), at)
                        .set("sources", sources)
                        .set("sourceCount", batch.count)
                        .set("maxDepth", batch.maxDepth)
                        .set("levelBytes", Math.max(Byte.BYTES, batch.levelBytes)));
    }

    /**
     * Runs a batch to its end; see {@link #begin}.
     *
     * @param slots the sources
     * @param first index of the batch's first source
     */
    default DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] slots, int first, Batch batch) {
        long sources =
                at + workspace(graph, batch.most, batch.count, batch.levelBytes).at("sources");
        lease.upload(sources, slots, first, batch.count);
        return begin(lease, graph, at, sources, batch).end();
    }
}
