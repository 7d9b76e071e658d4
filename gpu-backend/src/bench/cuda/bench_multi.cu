// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Checks and times the kernels of many searches on graphs made here: levels against a textbook search on the host, sums
// against the levels and against Algorithm 5 in the same run.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -Xcompiler -fopenmp -o bench_multi bench_multi.cu
//   bench_multi CSV check [GRAPH...]      worst cases and small graphs, every row of levels
//   bench_multi CSV words GRAPH...        random sources, word-parallel, and Algorithm 5; environment variable QUICK: less
//   bench_multi CSV blocks GRAPH...       256 random sources, a block each, and Algorithm 5
//   bench_multi CSV closeness WIDTH GRAPH...    all vertices, word-parallel
//   bench_multi CSV tiles SHARE GROUPS GRAPH...    a share of the batches of closeness of the largest component, by
//                                         tiles; environment variable REACH: counts the sources too
//   GRAPH = kron<scale> | urand<scale> (16 edges a vertex) | rgg<scale> | road<side> | roadc<side> (its largest component)
//
// Ends with "ok" and 0, or names the first failure and ends with 1.
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../../main/cuda/msbfs_blocks.cu"
#include "../../main/cuda/msbfs_bvss.cu"
#include "../../main/cuda/msbfs_tiles.cu"
#include "device.cuh"
#include "launch_words.cuh"

namespace {

using namespace proxima::test;

FILE *csv = nullptr;

void row(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    std::vprintf(format, arguments);
    std::vfprintf(csv, format, again);
    va_end(arguments);
    va_end(again);
    std::fflush(stdout);
    std::fflush(csv);
}

// ---- graphs ----

Graph named(const std::string &name) {
    const size_t digits = name.find_first_of("0123456789");
    const std::string kind = name.substr(0, digits);
    const int size = std::atoi(name.c_str() + digits);
    if (kind == "kron") {
        return makeGraph(name, 1 << size, rmatEdges(size, 16ll << size, 27491095), false);
    }
    if (kind == "dkron") {
        return makeGraph(name, 1 << size, rmatEdges(size, 16ll << size, 27491095), true);
    }
    if (kind == "urand") {
        return makeGraph(name, 1 << size, uniformEdges(1 << size, 16ll << size, 27491095), false);
    }
    if (kind == "road") {
        return makeGraph(name, size * size, roadEdges(size), false);
    }
    if (kind == "roadc") {
        return largestComponent(makeGraph(name, size * size, roadEdges(size), false));
    }
    if (kind == "rgg") {
        return makeGraph(name, 1 << size, geometricEdges(size), false);
    }
    if (kind == "starofstars") {
        return makeGraph(name, 1 + size + size * size, starOfStarsEdges(size, size), false);
    }
    if (kind == "lollipop") {
        return makeGraph(name, 2 * size, lollipopEdges(size), false);
    }
    if (kind == "tree") {
        return makeGraph(name, 1 << size, treeEdges(1 << size), false);
    }
    if (kind == "islands") {
        return makeGraph(name, ISLANDS * size, islandEdges(size), false);
    }
    fail("no graph named " + name);
}

// ---- the compact graph: slots in descending order of degree, isolated vertices last ----

Csr relabelled(const Csr &csr, const std::vector<int> &slotOf, const std::vector<int> &vertexOf, int live) {
    Csr to;
    to.n = live;
    to.ptr.assign(live + 1, 0);
    for (int s = 0; s < live; s++) {
        to.ptr[s + 1] = to.ptr[s] + csr.ptr[vertexOf[s] + 1] - csr.ptr[vertexOf[s]];
    }
    to.idx.resize(to.ptr[live]);
#pragma omp parallel for schedule(dynamic, 256)
    for (int s = 0; s < live; s++) {
        int64_t at = to.ptr[s];
        for (int64_t e = csr.ptr[vertexOf[s]]; e < csr.ptr[vertexOf[s] + 1]; e++) {
            to.idx[at++] = slotOf[csr.idx[e]];
        }
        std::sort(to.idx.begin() + to.ptr[s], to.idx.begin() + to.ptr[s + 1]);
    }
    return to;
}

struct Compact {
    const Graph &graph;
    std::vector<int> slotOf, vertexOf;
    int live = 0, componentCount = 0;
    Csr out, in;
    OnDevice<int64_t> outPtrs, inPtrs;
    OnDevice<int> outIdx, inIdx, component;

    static std::vector<int64_t> degrees(const Graph &graph) {
        std::vector<int64_t> degree(graph.n());
        for (int v = 0; v < graph.n(); v++) {
            degree[v] =
                    graph.out.ptr[v + 1] - graph.out.ptr[v] + (graph.directed ? graph.in.ptr[v + 1] - graph.in.ptr[v] : 0);
        }
        return degree;
    }

    static std::vector<int> byDegree(const Graph &graph) {
        const std::vector<int64_t> degree = degrees(graph);
        std::vector<int> order(graph.n());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return degree[a] > degree[b]; });
        return order;
    }

    Compact(const Graph &graph) : Compact(graph, byDegree(graph)) {}

    Compact(const Graph &graph, std::vector<int> order)
        : graph(graph), slotOf(graph.n()), vertexOf(std::move(order)), live(countLive()),
          out(relabelled(graph.out, slotOf, vertexOf, live)),
          in(graph.directed ? relabelled(graph.in, slotOf, vertexOf, live) : Csr()), outPtrs(out.ptr),
          inPtrs(graph.directed ? in.ptr : std::vector<int64_t>()), outIdx(out.idx),
          inIdx(graph.directed ? in.idx : std::vector<int>()), component(componentsOfSlots()) {}

    const Csr &inLists() const { return graph.directed ? in : out; }

    int64_t degreeOf(int s) const { return out.ptr[s + 1] - out.ptr[s] + (graph.directed ? in.ptr[s + 1] - in.ptr[s] : 0); }

