// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Times and checks the single-source kernels that do not read BVSS, on graphs made on the device: R-MAT .57 .19 .19 and
// uniform with 16 edges a vertex, a road-like lattice (its largest component, in the order of a search), random geometric.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 --extended-lambda -Xcompiler -fopenmp -o bench_single bench_single.cu
//   bench_single check [deep] [few] [GRAPH...]    small graphs of every bad kind, or those named, all kernels, against a
//                                      search on the host; deep: only those for high diameter; few: one source, no targets
//   bench_single CSV GRAPH...          kron<scale> | urand<scale> | road<side> | rgg<scale> | and worst cases:
//                                      dkron<scale>, directed | kronpath<scale>, with a path of 5,000 | starofstars<stars> |
//                                      lollipop<half> | tree<scale>, binary | islands<size>, 10,000 of them; environment
//                                      variable ROWS: no records
//
// Every level of every run is compared with a search of one kernel a level, and that with a search on the host for two
// sources. A time is that of launch and synchronisation, the median of three runs a source; first_ms is the mean of the
// first runs alone, which find another source's data in the caches. Ends with "ok" and 0, or names what failed and ends
// with 1.
#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../../main/cuda/bfs_balls.cu"
#include "../../main/cuda/bfs_windows.cu"
#include "launch_directional.cuh"

namespace {

using namespace proxima::test;
using proxima::RunControl;
using uint64 = unsigned long long;

/** Adjacency lists on the device; 32-bit pointers. */
struct DeviceCsr {
    int n = 0;
    uint64 m = 0;
    OnDevice<uint32_t> ptrs;
    OnDevice<int> idx;
};

/** Sorts the keys (from << 32 | to), drops repeats and loops. The keys' array is taken. */
DeviceCsr csrOf(OnDevice<uint64> keys, int n) {
    OnDevice<uint64> sorted(keys.length);
    size_t bytes = 0;
    const int endBit = 32 + bitsOf(n);
    CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys.at, sorted.at, keys.length, 0, endBit));
    OnDevice<char> scratch(bytes);
    CUDA(cub::DeviceRadixSort::SortKeys(scratch.at, bytes, keys.at, sorted.at, keys.length, 0, endBit));
    const uint64 *from = sorted.at;
    OnDevice<uint64> count(1);
    auto keep = [from] __device__(uint64 i) {
        const uint64 key = from[i];
        return (key >> 32) != (key & 0xffffffffu) && (i == 0 || from[i - 1] != key);
    };
    OnDevice<char> flags(keys.length);
    char *flag = flags.at;
    each(keys.length, [=] __device__(uint64 i) { flag[i] = keep(i); });
    bytes = 0;
    CUDA(cub::DeviceSelect::Flagged(nullptr, bytes, sorted.at, flags.at, keys.at, count.at, keys.length));
    scratch = OnDevice<char>(bytes);
    CUDA(cub::DeviceSelect::Flagged(scratch.at, bytes, sorted.at, flags.at, keys.at, count.at, keys.length));
    DeviceCsr csr;
    csr.n = n;
    csr.m = count.get(0);
    csr.ptrs = OnDevice<uint32_t>(n + 1);
    csr.idx = OnDevice<int>(csr.m);
    const uint64 *unique = keys.at;
    uint32_t *ptrs = csr.ptrs.at;
    int *idx = csr.idx.at;
    const uint64 m = csr.m;
    each(m, [=] __device__(uint64 i) { idx[i] = static_cast<int>(unique[i] & 0xffffffffu); });
    each(n + 1ull, [=] __device__(uint64 v) {
        uint64 low = 0, high = m;
        while (low < high) {
            const uint64 mid = (low + high) / 2;
            if (unique[mid] >> 32 < v) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        ptrs[v] = static_cast<uint32_t>(low);
    });
    CUDA(cudaDeviceSynchronize());
    return csr;
}

/** The keys of a graph's edges under new ids, turned round if wanted; newId null: as they are. */
OnDevice<uint64> keysOf(const DeviceCsr &csr, const int *newId, bool turned) {
    OnDevice<uint64> keys(csr.m);
    uint64 *to = keys.at;
    const uint32_t *ptrs = csr.ptrs.at;
    const int *idx = csr.idx.at;
    each(static_cast<uint64>(csr.n) * 32, [=] __device__(uint64 t) {
        const uint64 v = t / 32;
        const uint64 a = newId == nullptr ? v : newId[v];
        for (uint64 i = ptrs[v] + t % 32; i < ptrs[v + 1]; i += 32) {
            const uint64 b = newId == nullptr ? idx[i] : newId[idx[i]];
            to[i] = turned ? b << 32 | a : a << 32 | b;
        }
    });
    CUDA(cudaDeviceSynchronize());
    return keys;
}

/** A path of tail vertices hangs on a vertex that has an edge. */
DeviceCsr makeRandom(int scale, bool kron, bool directed = false, int tail = 0) {
    const int n = 1 << scale;
    const uint64 e = 16ull << scale;
    OnDevice<uint64> keys(2 * (e + tail));
    uint64 *to = keys.at;
    each(e, [=] __device__(uint64 i) {
        uint64 s = 0, d = 0;
        uint64 r = mix(i * 2 + 27491095);
        if (kron) {
            for (int b = 0; b < scale; b++) {
                r = mix(r);
                const double u = (r >> 11) * 0x1p-53;
                const bool right = u >= 0.76;
                s = s << 1 | right;
                d = d << 1 | (right ? u >= 0.95 : u >= 0.57);
            }
            // ids shuffled by an odd multiplication and a fold, a permutation of 0 .. n - 1
            for (int k = 0; k < 3; k++) {
                s = (s * 0x9e3779b1u + 12345) & (n - 1);
                s ^= s >> (scale / 2 + 1);
                d = (d * 0x9e3779b1u + 12345) & (n - 1);
                d ^= d >> (scale / 2 + 1);
            }
        } else {
            s = r & (n - 1);
            d = (mix(r) >> 20) & (n - 1);
        }
        to[2 * i] = s << 32 | d;
        to[2 * i + 1] = directed ? to[2 * i] : d << 32 | s;
        if (i == 0) {
            for (uint64 v = n; v < static_cast<uint64>(n) + tail; v++) {
                const uint64 before = v == n ? s : v - 1;
                to[2 * (e + v - n)] = before << 32 | v;
                to[2 * (e + v - n) + 1] = v << 32 | before;
            }
        }
    });
    return csrOf(std::move(keys), n + tail);
}

