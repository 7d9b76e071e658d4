// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/cub.cuh>

#include <cooperative_groups.h>

#include "../../main/cuda/csc_order.cu"
#include "device.cuh"

// Graphs that the host takes too long to make, made on the device: those of graphs.cuh, from the same random numbers. Needs
// --extended-lambda.
namespace proxima {
namespace test {

/** Symmetric adjacency lists on the device, ascending, without loops and repeats. */
struct Lists {
    int n = 0;
    int64_t m = 0;           // entries
    OnDevice<int64_t> ptrs;  // n + 1
    OnDevice<int> idx;       // m at least
};

/** Room for keys that come in any order. */
struct KeySink {
    unsigned long long *keys;
    unsigned long long *count;
    unsigned long long room;

    /** Called by any lanes of a warp, one atomic for all of them. */
    __device__ void put(unsigned long long key) const {
        const auto lanes = cooperative_groups::coalesced_threads();
        unsigned long long at = 0;
        if (lanes.thread_rank() == 0) {
            at = atomicAdd(count, static_cast<unsigned long long>(lanes.size()));
        }
        at = lanes.shfl(at, 0) + lanes.thread_rank();
        if (at < room) {
            keys[at] = key;
        }
    }
};

/**
 * The lists of drawn edges, each in both directions. All edges are drawn anew for one range of rows after the other; only
 * the keys of a range, (row - first row, column), are sorted at once.
 *
 * @param keysAtOnce of a range at most; 16 bytes a key are taken
 * @param draw the ends of an edge, by its number; called on the device, as often as there are ranges and once more
 */
template <class Draw>
Lists listsOf(int n, unsigned long long edges, unsigned long long keysAtOnce, Draw draw) {
    using uint64 = unsigned long long;
    // rows are dealt to ranges in buckets, whose keys are counted first
    const int shift = std::max(0, bitsOf(n - 1) - 16);
    const int buckets = ((n - 1) >> shift) + 1;
    OnDevice<uint64> keysOf(buckets);
    keysOf.zero();
    uint64 *counts = keysOf.at;
    each(edges, [=] __device__(uint64 edge) {
        const Ends ends = draw(edge);
        if (ends.from != ends.to) {
            atomicAdd(counts + (ends.from >> shift), 1ull);
            atomicAdd(counts + (ends.to >> shift), 1ull);
        }
    });
    const std::vector<uint64> keysOfBucket = keysOf.get();
    const uint64 all = std::accumulate(keysOfBucket.begin(), keysOfBucket.end(), uint64{0});
    const uint64 room = std::max(std::min(all, keysAtOnce), *std::max_element(keysOfBucket.begin(), keysOfBucket.end()));
    OnDevice<uint64> keys(std::max<uint64>(room, 1)), others(keys.length), count(1);
    OnDevice<char> scratch;
    Lists lists;
    lists.n = n;
    lists.ptrs = OnDevice<int64_t>(n + 1ull);
    lists.idx = OnDevice<int>(all);
    const int columnBits = bitsOf(n - 1);
    for (int from = 0; from < buckets;) {
        int to = from;
        for (uint64 sum = 0; to < buckets && (to == from || sum + keysOfBucket[to] <= room); to++) {
            sum += keysOfBucket[to];
        }
        const int firstRow = from << shift;
        const int behindRow = to == buckets ? n : to << shift;
        from = to;
        count.zero();
        const KeySink sink{keys.at, count.at, room};
        each(edges, [=] __device__(uint64 edge) {
            const Ends ends = draw(edge);
            if (ends.from == ends.to) {
                return;
            }
            if (ends.from >= firstRow && ends.from < behindRow) {
                sink.put(static_cast<uint64>(ends.from - firstRow) << columnBits | ends.to);
            }
            if (ends.to >= firstRow && ends.to < behindRow) {
                sink.put(static_cast<uint64>(ends.to - firstRow) << columnBits | ends.from);
            }
        });
        const uint64 drawn = count.get(0);
        if (drawn > room) {
            fail("a range of rows has more keys than were counted");
        }
        cub::DoubleBuffer<uint64> buffers(keys.at, others.at);
        const auto use = [&](auto call) {
            size_t bytes = 0;
            CUDA(call(nullptr, bytes));
            if (bytes > scratch.length) {
                scratch = OnDevice<char>();
                scratch = OnDevice<char>(bytes);
            }
            bytes = scratch.length;
            CUDA(call(scratch.at, bytes));
        };
        use([&](void *at, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeys(
                    at, bytes, buffers, drawn, 0, columnBits + bitsOf(behindRow - firstRow - 1));
        });
        use([&](void *at, size_t &bytes) {
            return cub::DeviceSelect::Unique(
                    at, bytes, buffers.Current(), buffers.Alternate(), count.at, static_cast<int64_t>(drawn));
        });
        const uint64 entries = count.get(0);
        const uint64 *unique = buffers.Alternate();
        const int64_t first = lists.m;
        int *idx = lists.idx.at + first;
        int64_t *ptrs = lists.ptrs.at;
        each(entries, [=] __device__(uint64 i) { idx[i] = static_cast<int>(unique[i] & ((1ull << columnBits) - 1)); });
        each(static_cast<uint64>(behindRow) - firstRow, [=] __device__(uint64 row) {
            uint64 low = 0, high = entries;
            while (low < high) {
                const uint64 mid = (low + high) / 2;
                if (unique[mid] >> columnBits < row) {
                    low = mid + 1;
                } else {
                    high = mid;
                }
            }
            ptrs[firstRow + row] = first + static_cast<int64_t>(low);
        });
        lists.m += static_cast<int64_t>(entries);
        CUDA(cudaDeviceSynchronize());
    }
    CUDA(cudaMemcpy(lists.ptrs.at + n, &lists.m, sizeof lists.m, cudaMemcpyHostToDevice));
    return lists;
}

/** makeGraph of rmatEdges or uniformEdges. */
inline Lists randomLists(bool kron, int scale, unsigned long long edges, uint64_t seed, unsigned long long keysAtOnce) {
    const int n = 1 << scale;
    if (!kron) {
        return listsOf(n, edges, keysAtOnce, [=] __device__(unsigned long long edge) { return uniformEnds(n, edge, seed); });
    }
    const OnDevice<int> ids(rmatIds(scale, seed));
    const int *id = ids.at;
    return listsOf(n, edges, keysAtOnce, [=] __device__(unsigned long long edge) {
        const Ends ends = rmatEnds(scale, edge, seed);
        return Ends{id[ends.from], id[ends.to]};
    });
}

/** Writes the vertices in descending order of degree, those of one degree in their old order; returns the inverse. */
inline OnDevice<int> sortByDegree(const Lists &lists, const OnDevice<int> &vertexOf) {
    const int n = lists.n;
    OnDevice<unsigned> degrees(n), sorted(n);
    OnDevice<int> vertices(n), slotOf(n);
    unsigned *degree = degrees.at;
    int *vertex = vertices.at;
    const int64_t *ptrs = lists.ptrs.at;
    each(n, [=] __device__(unsigned long long v) {
        degree[v] = static_cast<unsigned>(ptrs[v + 1] - ptrs[v]);
        vertex[v] = static_cast<int>(v);
    });
    size_t bytes = 0;
    CUDA(cub::DeviceRadixSort::SortPairsDescending(nullptr, bytes, degrees.at, sorted.at, vertices.at, vertexOf.at, n));
    OnDevice<char> scratch(bytes);
    CUDA(cub::DeviceRadixSort::SortPairsDescending(scratch.at, bytes, degrees.at, sorted.at, vertices.at, vertexOf.at, n));
    const int *of = vertexOf.at;
    int *slot = slotOf.at;
    each(n, [=] __device__(unsigned long long s) { slot[of[s]] = static_cast<int>(s); });
    CUDA(cudaDeviceSynchronize());
    return slotOf;
}

/** Lists with vertices in descending order of degree. */
struct OrderedLists {
    Lists lists;
    OnDevice<int> vertexOf;  // int[n], by slot