private:
    int countLive() {
        const std::vector<int64_t> degree = degrees(graph);
        int count = 0;
        for (int s = 0; s < graph.n(); s++) {
            slotOf[vertexOf[s]] = s;
            count += degree[vertexOf[s]] > 0;
        }
        return count;
    }

    std::vector<int> componentsOfSlots() {
        int all = 0;
        const std::vector<int> of = components(graph, all);
        std::vector<int> number(all, -1), slots(live);
        for (int s = 0; s < live; s++) {
            int &at = number[of[vertexOf[s]]];
            if (at == -1) {
                at = componentCount++;
            }
            slots[s] = at;
        }
        return slots;
    }
};

// ---- launching ----

struct Options {
    int maxDepth = -1;
    int levelBytes = 0;
    bool sums = true;
    bool reach = true;
    bool depths = false;
    bool single = false;  // all slots are one component
    int pushShare = 0;    // 0: as shipped
};

struct Words {
    const Compact &graph;
    const int width;
    int wide = 0;
    int longEntries = 0;
    int itemCount = 0;
    int hubItems = 0;
    std::vector<int2> itemList;
    OnDevice<int2> items, queue;
    OnDevice<int> sources, hubDone, maskOf, depths;
    OnDevice<unsigned> bitsA, bitsB, hubBits, masks, levelCounts;
    OnDevice<unsigned char> flagsA, flagsB, levels;
    const int levelCapacity;
    OnDevice<unsigned long long> far, reach, pairs;
    OnDevice<proxima::LevelTotals> levelTotals;
    OnDevice<proxima::RunControl> control;
    proxima::RunControl result = {};

    Words(const Compact &graph, int width, int batches, size_t levelBytes, int wideDegree = 128, int levelCapacity = 0)
        : graph(graph), width(width), itemList(listItems(wideDegree)), items(itemList),
          queue(graph.live + graph.out.idx.size() / proxima::PUSH_ENTRIES), sources(static_cast<size_t>(width) * batches),
          hubDone(hubItems), maskOf(graph.componentCount), depths(graph.live),
          bitsA(static_cast<size_t>(graph.live) * width / 32), bitsB(static_cast<size_t>(graph.live) * width / 32),
          hubBits(static_cast<size_t>(hubItems) * width / 32), masks(static_cast<size_t>(width) * width / 32),
          levelCounts(static_cast<size_t>(levelCapacity) * graph.graph.n()), flagsA((graph.live + 31) / 32 * 32),
          flagsB((graph.live + 31) / 32 * 32), levels(levelBytes * width * graph.graph.n()), levelCapacity(levelCapacity),
          far(graph.live), reach(graph.live), pairs(graph.live), levelTotals(size_t{3}), control(batches) {
        levelCounts.zero();
        far.zero();
        reach.zero();
        pairs.zero();
        depths.zero();
    }

    std::vector<int2> listItems(int wideDegree) {
        std::vector<int2> list;
        const Csr &in = graph.inLists();
        wide = graph.live;
        for (bool inParts : {true, false}) {
            for (int s = 0; s < graph.live; s++) {
                const int64_t entries = in.ptr[s + 1] - in.ptr[s];
                if (entries <= wideDegree) {
                    wide = std::min(wide, s);
                } else if ((entries > proxima::PART_ENTRIES) == inParts) {
                    longEntries = s > wide ? wideDegree : longEntries;
                    const int64_t parts = (entries + proxima::PART_ENTRIES - 1) / proxima::PART_ENTRIES;
                    for (int64_t i = 0; i < parts; i++) {
                        list.push_back(make_int2(s, static_cast<int>(i)));
                    }
                }
            }
            hubItems = inParts ? static_cast<int>(list.size()) : hubItems;
        }
        itemCount = static_cast<int>(list.size());
        return list;
    }

    /** Batches from slots, queued one behind the other. */
    double run(const std::vector<int> &slots, const Options &options) {
        CUDA(cudaMemcpy(sources.at, slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice));
        control.zero();
        const int blocks = wordsBlocks(width);
        static Timer timer;
        int batch = 0;
        const double took = timer.ms([&] {
            for (size_t first = 0; first < slots.size(); first += width, batch++) {
                const int count = static_cast<int>(std::min<size_t>(width, slots.size() - first));
                const bool directed = graph.graph.directed;
                proxima::WordsArguments a = {};
                a.inPtrs = directed ? graph.inPtrs.at : graph.outPtrs.at;
                a.inIdx = directed ? graph.inIdx.at : graph.outIdx.at;
                a.outPtrs = graph.outPtrs.at;
                a.outIdx = graph.outIdx.at;
                a.component = options.single ? nullptr : graph.component.at;
                a.items = items.at;
                a.sources = sources.at + first;
                a.stopFlag = stopFlag();
                a.levels = options.levelBytes == 0 ? nullptr : levels.at;
                a.far = options.sums ? far.at : nullptr;
                a.reach = options.sums && options.reach ? reach.at : nullptr;
                a.levelCounts = levelCounts.at;
                a.depths = options.depths ? depths.at : nullptr;
                a.pairs = options.depths ? pairs.at : nullptr;
                a.bitsA = bitsA.at;
                a.bitsB = bitsB.at;
                a.flagsA = flagsA.at;
                a.flagsB = flagsB.at;
                a.hubBits = hubBits.at;
                a.hubDone = hubDone.at;
                a.masks = masks.at;
                a.maskOf = maskOf.at;
                a.queue = queue.at;
                a.levelTotals = levelTotals.at;
                a.control = control.at + batch;
                a.stride = graph.graph.n();
                a.n = graph.live;
                a.components = graph.componentCount;
                a.itemCount = itemCount;
                a.wide = wide;
                a.longEntries = longEntries;
                a.hubItems = hubItems;
                a.sourceCount = count;
                a.maxDepth = options.maxDepth;
                a.levelBytes = options.levelBytes == 0 ? 1 : options.levelBytes;
                a.levelCapacity = levelCapacity;
                a.firstLevel = 1;
                a.pushShare = options.pushShare != 0 ? options.pushShare : std::max(1, width / 64);
                launchWords(width, blocks, a);
            }
        });
        result = control.get(0);
        return took;
    }
};

/** A block a source. */
struct Blocks {
    static constexpr size_t MOST_SHARED = 220 << 10;

