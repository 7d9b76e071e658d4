// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import static io.proxima.backend.cuda.driver.KernelConstants.BLOCK_THREADS;
import static io.proxima.backend.cuda.driver.KernelConstants.KAPPA;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_GROUP_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_POSITIONS;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sums of multi-source BFS from neighbouring sources over tiles, for deep graphs: msbfs_tiles.cu. Sources are numbered
 * by their positions in the tiles. A launch begins new batches for {@link #NANOS_OF_SUMS}, and ends when the batches in
 * progress are done.
 */
public record TilesSumKernels(String name, Device device) implements SumKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("neighbour-tiles", Operation.FARNESS),
            (device, kernel, operation) -> new TilesSumKernels(kernel.keyword(), device));

    /** How long a launch begins new batches: long enough to hide the latency of the host. */
    static final long NANOS_OF_SUMS = 3_000_000_000L;

    /** The number of simultaneous batches that was best on graphs whose levels have hundreds of tiles. */
    private static final int GROUPS = 16;

    /**
     * Slots that are processed at the same time. If levels have few tiles, groups mostly wait, so small graphs are
     * searched by more groups.
     */
    private static final int SLOTS_AT_ONCE = 1 << 26;

    private static final long NULL = 0;

    private static final int MOST_SOURCES = 1 << 20;
    private static final int ROUNDS_OF_A_SHARE = 4;
    private static final int MORE_LEVELS = 16;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.IN, NeighbourTiles.TILES));
    }

    @Override
    public int mostSources() {
        return MOST_SOURCES;
    }

    @Override
    public int leastSources() {
        return MOST_SOURCES / GROUPS;
    }

    /** The number of simultaneous batches: fewer if memory is short. */
    private int groups(GraphSizes graph, int most, int count) {
        int wanted = Math.max(GROUPS, SLOTS_AT_ONCE / Math.max(1, graph.vertexCount()));
        int affordable = Math.max(1, (int) ((long) wanted * most / MOST_SOURCES));
        return Math.min(Math.min(affordable, device.facts().multiprocessors()), batches(count));
    }

    private static int batches(int sources) {
        return (int) ((sources + (KAPPA - 1L)) / KAPPA);
    }

    /** Up to {@code queueA} zero before a launch; {@code far} and {@code reach} by position. */
    private static ArrayLayout workspace(int vertexCount, int groups) {
        long tiles = (long) NeighbourTiles.tiles(vertexCount) * groups;
        return new ArrayLayout()
                .add("bitsA", tiles, TILE_BYTES)
                .add("bitsB", tiles, TILE_BYTES)
                .add("marks", tiles, Integer.BYTES)
                .add("full", tiles, Byte.BYTES)
                .add("groupStates", groups, TILE_GROUP_BYTES)
                .add("far", vertexCount, Long.BYTES)
                .add("reach", vertexCount, Long.BYTES)
                .add("queueA", tiles, Integer.BYTES)
                .add("queueB", tiles, Integer.BYTES)
                .add("nextBatch", 1, Integer.BYTES);
    }

    @Override
    public long bytes(GraphSizes graph, int most, int count) {
        return bytes(graph.vertexCount(), groups(graph, most, count));
    }

    /** The exact bytes of the workspace of a launch with so many simultaneous batches. */
    public static long bytes(int vertexCount, int groups) {
        return workspace(vertexCount, groups).bytes();
    }

    @Override
    public int sourceMultiple() {
        return KAPPA;
    }

    @Override
    public int levelCapacity(int usual) {
        return usual * MORE_LEVELS;
    }

    /** Several batches per group, because in a single round all groups would wait for the slowest. */
    @Override
    public int leastShare(GraphSizes graph) {
        int n = graph.vertexCount();
        return (int) Math.min(n, (long) ROUNDS_OF_A_SHARE * KAPPA * groups(graph, MOST_SOURCES, n));
    }

    @Override
    public boolean mayEndEarly() {
        return true;
    }

    @Override
    public Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, Sums sums) {
        int n = graph.vertexCount();
        int last = first + count;
        if (first % KAPPA != 0 || (last % KAPPA != 0 && last != n)) {
            throw new IllegalArgumentException(
                    "sources must be whole batches of " + KAPPA + ": first=" + first + ", count=" + count);
        }
        int groups = groups(graph, most, count);
        int tileCount = NeighbourTiles.tiles(n);
        ArrayLayout plan = workspace(n, groups);
        NeighbourTiles.Tiles tiles = graph.structure(NeighbourTiles.TILES);
        Lists in = graph.structure(Csr.IN);
        long far = sums.farness() == NULL ? NULL : at + plan.at("far");
        long reach = sums.reach() == NULL ? NULL : at + plan.at("reach");
        int[] nextBatch = {first / KAPPA};
        lease.fill(at, 0, plan.at("queueA"));
        lease.upload(at + plan.at("nextBatch"), nextBatch, 0, nextBatch.length);
        KernelArguments arguments = tiles.set(ShippedKernels.arguments("msbfs_tiles_k" + KAPPA + "_grid"));
        sums.set(arguments.set(plan, at));
        DeviceLease.Launch launch = lease.beginLaunch(
                // at least one block per group
                Grid.cooperative(groups * Math.max(BLOCK_THREADS, (long) tileCount * TILE_POSITIONS)),
                arguments
                        .set("inPtrs", in.pointers())
                        .set("inIdx", in.indices())
                        .set("far", far)
                        .set("reach", reach)
                        .set("nanos", NANOS_OF_SUMS)
                        .set("n", n)
                        .set("tiles", tileCount)
                        .set("groups", groups)
                        .set("lastBatch", first / KAPPA + batches(count)));
        return () -> {
            DeviceLease.Outcome outcome = launch.end();
            lease.launchThreads(
                    n,
                    tiles.set(ShippedKernels.arguments("msbfs_tiles_add_thread"))
                            .set("far", far)
                            .set("reach", reach)
                            .set("farOfSlots", sums.farness())
                            .set("reachOfSlots", sums.reach())
                            .set("n", n));
            lease.download(at + plan.at("nextBatch"), nextBatch, 1);
            return new Added(outcome, (int) Math.min(count, (long) nextBatch[0] * KAPPA - first));
        };
    }
}