DeviceCsr makeRgg(int scale) {
    const int n = 1 << scale;
    const double r = 0.55 * std::sqrt(std::log(static_cast<double>(n)) / n);
    const int cells = static_cast<int>(1 / r);
    OnDevice<uint64> keys(n), sorted(n);
    uint64 *k = keys.at;
    auto x = [] __host__ __device__(uint64 i) { return (mix(i * 2 + 11) >> 11) * 0x1p-53; };
    auto y = [] __host__ __device__(uint64 i) { return (mix(i * 2 + 12) >> 11) * 0x1p-53; };
    each(n, [=] __device__(uint64 i) {
        const int cx = min(static_cast<int>(x(i) * cells), cells - 1);
        const int cy = min(static_cast<int>(y(i) * cells), cells - 1);
        k[i] = static_cast<uint64>(cx * static_cast<uint64>(cells) + cy) << 32 | i;
    });
    size_t bytes = 0;
    CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys.at, sorted.at, n, 32, 64));
    OnDevice<char> scratch(bytes);
    CUDA(cub::DeviceRadixSort::SortKeys(scratch.at, bytes, keys.at, sorted.at, n, 32, 64));
    OnDevice<int> start(static_cast<size_t>(cells) * cells + 1);
    const uint64 *s = sorted.at;
    int *st = start.at;
    each(static_cast<uint64>(cells) * cells + 1, [=] __device__(uint64 c) {
        int low = 0, high = n;
        while (low < high) {
            const int mid = (low + high) / 2;
            if (s[mid] >> 32 < c) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        st[c] = low;
    });
    DeviceCsr csr;
    csr.n = n;
    csr.ptrs = OnDevice<uint32_t>(n + 1);
    OnDevice<uint32_t> degrees(n + 1);
    uint32_t *deg = degrees.at;
    auto visit = [=] __device__(uint64 i, auto &&with) {
        const uint64 id = s[i] & 0xffffffffu;
        const uint64 cell = s[i] >> 32;
        const int cx = static_cast<int>(cell / cells), cy = static_cast<int>(cell % cells);
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                const int ax = cx + dx, ay = cy + dy;
                if (ax < 0 || ay < 0 || ax >= cells || ay >= cells) {
                    continue;
                }
                const uint64 c = static_cast<uint64>(ax) * cells + ay;
                for (int j = st[c]; j < st[c + 1]; j++) {
                    const uint64 other = s[j] & 0xffffffffu;
                    const double ex = x(id) - x(other), ey = y(id) - y(other);
                    if (j != static_cast<int>(i) && ex * ex + ey * ey < r * r) {
                        with(j);
                    }
                }
            }
        }
    };
    each(n + 1ull, [=] __device__(uint64 i) {
        uint32_t count = 0;
        if (i < static_cast<uint64>(n)) {
            visit(i, [&](int) { count++; });
        }
        deg[i] = count;
    });
    bytes = 0;
    CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, degrees.at, csr.ptrs.at, n + 1));
    scratch = OnDevice<char>(bytes);
    CUDA(cub::DeviceScan::ExclusiveSum(scratch.at, bytes, degrees.at, csr.ptrs.at, n + 1));
    csr.m = csr.ptrs.get(n);
    csr.idx = OnDevice<int>(csr.m);
    int *idx = csr.idx.at;
    const uint32_t *ptrs = csr.ptrs.at;
    each(n, [=] __device__(uint64 i) {
        uint32_t at = ptrs[i];
        visit(i, [&](int j) { idx[at++] = j; });
    });
    CUDA(cudaDeviceSynchronize());
    return csr;
}

Csr onHost(const DeviceCsr &csr) {
    const std::vector<uint32_t> ptrs = csr.ptrs.get();
    return {csr.n, std::vector<int64_t>(ptrs.begin(), ptrs.end()), csr.idx.get()};
}

DeviceCsr fromHostEdges(int n, const Edges &edges, bool directed) {
    std::vector<uint64> keys;
    for (const auto &[a, b] : edges) {
        keys.push_back(static_cast<uint64>(a) << 32 | static_cast<unsigned>(b));
        if (!directed) {
            keys.push_back(static_cast<uint64>(b) << 32 | static_cast<unsigned>(a));
        }
    }
    return csrOf(OnDevice<uint64>(keys), n);
}

