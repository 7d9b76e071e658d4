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

import io.proxima.projection.Csc;

/**
 * What the word-parallel searches read beside the lists: the weakly connected components, and the parts of long in-lists.
 * Made on the device from the lists, by the kernels of msbfs_parts.cu.
 */
final class WordsPart implements GraphPart<WordsPart.Items> {

    /** The one instance. */
    static final WordsPart WORDS = new WordsPart();

    private static final String MODULE = "msbfs_parts";

    // the ints of PartFacts
    private static final int HUB_ITEMS = 0;
    private static final int ITEM_COUNT = 1;
    private static final int BEHIND_WIDE = 2;
    private static final int LONG_LISTS = 3;
    private static final int LIVE = 4;
    private static final int COMPONENTS = 5;

    private WordsPart() {}

    /**
     * Components and items, at device addresses; slot id space.
     *
     * @param components {@code int[vertexCount]}: the lowest slot of each slot's component
     * @param items pairs of a slot and a part of its in-list, {@code itemCount} of them
     * @param hubItems how many of them, the first, are of lists of more than one part
     * @param wide the lowest slot whose in-list is not in items
     * @param longLists in-lists in items
     * @param live slots up to the last that has entries
     * @param componentCount of all slots
     */
    record Items(
            DeviceArray array,
            long components,
            long items,
            int itemCount,
            int hubItems,
            int wide,
            int longLists,
            int live,
            int componentCount)
            implements Arrays {}

    @Override
    public Items make(Making making) {
        Csc graph = making.graph();
        int n = graph.vertexCount();
        long entries = graph.entryCount();
        CudaDevice device = making.device();
        ListsPart.Lists out = making.part(ListsPart.OUT);
        ListsPart.Lists in = making.part(ListsPart.IN);
        MemoryPlan.WordsGraph plan = MemoryPlan.WordsGraph.of(
                n, entries, device.policy().mostBlocks(device.facts().multiprocessors()));
        int[] facts = new int[MemoryPlan.WordsGraph.FACTS];
        try (DeviceTurn turn = device.turn(making.stop())) {
            DeviceArray array = making.allocate("the components of the graph", plan.bytes());
            long components = array.address() + plan.components();
            turn.launchThreads(MODULE, "msbfs_parts_singletons_thread", n, components, n);
            for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
                long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
                turn.launchThreads(
                        MODULE,
                        "msbfs_parts_link_warp",
                        last - first,
                        out.pointers(),
                        out.indices(),
                        components,
                        n,
                        first,
                        last);
                turn.await();
            }
            turn.launchThreads(MODULE, "msbfs_parts_flatten_thread", n, components, n);
            long factsAt = array.address() + plan.facts();
            turn.fill(factsAt, 0, (long) facts.length * Integer.BYTES);
            turn.launchThreads(
                    MODULE,
                    "msbfs_parts_items_grid",
                    n,
                    in.pointers(),
                    out.pointers(),
                    components,
                    array.address() + plan.items(),
                    factsAt,
                    array.address() + plan.blockSums(),
                    n,
                    LaunchPolicy.LONG_IN_LIST);
            turn.download(factsAt, facts, 1);
            return new Items(
                    array,
                    components,
                    array.address() + plan.items(),
                    facts[ITEM_COUNT],
                    facts[HUB_ITEMS],
                    n - facts[BEHIND_WIDE],
                    facts[LONG_LISTS],
                    facts[LIVE],
                    facts[COMPONENTS]);
        }
    }
}
