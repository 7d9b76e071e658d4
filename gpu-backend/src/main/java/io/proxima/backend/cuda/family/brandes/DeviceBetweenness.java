// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.brandes;

import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_BATCH_INTS;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_BLOCKS;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_LEVEL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_TEAM_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.BETWEENNESS_THREADS;
import static io.proxima.backend.cuda.driver.KernelConstants.TOO_MANY_PATHS;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The searches of betweenness on a device, by the kernels of betweenness.cu. Their graph is copied for the run, because
 * it lacks the hanging trees of the resident one.
 *
 * <p>The blocks of a launch form teams, each of which searches from {@link #SOURCES} sources at once. Scores are added
 * in the order of batches and teams, so they are the same in each run with as many teams. Their number depends on the
 * graph and the device, and shrinks if memory is short.
 */
public final class DeviceBetweenness {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("brandes", Operation.BETWEENNESS),
            (device, kernel, operation) -> new Kernels(kernel.keyword(), device));

    /** Sources of a batch: the lanes of a warp. */
    private static final int SOURCES = 32;

    private static final String PLAIN = "betweenness_plain_grid";
    private static final String SCALED = "betweenness_scaled_grid";

    /** A list of at least this many entries is processed by a block. */
    private static final int LONG_LIST = 512;

    /** Entries of a graph for each block of a team, unless the graph is deep. */
    private static final long ENTRIES_A_BLOCK = 1 << 18;

    /** Slots of a deep graph for each block of a team. */
    private static final long SLOTS_A_BLOCK_OF_A_DEEP_GRAPH = 1 << 17;

    /** Target duration of a launch, from which the number of its batches follows. */
    private static final float MILLIS_OF_A_LAUNCH = 20;

    /** A queued slot and its lanes. */
    private static final int QUEUED_BYTES = 2 * Integer.BYTES;

    private static final int MARKED_LEVELS = 3;

    private final Device device;
    private final BetweennessSearches searches;
    private final RunContext control;
    private final int slots;
    private final int range;
    private final int[] longSlots;

    private DeviceBetweenness(Device device, BetweennessSearches searches, RunContext control) {
        this.device = device;
        this.searches = searches;
        this.control = control;
        slots = searches.slotCount();
        range = searches.largestRange();
        longSlots = longSlots();
    }

    private double[] run() {
        Batches batches = batches();
        boolean asked = !control.options().kernel().equals(Kernel.AUTO);
        try (Placed placed = Placed.of(device, ways(batches), asked)) {
            return run(placed, batches);
        }
    }

    private double[] run(Placed placed, Batches batches) {
        int teams = placed.way().batch();
        ArrayLayout plan = plan(batches, teams);
        try (DeviceArray graph = upload(placed, plan, batches, teams)) {
            Batches voided = search(PLAIN, placed, graph.address(), plan, batches);
            if (voided.count > 0) {
                upload(graph.address(), plan, voided);
                search(SCALED, placed, graph.address(), plan, voided);
            }
            return sum(graph.address() + plan.at("scores"), teams);
        }
    }

    /** Each team has scores beside the graph, and a state. */
    private List<Way> ways(Batches batches) {
        List<Way> ways = new ArrayList<>();
        int most = teams(device, range, slots, searches.out().entryCount(), searches.isDeep(), batches.count);
        for (int teams = most; teams > 0; teams /= 2) {
            ways.add(new Way(
                    teams,
                    0,
                    plan(batches, teams).bytes(),
                    workspace(range, teams).bytes(),
                    0));
        }
        return ways;
    }

    private ArrayLayout plan(Batches batches, int teams) {
        return layout(
                slots,
                searches.out().entryCount(),
                searches.in() == searches.out(),
                searches.weights() != null,
                searches.sources().length,
                batches.count,
                longSlots.length,
                teams);
    }

    /** Slots with a list of at least {@link #LONG_LIST} entries, ascending. */
    private int[] longSlots() {
        int[] found = new int[16];
        int count = 0;
        PacedStop paced = new PacedStop(control.stop());
        for (int slot = 0; slot < slots; slot++) {
            paced.worked(1);
            if (searches.out().degree(slot) >= LONG_LIST || searches.in().degree(slot) >= LONG_LIST) {
                found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                found[count++] = slot;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private Batches batches() {
        Batches batches = new Batches();
        BetweennessSearches.Groups groups = searches.groups(SOURCES);
        BetweennessSearches.Group group;
        while ((group = groups.next()) != null) {
            int firstLong = firstLong(group.low());
            batches.add(
                    group.low(),
                    group.high(),
                    group.first(),
                    group.end() - group.first(),
                    firstLong,
                    firstLong(group.high()) - firstLong);
        }
        return batches;
    }

    private int firstLong(int slot) {
        int found = Arrays.binarySearch(longSlots, slot);
        return found < 0 ? -found - 1 : found;
    }

    /** Batches as the kernels read them: Batch of betweenness.cu. */
    private static final class Batches {
        private int[] ints = new int[16 * BETWEENNESS_BATCH_INTS];
        private int count;

        void add(int... batch) {
            int at = count++ * BETWEENNESS_BATCH_INTS;
            ints = at == ints.length ? Arrays.copyOf(ints, 2 * at) : ints;
            System.arraycopy(batch, 0, ints, at, BETWEENNESS_BATCH_INTS);
        }

        void add(Batches from, int batch) {
            int at = batch * BETWEENNESS_BATCH_INTS;
            add(Arrays.copyOfRange(from.ints, at, at + BETWEENNESS_BATCH_INTS));
        }

        int sources(int batch) {
            return ints[batch * BETWEENNESS_BATCH_INTS + 3];
        }
    }

    private DeviceArray upload(Placed placed, ArrayLayout plan, Batches batches, int teams) {
        try (DeviceLease lease = device.lease(control.stop())) {
            DeviceArray array = placed.allocate(lease, "the graph of betweenness", plan.bytes());
            try {
                long at = array.address();
                upload(lease, searches.out(), at + plan.at("outPtrs"), at + plan.at("outIdx"));
                if (searches.in() != searches.out()) {
                    upload(lease, searches.in(), at + plan.at("inPtrs"), at + plan.at("inIdx"));
                }
                if (searches.weights() != null) {
                    lease.upload(at + plan.at("weights"), searches.weights(), 0, slots);
                }
                int[] sources = searches.sources();
                int[] times = searches.multiplicities();
                lease.upload(at + plan.at("sources"), sources, 0, sources.length);
                lease.upload(
                        at + plan.at("multiplicities"),
                        sources.length,
                        i -> times == null ? 1 : times[sources[i]],
                        control.concurrency());
                lease.upload(at + plan.at("longSlots"), longSlots, 0, longSlots.length);
                lease.upload(at + plan.at("batches"), batches.ints, 0, batches.count * BETWEENNESS_BATCH_INTS);
                lease.fill(at + plan.at("voided"), 0, (long) batches.count * Integer.BYTES);
                lease.fill(at + plan.at("scores"), 0, (long) teams * slots * Double.BYTES);
                lease.await();
                return array;
            } catch (RuntimeException | Error e) {
                array.close();
                throw e;
            }
        }
    }

    private void upload(DeviceLease lease, Csc graph, long pointers, long indices) {
        lease.upload(pointers, graph.columnPointers(), control.concurrency());
        lease.upload(indices, graph.rowIndices(), control.concurrency());
    }

    private void upload(long at, ArrayLayout plan, Batches batches) {
        try (DeviceLease lease = device.lease(control.stop(), LeaseQueue.RunLength.LONG)) {
            lease.upload(at + plan.at("batches"), batches.ints, 0, batches.count * BETWEENNESS_BATCH_INTS);
        }
    }

    /** Searches batches; returns the voided ones. */
    private Batches search(String entry, Placed placed, long graph, ArrayLayout plan, Batches batches) {
        Batches voided = new Batches();
        int next = 0;
        int rounds = 1;
        while (next < batches.count) {
            try (DeviceLease lease = device.lease(control.stop(), LeaseQueue.RunLength.LONG)) {
                int teams = placed.way().batch();
                ArrayLayout state = workspace(range, teams);
                long at;
                try {
                    at = placed.workspace(lease, state.bytes());
                } catch (DeviceMemoryException e) {
                    placed.narrower(e);
                    continue;
                }
                do {
                    int end = (int) Math.min(batches.count, next + (long) teams * rounds);
                    DeviceLease.Outcome outcome = launch(lease, entry, graph, plan, at, state, next, end, teams);
                    boolean[] again = new boolean[end - next];
                    if ((outcome.overflow() & TOO_MANY_PATHS) != 0) {
                        readVoided(lease, graph + plan.at("voided"), next, again);
                    }
                    int sources = 0;
                    for (int batch = next; batch < end; batch++) {
                        if (again[batch - next]) {
                            voided.add(batches, batch);
                        } else {
                            sources += batches.sources(batch);
                        }
                    }
                    control.progress().advance(sources);
                    next = end;
                    rounds = outcome.nextRounds(rounds, MILLIS_OF_A_LAUNCH);
                } while (next < batches.count && !device.isWanted());
            }
        }
        return voided;
    }

    private static void readVoided(DeviceLease lease, long voided, int first, boolean[] again) {
        int[] words = new int[again.length];
        lease.download(voided + (long) first * Integer.BYTES, words, 1);
        for (int i = 0; i < words.length; i++) {
            again[i] = words[i] != 0;
        }
    }

    private DeviceLease.Outcome launch(
            DeviceLease lease,
            String entry,
            long graph,
            ArrayLayout plan,
            long at,
            ArrayLayout state,
            int first,
            int end,
            int teams) {
        boolean symmetric = searches.in() == searches.out();
        int teamBlocks = blocks(device) / teams;
        lease.fill(at + state.at("teams"), 0, (long) teams * BETWEENNESS_TEAM_BYTES);
        KernelArguments arguments = ShippedKernels.arguments(entry);
        arguments.set(plan, graph);
        arguments.set(state, at);
        return lease.launch(
                Grid.cooperative((long) teams * teamBlocks * BETWEENNESS_THREADS),
                arguments
                        .set("inPtrs", graph + plan.at(symmetric ? "outPtrs" : "inPtrs"))
                        .set("inIdx", graph + plan.at(symmetric ? "outIdx" : "inIdx"))
                        .set("n", slots)
                        .set("range", range)
                        .set("firstBatch", first)
                        .set("lastBatch", end)
                        .set("teamBlocks", teamBlocks)
                        .set("longList", LONG_LIST));
    }

    private double[] sum(long scores, int teams) {
        double[] sums = new double[slots];
        try (DeviceLease lease = device.lease(control.stop())) {
            lease.launchThreads(
                    slots,
                    ShippedKernels.arguments("betweenness_sum_thread")
                            .set("scores", scores)
                            .set("n", slots)
                            .set("teams", teams));
            lease.download(new VertexOrderedArray(scores, Double.BYTES, slots, 0), sums, control.concurrency());
        }
        return sums;
    }

    /** The blocks of a launch. */
    private static int blocks(Device device) {
        return device.facts().multiprocessors() * BETWEENNESS_BLOCKS;
    }

    /** The number of teams if memory is not short: at least 1, and at most one for each batch and each block. */
    private static int teams(Device device, int range, int slots, long entries, boolean deep, int batches) {
        long blocksOfATeam = deep
                ? (range + SLOTS_A_BLOCK_OF_A_DEEP_GRAPH - 1) / SLOTS_A_BLOCK_OF_A_DEEP_GRAPH
                : (entries + ENTRIES_A_BLOCK - 1) / ENTRIES_A_BLOCK;
        long fitting = teamsShare(device) / teamBytes(range, slots);
        return (int) Math.max(1, Math.min(Math.min(blocks(device) / blocksOfATeam, batches), fitting));
    }

    private static long teamsShare(Device device) {
        return device.policy().teamsBytes(device.facts().totalBytes());
    }

    private static long teamBytes(int range, int slots) {
        return workspace(range, 1).bytes() + ArrayLayout.bytesOf(slots, Double.BYTES);
    }

    /** The maximum number of batches: the full ones, and a partial one for each range. */
    private static int mostBatches(int vertices) {
        return vertices / SOURCES + vertices / BetweennessSearches.LEAST_RANGE + 1;
    }

    /** The graph, the sources and the scores of all teams. */
    private static ArrayLayout layout(
            int slots,
            long entries,
            boolean symmetric,
            boolean weighted,
            int sources,
            int batches,
            int longSlots,
            int teams) {
        return new ArrayLayout()
                .add("outPtrs", slots + 1L, Long.BYTES)
                .add("outIdx", entries, Integer.BYTES)
                .add("inPtrs", symmetric ? 0 : slots + 1L, Long.BYTES)
                .add("inIdx", symmetric ? 0 : entries, Integer.BYTES)
                .add("weights", weighted ? slots : 0, Integer.BYTES)
                .add("sources", sources, Integer.BYTES)
                .add("multiplicities", sources, Integer.BYTES)
                .add("batches", (long) batches * BETWEENNESS_BATCH_INTS, Integer.BYTES)
                .add("longSlots", longSlots, Integer.BYTES)
                .add("voided", batches, Integer.BYTES)
                .add("scores", (long) teams * slots, Double.BYTES);
    }

    /** The workspace of a launch. */
    private static ArrayLayout workspace(int range, int teams) {
        long all = (long) range * teams;
        return new ArrayLayout()
                .add("rows", all * SOURCES, Double.BYTES)
                .add("queues", all * SOURCES, QUEUED_BYTES)
                .add("seen", all, Integer.BYTES)
                .add("marks", all * MARKED_LEVELS, Integer.BYTES)
                .add("levels", all + 2L * teams, BETWEENNESS_LEVEL_BYTES)
                .add("teams", teams, BETWEENNESS_TEAM_BYTES);
    }

    private record Kernels(String name, Device device) implements BetweennessKernels {

        @Override
        public List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
            int n = graph.vertexCount();
            long entries = graph.entryCount();
            boolean symmetric = graph.symmetric();
            int longs = (int) Math.min(n, entries / LONG_LIST * (symmetric ? 1 : 2));
            long kept = layout(n, entries, symmetric, symmetric, n, mostBatches(n), longs, 1)
                    .bytes();
            // the graph of the searches may be smaller, and then have more teams
            int ofOneBlock = (int) Math.min(n, SLOTS_A_BLOCK_OF_A_DEEP_GRAPH);
            long several = blocks(device) * teamBytes(ofOneBlock, n);
            long one = workspace(n, 1).bytes();
            return List.of(
                    new Way(1, 0, kept, Math.max(one, Math.min(teamsShare(device), several)), 0),
                    new Way(1, 0, kept, one, 0));
        }

        @Override
        public MemoryTree memory(GraphShape graph) {
            int vertices = graph.vertexCount();
            long batches = (long) mostBatches(vertices) * BETWEENNESS_BATCH_INTS * Integer.BYTES;
            long longs = Math.min(vertices, 2 * (graph.entryCount() / LONG_LIST)) * Integer.BYTES;
            // arrays that grow, and the voided batches
            return MemoryTree.between(
                    "batches", 0, 5 * batches + 3 * longs + 32 * BETWEENNESS_BATCH_INTS * Integer.BYTES);
        }

        @Override
        public double[] run(BetweennessSearches searches, RunContext control) {
            control.stop().check();
            return searches.sources().length == 0
                    ? new double[searches.slotCount()]
                    : new DeviceBetweenness(device, searches, control).run();
        }
    }
}