/** The largest component of a k x k lattice with 60 % of its links, in the order of a search from one of its vertices. */
DeviceCsr makeRoad(int k) {
    const int n = k * k;
    std::vector<int> degree(n + 1, 0);
    auto has = [&](uint64 link) { return (mix(link + 7) >> 11) * 0x1p-53 < 0.6; };
    auto neighbours = [&](int v, int *out) {
        int count = 0;
        const int x = v % k, y = v / k;
        if (x > 0 && has(2ull * (v - 1)))
            out[count++] = v - 1;
        if (x < k - 1 && has(2ull * v))
            out[count++] = v + 1;
        if (y > 0 && has(2ull * (v - k) + 1))
            out[count++] = v - k;
        if (y < k - 1 && has(2ull * v + 1))
            out[count++] = v + k;
        return count;
    };
    std::vector<int> mark(n, -1), queue, best;
    for (int s = 0; s < n; s++) {
        if (mark[s] != -1) {
            continue;
        }
        queue.assign(1, s);
        mark[s] = s;
        int near[4];
        for (size_t h = 0; h < queue.size(); h++) {
            const int count = neighbours(queue[h], near);
            for (int i = 0; i < count; i++) {
                if (mark[near[i]] == -1) {
                    mark[near[i]] = s;
                    queue.push_back(near[i]);
                }
            }
        }
        if (queue.size() > best.size()) {
            best.swap(queue);
        }
    }
    std::vector<int> id(n, -1);
    for (size_t i = 0; i < best.size(); i++) {
        id[best[i]] = static_cast<int>(i);
    }
    std::vector<uint64> keys;
    int near[4];
    for (size_t i = 0; i < best.size(); i++) {
        const int count = neighbours(best[i], near);
        for (int j = 0; j < count; j++) {
            keys.push_back(static_cast<uint64>(i) << 32 | static_cast<unsigned>(id[near[j]]));
        }
    }
    return csrOf(OnDevice<uint64>(keys), static_cast<int>(best.size()));
}

/** One kernel a level; the oracle on the device. */
void slowBfs(const DeviceCsr &csr, const std::vector<int> &sources, OnDevice<int> &levels, int maxDepth = -1) {
    static OnDevice<int> changed(1);
    CUDA(cudaMemset(levels.at, 0xff, levels.length * sizeof(int)));
    const int zero = 0;
    for (int s : sources) {
        CUDA(cudaMemcpy(levels.at + s, &zero, sizeof zero, cudaMemcpyHostToDevice));
    }
    const uint32_t *ptrs = csr.ptrs.at;
    const int *idx = csr.idx.at;
    int *of = levels.at;
    int *flag = changed.at;
    const int n = csr.n;
    const int batch = csr.m / std::max(n, 1) > 20 ? 1 : 64;
    for (int level = 0;;) {
        CUDA(cudaMemset(flag, 0, sizeof(int)));
        for (int b = 0; b < batch && level != maxDepth; b++, level++) {
            each((static_cast<uint64>(n) + 31) / 32 * 32, [=] __device__(uint64 t) {
                // a warp reads 32 vertices and goes through the lists of those in the level together
                const int v = static_cast<int>(t);
                unsigned in = __ballot_sync(~0u, v < n && of[min(v, n - 1)] == level);
                while (in != 0) {
                    const int u = v / 32 * 32 + __ffs(in) - 1;
                    in &= in - 1;
                    for (uint64 i = static_cast<uint64>(ptrs[u]) + t % 32; i < ptrs[u + 1]; i += 32) {
                        if (of[idx[i]] == -1) {
                            of[idx[i]] = level + 1;
                            *flag = 1;
                        }
                    }
                }
            });
        }
        if (level == maxDepth || changed.get(0) == 0) {
            return;
        }
    }
}

uint64 differences(const OnDevice<int> &expected, const int *found, const int *slotOf) {
    static OnDevice<uint64> count(1);
    CUDA(cudaMemset(count.at, 0, sizeof(uint64)));
    uint64 *c = count.at;
    const int *e = expected.at;
    each(expected.length, [=] __device__(uint64 v) {
        const int slot = slotOf == nullptr ? static_cast<int>(v) : slotOf[v];
        const int is = found[slot];
        if (is != e[v]) {
            atomicAdd(c, 1ull);
        }
    });
    return count.get(0);
}

/** A kernel ready to run on one graph; run() leaves levels on the device. */
struct Search {
    const int *levels;
    const int *slotOf;
    int active;
    std::function<void(const std::vector<int> &sources, const std::vector<int> &targets, int maxDepth)> set;
    std::function<void()> launch;
    OnDevice<RunControl> *control;
};

int multiprocessors = 0;

struct DirectionalGraph {
    int active = 0;
    uint64 m = 0;
    OnDevice<int> slotOf;
    DeviceCsr out;
    DeviceCsr in;
    OnDevice<int> heads;
    bool symmetric = true;
    float edgeDegree = 0;
    double buildMillis = 0;

    DirectionalGraph(const DeviceCsr &csr, bool symmetric) : m(csr.m), slotOf(csr.n), symmetric(symmetric) { build(csr); }