    const Compact &graph;
    const size_t sharedBytes;
    const int grid;
    OnDevice<int> queues, sources, nextSource;
    OnDevice<unsigned> visited;
    OnDevice<unsigned char> levels;
    OnDevice<unsigned long long> far, reach;
    OnDevice<proxima::RunControl> control;
    proxima::RunControl result = {};

    Blocks(const Compact &graph, int sourceCount, size_t levelBytes, bool inShared)
        : graph(graph), sharedBytes(inShared && bitBytes(graph) <= MOST_SHARED ? bitBytes(graph) : 0),
          grid(blocksOf(sharedBytes)), queues(2ull * grid * graph.live), sources(static_cast<size_t>(sourceCount)),
          nextSource((static_cast<size_t>(grid) + 1) * proxima::PAUSED_WORDS),
          visited(sharedBytes == 0 ? grid * bitBytes(graph) / 4 : 0), levels(levelBytes * sourceCount * graph.graph.n()),
          far(static_cast<size_t>(graph.live)), reach(static_cast<size_t>(graph.live)), control(size_t{1}) {
        far.zero();
        reach.zero();
    }

    static size_t bitBytes(const Compact &graph) { return (graph.live + 31ull) / 32 * 4; }

    static int blocksOf(size_t sharedBytes) {
        const void *const kernel = reinterpret_cast<const void *>(msbfs_blocks_block);
        CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, MOST_SHARED));
        return residentBlocks(kernel, proxima::SEARCH_THREADS, sharedBytes);
    }

    double run(const std::vector<int> &slots, int maxDepth, int levelBytes, bool sums, int lanes) {
        CUDA(cudaMemcpy(sources.at, slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice));
        control.zero();
        nextSource.zero();
        static Timer timer;
        const double took = timer.ms([&] {
            msbfs_blocks_block<<<grid, proxima::SEARCH_THREADS, sharedBytes>>>({graph.outPtrs.at, graph.outIdx.at,
                    sources.at, stopFlag(), levelBytes == 0 ? nullptr : levels.at, sums ? far.at : nullptr,
                    sums ? reach.at : nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, queues.at, visited.at,
                    nextSource.at, control.at, nullptr, graph.graph.n(), graph.live, static_cast<int>(slots.size()),
                    maxDepth, levelBytes == 0 ? 4 : levelBytes, lanes, sharedBytes != 0 ? 1 : 0});
            CUDA(cudaGetLastError());
        });
        result = control.get(0);
        return took;
    }
};

// ---- Algorithm 5 beside them ----

/** One batch of 256 by Algorithm 5 with AND; best of three. */
double algorithm5(const Graph &graph, const std::vector<int> &vertices, std::vector<unsigned long long> &sums) {
    const BvssOnHost bvss(graph.out);
    const int sliceSets = (graph.n() + 7) / 8;
    const OnDevice<int> realPtrs(bvss.realPtrs), virtualToReal(bvss.virtualToReal), rowIds(bvss.rowIds), sources(vertices);
    const OnDevice<unsigned> masks(bvss.masks);
    const size_t words = static_cast<size_t>(sliceSets) * 64;
    OnDevice<unsigned> frontier(words), visited(words), next(words), active(static_cast<size_t>(sliceSets) * 8);
    OnDevice<unsigned char> dirty(sliceSets);
    OnDevice<int> queueA(bvss.virtualToReal.size()), queueB(bvss.virtualToReal.size());
    OnDevice<unsigned long long> far(graph.n()), reach(graph.n());
    OnDevice<proxima::RunControl> control(1);
    Timer timer;
    double best = 1e30;
    for (int i = 0; i < 3; i++) {
        far.zero();
        reach.zero();
        control.zero();
        best = std::min(best, timer.ms([&] {
            launch(msbfs_bvss_k256_grid,
                    residentBlocks(reinterpret_cast<const void *>(msbfs_bvss_k256_grid), proxima::BLOCK_THREADS),
                    proxima::BLOCK_THREADS, 0,
                    {{realPtrs.at, virtualToReal.at, reinterpret_cast<const int4 *>(rowIds.at), masks.at}, sources.at,
                            nullptr, nullptr, far.at, reach.at, nullptr, frontier.at, visited.at, next.at, active.at,
                            dirty.at, queueA.at, queueB.at, control.at, nullptr, graph.n(), sliceSets,
                            static_cast<int>(vertices.size()), -1, 1, 0, 1, nullptr, nullptr});
        }));
    }
    sums = far.get();
    return best;
}

// ---- tiles: neighbouring sources over vertices in the order of balls ----

/**
 * An order in which each size consecutive vertices are near each other: a ball grows breadth-first from a vertex beside the
 * balls before it; what runs out of vertices goes on beside them. Vertices of group g of allowed come after those of g - 1.
 */
std::vector<int> ballOrder(const Csr &csr, const std::vector<int> &seeds, int size, const std::vector<int> &groups) {
    const int n = csr.n;
    std::vector<char> taken(n, 0);
    std::vector<int> order, border;
    order.reserve(n);
    border.reserve(n);
    size_t nextBorder = 0, nextSeed = 0;
    while (static_cast<int>(order.size()) < n) {
        const size_t begin = order.size();
        const int group = groups[begin];
        size_t grown = begin;
        while (order.size() < std::min<size_t>(begin + size, n)) {
            if (grown == order.size()) {
                int seed = -1;
                while (seed == -1 && nextBorder < border.size()) {
                    const int v = border[nextBorder++];
                    seed = taken[v] == 0 && groups[n + v] == group ? v : -1;
                }
                while (seed == -1) {
                    const int v = seeds[nextSeed++];
                    seed = taken[v] == 0 ? v : -1;
                }
                taken[seed] = 1;
                order.push_back(seed);
            }
            const int v = order[grown++];
            for (int64_t e = csr.ptr[v]; e < csr.ptr[v + 1] && order.size() < std::min<size_t>(begin + size, n); e++) {
                const int u = csr.idx[e];
                if (taken[u] == 0 && groups[n + u] == group) {
                    taken[u] = 1;
                    order.push_back(u);
                }
            }
        }
        for (size_t i = begin; i < order.size(); i++) {
            for (int64_t e = csr.ptr[order[i]]; e < csr.ptr[order[i] + 1]; e++) {
                if (taken[csr.idx[e]] == 0) {
                    border.push_back(csr.idx[e]);
                }
            }
        }
    }
    return order;
}