    /** By the kernels that do it for the JVM; the given lists are used up. */
    explicit OrderedLists(Lists from) : vertexOf(from.n) {
        const int n = from.n;
        lists.n = n;
        lists.m = from.m;
        const OnDevice<int> slotOf = sortByDegree(from, vertexOf);
        lists.ptrs = OnDevice<int64_t>(n + 1ull);
        lists.idx = OnDevice<int>(lists.m);
        const int blocks = residentBlocks(reinterpret_cast<const void *>(csc_relabel_pointers_grid), BLOCK_THREADS);
        OnDevice<unsigned long long> blockSums(blocks);
        launch(csc_relabel_pointers_grid, blocks, BLOCK_THREADS, 0,
                {from.ptrs.at, vertexOf.at, lists.ptrs.at, blockSums.at, n});
        const int many = 16 * multiprocessorCount();
        csc_relabel_entries_warp<<<many, BLOCK_THREADS>>>(
                {from.ptrs.at, from.idx.at, slotOf.at, lists.ptrs.at, lists.idx.at, n, 0, lists.m});
        CUDA(cudaGetLastError());
        OnDevice<int> longColumns(lists.m / (SORTED_IN_BLOCK + 1ll) + 1), counters(4);
        counters.zero();
        int counts[4];
        do {
            csc_sort_columns_block<<<many, BLOCK_THREADS>>>({lists.ptrs.at, lists.idx.at, longColumns.at, counters.at,
                    nullptr, counters.at + 3, counters.at + 1, n, INT_MAX});
            CUDA(cudaGetLastError());
            CUDA(cudaMemcpy(counts, counters.at, sizeof(counts), cudaMemcpyDeviceToHost));
        } while (counts[1] <= (n - 1) / SORT_TILE);
        while (counts[2] < counts[0]) {
            csc_sort_long_columns_block<<<many, BLOCK_THREADS>>>(
                    {lists.ptrs.at, lists.idx.at, from.idx.at, longColumns.at, counters.at, counters.at + 2, bitsOf(n - 1)});
            CUDA(cudaGetLastError());
            CUDA(cudaMemcpy(counts, counters.at, sizeof(counts), cudaMemcpyDeviceToHost));
        }
    }
};

}  // namespace test
}  // namespace proxima