    void build(const DeviceCsr &csr) {
        const auto begin = std::chrono::steady_clock::now();
        OnDevice<uint64> keys(csr.n), sortedKeys(csr.n);
        OnDevice<int> ids(csr.n), order(csr.n), hasIn(csr.n);
        CUDA(cudaMemset(hasIn.at, 0, csr.n * sizeof(int)));
        const uint32_t *ptrs = csr.ptrs.at;
        const int *idx = csr.idx.at;
        int *in1 = hasIn.at;
        each(csr.m, [=] __device__(uint64 i) { in1[idx[i]] = 1; });
        uint64 *k = keys.at;
        int *id = ids.at;
        each(csr.n, [=] __device__(uint64 v) {
            k[v] = 2ull * (ptrs[v + 1] - ptrs[v]) + in1[v];
            id[v] = static_cast<int>(v);
        });
        size_t bytes = 0;
        CUDA(cub::DeviceRadixSort::SortPairsDescending(
                nullptr, bytes, keys.at, sortedKeys.at, ids.at, order.at, csr.n, 0, 33));
        OnDevice<char> scratch(bytes);
        CUDA(cub::DeviceRadixSort::SortPairsDescending(
                scratch.at, bytes, keys.at, sortedKeys.at, ids.at, order.at, csr.n, 0, 33));
        int *slot = slotOf.at;
        const int *o = order.at;
        each(csr.n, [=] __device__(uint64 s) { slot[o[s]] = static_cast<int>(s); });
        const std::vector<uint64> degrees = sortedKeys.get();
        double squares = 0;
        for (uint64 key : degrees) {
            active += key != 0;
            squares += static_cast<double>(key / 2) * (key / 2);
        }
        edgeDegree = static_cast<float>(squares / std::max<uint64>(csr.m, 1));
        out = csrOf(keysOf(csr, slotOf.at, false), csr.n);
        if (!symmetric) {
            in = csrOf(keysOf(csr, slotOf.at, true), csr.n);
        }
        const DeviceCsr &lists = symmetric ? out : in;
        const int64_t column = proxima::headColumn(active);
        heads = OnDevice<int>(proxima::HEADS * column);
        int *h = heads.at;
        const uint32_t *lp = lists.ptrs.at;
        const int *li = lists.idx.at;
        const int a = active;
        each(column, [=] __device__(uint64 s) {
            for (int c = 0; c < proxima::HEADS; c++) {
                h[c * column + s] = s < static_cast<uint64>(a) && lp[s] + c < lp[s + 1] ? li[lp[s] + c] : proxima::NO_HEAD;
            }
        });
        CUDA(cudaDeviceSynchronize());
        buildMillis = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
};

template <class Pointer>
struct DirectionalSearch {
    const DirectionalGraph &g;
    const OnDevice<Pointer> outPtrs, inPtrs;
    OnDevice<int> sources, targets;
    DirectionalState<Pointer> state;
    proxima::DirectionalArguments<Pointer> arguments = {};

    DirectionalSearch(const DirectionalGraph &g, proxima::CostModel costs, int sharedWords)
        : g(g), outPtrs(pointersOf(g.out)), inPtrs(g.symmetric ? OnDevice<Pointer>() : pointersOf(g.in)), sources(1 << 16),
          targets(1 << 16), state(g.out.n, g.active, g.m) {
        arguments.graph = {outPtrs.at, g.out.idx.at, g.symmetric ? outPtrs.at : inPtrs.at,
                g.symmetric ? g.out.idx.at : g.in.idx.at, g.heads.at, g.active};
        arguments.slotOf = g.slotOf.at;
        arguments.sources = sources.at;
        arguments.stopTargets = targets.at;
        arguments.n = g.out.n;
        arguments.sharedWords = std::min(sharedWords, state.bitWordsOf(g.active));
        arguments.costs = costs;
        arguments.costs.edgeDegree = g.edgeDegree;
    }

    static OnDevice<Pointer> pointersOf(const DeviceCsr &csr) {
        OnDevice<Pointer> pointers(csr.n + 1);
        const uint32_t *from = csr.ptrs.at;
        Pointer *to = pointers.at;
        each(pointers.length, [=] __device__(uint64 v) { to[v] = from[v]; });
        return pointers;
    }

    Search search() {
        return {state.levels.at, g.slotOf.at, g.out.n,
                [this](const std::vector<int> &s, const std::vector<int> &t, int depth) {
                    arguments.sourceCount = static_cast<int>(s.size());
                    arguments.onlySource = s[0];
                    arguments.stopTargetCount = static_cast<int>(t.size());
                    arguments.maxDepth = depth;
                    CUDA(cudaMemcpy(sources.at, s.data(), s.size() * sizeof(int), cudaMemcpyHostToDevice));
                    CUDA(cudaMemcpy(targets.at, t.data(), t.size() * sizeof(int), cudaMemcpyHostToDevice));
                },
                [this] { state.launchWith(arguments, multiprocessors); }, &state.control};
    }
};

struct BallsGraph {
    const DeviceCsr &csr;
    OnDevice<uint64_t> ptrs;
    int rowBits = 2;
    OnDevice<int> rows;
    OnDevice<unsigned> recordAt;
    OnDevice<int> records;
    int radius = 0;
    uint64 recordBytes = 0;
    double recordMillis = 0;

    explicit BallsGraph(const DeviceCsr &csr) : csr(csr), ptrs(csr.n + 1), recordAt(1), records(8) { buildRows(); }

    void buildRows() {
        const uint32_t *narrow = csr.ptrs.at;
        uint64_t *wide = ptrs.at;
        each(csr.n + 1ull, [=] __device__(uint64 v) { wide[v] = narrow[v]; });
        // all but one row in a hundred fit
        const std::vector<uint32_t> ptrs = csr.ptrs.get();
        std::vector<int> longer(6, 0);
        for (int v = 0; v < csr.n; v++) {
            for (int b = 2; b < 6; b++) {
                longer[b] += ptrs[v + 1] - ptrs[v] > 1u << b;
            }
        }
        while (rowBits < 5 && longer[rowBits] > csr.n / 100) {
            rowBits++;
        }
        rows = OnDevice<int>(static_cast<size_t>(csr.n) << rowBits);
        balls_rows_thread<<<multiprocessors * 8, proxima::BLOCK_THREADS>>>(
                {this->ptrs.at, csr.idx.at, rows.at, csr.n, rowBits});
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
    }

