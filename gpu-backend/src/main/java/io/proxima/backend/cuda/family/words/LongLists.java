// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS_BEHIND_WIDE;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS_HUB_ITEMS;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS_ITEM_COUNT;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS_LIVE;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS_LONG_LISTS;
import static io.proxima.backend.cuda.driver.KernelConstants.PART_ENTRIES;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.List;
import java.util.Map;

/**
 * The long in-lists of a graph or of its reverse, in parts that bit-parallel kernels assign to whole warps:
 * msbfs_parts.cu.
 */
final class LongLists implements DeviceStructure<LongLists.Items> {

    /** In-lists with more entries are long. */
    static final int LONG_IN_LIST = 128;

    /**
     * The slots up to the last one with entries, at least one: few in the order by degree, if many vertices are
     * isolated.
     */
    static final GraphSizes.Figure LIVE =
            new GraphSizes.Figure(graph -> Math.min(1, graph.vertexCount()), GraphSizes::vertexCount);

    /** Of the in-lists. */
    static final LongLists WORDS = new LongLists();

    /** Of the out-lists, which searches against the edges pull from. */
    static final LongLists REVERSED = new LongLists();

    private LongLists() {}

    /**
     * Parts of long in-lists; slot id space.
     *
     * @param items device address of {@code itemCount} pairs of a slot and a part of its in-list
     * @param hubItems number of leading items whose lists have more than one part
     * @param wide the lowest slot whose in-list is not in items
     * @param longLists number of in-lists in items
     * @param live as {@link #LIVE}
     */
    record Items(DeviceArray array, long items, int itemCount, int hubItems, int wide, int longLists, int live)
            implements Arrays {

        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(LIVE, (long) live);
        }
    }

    @Override
    public DeviceStructure<Items> sharedBy(boolean symmetric) {
        return symmetric ? WORDS : this;
    }

    @Override
    public String label() {
        return "long lists";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return layout(graph.entryCount()).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(Csr.OUT, Csr.IN), scratchBytes(graph.mostBlocks()));
    }

    @Override
    public Items build(BuildContext context) {
        int n = context.graph().vertexCount();
        Device device = context.device();
        Lists out = context.structure(Csr.OUT);
        Lists in = context.structure(Csr.IN);
        ArrayLayout plan = layout(context.graph().entryCount());
        long scratch = scratchBytes(device.mostBlocks());
        int[] facts = new int[ITEM_FACTS];
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray blockSums = context.allocate(lease, "finding the long lists of the graph", scratch)) {
            DeviceArray array = context.allocate(lease, "the long lists of the graph", plan.bytes());
            long items = array.address() + plan.at("items");
            long factsAt = array.address() + plan.at("facts");
            lease.fill(factsAt, 0, (long) facts.length * Integer.BYTES);
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments("msbfs_parts_items_grid")
                            .set("inPtrs", this == REVERSED ? out.pointers() : in.pointers())
                            .set("outPtrs", this == REVERSED ? in.pointers() : out.pointers())
                            .set("items", items)
                            .set("facts", factsAt)
                            .set("blockSums", blockSums.address())
                            .set("n", n)
                            .set("longEntries", LONG_IN_LIST));
            lease.download(factsAt, facts, 1);
            return new Items(
                    array,
                    items,
                    facts[ITEM_FACTS_ITEM_COUNT],
                    facts[ITEM_FACTS_HUB_ITEMS],
                    n - facts[ITEM_FACTS_BEHIND_WIDE],
                    facts[ITEM_FACTS_LONG_LISTS],
                    Math.max(1, facts[ITEM_FACTS_LIVE]));
        }
    }

    /** One 64-bit sum per block. */
    private static long scratchBytes(int mostBlocks) {
        return ArrayLayout.bytesOf(mostBlocks, Long.BYTES);
    }

    /** The parts, two ints each, and the facts that the device returns to the host. */
    private static ArrayLayout layout(long entryCount) {
        return new ArrayLayout()
                .add("items", mostItems(entryCount), 2 * Integer.BYTES)
                .add("facts", ITEM_FACTS, Integer.BYTES);
    }

    /** The maximum number of parts of long lists with this number of entries: the shortest long lists have most. */
    static long mostItems(long entryCount) {
        return entryCount / (LONG_IN_LIST + 1);
    }

    /** The maximum number of parts of lists with more than one part. */
    static long mostHubItems(long entryCount) {
        return 2 * (entryCount / (PART_ENTRIES + 1)) + 1;
    }
}
