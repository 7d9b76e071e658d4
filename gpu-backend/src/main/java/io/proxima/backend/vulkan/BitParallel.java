// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.vulkan.driver.ShippedShaders;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The kernel of many searches: bit-parallel multi-source BFS over CSR. msbfs.comp.
 *
 * @param bySource whether to search against the edges and add to sums by source
 */
record BitParallel(Device device, String name, boolean bySource) implements BatchKernels {

    /** Searches of one part of a row. */
    private static final int PART_SOURCES = 128;

    private static final int PART_BYTES = PART_SOURCES / Byte.SIZE;

    private static final int MOST_SOURCES = 1024;

    private static final int STEPS = 12;

    static KernelFamily family(Kernel kernel) {
        return KernelFamily.of(kernel, (device, asked, operation) -> {
            BitParallel kernels = new BitParallel(device, kernel.keyword(), operation == Operation.FARNESS_OF_SOURCES);
            return operation == Operation.MULTI_SOURCE_BFS ? kernels : new BatchedSums(kernels);
        });
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(lists(), longLists()));
    }

    /** The lists that a search pulls from. */
    private HostCsr lists() {
        return bySource ? HostCsr.OUT : HostCsr.IN;
    }

    private LongListSlots longLists() {
        return bySource ? LongListSlots.OUT : LongListSlots.IN;
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
    public boolean mayPauseItself() {
        return true;
    }

    @Override
    public ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes) {
        long n = graph.vertexCount();
        long rows = n * parts(count);
        return new ArrayLayout()
                .add("sources", count, Integer.BYTES)
                .add("levels", count * n, levelBytes)
                .add("bitsA", rows, PART_BYTES)
                .add("bitsB", rows, PART_BYTES)
                .add("flagsA", n, Byte.BYTES)
                .add("flagsB", n, Byte.BYTES)
                .add("alive", 2L * MOST_SOURCES / Integer.SIZE, Integer.BYTES)
                .add("counts", bySource ? count : 0, Integer.BYTES);
    }

    /** The parts of a row for so many searches: a power of two. */
    private static int parts(int count) {
        int parts = 1;
        while (parts * PART_SOURCES < count) {
            parts *= 2;
        }
        return parts;
    }

    @Override
    public BfsKernel.Search search(GraphView graph, Batch batch) {
        CopiedLists.Lists lists = graph.structure(lists());
        LongListSlots.Slots longSlots = graph.structure(longLists());
        int parts = parts(batch.count());
        KernelArguments arguments = ShippedShaders.arguments(bySource ? "msbfs_sources" : "msbfs");
        arguments
                .set("inPtrs", lists.pointers())
                .set("inIdx", lists.indices())
                .set("longSlots", longSlots.slots())
                .set("hubCount", longSlots.hubs())
                .set("longCount", longSlots.count())
                .set("longEntries", LongListSlots.LONG_LIST)
                .set("n", graph.vertexCount())
                .set("parts", parts)
                .set("storesLevels", batch.levelBytes() == 0 ? 0 : 1);
        return new BfsKernel.Search(Grid.inSteps((long) graph.vertexCount() * parts, STEPS), arguments);
    }
}