/** Balls of many vertices, each in balls of few. */
std::vector<int> ballsInBalls(const Csr &csr, int many, int few) {
    const int n = csr.n;
    std::vector<int> seeds(n);
    std::iota(seeds.begin(), seeds.end(), 0);
    // of the places, then of the vertices
    std::vector<int> groups(2ll * n, 0);
    const std::vector<int> large = ballOrder(csr, seeds, many, groups);
    for (int i = 0; i < n; i++) {
        groups[i] = i / many;
        groups[n + large[i]] = i / many;
    }
    return ballOrder(csr, large, few, groups);
}

struct Tiles {
    const Graph &graph;
    static constexpr int width = 128;  // sources of a batch
    static constexpr int slots = 4096 / width;
    const int tiles;
    std::vector<int> vertexOf;
    OnDevice<int64_t> columnPtrs, nearPtrs, inPtrs;
    OnDevice<int> columns, inIdx, same, marks, queueA, queueB, groupWords, nextBatch, depths;
    OnDevice<proxima::NearTile> near;
    OnDevice<uint4> bitsA, bitsB;
    OnDevice<unsigned char> full;
    OnDevice<unsigned long long> far, reach, pairs;
    OnDevice<unsigned> barriers;
    OnDevice<proxima::RunControl> control;
    proxima::RunControl result = {};

    struct Layout {
        std::vector<int64_t> columnPtrs, nearPtrs;
        std::vector<int> columns;
        std::vector<proxima::NearTile> near;
    };

    static Layout layout(const Csr &csr, int slots) {
        const int tiles = (csr.n + slots - 1) / slots;
        Layout to;
        to.columnPtrs.assign(tiles + 1, 0);
        std::vector<std::vector<proxima::NearTile>> near(tiles);
#pragma omp parallel for schedule(dynamic, 64)
        for (int t = 0; t < tiles; t++) {
            int64_t most = 0;
            std::vector<std::pair<int, unsigned>> found;
            for (int s = t * slots; s < std::min(csr.n, (t + 1) * slots); s++) {
                most = std::max(most, csr.ptr[s + 1] - csr.ptr[s]);
                for (int64_t e = csr.ptr[s]; e < csr.ptr[s + 1]; e++) {
                    if (csr.idx[e] / slots != t) {
                        found.push_back({csr.idx[e] / slots, 1u << (s % slots)});
                    }
                }
            }
            to.columnPtrs[t + 1] = std::min<int64_t>(most, proxima::TILE_COLUMNS);
            std::sort(found.begin(), found.end());
            for (const auto &one : found) {
                if (near[t].empty() || near[t].back().tile != one.first) {
                    near[t].push_back({one.first, 0});
                }
                near[t].back().positions |= one.second;
            }
        }
        std::partial_sum(to.columnPtrs.begin(), to.columnPtrs.end(), to.columnPtrs.begin());
        to.columns.resize(to.columnPtrs[tiles] * slots);
#pragma omp parallel for schedule(dynamic, 64)
        for (int t = 0; t < tiles; t++) {
            for (int r = 0; r < slots; r++) {
                const int s = t * slots + r;
                int64_t e = s < csr.n ? csr.ptr[s] : 0;
                const int64_t end = s < csr.n ? csr.ptr[s + 1] : 0;
                for (int64_t c = to.columnPtrs[t]; c < to.columnPtrs[t + 1]; c++) {
                    to.columns[c * slots + r] = e < end ? csr.idx[e++] : s;
                }
            }
        }
        to.nearPtrs.assign(1, 0);
        for (const auto &some : near) {
            to.near.insert(to.near.end(), some.begin(), some.end());
            to.nearPtrs.push_back(static_cast<int64_t>(to.near.size()));
        }
        return to;
    }

    static std::vector<int> identity(int n) {
        std::vector<int> to(n);
        std::iota(to.begin(), to.end(), 0);
        return to;
    }

    Tiles(const Graph &graph, const Csr &inOrder, std::vector<int> order, int groups)
        : Tiles(graph, inOrder, layout(inOrder, slots), std::move(order), groups) {}

    Tiles(const Graph &graph, const Csr &inOrder, const Layout &built, std::vector<int> order, int groups)
        : graph(graph), tiles((inOrder.n + slots - 1) / slots), vertexOf(std::move(order)), columnPtrs(built.columnPtrs),
          nearPtrs(built.nearPtrs), inPtrs(inOrder.ptr), columns(built.columns), inIdx(inOrder.idx),
          same(identity(inOrder.n)), marks(static_cast<size_t>(groups) * tiles), queueA(marks.length), queueB(marks.length),
          groupWords(static_cast<size_t>(groups) * proxima::GROUP_WORDS), nextBatch(size_t{1}),
          depths(static_cast<size_t>(inOrder.n)), near(built.near), bitsA(marks.length * 32), bitsB(marks.length * 32),
          full(marks.length), far(static_cast<size_t>(inOrder.n)), reach(static_cast<size_t>(inOrder.n)),
          pairs(static_cast<size_t>(inOrder.n)), barriers(static_cast<size_t>(groups)), control(size_t{1}) {}

    int n() const { return static_cast<int>(far.length); }

    double run(int firstBatch, int lastBatch, int groups, bool withDepths) {
        control.zero();
        barriers.zero();
        bitsA.zero();
        bitsB.zero();
        marks.zero();
        full.zero();
        CUDA(cudaMemcpy(nextBatch.at, &firstBatch, sizeof(int), cudaMemcpyHostToDevice));
        static Timer timer;
        static const bool withReach = std::getenv("REACH") != nullptr;
        const auto kernel = msbfs_tiles_k128_grid;
        const double took = timer.ms([&] {
            launch(kernel, residentBlocks(reinterpret_cast<const void *>(kernel), proxima::BLOCK_THREADS),
                    proxima::BLOCK_THREADS, 0,
                    {columnPtrs.at, columns.at, nearPtrs.at, near.at, inPtrs.at, inIdx.at, same.at, same.at, stopFlag(),
                            far.at, withReach ? reach.at : nullptr, nullptr, withDepths ? depths.at : nullptr,
                            withDepths ? pairs.at : nullptr,
                            {bitsA.at, bitsB.at, marks.at, full.at, queueA.at, queueB.at, groupWords.at}, barriers.at,
                            nextBatch.at, control.at, nullptr, INT64_MAX / 2, n(), tiles, groups, lastBatch, 0, 1});
        });
        result = control.get(0);
        return took;
    }
};