    /** The bytes that records of a radius take; builds them if they fit. */
    bool build(int wanted, uint64 budget) {
        const auto begin = std::chrono::steady_clock::now();
        recordAt = OnDevice<unsigned>(1);
        records = OnDevice<int>(8);
        OnDevice<uint64> totals(wanted);
        CUDA(cudaMemset(totals.at, 0, totals.length * sizeof(uint64)));
        const int blocks = multiprocessors * 8;
        balls_measure_warp<<<blocks, proxima::BLOCK_THREADS>>>({ptrs.at, csr.idx.at, nullptr, totals.at, 0, csr.n, wanted});
        CUDA(cudaGetLastError());
        recordBytes = totals.get(wanted - 1) * proxima::RECORD_UNIT * 4;
        if (recordBytes > budget) {
            return false;
        }
        recordAt = OnDevice<unsigned>(csr.n + 1);
        records = OnDevice<int>(recordBytes / 4 + proxima::RECORDS_ROOM);
        CUDA(cudaMemset(records.at, 0, records.length * sizeof(int)));
        balls_measure_warp<<<blocks, proxima::BLOCK_THREADS>>>(
                {ptrs.at, csr.idx.at, recordAt.at, nullptr, 0, csr.n, wanted});
        CUDA(cudaGetLastError());
        OnDevice<uint64> blockSums(blocks);
        proxima::test::launch(balls_places_grid, blocks, proxima::BLOCK_THREADS, 0, {recordAt.at, blockSums.at, csr.n});
        balls_write_warp<<<blocks, proxima::BLOCK_THREADS>>>(
                {ptrs.at, csr.idx.at, recordAt.at, records.at, 0, csr.n, wanted});
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        radius = wanted;
        recordMillis = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        return true;
    }
};

struct BallsSearch {
    const BallsGraph &g;
    OnDevice<int> sources, targets, levels, queue, spillA, spillB, hubs;
    OnDevice<uint64_t> hubEdges;
    OnDevice<unsigned> queueAt;
    OnDevice<RunControl> control;
    int sourceCount = 0, targetCount = 0, maxDepth = -1, hops, narrow;
    bool withRecords;

    BallsSearch(const BallsGraph &g, bool withRecords, int hops, int narrow)
        : g(g), sources(1 << 16), targets(1 << 16), levels(g.csr.n), queue(g.csr.n), spillA(g.csr.n), spillB(g.csr.n),
          hubs(g.csr.m / proxima::HUB + 1), hubEdges(g.csr.m / proxima::HUB + 1), queueAt(g.csr.n), control(1), hops(hops),
          narrow(narrow), withRecords(withRecords) {}

    Search search() {
        return {levels.at, nullptr, g.csr.n,
                [this](const std::vector<int> &s, const std::vector<int> &t, int depth) {
                    sourceCount = static_cast<int>(s.size());
                    targetCount = static_cast<int>(t.size());
                    maxDepth = depth;
                    CUDA(cudaMemcpy(sources.at, s.data(), s.size() * sizeof(int), cudaMemcpyHostToDevice));
                    CUDA(cudaMemcpy(targets.at, t.data(), t.size() * sizeof(int), cudaMemcpyHostToDevice));
                },
                [this] {
                    proxima::test::launch(withRecords ? bfs_balls_records_grid : bfs_balls_rows_grid, multiprocessors,
                            proxima::BALLS_THREADS, 0,
                            {g.ptrs.at, g.csr.idx.at, g.rows.at, g.recordAt.at, g.records.at, sources.at, targets.at,
                                    nullptr, reinterpret_cast<unsigned *>(levels.at), queue.at, queueAt.at, spillA.at,
                                    spillB.at, hubs.at, hubEdges.at, control.at, nullptr, g.csr.n, g.rowBits, hops, narrow,
                                    sourceCount, targetCount, maxDepth});
                },
                &control};
    }
};

struct WindowsSearch {
    const BallsGraph &g;
    OnDevice<int> sources, targets, levels, hubs;
    OnDevice<uint64_t> hubEdges;
    OnDevice<unsigned> bits, visited;
    OnDevice<RunControl> control;
    int sourceCount = 0, targetCount = 0, maxDepth = -1, hops;
    bool withRecords;

    WindowsSearch(const BallsGraph &g, bool withRecords, int hops)
        : g(g), sources(1 << 16), targets(1 << 16), levels(g.csr.n), hubs(g.csr.m / proxima::HUB + 1),
          hubEdges(g.csr.m / proxima::HUB + 1), bits(2 * hops * words(g.csr.n)), visited(words(g.csr.n)), control(1),
          hops(hops), withRecords(withRecords) {}

    static size_t words(int n) { return ((static_cast<size_t>(n) + (1 << 20) - 1) >> 20) << 15; }

