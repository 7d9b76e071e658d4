// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Bit-parallel multi-source BFS over CSR, for shallow graphs: msbfs_words.cu. */
public record WordsBatchKernels(CudaDevice device) implements BatchKernels {

    /**
     * The maximum number of sources of sums. Distances have fewer, because copying to the host limits them, not the
     * search.
     */
    public static final int MOST_WORDS = 1024;

    /** The minimum bits per vertex. */
    public static final int LEAST_WORDS = 256;

    static final String MODULE = "msbfs_words";

    /** Bits per vertex over this are argument pushShare of msbfs_words.cu. */
    private static final int PUSH_BITS = 64;

    static final long NULL = 0;

    /** Threads per slot: WIDEST_TEAM of msbfs_words.cu. */
    public static final int TEAM = 8;

    @Override
    public String name() {
        return WordsFamily.WORDS.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN, WeakComponents.COMPONENTS, LongLists.WORDS));
    }

    @Override
    public int mostSources() {
        return MOST_WORDS;
    }

    @Override
    public int mostDistances() {
        return device.policy().batchSources();
    }

    @Override
    public int leastSources() {
        return LaunchPolicy.SMALLEST_BATCH;
    }

    @Override
    public Plan plan(GraphSizes graph, int most, int count, int levelBytes) {
        State plan = of(graph, count, levelBytes);
        return new Plan(plan.bytes(), plan.sources(), plan.levels());
    }

    static State of(GraphSizes graph, int count, int levelBytes) {
        return State.of(graph.vertexCount(), graph.entryCount(), width(count), count, levelBytes);
    }

    /** The bits per vertex for this number of sources. */
    static int width(int sources) {
        int width = LEAST_WORDS;
        while (width < sources) {
            width *= 2;
        }
        return width;
    }

    @Override
    public DeviceLease.Launch begin(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        State plan = of(graph, count, levelBytes);
        Csr.Lists out = graph.structure(Csr.OUT);
        Csr.Lists in = graph.structure(Csr.IN);
        Searched lists = new Searched(in, out, graph.structure(LongLists.WORDS));
        return lease.beginLaunch(
                MODULE,
                "msbfs_words_k" + width(count) + "_grid",
                grid(lists),
                arguments(
                        lease,
                        graph,
                        lists,
                        at,
                        sources,
                        count,
                        maxDepth,
                        levelBytes,
                        sums,
                        new RowKernels.Rows(NULL, NULL, NULL, NULL, NULL),
                        plan));
    }

    /**
     * The lists of a search.
     *
     * @param in the lists that it pulls from
     * @param out the lists that it pushes along
     * @param items the long ones of {@code in}
     */
    record Searched(Csr.Lists in, Csr.Lists out, LongLists.Items items) {

        // the kernel needs at least one slot, even one without entries
        int live() {
            return Math.max(1, items.live());
        }
    }

    /** The grid of a launch. */
    Grid grid(Searched lists) {
        return Grid.cooperative(device.policy().blockThreads(), (long) lists.live() * TEAM);
    }

    /** The arguments of a launch that adds to sums or to rows. */
    KernelArguments arguments(
            DeviceLease lease,
            GraphView graph,
            Searched lists,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums,
            RowKernels.Rows rows,
            State plan) {
        LongLists.Items items = lists.items();
        WeakComponents.Components components = graph.structure(WeakComponents.COMPONENTS);
        boolean hasRows = rows.farness() != NULL;
        return new KernelArguments()
                .pointer("inPtrs", lists.in().pointers())
                .pointer("inIdx", lists.in().indices())
                .pointer("outPtrs", lists.out().pointers())
                .pointer("outIdx", lists.out().indices())
                .pointer("component", components.count() == 1 ? NULL : components.lowest())
                .pointer("items", items.items())
                .pointer("sources", sources)
                .pointer("stopFlag", device.stopFlagAddress())
                .pointer("levels", levelBytes == 0 ? NULL : at + plan.levels())
                .pointer("far", sums.farness())
                .pointer("reach", sums.reach())
                .pointer("levelCounts", sums.levelCounts())
                .pointer("depths", sums.depths())
                .pointer("pairs", hasRows ? rows.pairs() : sums.pairs())
                .pointer("rowFar", rows.farness())
                .pointer("rowReach", rows.reach())
                .pointer("rowHarmonic", rows.harmonic())
                .pointer("rowDepths", rows.depths())
                .pointer("counts", hasRows ? at + plan.counts() : NULL)
                .pointer("wholes", hasRows ? at + plan.wholes() : NULL)
                .pointer("bitsA", at + plan.bitsA())
                .pointer("bitsB", at + plan.bitsB())
                .pointer("flagsA", at + plan.flagsA())
                .pointer("flagsB", at + plan.flagsB())
                .pointer("hubBits", at + plan.hubBits())
                .pointer("hubDone", at + plan.hubDone())
                .pointer("masks", at + plan.masks())
                .pointer("maskOf", at + plan.maskOf())
                .pointer("queue", at + plan.queue())
                .pointer("levelTotals", at + plan.levelTotals())
                .pointer("control", lease.control())
                .pointer("report", lease.report())
                .int64("stride", graph.vertexCount())
                .int32("n", lists.live())
                .int32("components", graph.vertexCount())
                .int32("itemCount", items.itemCount())
                .int32("wide", items.wide())
                .int32("longEntries", items.longLists() > items.wide() ? LongLists.LONG_IN_LIST : 0)
                .int32("hubItems", items.hubItems())
                .int32("sourceCount", count)
                .int32("maxDepth", maxDepth)
                .int32("levelBytes", levelBytes == 0 ? 1 : levelBytes)
                .int32("levelCapacity", sums.levelCapacity())
                .int32("firstLevel", sums.firstLevel())
                .int32("pushShare", width(count) / PUSH_BITS);
    }

    /**
     * The layout of the workspace, with the names of msbfs_words.cu.
     *
     * @param levels offset of {@code sources * vertexCount} distances; empty if they are not wanted
     */
    public record State(
            long sources,
            long levels,
            long bitsA,
            long bitsB,
            long flagsA,
            long flagsB,
            long hubBits,
            long hubDone,
            long masks,
            long maskOf,
            long queue,
            long levelTotals,
            long counts,
            long wholes,
            long bytes) {

        /** The number of flags is a multiple of this: FLAGS_ALIGNMENT of msbfs_words.cu. */
        public static final int FLAGS_ALIGNMENT = 32;

        /** Entries of an out-list per push: PUSH_ENTRIES of msbfs_words.cu. */
        public static final int PUSH_ENTRIES = 256;

        /** LevelTotals of msbfs_words.cu, in bytes. */
        public static final int TOTALS_BYTES = 48;

        /** COUNT_PHASES of msbfs_words.cu. */
        public static final int COUNT_PHASES = 2;

        /** LEVEL_PHASES of msbfs_words.cu. */
        public static final int PHASES = 3;

        /**
         * Lays out the workspace.
         *
         * @param width bits per vertex: 256, 512 or 1024
         * @param sources up to width
         * @param levelBytes bytes per distance: 1, 2 or 4; 0 if distances are not wanted
         */
        public static State of(int vertexCount, long entryCount, int width, int sources, int levelBytes) {
            ArrayLayout plan = new ArrayLayout();
            long words = width / Integer.SIZE;
            long flags = (vertexCount + FLAGS_ALIGNMENT - 1L) / FLAGS_ALIGNMENT * FLAGS_ALIGNMENT;
            long hubItems = LongLists.Layout.mostHubItems(entryCount);
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(vertexCount * words, Integer.BYTES),
                    plan.add(vertexCount * words, Integer.BYTES),
                    plan.add(flags, Byte.BYTES),
                    plan.add(flags, Byte.BYTES),
                    plan.add(hubItems * words, Integer.BYTES),
                    plan.add(hubItems, Integer.BYTES),
                    plan.add(sources * words, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount + entryCount / PUSH_ENTRIES, 2 * Integer.BYTES),
                    plan.add(PHASES, TOTALS_BYTES),
                    plan.add((long) COUNT_PHASES * width, Integer.BYTES),
                    plan.add((long) PHASES * sources, Integer.BYTES),
                    plan.bytes());
        }
    }
}