// ---- checks ----

int64_t checks = 0;

void expect(bool holds, const std::string &what) {
    checks++;
    if (!holds) {
        fail(what);
    }
}

/** Distinct vertices; isolated ones among them only if so wished. */
std::vector<int> chosen(const Graph &graph, int count, uint64_t seed, bool isolatedToo) {
    std::vector<char> taken(graph.n(), 0);
    std::vector<int> vertices;
    for (uint64_t i = 0; static_cast<int>(vertices.size()) < count && i < 64ull * graph.n(); i++) {
        const int v = static_cast<int>(mix(seed + i) % graph.n());
        const bool isolated = graph.out.ptr[v + 1] == graph.out.ptr[v];
        if (taken[v] == 0 && (isolatedToo || !isolated)) {
            taken[v] = 1;
            vertices.push_back(v);
        }
    }
    return vertices;
}

std::vector<int> slotsOf(const Compact &graph, const std::vector<int> &vertices) {
    std::vector<int> slots;
    for (int v : vertices) {
        slots.push_back(graph.slotOf[v]);
    }
    return slots;
}

/** What one batch should give. */
struct Expected {
    bool tooNarrow = false;
    std::vector<unsigned long long> far, reach, pairs;
    std::vector<int> depths;
    std::vector<unsigned> levelCounts;  // of the first three levels
};

/** Every row of one batch against the host. */
template <class Level>
Expected checkRows(const Compact &compact, const std::vector<std::vector<int>> &levels, int maxDepth,
        const proxima::RunControl &result, const std::vector<unsigned char> &bytes, const std::string &what) {
    const Level *rows = reinterpret_cast<const Level *>(bytes.data());
    const int n = compact.graph.n();
    Expected expected;
    expected.far.assign(compact.live, 0);
    expected.reach.assign(compact.live, 0);
    expected.pairs.assign(std::max(compact.live, n) + 1, 0);
    expected.depths.assign(compact.live, 0);
    expected.levelCounts.assign(3ll * n, 0);
    std::string wrong;
    for (size_t i = 0; i < levels.size(); i++) {
        for (int v = 0; v < n; v++) {
            const int level = maxDepth != -1 && levels[i][v] > maxDepth ? -1 : levels[i][v];
            const int slot = compact.slotOf[v];
            expected.tooNarrow = expected.tooNarrow || (sizeof(Level) < 4 && level >= (1ll << (8 * sizeof(Level))) - 1);
            const Level got = rows[i * n + slot];
            const int found = got == static_cast<Level>(-1) ? -1 : static_cast<int>(got);
            if (found != level && wrong.empty()) {
                wrong = "source " + std::to_string(i) + " vertex " + std::to_string(v) + " expected " + std::to_string(level)
                        + " got " + std::to_string(found);
            }
            if (level > 0) {
                expected.far[slot] += level;
                expected.reach[slot]++;
                expected.pairs[level]++;
                if (level <= 3) {
                    expected.levelCounts[(level - 1ll) * n + slot]++;
                }
                expected.depths[slot] = std::max(expected.depths[slot], level);
            }
        }
    }
    expect((result.overflow & proxima::LEVELS_TOO_NARROW) == (expected.tooNarrow ? proxima::LEVELS_TOO_NARROW : 0),
            what + ": overflow");
    expect(expected.tooNarrow || wrong.empty(), what + ": " + wrong);
    return expected;
}

template <class Level>
void checkWords(const Compact &compact, int width, const std::vector<int> &vertices,
        const std::vector<std::vector<int>> &levels, int maxDepth, int pushShare) {
    constexpr int CAPACITY = 3;
    Words words(compact, width, 1, sizeof(Level), 128, CAPACITY);
    Options options;
    options.maxDepth = maxDepth;
    options.levelBytes = sizeof(Level);
    options.pushShare = pushShare;
    options.depths = true;
    words.run(slotsOf(compact, vertices), options);
    const std::string what = compact.graph.name + ", k=" + std::to_string(width) + ", " + std::to_string(vertices.size())
            + " sources, maxDepth " + std::to_string(maxDepth) + ", push share " + std::to_string(pushShare);
    Expected expected = checkRows<Level>(compact, levels, maxDepth, words.result, words.levels.get(), what);
    if (!expected.tooNarrow) {
        expect(words.far.get() == expected.far, what + ": far");
        expect(words.reach.get() == expected.reach, what + ": reach");
        expect(words.depths.get() == expected.depths, what + ": depths");
        expected.pairs.resize(compact.live);
        expect(words.pairs.get() == expected.pairs, what + ": pairs");
        expect(words.levelCounts.get() == expected.levelCounts, what + ": level counts");
        expect(((words.result.overflow & proxima::COUNTS_TOO_SHALLOW) != 0) == (words.result.level > CAPACITY),
                what + ": counts too shallow");
    }
}

template <class Level>
void checkBlocks(const Compact &compact, const std::vector<int> &vertices, const std::vector<std::vector<int>> &levels,
        int maxDepth, int lanes, bool inShared) {
    Blocks blocks(compact, static_cast<int>(vertices.size()), sizeof(Level), inShared);
    blocks.run(slotsOf(compact, vertices), maxDepth, sizeof(Level), true, lanes);
    const std::string what = compact.graph.name + ", blocks, " + std::to_string(vertices.size()) + " sources, maxDepth "
            + std::to_string(maxDepth) + ", " + std::to_string(lanes) + " lanes";
    const Expected expected = checkRows<Level>(compact, levels, maxDepth, blocks.result, blocks.levels.get(), what);
    if (!expected.tooNarrow) {
        expect(blocks.far.get() == expected.far, what + ": far");
        expect(blocks.reach.get() == expected.reach, what + ": reach");
    }
}

