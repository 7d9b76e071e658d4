// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import static io.proxima.backend.cuda.driver.KernelConstants.COSTS_OF_SOURCE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_STATE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_SUMS_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_SUMS_WIDE_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_TEAM_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_THREADS;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_WIDE_SHARED_BYTES;

import io.proxima.backend.BackendTask;
import io.proxima.backend.CostSums;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.FixedSum;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.WeightedCsc;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The costs of the shortest paths from one source, and sums over those from each of many, by near_far.cu. */
public record NearFarKernels(String name, Device device) implements PathKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("near-far", Operation.SHORTEST_PATHS, Operation.COST_SUMS),
            (device, kernel, operation) -> new NearFarKernels(kernel.keyword(), device));

    private static final int GRAIN = 1 << 15;

    /** Target duration of a launch that sums costs, from which the number of its sources follows. */
    private static final float MILLIS_OF_A_LAUNCH = 1000;

    /** The greatest width of a bucket of costs of 32 bits. */
    private static final double WIDEST = 0xffffffffL;

    /** The delta of graphs of high degree, as a multiple of the light weight. */
    private static final double DENSE_SHARE = 4;

    /** At lower degrees, the multiple is the square of this divided by the degree, if that is greater. */
    private static final double DEEP_DEGREE = 16;

    /**
     * {@inheritDoc} It is wider than that of the CPU, because more vertices of a bucket occupy a device, and their
     * repeated work is cheap.
     */
    @Override
    public double delta(WeightedCsc.Lengths lengths) {
        return ShortestPaths.delta(lengths, DENSE_SHARE, DEEP_DEGREE);
    }

    @Override
    public boolean canSearch(int vertexCount, long entryCount) {
        return KernelLayouts.countsInOneWord(vertexCount, entryCount);
    }

    @Override
    public double[] run(GraphView graph, WeightedLists.Lists lists, int source, double delta, RunContext control) {
        int vertexCount = graph.vertexCount();
        control.progress().beginTask(BackendTask.SHORTEST_PATHS, vertexCount);
        WeightedLists.Form form = lists.form();
        boolean wide = form.costBytes() == Double.BYTES;
        ArrayLayout plan = layout(vertexCount, form.costBytes());
        try (DeviceLease lease = device.lease(control.stop())) {
            long at = graph.placed().workspace(lease, plan.bytes());
            lease.fill(at + plan.at("state"), 0, NEAR_FAR_STATE_BYTES);
            KernelArguments arguments =
                    arguments(false, lists, delta).set("n", vertexCount).set("source", source);
            arguments.set(plan, at);
            DeviceLease.Launch launch = lease.beginLaunch(
                    Grid.cooperative(Math.max(vertexCount, lists.entryCount()))
                            .withMostBlocks(1)
                            .withSharedBytes(wide ? NEAR_FAR_WIDE_SHARED_BYTES : NEAR_FAR_SHARED_BYTES),
                    arguments);
            // during the search, because zeroing takes as long as a short one
            double[] costs = new double[vertexCount];
            launch.end();
            VertexOrderedArray found = new VertexOrderedArray(at + plan.at("costs"), form.costBytes(), vertexCount, 0);
            if (wide) {
                lease.download(found, costs, control.concurrency());
            } else {
                lease.download(found, 1, (from, offset, bytes) -> {
                    int first = (int) (offset / Integer.BYTES);
                    Workers.forRanges(
                            control.concurrency(),
                            bytes / Integer.BYTES,
                            GRAIN,
                            Stop.NEVER,
                            (worker, begin, end) -> widen(from, (int) begin, (int) end, costs, first));
                });
            }
            control.progress().advance(vertexCount);
            return costs;
        }
    }

    private static void widen(ByteBuffer from, int begin, int end, double[] to, int first) {
        for (int i = begin; i < end; i++) {
            int cost = from.getInt(i * Integer.BYTES);
            to[first + i] = cost == -1 ? ShortestPaths.UNREACHED : Integer.toUnsignedLong(cost);
        }
    }

    @Override
    public List<Way> ways(int vertexCount, int costBytes, Workload work) {
        if (work.operation() == Operation.SHORTEST_PATHS) {
            return List.of(Way.within(layout(vertexCount, costBytes).bytes()));
        }
        List<Way> ways = new ArrayList<>();
        for (int teams = teams(vertexCount, work.sources()); teams > 0; teams /= 2) {
            ways.add(Way.inBatches(
                    teams,
                    ofTeams(vertexCount, costBytes, teams, work.sources()).bytes()));
        }
        return ways;
    }

    /**
     * The number of teams if memory is not short: at most one for each source and each multiprocessor. The same for
     * costs of any width, because an estimate does not know it: narrow costs must not take more memory than wide ones.
     */
    private int teams(int vertexCount, int sources) {
        long fitting = device.policy().teamsBytes(device.facts().totalBytes())
                / layout(vertexCount, Double.BYTES).bytes();
        return (int) Math.max(1, Math.min(Math.min(device.facts().multiprocessors(), sources), fitting));
    }

    @Override
    public CostSums sums(
            GraphView graph,
            WeightedLists.Lists lists,
            int[] sources,
            double delta,
            boolean reciprocals,
            RunContext control) {
        control.progress().beginTask(BackendTask.WEIGHTED_SEARCHES, sources.length);
        CostSums sums = new CostSums(sources.length, reciprocals);
        int next = 0;
        int rounds = 1;
        while (next < sources.length) {
            try (DeviceLease lease = device.lease(control.stop(), LeaseQueue.RunLength.LONG)) {
                int teams = graph.placed().way().batch();
                ArrayLayout plan = ofTeams(graph.vertexCount(), lists.form().costBytes(), teams, sources.length);
                long at;
                try {
                    at = graph.placed().workspace(lease, plan.bytes());
                } catch (DeviceMemoryException e) {
                    graph.placed().narrower(e);
                    continue;
                }
                do {
                    int count =
                            (int) Math.min(Math.min(SOURCES_OF_A_LAUNCH, sources.length - next), (long) teams * rounds);
                    long given = lease.give(at + plan.at("sources"), Arrays.copyOfRange(sources, next, next + count));
                    KernelArguments arguments = arguments(true, lists, delta);
                    arguments.set(plan, at);
                    arguments
                            .set("sources", given)
                            .set("n", graph.vertexCount())
                            .set("sourceCount", count)
                            // each team has its own
                            .set("state", 0)
                            .set("reciprocals", reciprocals ? 1 : 0);
                    DeviceLease.Outcome outcome = launch(lease, arguments, at, plan, teams, count);
                    take(lease, at + plan.at("found"), next, count, sums);
                    control.progress().advance(count);
                    next += count;
                    rounds = outcome.nextRounds(rounds, MILLIS_OF_A_LAUNCH);
                } while (next < sources.length && !device.isWanted());
            }
        }
        return sums;
    }

    private DeviceLease.Outcome launch(
            DeviceLease lease, KernelArguments arguments, long at, ArrayLayout plan, int teams, int count) {
        int teamBlocks = device.facts().multiprocessors() / teams;
        // they follow each other
        lease.fill(
                at + plan.at("teams"), 0, plan.at("found") - plan.at("teams") + (long) count * COSTS_OF_SOURCE_BYTES);
        boolean wide = arguments.entry().name().contains("_f64_");
        return lease.launch(
                Grid.cooperative((long) teams * teamBlocks * NEAR_FAR_THREADS)
                        .withMostBlocks(1)
                        .withSharedBytes(wide ? NEAR_FAR_SUMS_WIDE_SHARED_BYTES : NEAR_FAR_SUMS_SHARED_BYTES),
                arguments.set("teamBlocks", teamBlocks));
    }

    /** Reads what the sources of a launch have found: CostsOfSource of near_far_sums.cuh. */
    private static void take(DeviceLease lease, long found, int first, int count, CostSums sums) {
        int words = COSTS_OF_SOURCE_BYTES / Long.BYTES;
        long[] read = new long[count * words];
        lease.download(found, read);
        for (int i = 0; i < count; i++) {
            int at = i * words;
            int reach = (int) read[at + 6];
            if (reach > 0) {
                double greatest = Double.longBitsToDouble(read[at + 4]);
                double least = Double.longBitsToDouble(~read[at + 5]);
                double sum = new FixedSum(greatest, read[at + 1], read[at]).value();
                double reciprocal = new FixedSum(1 / least, read[at + 3], read[at + 2]).value();
                sums.put(first + i, reach, greatest, sum, reciprocal);
            }
        }
    }

    /** The arrays of all teams, one after the other, and those of a launch. */
    private static ArrayLayout ofTeams(int vertexCount, int costBytes, int teams, int sources) {
        int most = Math.min(sources, SOURCES_OF_A_LAUNCH);
        return searches(vertexCount, costBytes, teams)
                .add("sources", most, Integer.BYTES)
                .add("teams", teams, NEAR_FAR_TEAM_BYTES)
                .add("next", 1, Integer.BYTES)
                .add("found", most, COSTS_OF_SOURCE_BYTES);
    }

    private static ArrayLayout layout(int vertexCount, int costBytes) {
        return searches(vertexCount, costBytes, 1).add("state", NEAR_FAR_STATE_BYTES, 1);
    }

    /** The arrays of searches side by side. */
    private static ArrayLayout searches(int vertexCount, int costBytes, int count) {
        long vertices = (long) count * vertexCount;
        long words = (long) count * KernelLayouts.bitWords(vertexCount);
        return new ArrayLayout()
                .add("costs", vertices, costBytes)
                .add("nearA", vertices, Integer.BYTES)
                .add("nearB", vertices, Integer.BYTES)
                .add("edgesA", vertices, Long.BYTES)
                .add("edgesB", vertices, Long.BYTES)
                .add("farA", vertices, Integer.BYTES)
                .add("farB", vertices, Integer.BYTES)
                .add("nearBitsA", words, Integer.BYTES)
                .add("nearBitsB", words, Integer.BYTES)
                .add("farBits", words, Integer.BYTES);
    }

    /** The arguments of a kernel: the lists, and the width of a bucket. */
    private static KernelArguments arguments(boolean sums, WeightedLists.Lists lists, double delta) {
        boolean wide = lists.form().costBytes() == Double.BYTES;
        return ShippedKernels.arguments(
                        switch (lists.form()) {
                            case ONES, INTEGERS -> sums ? "near_far_sums_u32_u32_grid" : "near_far_u32_u32_grid";
                            case FLOATS -> sums ? "near_far_sums_f64_f32_grid" : "near_far_f64_f32_grid";
                            case DOUBLES -> sums ? "near_far_sums_f64_f64_grid" : "near_far_f64_f64_grid";
                        })
                .set("ptrs", lists.pointers())
                .set("idx", lists.indices())
                .set("weights", lists.weights())
                .set("width", wide ? Double.doubleToRawLongBits(delta) : (long) Math.max(1, Math.min(delta, WIDEST)));
    }
}
