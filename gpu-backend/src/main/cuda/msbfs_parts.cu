// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>

#include "columns.cuh"
#include "words.cuh"

// Splits the long in-lists into parts for msbfs_words.cu.
//
//   msbfs_parts_items_grid   lists the parts, and reports facts to the host; cooperative
//
// Blocks of BLOCK_THREADS, any grid. The results are the same for every grid.
namespace proxima {

/** Facts for the host, which clears them first. */
struct ItemFacts {
    int hubItems;  // items of in-lists of more than one part, which come first
    int itemCount;
    int behindWide;  // n - the lowest slot whose in-list is not in items; 0 if all are
    int longLists;   // number of in-lists in items
    int live;        // the end of the slots that have entries
};

HOST_CONSTANT(ITEM_FACTS, sizeof(ItemFacts) / sizeof(int))
HOST_CONSTANT(ITEM_FACTS_HUB_ITEMS, offsetof(ItemFacts, hubItems) / sizeof(int))
HOST_CONSTANT(ITEM_FACTS_ITEM_COUNT, offsetof(ItemFacts, itemCount) / sizeof(int))
HOST_CONSTANT(ITEM_FACTS_BEHIND_WIDE, offsetof(ItemFacts, behindWide) / sizeof(int))
HOST_CONSTANT(ITEM_FACTS_LONG_LISTS, offsetof(ItemFacts, longLists) / sizeof(int))
HOST_CONSTANT(ITEM_FACTS_LIVE, offsetof(ItemFacts, live) / sizeof(int))

struct ItemsArguments {
    const int64_t *inPtrs;
    const int64_t *outPtrs;
    int2 *items;
    ItemFacts *facts;
    unsigned long long *blockSums;
    int n;
    int longEntries;
};

}  // namespace proxima

using proxima::ALL_LANES;
using proxima::BLOCK_THREADS;
using proxima::Place;

// reads   inPtrs[n + 1] outPtrs[n + 1]
// writes  items: (slot, part) for each part of PART_ENTRIES entries of the in-lists of more than longEntries entries. Lists
//         of more than one part come first, then the others, each by slot. facts: zeroed by the host. blockSums[grid]: scratch
// needs   longEntries < PART_ENTRIES
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        msbfs_parts_items_grid(const __grid_constant__ proxima::ItemsArguments args) {
    const auto grid = cooperative_groups::this_grid();
    const auto entriesOf = [&](int64_t slot) { return args.inPtrs[slot + 1] - args.inPtrs[slot]; };
    const auto partsOf = [&](int64_t slot) {
        const int64_t entries = entriesOf(slot);
        return entries <= proxima::PART_ENTRIES
                ? 0ull
                : static_cast<unsigned long long>((entries + proxima::PART_ENTRIES - 1) / proxima::PART_ENTRIES);
    };
    const auto isOnePart = [&](int64_t slot) {
        const int64_t entries = entriesOf(slot);
        return entries > args.longEntries && entries <= proxima::PART_ENTRIES;
    };
    proxima::sumUp_grid(args.n, args.blockSums, partsOf, [&](int64_t slot, unsigned long long sum) {
        if (slot == args.n) {
            args.facts->hubItems = static_cast<int>(sum);
            return;
        }
        const int parts = static_cast<int>(partsOf(slot));
        for (int part = 0; part < parts; part++) {
            args.items[sum + part] = make_int2(static_cast<int>(slot), part);
        }
    });
    grid.sync();
    const int hubItems = args.facts->hubItems;
    proxima::sumUp_grid(
            args.n, args.blockSums, [&](int64_t slot) { return isOnePart(slot) ? 1ull : 0ull; },
            [&](int64_t slot, unsigned long long sum) {
                if (slot == args.n) {
                    args.facts->itemCount = hubItems + static_cast<int>(sum);
                } else if (isOnePart(slot)) {
                    args.items[hubItems + sum] = make_int2(static_cast<int>(slot), 0);
                }
            });
    const Place place = Place::here();
    int behindWide = 0;
    int longLists = 0;
    int live = 0;
    for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
        const bool isLong = entriesOf(slot) > args.longEntries;
        longLists += isLong ? 1 : 0;
        behindWide = isLong ? behindWide : max(behindWide, args.n - static_cast<int>(slot));
        if (entriesOf(slot) != 0 || args.outPtrs[slot + 1] != args.outPtrs[slot]) {
            live = static_cast<int>(slot) + 1;
        }
    }
    behindWide = __reduce_max_sync(ALL_LANES, behindWide);
    longLists = __reduce_add_sync(ALL_LANES, longLists);
    live = __reduce_max_sync(ALL_LANES, live);
    if (place.lane == 0) {
        atomicMax(&args.facts->behindWide, behindWide);
        atomicAdd(&args.facts->longLists, longLists);
        atomicMax(&args.facts->live, live);
    }
}