std::vector<Graph> smallGraphs() {
    std::vector<Graph> graphs;
    for (const char *name : {"kron10", "dkron10", "kron11", "dkron11", "urand11", "rgg11", "road40", "starofstars60",
                 "lollipop300", "tree11", "road9"}) {
        graphs.push_back(named(name));
    }
    graphs.push_back(makeGraph("no edges", 33, {}, false));
    graphs.push_back(makeGraph("one edge", 2, {{1, 0}}, true));
    graphs.push_back(makeGraph("sparse, directed", 1000, uniformEdges(1000, 900, 5), true));
    graphs.push_back(makeGraph("sparse", 1000, uniformEdges(1000, 400, 6), false));
    graphs.push_back(makeGraph("star", 5000, starEdges(5000), false));
    graphs.push_back(makeGraph("star, outwards", 5000, starEdges(5000), true));
    graphs.push_back(makeGraph("path", 400, pathEdges(400), false));
    graphs.push_back(makeGraph("directed path", 400, pathEdges(400), true));
    return graphs;
}

void checkSmall(const std::vector<Graph> &graphs) {
    for (const Graph &graph : graphs) {
        const Compact compact(graph);
        for (int width : {256, 512, 1024}) {
            for (int count : {1, width - 7}) {
                const std::vector<int> vertices = chosen(graph, count, 99 + count, true);
                if (compact.live == 0 || vertices.empty()) {
                    continue;
                }
                std::vector<std::vector<int>> expected(vertices.size());
#pragma omp parallel for schedule(dynamic, 1)
                for (size_t i = 0; i < vertices.size(); i++) {
                    expected[i] = hostBfs(graph.out, {vertices[i]});
                }
                for (int pushShare : {1, 16, 1 << 20}) {
                    checkWords<unsigned char>(compact, width, vertices, expected, -1, pushShare);
                }
                checkWords<unsigned short>(compact, width, vertices, expected, 2, 4);
                checkWords<unsigned>(compact, width, vertices, expected, -1, 4);
                checkBlocks<unsigned char>(compact, vertices, expected, -1, 4, true);
                checkBlocks<unsigned short>(compact, vertices, expected, 2, 1, false);
                checkBlocks<unsigned>(compact, vertices, expected, -1, 8, true);
            }
        }
        std::printf(
                "  %s: n=%d live=%d, %d components\n", graph.name.c_str(), graph.n(), compact.live, compact.componentCount);
        std::fflush(stdout);
    }
}

void benchWords(const std::string &name) {
    double at = seconds();
    const Graph graph = named(name);
    const double made = seconds() - at;
    at = seconds();
    const Compact compact(graph);
    std::printf("%s: n=%d m=%lld live=%d components=%d largest degree %lld, made in %.1f s, ordered in %.1f s\n",
            name.c_str(), graph.n(), static_cast<long long>(graph.out.idx.size()), compact.live, compact.componentCount,
            static_cast<long long>(compact.degreeOf(0)), made, seconds() - at);
    std::fflush(stdout);
    constexpr int BATCHES = 8;
    const std::vector<int> vertices = chosen(graph, std::min(compact.live, 1024 * BATCHES), 5000, false);
    const std::vector<int> slots = slotsOf(compact, vertices);
    // rows of 16 sources against the host
    const int rows = 16;
    std::vector<std::vector<int>> expected(rows);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < rows; i++) {
        expected[i] = hostBfs(graph.out, {vertices[i * 15]});
    }
    std::vector<unsigned long long> farOf256;
    for (int width : {256, 512, 1024}) {
        Options options;
        const std::vector<int> oneBatch(slots.begin(), slots.begin() + std::min<size_t>(width, slots.size()));
        {
            Words words(compact, width, 1, 1);
            options.levelBytes = 1;
            const double first = words.run(oneBatch, options);
            const double withLevels = words.run(oneBatch, options);
            expect(words.result.overflow == 0, name + ": overflow");
            for (int i = 0; i < rows; i++) {
                const std::vector<unsigned char> got = words.levels.get(static_cast<size_t>(i) * 15 * graph.n(), graph.n());
                bool equal = true;
#pragma omp parallel for reduction(&& : equal)
                for (int v = 0; v < graph.n(); v++) {
                    const int level = got[compact.slotOf[v]];
                    equal = equal && (level == 255 ? -1 : level) == expected[i][v];
                }
                expect(equal, name + ": levels of source " + std::to_string(vertices[i * 15]));
            }
            OnDevice<unsigned long long> sums(compact.live);
            addRows<<<1024, 256>>>(words.levels.at, static_cast<int>(oneBatch.size()), graph.n(), compact.live, sums.at);
            const std::vector<unsigned long long> fromRows = sums.get();
            options.levelBytes = 0;
            options.depths = true;
            words.far.zero();
            words.run(oneBatch, options);
            expect(words.far.get() == fromRows, name + ": sums, k=" + std::to_string(width));
            if (width == 256) {
                farOf256 = fromRows;
            }
            row("%s,words,%d,levels,1,%.4f,%.3f,%d,%d\n", name.c_str(), width, withLevels,
                    1000 * withLevels / oneBatch.size(), words.result.level, static_cast<int>(words.result.bottomUpLevels));
            (void)first;
        }
        Words words(compact, width, BATCHES * 4, 0);
        const size_t count = std::min<size_t>(slots.size(), static_cast<size_t>(BATCHES) * width);
        const std::vector<int> some(slots.begin(), slots.begin() + count);
        options = Options();
        options.single = false;
        words.run(some, options);
        const bool quick = std::getenv("QUICK") != nullptr;
        for (int share : quick ? std::vector<int>{0, 0} : std::vector<int>{0, 1, 4, 16, 64, 1 << 20}) {
            options.pushShare = share;
            const double took = words.run(some, options);
            row("%s,words,%d,%s%d,%d,%.4f,%.3f,%d,%d\n", name.c_str(), width, "sums_push", share, BATCHES, took / BATCHES,
                    1000 * took / count, words.result.level, static_cast<int>(words.result.bottomUpLevels));
        }
        options.pushShare = 0;
        for (int depth = 1; depth <= 6; depth++) {
            options.maxDepth = depth;
            const double took = words.run(some, options);
            row("%s,words,%d,depth%d,%d,%.4f,%.3f,%d,%d\n", name.c_str(), width, depth, BATCHES, took / BATCHES,
                    1000 * took / count, words.result.level, static_cast<int>(words.result.bottomUpLevels));
        }
        options.maxDepth = -1;
        for (int degree : std::vector<int>{64, 256}) {
            Words other(compact, width, BATCHES, 0, degree);
            other.run(some, options);
            const double took = other.run(some, options);
            row("%s,words,%d,wide%d,%d,%.4f,%.3f,%d,%d\n", name.c_str(), width, degree, BATCHES, took / BATCHES,
                    1000 * took / count, other.result.level, static_cast<int>(other.result.bottomUpLevels));
        }
    }
    std::vector<unsigned long long> sums;
    const std::vector<int> batch(vertices.begin(), vertices.begin() + 256);
    const double took = algorithm5(graph, batch, sums);
    row("%s,algorithm5_and,256,sums,1,%.4f,%.3f,0,0\n", name.c_str(), took, 1000 * took / 256);
    bool equal = true;
    for (int s = 0; s < compact.live; s++) {
        equal = equal && sums[compact.vertexOf[s]] == farOf256[s];
    }
    expect(equal, name + ": sums of Algorithm 5");
}

