/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

/**
 * The in-lists that word-parallel searches gather by whole warps, in parts. Made on the device from the lists, by
 * msbfs_parts.cu.
 */
final class WordsPart implements GraphPart<WordsPart.LongLists> {

    /** The one instance. */
    static final WordsPart WORDS = new WordsPart();

    // the ints of ItemFacts in msbfs_parts.cu
    static final int HUB_ITEMS = 0;
    static final int ITEM_COUNT = 1;
    static final int BEHIND_WIDE = 2;
    static final int LONG_LISTS = 3;
    static final int LIVE = 4;

    private WordsPart() {}

    /**
     * Parts of long in-lists; slot id space.
     *
     * @param items device address of pairs of a slot and a part of its in-list, {@code itemCount} of them
     * @param hubItems how many of them, the first, are of lists of more than one part
     * @param wide the lowest slot whose in-list is not in items
     * @param longLists in-lists in items
     * @param live slots up to the last that has entries
     */
    record LongLists(DeviceArray array, long items, int itemCount, int hubItems, int wide, int longLists, int live)
            implements Arrays {}

    @Override
    public String label() {
        return "long lists";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return MemoryPlan.LongLists.of(graph.entryCount()).bytes();
    }

    @Override
    public boolean rehearse(DeviceRehearsal rehearsal) {
        long scratch = MemoryPlan.blockSumBytes(rehearsal.mostBlocks());
        if (!rehearsal.part(ListsPart.OUT) || !rehearsal.part(ListsPart.IN) || !rehearsal.take(scratch)) {
            return false;
        }
        boolean taken = rehearsal.take(bytes(rehearsal.graph()));
        rehearsal.giveBack(scratch);
        return taken;
    }

    @Override
    public LongLists make(Making making) {
        int n = making.graph().vertexCount();
        CudaDevice device = making.device();
        ListsPart.Lists out = making.part(ListsPart.OUT);
        ListsPart.Lists in = making.part(ListsPart.IN);
        MemoryPlan.LongLists plan = MemoryPlan.LongLists.of(making.graph().entryCount());
        long scratch = MemoryPlan.blockSumBytes(
                device.policy().mostBlocks(device.facts().multiprocessors()));
        int[] facts = new int[MemoryPlan.LongLists.FACTS];
        try (DeviceTurn turn = device.turn(making.stop());
                DeviceArray blockSums = making.allocate(turn, "finding the long lists of the graph", scratch)) {
            DeviceArray array = making.allocate(turn, "the long lists of the graph", plan.bytes());
            long items = array.address() + plan.items();
            long factsAt = array.address() + plan.facts();
            turn.fill(factsAt, 0, (long) facts.length * Integer.BYTES);
            turn.launchThreads(
                    "msbfs_parts",
                    "msbfs_parts_items_grid",
                    n,
                    new KernelArguments()
                            .pointer("inPtrs", in.pointers())
                            .pointer("outPtrs", out.pointers())
                            .pointer("items", items)
                            .pointer("facts", factsAt)
                            .pointer("blockSums", blockSums.address())
                            .int32("n", n)
                            .int32("longEntries", LaunchPolicy.LONG_IN_LIST));
            turn.download(factsAt, facts, 1);
            return new LongLists(
                    array,
                    items,
                    facts[ITEM_COUNT],
                    facts[HUB_ITEMS],
                    n - facts[BEHIND_WIDE],
                    facts[LONG_LISTS],
                    facts[LIVE]);
        }
    }
}
