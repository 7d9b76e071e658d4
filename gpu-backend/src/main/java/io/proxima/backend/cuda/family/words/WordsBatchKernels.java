// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import static io.proxima.backend.cuda.driver.KernelConstants.COUNT_PHASES;
import static io.proxima.backend.cuda.driver.KernelConstants.FLAGS_ALIGNMENT;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVEL_PHASES;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVEL_TOTALS_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.PUSH_ENTRIES;
import static io.proxima.backend.cuda.driver.KernelConstants.WIDEST_TEAM;

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

    /** Bits per vertex over this are argument pushShare of msbfs_words.cu. */
    private static final int PUSH_BITS = 64;

    static final long NULL = 0;

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
    public ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes) {
        return workspace(graph, count, levelBytes, false);
    }

    /** The workspace of a batch that adds to sums, or else to rows. */
    static ArrayLayout workspace(GraphSizes graph, int count, int levelBytes, boolean rows) {
        int n = graph.vertexCount();
        int width = width(count);
        long words = width / Integer.SIZE;
        long flags = (n + FLAGS_ALIGNMENT - 1L) / FLAGS_ALIGNMENT * FLAGS_ALIGNMENT;
        long hubItems = LongLists.Layout.mostHubItems(graph.entryCount());
        return new ArrayLayout()
                .add("sources", count, Integer.BYTES)
                .add("levels", (long) count * n, levelBytes)
                .add("bitsA", n * words, Integer.BYTES)
                .add("bitsB", n * words, Integer.BYTES)
                .add("flagsA", flags, Byte.BYTES)
                .add("flagsB", flags, Byte.BYTES)
                .add("hubBits", hubItems * words, Integer.BYTES)
                .add("hubDone", hubItems, Integer.BYTES)
                .add("masks", count * words, Integer.BYTES)
                .add("maskOf", n, Integer.BYTES)
                .add("queue", n + graph.entryCount() / PUSH_ENTRIES, 2 * Integer.BYTES)
                .add("levelTotals", LEVEL_PHASES, LEVEL_TOTALS_BYTES)
                .add("counts", rows ? (long) COUNT_PHASES * width : 0, Integer.BYTES)
                .add("wholes", rows ? (long) LEVEL_PHASES * count : 0, Integer.BYTES);
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
        Csr.Lists out = graph.structure(Csr.OUT);
        Csr.Lists in = graph.structure(Csr.IN);
        Searched lists = new Searched(in, out, graph.structure(LongLists.WORDS));
        return lease.beginLaunch(
                grid(lists),
                arguments(
                        "msbfs_words_k" + width(count) + "_grid",
                        graph,
                        lists,
                        at,
                        sources,
                        count,
                        maxDepth,
                        levelBytes,
                        sums,
                        RowKernels.Rows.NONE));
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
        return Grid.cooperative((long) lists.live() * WIDEST_TEAM);
    }

    /** The arguments of a launch that adds to sums or to rows. */
    KernelArguments arguments(
            String entry,
            GraphView graph,
            Searched lists,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums,
            RowKernels.Rows rows) {
        LongLists.Items items = lists.items();
        WeakComponents.Components components = graph.structure(WeakComponents.COMPONENTS);
        boolean hasRows = rows.farness() != NULL;
        KernelArguments arguments = KernelArguments.of(entry);
        workspace(graph, count, levelBytes, hasRows).set(arguments, at);
        sums.set(arguments);
        rows.set(arguments);
        return arguments
                .set("inPtrs", lists.in().pointers())
                .set("inIdx", lists.in().indices())
                .set("outPtrs", lists.out().pointers())
                .set("outIdx", lists.out().indices())
                .set("component", components.count() == 1 ? NULL : components.lowest())
                .set("items", items.items())
                .set("sources", sources)
                .set("pairs", hasRows ? rows.pairs() : sums.pairs())
                .set("stride", graph.vertexCount())
                .set("n", lists.live())
                .set("components", graph.vertexCount())
                .set("itemCount", items.itemCount())
                .set("wide", items.wide())
                .set("longEntries", items.longLists() > items.wide() ? LongLists.LONG_IN_LIST : 0)
                .set("hubItems", items.hubItems())
                .set("sourceCount", count)
                .set("maxDepth", maxDepth)
                .set("levelBytes", levelBytes == 0 ? 1 : levelBytes)
                .set("pushShare", width(count) / PUSH_BITS);
    }
}