/** Closeness of a connected graph by tiles, the given share of the batches; sums at some vertices against the host. */
void closenessByTiles(const std::string &name, double share, int groups) {
    constexpr int width = Tiles::width;
    double at = seconds();
    const Graph graph = largestComponent(named(name));
    const double made = seconds() - at;
    at = seconds();
    const std::vector<int> order = ballsInBalls(graph.out, width, 4096 / width);
    std::vector<int> slotOf(graph.n());
    for (int s = 0; s < graph.n(); s++) {
        slotOf[order[s]] = s;
    }
    const double ordered = seconds() - at;
    const Csr inOrder = relabelled(graph.out, slotOf, order, graph.n());
    Tiles tiles(graph, inOrder, order, groups);
    std::printf("%s: n=%d m=%lld made in %.1f s, ordered in %.1f s, tiles %d with %.2f columns and %.2f near\n",
            name.c_str(), graph.n(), static_cast<long long>(graph.out.idx.size()), made, ordered, tiles.tiles,
            static_cast<double>(tiles.columns.length) / tiles.slots / tiles.tiles,
            static_cast<double>(tiles.near.length) / tiles.tiles);
    std::fflush(stdout);
    const int batches = (graph.n() + width - 1) / width;
    const int parts = share >= 1 ? 1 : 4;
    const int each = share >= 1 ? batches : std::max(2 * groups, static_cast<int>(share * batches / parts));
    std::vector<std::pair<int, int>> ranges;
    for (int i = 0; i < parts; i++) {
        const int first =
                std::min(batches - std::min(each, batches), static_cast<int>(static_cast<int64_t>(batches) * i / parts));
        ranges.push_back({first, std::min(batches, first + each)});
    }
    tiles.far.zero();
    tiles.pairs.zero();
    tiles.depths.zero();
    double took = 0;
    int64_t done = 0, visits = 0;
    for (const auto &range : ranges) {
        took += tiles.run(range.first, range.second, groups, false);
        done += range.second - range.first;
        visits += tiles.result.vssPulled;
    }
    const int targets = 8;
    bool equal = true;
    const std::vector<unsigned long long> far = tiles.far.get();
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : equal)
    for (int i = 0; i < targets; i++) {
        const int slot = static_cast<int>(mix(17 + i) % graph.n());
        const std::vector<int> level = hostBfs(graph.out, {order[slot]});
        unsigned long long sum = 0;
        for (const auto &range : ranges) {
            for (int s = range.first * width; s < std::min(graph.n(), range.second * width); s++) {
                sum += level[order[s]];
            }
        }
        equal = equal && sum == far[slot];
    }
    expect(equal, name + ": sums by tiles of " + std::to_string(width));
    const double sources = std::min<double>(static_cast<double>(done) * width, graph.n());
    row("%s,tiles_%d_groups,%d,closeness %.4f of batches,%lld,%.4f,%.3f,%d,%.1f visits a tile; whole %.2f s\n", name.c_str(),
            groups, width, static_cast<double>(done) / batches, static_cast<long long>(done), took / done,
            1000 * took / sources, tiles.result.level, static_cast<double>(visits) / done / tiles.tiles,
            took / sources * graph.n() / 1000);
}

/** Depths and pairs of tiles, on a small graph, and that every kernel ends soon when told to. */
void checkTilesAndStops() {
    const Graph graph = largestComponent(named("rgg12"));
    {
        constexpr int width = Tiles::width;
        const std::vector<int> order = ballsInBalls(graph.out, width, Tiles::slots);
        std::vector<int> slotOf(graph.n());
        for (int s = 0; s < graph.n(); s++) {
            slotOf[order[s]] = s;
        }
        Tiles tiles(graph, relabelled(graph.out, slotOf, order, graph.n()), order, 4);
        tiles.far.zero();
        tiles.depths.zero();
        tiles.pairs.zero();
        tiles.run(0, (graph.n() + width - 1) / width, 4, true);
        std::vector<unsigned long long> far(graph.n(), 0), pairs(graph.n(), 0);
        std::vector<int> depths(graph.n(), 0);
        for (int s = 0; s < graph.n(); s++) {
            for (int level : hostBfs(graph.out, {order[s]})) {
                far[s] += level;
                pairs[level] += level > 0 ? 1 : 0;
                depths[s] = std::max(depths[s], level);
            }
        }
        expect(tiles.far.get() == far, "tiles: far");
        expect(tiles.depths.get() == depths, "tiles: depths");
        expect(tiles.pairs.get() == pairs, "tiles: pairs");
    }
    const Graph path = named("road512");
    const Compact compact(path);
    const std::vector<int> slots = slotsOf(compact, chosen(path, 1024, 3, false));
    *stopFlag() = 1;
    Words words(compact, 1024, 1, 0);
    words.run(slots, Options());
    expect(words.result.stopped == 1 && words.result.level < 100, "words: should stop");
    Blocks blocks(compact, 1024, 0, true);
    blocks.run(slots, -1, 0, true, 4);
    expect(blocks.result.stopped == 1 && blocks.result.level < 100, "blocks: should stop");
    const Graph connected = largestComponent(path);
    const std::vector<int> order = ballsInBalls(connected.out, 128, 32);
    std::vector<int> slotOf(connected.n());
    for (int s = 0; s < connected.n(); s++) {
        slotOf[order[s]] = s;
    }
    Tiles tiles(connected, relabelled(connected.out, slotOf, order, connected.n()), order, 16);
    tiles.run(0, (connected.n() + 127) / 128, 16, false);
    expect(tiles.result.stopped == 1 && tiles.result.level < 100, "tiles: should stop");
    *stopFlag() = 0;
}