    Search search() {
        return {levels.at, nullptr, g.csr.n,
                [this](const std::vector<int> &s, const std::vector<int> &t, int depth) {
                    sourceCount = static_cast<int>(s.size());
                    targetCount = static_cast<int>(t.size());
                    maxDepth = depth;
                    CUDA(cudaMemcpy(sources.at, s.data(), s.size() * sizeof(int), cudaMemcpyHostToDevice));
                    CUDA(cudaMemcpy(targets.at, t.data(), t.size() * sizeof(int), cudaMemcpyHostToDevice));
                },
                [this] {
                    proxima::test::launch(withRecords ? bfs_windows_records_grid : bfs_windows_rows_grid, multiprocessors,
                            withRecords ? proxima::WINDOW_RECORDS_THREADS : proxima::WINDOW_ROWS_THREADS, 0,
                            {g.ptrs.at, g.csr.idx.at, g.rows.at, g.recordAt.at, g.records.at, sources.at, targets.at,
                                    nullptr, reinterpret_cast<unsigned *>(levels.at), bits.at, visited.at, hubs.at,
                                    hubEdges.at, control.at, nullptr, g.csr.n, g.rowBits, hops, sourceCount, targetCount,
                                    maxDepth});
                },
                &control};
    }
};

double runOnce(const Search &search) {
    CUDA(cudaMemset(search.control->at, 0, sizeof(RunControl)));
    CUDA(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    search.launch();
    CUDA(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

FILE *csvFile = nullptr;
uint64 wrongRuns = 0;

void timeAll(const std::string &graph, const DeviceCsr &csr, const std::string &variant, const Search &search,
        const std::vector<int> &sources, const std::vector<OnDevice<int>> &expected) {
    std::vector<double> times;
    double firsts = 0;
    uint64 wrong = 0;
    for (size_t s = 0; s < sources.size(); s++) {
        search.set({sources[s]}, {}, -1);
        double runs[3];
        for (double &run : runs) {
            run = runOnce(search);
        }
        firsts += runs[0];
        std::sort(runs, runs + 3);
        times.push_back(runs[1]);
        const uint64 bad = differences(expected[s], search.levels, search.slotOf);
        if (bad != 0 && wrong == 0) {
            const std::vector<int> want = expected[s].get();
            std::vector<int> is(search.active), slots(csr.n);
            CUDA(cudaMemcpy(is.data(), search.levels, is.size() * 4, cudaMemcpyDeviceToHost));
            if (search.slotOf != nullptr) {
                CUDA(cudaMemcpy(slots.data(), search.slotOf, slots.size() * 4, cudaMemcpyDeviceToHost));
            } else {
                std::iota(slots.begin(), slots.end(), 0);
            }
            std::map<std::pair<int, int>, std::pair<int, int>> kinds;
            for (int v = 0; v < csr.n; v++) {
                if (slots[v] < search.active && is[slots[v]] != want[v]) {
                    auto &kind = kinds[{is[slots[v]], want[v]}];
                    kind.first++;
                    kind.second = slots[v];
                }
            }
            for (const auto &[k, c] : kinds) {
                std::printf(
                        "   source %d: %d for %d: %d times, slot %d\n", sources[s], k.first, k.second, c.first, c.second);
            }
        }
        wrong += bad != 0;
        wrongRuns += bad != 0;
        const int depth = search.control->get(0).level;
        if (bad == 0 && depth < 0) {
            fail("depth");
        }
    }
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / times.size();
    const size_t worst = std::max_element(times.begin(), times.end()) - times.begin();
    std::printf("%-10s %-28s mean %8.4f median %8.4f max %8.4f (source %d), first runs %8.4f %s\n", graph.c_str(),
            variant.c_str(), mean, sorted[sorted.size() / 2], sorted.back(), sources[worst], firsts / sources.size(),
            wrong == 0 ? "ok" : ("WRONG " + std::to_string(wrong)).c_str());
    std::fflush(stdout);
    if (csvFile != nullptr) {
        std::fprintf(csvFile, "%s,%d,%llu,%s,%zu,%.5f,%.5f,%.5f,%.5f,%s\n", graph.c_str(), csr.n, csr.m, variant.c_str(),
                sources.size(), mean, sorted[sorted.size() / 2], sorted.back(), firsts / sources.size(),
                wrong == 0 ? "ok" : "wrong");
        std::fflush(csvFile);
    }
}

std::vector<int> drawSources(const DeviceCsr &csr, int count) {
    std::mt19937_64 random(5);
    std::vector<int> sources;
    const std::vector<uint32_t> ptrs = csr.ptrs.get();
    while (static_cast<int>(sources.size()) < count) {
        const int v = static_cast<int>(random() % csr.n);
        if (ptrs[v + 1] != ptrs[v]) {
            sources.push_back(v);
        }
    }
    return sources;
}

const proxima::CostModel COSTS = {0.009f, 0.005f, 0.004f, 0.03f, 4000.f, 0.f};
const proxima::CostModel SHIPPED = {0.008f, 0.008f, 0.004f, 0.05f, 3000.f, 0.f};

DeviceCsr makeWorstCase(const std::string &kind, int size) {
    if (kind == "dkron") {
        return makeRandom(size, true, true);
    }
    if (kind == "kronpath") {
        return makeRandom(size, true, false, 5000);
    }
    if (kind == "starofstars") {
        return fromHostEdges(1 + size + size * size, starOfStarsEdges(size, size), false);
    }
    if (kind == "tree") {
        return fromHostEdges(1 << size, treeEdges(1 << size), false);
    }
    if (kind == "lollipop") {
        return fromHostEdges(2 * size, lollipopEdges(size), false);
    }
    if (kind == "islands") {
        return fromHostEdges(ISLANDS * size, islandEdges(size), false);
    }
    fail("graph " + kind);
}

void benchmark(const std::string &name) {
    const std::string kind = name.substr(0, name.find_first_of("0123456789"));
    const int size = std::atoi(name.c_str() + kind.size());
    const auto begin = std::chrono::steady_clock::now();
    const DeviceCsr csr = kind == "kron" ? makeRandom(size, true)
            : kind == "urand"            ? makeRandom(size, false)
            : kind == "rgg"              ? makeRgg(size)
            : kind == "road"             ? makeRoad(size)
                                         : makeWorstCase(kind, size);
    const bool worst = kind != "kron" && kind != "urand" && kind != "rgg" && kind != "road";
    const bool records = !worst && std::getenv("ROWS") == nullptr;
    const std::vector<int> sources = drawSources(csr, worst ? 16 : 64);
    auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    std::printf("%s: n %d m %llu, made in %.1f s\n", name.c_str(), csr.n, csr.m, since());
    std::vector<OnDevice<int>> expected;
    for (int source : sources) {
        expected.emplace_back(csr.n);
        slowBfs(csr, {source}, expected.back());
    }
    std::printf("  device oracle at %.1f s\n", since());
    {
        const Csr host = onHost(csr);
        std::vector<std::vector<int>> levels(2);
#pragma omp parallel for
        for (int s = 0; s < 2; s++) {
            levels[s] = hostBfs(host, {sources[s]});
        }
        for (int s = 0; s < 2; s++) {
            if (levels[s] != expected[s].get()) {
                fail("the oracle on the device differs from the host");
            }
        }
    }
    std::printf("  host check ok at %.1f s\n", since());
    std::fflush(stdout);
    if (worst || kind == "kron" || kind == "urand") {
        const DirectionalGraph graph(csr, kind != "dkron");
        std::printf("  compact: active %d, sum d^2/sum d %.0f, built in %.0f ms\n", graph.active, graph.edgeDegree,
                graph.buildMillis);
        if (!worst) {
            DirectionalSearch<uint32_t> search(graph, COSTS, 2048);
            timeAll(name, csr, "directional shared 8k", search.search(), sources, expected);
        }
        DirectionalSearch<uint32_t> shipped(graph, SHIPPED, 2048);
        timeAll(name, csr, "directional shipped costs", shipped.search(), sources, expected);
    }
    if (worst || kind == "rgg" || kind == "road") {
        BallsGraph graph(csr);
        for (const int hops : worst ? std::vector<int>{1, 8} : std::vector<int>{kind == "rgg" ? 1 : 8}) {
            BallsSearch rows(graph, false, hops, 1);
            timeAll(name, csr, "balls rows hops " + std::to_string(hops), rows.search(), sources, expected);
        }
        WindowsSearch windows(graph, false, 1);
        timeAll(name, csr, "windows rows", windows.search(), sources, expected);
        for (int radius : !records ? std::vector<int>() : kind == "rgg" ? std::vector<int>{3, 4, 5} : std::vector<int>{13}) {
            if (!graph.build(radius, 6ull << 30)) {
                break;
            }
            const std::string label = " records radius " + std::to_string(radius) + " "
                    + std::to_string(graph.recordBytes >> 20) + "MB " + std::to_string(static_cast<int>(graph.recordMillis))
                    + "ms";
            BallsSearch balls(graph, true, radius, 1 << 20);
            timeAll(name, csr, "balls" + label, balls.search(), sources, expected);
            WindowsSearch windowed(graph, true, radius);
            timeAll(name, csr, "windows" + label, windowed.search(), sources, expected);
        }
    }
    std::printf("  done at %.1f s\n", since());
}

/** Small graphs of every bad kind, or those named. */
void checkAll(bool withDirectional, bool few, const std::vector<std::string> &names) {
    std::map<std::string, std::pair<DeviceCsr, bool>> graphs;
    std::mt19937 random(3);
    auto add = [&](const std::string &name, int n, const Edges &edges, bool directed) {
        graphs.emplace(name, std::make_pair(fromHostEdges(n, edges, directed), !directed));
    };
    Edges edges = starOfStarsEdges(299, 300);
    add("star-of-stars", 100000, edges, false);
    add("star-of-stars-directed", 100000, edges, true);
    edges.clear();
    for (int i = 1; i < 20000; i++) {
        edges.push_back({0, i});
    }
    for (int i = 1; i < 20000; i += 7) {
        edges.push_back({20000, i});
    }
    add("two-hubs", 30000, edges, false);
    edges.clear();
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 40; j++) {
            edges.push_back({i, static_cast<int>(random() % 1000)});
        }
    }
    for (int i = 1000; i < 4000; i++) {
        edges.push_back({i - 1, i});
    }
    add("lollipop", 4000, edges, false);
    add("lollipop-directed", 4000, edges, true);
    edges = treeEdges(1 << 17);
    add("binary-tree", 1 << 17, edges, false);
    add("binary-tree-directed", 1 << 17, edges, true);
    edges.clear();
    for (int c = 0; c < 10000; c++) {
        for (int j = 0; j < 20; j++) {
            edges.push_back({c * 10 + static_cast<int>(random() % 10), c * 10 + static_cast<int>(random() % 10)});
        }
    }
    add("components", 100000, edges, false);
    edges.clear();
    for (int i = 0; i < 40; i++) {
        edges.push_back({static_cast<int>(random() % 50000), static_cast<int>(random() % 50000)});
    }
    add("isolated", 50000, edges, false);
    add("one-edge", 2, {{0, 1}}, true);
    for (const int degree : {2, 8, 32}) {
        edges.clear();
        for (int i = 0; i < 50000 * degree / 2; i++) {
            edges.push_back({static_cast<int>(random() % 50000), static_cast<int>(random() % 50000)});
        }
        add("random" + std::to_string(degree), 50000, edges, false);
        add("random-directed" + std::to_string(degree), 50000, edges, true);
    }
    // two equal halves: while one is searched, the other is asked in vain
    edges.clear();
    for (int i = 0; i < 400000; i++) {
        const int a = static_cast<int>(random() % 20000), b = static_cast<int>(random() % (random() % 20000 + 1));
        edges.push_back({a, b});
        edges.push_back({20000 + a, 20000 + b});
    }
    add("a-halves", 40000, edges, false);
    graphs.emplace("a-kron17", std::make_pair(makeRandom(17, true), true));
    graphs.emplace("kron14", std::make_pair(makeRandom(14, true), true));
    graphs.emplace("road100", std::make_pair(makeRoad(100), true));
    graphs.emplace("rgg14", std::make_pair(makeRgg(14), true));
    int runs = 0;
    for (const auto &[name, entry] : graphs) {
        if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
            continue;
        }
        const auto &[csr, symmetric] = entry;
        const Csr host = onHost(csr);
        const DirectionalGraph compact(csr, symmetric);
        BallsGraph balls(csr);
        std::vector<std::pair<std::string, Search>> searches;
        std::vector<std::shared_ptr<void>> kept;
        for (const float push : withDirectional ? std::vector<float>{0.0001f, 0.006f, 1.f, 1e4f} : std::vector<float>()) {
            for (const float list : {0.0001f, 1000.f}) {
                for (const int words : {0, 128}) {
                    proxima::CostModel costs = COSTS;
                    costs.pushEdge = push;
                    costs.listSlot = list;
                    costs.sweep = push > 1 ? 4000.f : 1.f;
                    const std::string label = "directional push " + std::to_string(push) + " list " + std::to_string(list);
                    const auto narrow = std::make_shared<DirectionalSearch<uint32_t>>(compact, costs, words);
                    kept.push_back(narrow);
                    searches.push_back({label, narrow->search()});
                    const auto wide = std::make_shared<DirectionalSearch<uint64_t>>(compact, costs, words);
                    kept.push_back(wide);
                    searches.push_back({label + " 64 bits", wide->search()});
                }
            }
        }
        std::vector<BallsSearch *> keptBalls;
        std::vector<WindowsSearch *> keptWindows;
        for (const int hops : {1, 3, 8}) {
            keptBalls.push_back(new BallsSearch(balls, false, hops, 4));
            searches.push_back({"rows hops " + std::to_string(hops), keptBalls.back()->search()});
        }
        keptWindows.push_back(new WindowsSearch(balls, false, 1));
        searches.push_back({"windows rows", keptWindows.back()->search()});
        for (const int radius : {1, 3, 12}) {
            auto *graph = new BallsGraph(csr);
            if (!graph->build(radius, 4ull << 30)) {
                fail("records");
            }
            for (const int hops : {1, 4, radius}) {
                const std::string label = "records radius " + std::to_string(radius) + " hops " + std::to_string(hops);
                keptBalls.push_back(new BallsSearch(*graph, true, hops, 1 << 20));
                searches.push_back({label, keptBalls.back()->search()});
                keptWindows.push_back(new WindowsSearch(*graph, true, hops));
                searches.push_back({"windows " + label, keptWindows.back()->search()});
            }
        }
        for (int trial = 0; trial < (few ? 1 : 6); trial++) {
            std::vector<int> sources;
            const int count = trial < 4 ? 1 : trial == 4 ? 5 : std::min(csr.n, 3000);
            while (static_cast<int>(sources.size()) < count) {
                sources.push_back(trial == 0 && sources.empty() ? 0 : static_cast<int>(random() % csr.n));
                std::sort(sources.begin(), sources.end());
                sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
                if (csr.n < count) {
                    break;
                }
            }
            for (const int depth : few ? std::vector<int>{-1} : std::vector<int>{-1, trial % 2 == 0 ? 0 : 1, 4}) {
                const std::vector<int> levels = hostBfs(host, sources, depth);
                const OnDevice<int> expected(levels);
                std::vector<int> targets;
                std::vector<int> untilTarget = levels;
                int first = 1 << 30;
                for (int t = 0; t < 3; t++) {
                    targets.push_back(static_cast<int>(random() % csr.n));
                    if (levels[targets.back()] >= 0) {
                        first = std::min(first, levels[targets.back()]);
                    }
                }
                for (int &level : untilTarget) {
                    level = level > first ? -1 : level;
                }
                const OnDevice<int> expectedUntil(untilTarget);
                for (const auto &[variant, search] : searches) {
                    for (const bool until : few ? std::vector<bool>{false} : std::vector<bool>{false, true}) {
                        search.set(sources, until ? targets : std::vector<int>(), depth);
                        runOnce(search);
                        const OnDevice<int> &right = until ? expectedUntil : expected;
                        const uint64 bad = differences(right, search.levels, search.slotOf);
                        const int deepest = *std::max_element(
                                (until ? untilTarget : levels).begin(), (until ? untilTarget : levels).end());
                        const int told = search.control->get(0).level;
                        if (bad != 0 || told != deepest) {
                            std::vector<int> is(search.active);
                            CUDA(cudaMemcpy(is.data(), search.levels, is.size() * 4, cudaMemcpyDeviceToHost));
                            const std::vector<int> slots =
                                    search.slotOf == nullptr ? std::vector<int>() : compact.slotOf.get();
                            const std::vector<int> want = right.get();
                            for (int v = 0, shown = 0; v < csr.n && shown < 8; v++) {
                                const int slot = slots.empty() ? v : slots[v];
                                if (slot < search.active && is[slot] != want[v]) {
                                    std::printf("   vertex %d slot %d degree %lld is %d wants %d\n", v, slot,
                                            static_cast<long long>(host.ptr[v + 1] - host.ptr[v]), is[slot], want[v]);
                                    shown++;
                                }
                            }
                            fail(name + ", " + variant + ", " + std::to_string(sources.size()) + " sources from "
                                    + std::to_string(sources[0]) + ", depth " + std::to_string(depth)
                                    + (until ? ", targets" : "") + ": " + std::to_string(bad) + " wrong, deepest "
                                    + std::to_string(told) + " for " + std::to_string(deepest));
                        }
                        runs++;
                    }
                }
            }
        }
        std::printf("%s done\n", name.c_str());
        std::fflush(stdout);
        for (auto *search : keptBalls) {
            delete search;
        }
        for (auto *search : keptWindows) {
            delete search;
        }
    }
    std::printf("ok, %d runs\n", runs);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::printf("usage: bench_single check [deep] [few] [GRAPH...] | CSV GRAPH...\n");
        return 2;
    }
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    if (std::strcmp(argv[1], "check") == 0) {
        std::vector<std::string> names(argv + 2, argv + argc);
        auto asked = [&](const char *what) {
            const auto at = std::find(names.begin(), names.end(), what);
            const bool found = at != names.end();
            if (found) {
                names.erase(at);
            }
            return found;
        };
        const bool deep = asked("deep");
        checkAll(!deep, asked("few"), names);
        return 0;
    }
    csvFile = std::fopen(argv[1], "a");
    if (csvFile == nullptr) {
        fail(std::string("cannot write ") + argv[1]);
    }
    std::fprintf(csvFile, "graph,vertices,entries,variant,sources,mean_ms,median_ms,max_ms,first_ms,check\n");
    for (int i = 2; i < argc; i++) {
        benchmark(argv[i]);
    }
    if (wrongRuns != 0) {
        fail(std::to_string(wrongRuns) + " searches with a wrong level");
    }
    std::printf("ok\n");
    return 0;
}
