// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import static io.proxima.backend.cuda.driver.KernelConstants.COUNT_PHASES;
import static io.proxima.backend.cuda.driver.KernelConstants.FLAGS_ALIGNMENT;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVEL_PHASES;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVEL_TOTALS_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.PUSH_ENTRIES;
import static io.proxima.backend.cuda.driver.KernelConstants.WIDEST_TEAM;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bit-parallel multi-source BFS over CSR, for shallow graphs: msbfs_words.cu.
 *
 * @param bySource whether to search against the edges and add to sums by source
 */
public record WordsBatchKernels(String name, Device device, boolean bySource) implements BatchKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("bit-parallel", Operation.MULTI_SOURCE_BFS, Operation.FARNESS, Operation.FARNESS_OF_SOURCES),
            WordsBatchKernels::of);

    /**
     * The maximum number of sources of sums. Distances have fewer, because copying to the host limits them, not the
     * search.
     */
    public static final int MOST_SOURCES = 1024;

    /** The minimum bits per vertex. */
    public static final int LEAST_WIDTH = 256;

    /** The argument pushShare of msbfs_words.cu is the number of bits per vertex divided by this. */
    private static final int PUSH_BITS = 64;

    private static final long NULL = 0;

    private static DeviceKernels of(Device device, Kernel kernel, Operation operation) {
        WordsBatchKernels kernels =
                new WordsBatchKernels(kernel.keyword(), device, operation == Operation.FARNESS_OF_SOURCES);
        return operation == Operation.MULTI_SOURCE_BFS ? kernels : new BatchedSums(kernels);
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN, WeakComponents.COMPONENTS, longLists()));
    }

    /** The long ones of the lists that a search pulls from. */
    private LongLists longLists() {
        return bySource ? LongLists.REVERSED : LongLists.WORDS;
    }

    @Override
    public int mostSources() {
        return MOST_SOURCES;
    }

    @Override
    public int mostDistances() {
        return device.policy().batchSources();
    }

    @Override
    public ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes) {
        int n = graph.vertexCount();
        long live = graph.figure(LongLists.LIVE);
        int width = width(count);
        long words = width / Integer.SIZE;
        long flags = (n + (FLAGS_ALIGNMENT - 1L)) / FLAGS_ALIGNMENT * FLAGS_ALIGNMENT;
        long hubItems = LongLists.mostHubItems(graph.entryCount());
        return new ArrayLayout()
                .add("sources", count, Integer.BYTES)
                .add("levels", (long) count * n, levelBytes)
                .add("bitsA", live * words, Integer.BYTES)
                .add("bitsB", live * words, Integer.BYTES)
                .add("flagsA", flags, Byte.BYTES)
                .add("flagsB", flags, Byte.BYTES)
                .add("hubBits", hubItems * words, Integer.BYTES)
                .add("hubDone", hubItems, Integer.BYTES)
                .add("masks", count * words, Integer.BYTES)
                .add("maskOf", n, Integer.BYTES)
                .add("queue", live + graph.entryCount() / PUSH_ENTRIES, 2 * Integer.BYTES)
                .add("levelTotals", LEVEL_PHASES, LEVEL_TOTALS_BYTES)
                .add("counts", bySource ? (long) COUNT_PHASES * width : 0, Integer.BYTES)
                .add("wholes", bySource ? (long) LEVEL_PHASES * count : 0, Integer.BYTES);
    }

    /** The bits per vertex for this number of sources. */
    static int width(int sources) {
        int width = LEAST_WIDTH;
        while (width < sources) {
            width *= 2;
        }
        return width;
    }

    @Override
    public BfsKernel.Search search(GraphView graph, Batch batch) {
        Lists in = graph.structure(bySource ? Csr.OUT : Csr.IN);
        Lists out = graph.structure(bySource ? Csr.IN : Csr.OUT);
        LongLists.Items items = graph.structure(longLists());
        WeakComponents.Components components = graph.structure(WeakComponents.COMPONENTS);
        int width = width(batch.count());
        // narrow searches leave out no slots with entries; the kernel needs at least one slot
        int live = width == MOST_SOURCES
                ? Math.max(1, Math.min(items.live(), batch.sums().searched()))
                : items.live();
        KernelArguments arguments = ShippedKernels.arguments(
                bySource ? "msbfs_words_sources_k" + width + "_grid" : "msbfs_words_k" + width + "_grid");
        arguments
                .set("inPtrs", in.pointers())
                .set("inIdx", in.indices())
                .set("outPtrs", out.pointers())
                .set("outIdx", out.indices())
                .set("component", components.count() == 1 ? NULL : components.lowest())
                .set("items", items.items())
                .set("stride", graph.vertexCount())
                .set("n", live)
                .set("components", graph.vertexCount())
                .set("itemCount", items.itemCount())
                .set("wide", items.wide())
                .set("longEntries", items.longLists() > items.wide() ? LongLists.LONG_IN_LIST : 0)
                .set("hubItems", items.hubItems())
                .set("pushShare", width / PUSH_BITS);
        return new BfsKernel.Search(Grid.cooperative((long) live * WIDEST_TEAM), arguments);
    }
}