/** 256 given random sources on a wide graph, a block each, and Algorithm 5. */
void benchBlocks(const std::string &name) {
    const Graph graph = named(name);
    std::vector<int> order = ballsInBalls(graph.out, 256, 16);
    std::stable_partition(order.begin(), order.end(), [&](int v) { return graph.out.ptr[v + 1] > graph.out.ptr[v]; });
    const Compact compact(graph, order);
    const std::vector<int> vertices = chosen(graph, 256, 5000, false);
    const std::vector<int> slots = slotsOf(compact, vertices);
    std::vector<std::vector<int>> expected(8);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) {
        expected[i] = hostBfs(graph.out, {vertices[i * 31]});
    }
    for (bool inShared : {true, false}) {
        for (int lanes : {1, 2, 4, 8}) {
            Blocks blocks(compact, 256, 2, inShared);
            blocks.run(slots, -1, 2, false, lanes);
            const double took = blocks.run(slots, -1, 2, false, lanes);
            expect(blocks.result.overflow == 0, name + ": overflow");
            for (int i = 0; i < 8; i++) {
                const std::vector<unsigned char> bytes = blocks.levels.get(2ull * i * 31 * graph.n(), 2ull * graph.n());
                const unsigned short *got = reinterpret_cast<const unsigned short *>(bytes.data());
                bool equal = true;
                for (int v = 0; v < graph.n(); v++) {
                    const int level = got[compact.slotOf[v]];
                    equal = equal && (level == 65535 ? -1 : level) == expected[i][v];
                }
                expect(equal, name + ": levels by blocks");
            }
            row("%s,blocks_%s,1,levels %d lanes,1,%.4f,%.3f,%d,0\n", name.c_str(),
                    blocks.sharedBytes != 0 ? "shared" : "global", lanes, took, 1000 * took / 256, blocks.result.level);
        }
    }
    std::vector<unsigned long long> sums;
    const double took = algorithm5(graph, vertices, sums);
    row("%s,algorithm5_and,256,sums,1,%.4f,%.3f,0,0\n", name.c_str(), took, 1000 * took / 256);
}

/** Closeness of all vertices of all components by words, in the order of degrees; sums at some vertices against the host. */
void closenessByWords(const std::string &name, int width) {
    const Graph graph = named(name);
    const Compact compact(graph);
    std::vector<int> slots(compact.live);
    std::iota(slots.begin(), slots.end(), 0);
    const int batches = (compact.live + width - 1) / width;
    Words words(compact, width, batches, 0);
    Options options;
    options.reach = graph.directed;
    const double took = words.run(slots, options);
    const std::vector<unsigned long long> far = words.far.get();
    const Csr &into = graph.into();
    bool equal = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : equal)
    for (int i = 0; i < 16; i++) {
        const int slot = static_cast<int>(mix(17 + i) % compact.live);
        unsigned long long sum = 0;
        for (int level : hostBfs(into, {compact.vertexOf[slot]})) {
            sum += level > 0 ? level : 0;
        }
        equal = equal && sum == far[slot];
    }
    expect(equal, name + ": closeness by words");
    row("%s,words,%d,closeness whole,%d,%.4f,%.3f,%d,%.2f ps a source and slot and entry\n", name.c_str(), width, batches,
            took / batches, 1000 * took / compact.live, words.result.level,
            1e9 * took / compact.live / (compact.live + static_cast<double>(graph.out.idx.size())));
    std::printf("  closeness of %s: %.3f s\n", name.c_str(), took / 1000);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::printf(
                "usage: bench_multi CSV check [GRAPH...] | words GRAPH... | blocks GRAPH... |\n"
                "    closeness WIDTH GRAPH... | tiles SHARE GROUPS GRAPH...\n");
        return 2;
    }
    csv = std::fopen(argv[1], "w");
    if (csv == nullptr) {
        fail(std::string("cannot write ") + argv[1]);
    }
    row("graph,method,width,what,batches,ms_a_batch,us_a_source,levels,pulled\n");
    const std::string what = argv[2];
    if (what == "check") {
        std::vector<Graph> graphs;
        for (int i = 3; i < argc; i++) {
            graphs.push_back(named(argv[i]));
        }
        checkSmall(graphs.empty() ? smallGraphs() : graphs);
        checkTilesAndStops();
    } else if (what == "blocks") {
        for (int i = 3; i < argc; i++) {
            benchBlocks(argv[i]);
        }
    } else if (what == "closeness") {
        for (int i = 4; i < argc; i++) {
            closenessByWords(argv[i], std::atoi(argv[3]));
        }
    } else if (what == "tiles") {
        for (int i = 5; i < argc; i++) {
            closenessByTiles(argv[i], std::atof(argv[3]), std::atoi(argv[4]));
        }
    } else {
        for (int i = 3; i < argc; i++) {
            benchWords(argv[i]);
        }
    }
    std::printf("ok, %lld checks\n", static_cast<long long>(checks));
    return 0;
}
