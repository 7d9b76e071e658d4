// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Checks and times one search and many searches on graphs of some 2^32 entries, by the kernels and with the parts of the graph
// that the JVM uses: bfs_directional.cu with pointers of 32 and of 64 bits, msbfs_words.cu with levels and with sums.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 --extended-lambda -Xcompiler -fopenmp -o bench_large bench_large.cu
//   bench_large check             small graphs: the lists against those made on the host, every level against a search there
//   bench_large write FILE GRAPH  the graph as it is drawn, for GraphFiles of the module projection
//   bench_large CSV GRAPH...      kron<scale> | urand<scale>, 16 edges a vertex, or with so many: urand27x18
//
// Large graphs lie in the order of degrees. Of 64 sources every level is checked as Graph500 does: levels of neighbours differ
// by one at most, a reached vertex but the source has a neighbour one level before, a vertex that is not reached has no reached
// one; levels of the first source are compared with a search on the host. All rows of 256 searches at once are compared with
// those of one search each, and their sums with the rows. A time is that of launch and synchronisation for one search, the
// median of three runs, and between events for many. Ends with "ok" and 0, or names what failed and ends with 1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../../main/cuda/compact_build.cu"
#include "../../main/cuda/components.cu"
#include "../../main/cuda/msbfs_parts.cu"
#include "large_graphs.cuh"
#include "launch_directional.cuh"
#include "launch_words.cuh"

namespace {

using namespace proxima::test;
using proxima::BLOCK_THREADS;
using proxima::RunControl;
using uint64 = unsigned long long;

constexpr uint64_t SEED = 27491095;
constexpr uint64 KEYS_AT_ONCE = 1ull << 30;
constexpr int64_t PART_ROOM = 129;  // entries of a long in-list at the least, so of a part on average
constexpr proxima::CostModel SHIPPED = {0.008f, 0.008f, 0.004f, 0.05f, 3000.f, 0.f};
constexpr int SHARED_WORDS = 2048;
constexpr int TIMED = 64;
constexpr int ROWS = 256;

double begun = seconds();
FILE *csv = nullptr;

uint64 usedBytes() {
    size_t free = 0, total = 0;
    CUDA(cudaMemGetInfo(&free, &total));
    return total - free;
}

void say(const std::string &what) {
    std::printf("  %6.1f s, %6.2f GB on the device: %s\n", seconds() - begun, usedBytes() / 1e9, what.c_str());
    std::fflush(stdout);
}

int many() { return 16 * multiprocessorCount(); }

// ---- the lists themselves ----

/** Counts what is wrong with lists, and adds up a hash of each entry less that of its reverse: 0 if symmetric. */
__global__ void checkLists(const int64_t *ptrs, const int *idx, int n, uint64 *wrong, uint64 *sum) {
    const proxima::Place place = proxima::Place::here();
    uint64 bad = 0, hashes = 0;
    for (int64_t v = place.warp; v < n; v += place.warps) {
        for (int64_t e = ptrs[v] + place.lane; e < ptrs[v + 1]; e += proxima::WARP_SIZE) {
            const int64_t to = idx[e];
            bad += to < 0 || to >= n || to == v || (e > ptrs[v] && idx[e - 1] >= to);
            hashes += mix(v << 32 | to) - mix(to << 32 | v);
        }
    }
    atomicAdd(wrong, bad);
    atomicAdd(sum, hashes);
}

void expectGraph(const Lists &lists) {
    OnDevice<uint64> found(2);
    found.zero();
    checkLists<<<many(), BLOCK_THREADS>>>(lists.ptrs.at, lists.idx.at, lists.n, found.at, found.at + 1);
    CUDA(cudaGetLastError());
    if (lists.ptrs.get(0) != 0 || lists.ptrs.get(lists.n) != lists.m) {
        fail("pointers do not end where they must");
    }
    if (found.get(0) != 0 || found.get(1) != 0) {
        fail("lists have " + std::to_string(found.get(0)) + " wrong entries, or no symmetry");
    }
}

// ---- one search ----

/** What searches read beside the lists. */
struct Parts {
    const Lists &lists;
    int active = 0;
    float edgeDegree = 0;
    OnDevice<int> heads;
    OnDevice<uint32_t> narrow;  // empty where the entries are too many
    OnDevice<int> component;
    int components = 0;
    OnDevice<int2> items;
    proxima::ItemFacts facts = {};

    explicit Parts(const Lists &lists)
        : lists(lists), heads(proxima::HEADS * proxima::headColumn(lists.n)), component(lists.n),
          items(lists.m / PART_ROOM) {
        const int n = lists.n;
        OnDevice<proxima::CompactTotals> totals(1);
        totals.zero();
        compact_measure_thread<<<many(), BLOCK_THREADS>>>({lists.ptrs.at, lists.ptrs.at, totals.at, n});
        CUDA(cudaGetLastError());
        active = static_cast<int>(totals.get(0).active);
        edgeDegree = static_cast<float>(totals.get(0).squares / std::max<double>(lists.m, 1));
        compact_heads_thread<<<many(), BLOCK_THREADS>>>({lists.ptrs.at, lists.idx.at, heads.at, active});
        CUDA(cudaGetLastError());
        if (static_cast<uint64>(lists.m) >> 32 == 0) {
            narrow = OnDevice<uint32_t>(n + 1ull);
            compact_pointers_thread<<<many(), BLOCK_THREADS>>>({lists.ptrs.at, narrow.at, n});
            CUDA(cudaGetLastError());
        }
        OnDevice<proxima::RunControl> control(1);
        control.zero();
        launch(components_afforest_grid,
                residentBlocks(reinterpret_cast<const void *>(components_afforest_grid), proxima::COMPONENTS_THREADS),
                proxima::COMPONENTS_THREADS, 0,
                {lists.ptrs.at, lists.idx.at, component.at, nullptr, control.at, nullptr, lists.m, n, 0});
        components = static_cast<int>(control.get(0).vssPulled);
        const int blocks = residentBlocks(reinterpret_cast<const void *>(msbfs_parts_items_grid), BLOCK_THREADS);
        OnDevice<uint64> blockSums(blocks);
        OnDevice<proxima::ItemFacts> itemFacts(1);
        itemFacts.zero();
        launch(msbfs_parts_items_grid, blocks, BLOCK_THREADS, 0,
                {lists.ptrs.at, lists.ptrs.at, items.at, itemFacts.at, blockSums.at, n, static_cast<int>(PART_ROOM) - 1});
        facts = itemFacts.get(0);
    }

    template <class Pointer>
    const Pointer *pointers() const {
        if constexpr (std::is_same<Pointer, uint32_t>::value) {
            return narrow.at;
        } else {
            return reinterpret_cast<const Pointer *>(lists.ptrs.at);
        }
    }
};

template <class Pointer>
struct OneSearch {
    DirectionalState<Pointer> state;
    proxima::DirectionalArguments<Pointer> arguments = {};

    explicit OneSearch(const Parts &parts) : state(parts.lists.n, parts.active, parts.lists.m) {
        const Pointer *ptrs = parts.pointers<Pointer>();
        arguments.graph = {ptrs, parts.lists.idx.at, ptrs, parts.lists.idx.at, parts.heads.at, parts.active};
        arguments.stopFlag = stopFlag();
        arguments.n = parts.lists.n;
        arguments.sourceCount = 1;
        arguments.maxDepth = -1;
        arguments.sharedWords = std::min(SHARED_WORDS, state.bitWordsOf(parts.active));
        arguments.costs = SHIPPED;
        arguments.costs.edgeDegree = parts.edgeDegree;
    }

    /** Milliseconds. */
    double run(int slot) {
        arguments.onlySource = slot;
        state.control.zero();
        CUDA(cudaDeviceSynchronize());
        const double at = seconds();
        state.launchWith(arguments, multiprocessorCount());
        CUDA(cudaDeviceSynchronize());
        return 1000 * (seconds() - at);
    }
};

/** What is found in the levels of one search. */
struct Tally {
    uint64 wrong;
    uint64 reached;
    uint64 entries;  // of the reached
};

__global__ void checkLevels(const int64_t *ptrs, const int *idx, const int *levels, int n, int source, Tally *tally) {
    const proxima::Place place = proxima::Place::here();
    Tally mine = {0, 0, 0};
    for (int64_t v = place.warp; v < n; v += place.warps) {
        const int level = levels[v];
        bool parent = false;
        bool bad = level < -1 || (level == 0) != (v == source);
        for (int64_t e = ptrs[v] + place.lane; e < ptrs[v + 1]; e += proxima::WARP_SIZE) {
            const int other = levels[idx[e]];
            parent = parent || other == level - 1;
            bad = bad || (level < 0) != (other < 0) || abs(level - other) > 1;
        }
        parent = __any_sync(proxima::ALL_LANES, parent);
        bad = __any_sync(proxima::ALL_LANES, bad) || (level > 0 && !parent);
        if (place.lane == 0) {
            mine.wrong += bad;
            mine.reached += level >= 0;
            mine.entries += level >= 0 ? ptrs[v + 1] - ptrs[v] : 0;
        }
    }
    if (place.lane == 0) {
        atomicAdd(&tally->wrong, mine.wrong);
        atomicAdd(&tally->reached, mine.reached);
        atomicAdd(&tally->entries, mine.entries);
    }
}

Tally tallyOf(const Lists &lists, const int *levels, int source) {
    OnDevice<Tally> tally(1);
    tally.zero();
    checkLevels<<<many(), BLOCK_THREADS>>>(lists.ptrs.at, lists.idx.at, levels, lists.n, source, tally.at);
    CUDA(cudaGetLastError());
    return tally.get(0);
}

/** Lists in host memory, for a search with all its processors. */
struct HostLists {
    const int n;
    const std::vector<int64_t> ptrs;
    const std::unique_ptr<int[]> idx;

    explicit HostLists(const Lists &lists) : n(lists.n), ptrs(lists.ptrs.get()), idx(new int[lists.m]) {
        // so that all processors bring the pages
#pragma omp parallel for
        for (int64_t e = 0; e < lists.m; e += 1024) {
            idx[e] = 0;
        }
        CUDA(cudaMemcpy(idx.get(), lists.idx.at, lists.m * sizeof(int), cudaMemcpyDeviceToHost));
    }

    std::vector<int> bfs(int source) const {
        std::vector<int> levels(n, -1);
        levels[source] = 0;
        bool grew = true;
        for (int level = 0; grew; level++) {
            grew = false;
#pragma omp parallel for schedule(dynamic, 64) reduction(|| : grew)
            for (int v = 0; v < n; v++) {
                if (__atomic_load_n(&levels[v], __ATOMIC_RELAXED) != level) {
                    continue;
                }
                for (int64_t e = ptrs[v]; e < ptrs[v + 1]; e++) {
                    int *const at = &levels[idx[e]];
                    if (__atomic_load_n(at, __ATOMIC_RELAXED) == -1) {
                        __atomic_store_n(at, level + 1, __ATOMIC_RELAXED);
                        grew = true;
                    }
                }
            }
        }
        return levels;
    }
};

// ---- many searches ----

/** Searches from up to width sources at once; levels of a byte if wanted. */
struct ManySearches {
    const Parts &parts;
    const int width;
    const int live;
    OnDevice<unsigned char> levels;
    OnDevice<int> sources, hubDone, maskOf;
    OnDevice<unsigned> bitsA, bitsB, hubBits, masks;
    OnDevice<unsigned char> flagsA, flagsB;
    OnDevice<int2> queue;
    OnDevice<uint64> far, reach;
    OnDevice<proxima::LevelTotals> levelTotals;
    OnDevice<RunControl> control;

    ManySearches(const Parts &parts, int width, bool withLevels)
        : parts(parts), width(width), live(std::max(1, parts.facts.live)),
          levels(withLevels ? static_cast<size_t>(width) * parts.lists.n : 0), sources(width), hubDone(parts.facts.hubItems),
          maskOf(parts.lists.n), bitsA(static_cast<size_t>(live) * width / 32), bitsB(bitsA.length),
          hubBits(static_cast<size_t>(parts.facts.hubItems) * width / 32), masks(static_cast<size_t>(width) * width / 32),
          flagsA((live + 31ull) / 32 * 32), flagsB(flagsA.length), queue(live + parts.lists.m / proxima::PUSH_ENTRIES),
          far(live), reach(live), levelTotals(3), control(1) {}

    /** Milliseconds; of levels and sums what is wanted. */
    double run(const std::vector<int> &slots, bool withLevels, bool withSums) {
        CUDA(cudaMemcpy(sources.at, slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice));
        control.zero();
        far.zero();
        reach.zero();
        proxima::WordsArguments a = {};
        a.inPtrs = parts.lists.ptrs.at;
        a.inIdx = parts.lists.idx.at;
        a.outPtrs = parts.lists.ptrs.at;
        a.outIdx = parts.lists.idx.at;
        a.component = parts.components == 1 ? nullptr : parts.component.at;
        a.items = parts.items.at;
        a.sources = sources.at;
        a.stopFlag = stopFlag();
        a.levels = withLevels ? levels.at : nullptr;
        a.far = withSums ? far.at : nullptr;
        a.reach = withSums ? reach.at : nullptr;
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
        a.control = control.at;
        a.stride = parts.lists.n;
        a.n = live;
        a.components = parts.lists.n;
        a.itemCount = parts.facts.itemCount;
        a.wide = parts.lists.n - parts.facts.behindWide;
        a.longEntries = parts.facts.longLists > a.wide ? static_cast<int>(PART_ROOM) - 1 : 0;
        a.hubItems = parts.facts.hubItems;
        a.sourceCount = static_cast<int>(slots.size());
        a.maxDepth = -1;
        a.levelBytes = 1;
        a.firstLevel = 1;
        a.pushShare = std::max(1, width / 64);
        static Timer timer;
        const int blocks = wordsBlocks(width);
        const double took = timer.ms([&] { launchWords(width, blocks, a); });
        const RunControl result = control.get(0);
        if (result.overflow != 0 || result.stopped != 0) {
            fail("many searches ended with overflow " + std::to_string(result.overflow));
        }
        return took;
    }

    /** Whether a row holds the levels of a search. */
    bool hasRow(int row, const int *expected) const {
        OnDevice<uint64> wrong(1);
        wrong.zero();
        uint64 *count = wrong.at;
        const unsigned char *at = levels.at + static_cast<size_t>(row) * parts.lists.n;
        each(parts.lists.n, [=] __device__(uint64 slot) {
            if ((at[slot] == 255 ? -1 : at[slot]) != expected[slot]) {
                atomicAdd(count, 1ull);
            }
        });
        return wrong.get(0) == 0;
    }

    /** Whether the sums are those of the rows of levels. */
    bool hasSumsOfRows(int rows) const {
        OnDevice<uint64> expected(far.length), wrong(1);
        addRows<<<many(), BLOCK_THREADS>>>(levels.at, rows, parts.lists.n, live, expected.at);
        CUDA(cudaGetLastError());
        wrong.zero();
        uint64 *count = wrong.at;
        const uint64 *should = expected.at;
        const uint64 *is = far.at;
        each(far.length, [=] __device__(uint64 slot) {
            if (should[slot] != is[slot]) {
                atomicAdd(count, 1ull);
            }
        });
        return wrong.get(0) == 0;
    }
};

// ---- the bench ----

struct Named {
    bool kron;
    int scale;
    uint64 edges;

    explicit Named(const std::string &name) {
        const size_t digits = name.find_first_of("0123456789");
        const std::string kind = name.substr(0, digits);
        const size_t by = name.find('x');
        kron = kind == "kron";
        scale = std::atoi(name.c_str() + std::min(digits, name.size()));
        edges = static_cast<uint64>(by == std::string::npos ? 16 : std::atoi(name.c_str() + by + 1)) << scale;
        if ((!kron && kind != "urand") || scale < 1 || scale > 30 || edges == 0) {
            fail("no graph named " + name);
        }
    }
};

std::vector<int> drawSources(const Parts &parts, int count) {
    std::vector<int> slots;
    for (uint64_t i = 0; static_cast<int>(slots.size()) < count; i++) {
        const int slot = static_cast<int>(mix(1000 + i) % parts.active);
        if (std::find(slots.begin(), slots.end(), slot) == slots.end()) {
            slots.push_back(slot);
        }
    }
    return slots;
}

Lists draw(const std::string &name) {
    const Named named(name);
    std::printf("%s\n", name.c_str());
    Lists lists = randomLists(named.kron, named.scale, named.edges, SEED, KEYS_AT_ONCE);
    say("drawn, " + std::to_string(lists.m) + " entries");
    return lists;
}

void write(const std::string &file, const Lists &lists) {
    FILE *to = std::fopen(file.c_str(), "wb");
    bool all = to != nullptr;
    const auto put = [&](const auto *values, size_t count) {
        all = all && std::fwrite(values, sizeof *values, count, to) == count;
    };
    const int64_t header[] = {lists.n, lists.m};
    put(header, 2);
    put(lists.ptrs.get().data(), lists.n + 1ull);
    constexpr int64_t CHUNK = 1 << 26;
    for (int64_t first = 0; first < lists.m; first += CHUNK) {
        const std::vector<int> chunk = lists.idx.get(first, std::min(CHUNK, lists.m - first));
        put(chunk.data(), chunk.size());
    }
    if (!all || std::fclose(to) != 0) {
        fail("cannot write " + file);
    }
    say("written");
}

void row(const std::string &graph, const Lists &lists, const std::string &what, std::vector<double> times, double entries,
        uint64 bytes, const char *check) {
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    std::sort(times.begin(), times.end());
    for (FILE *to : {stdout, csv}) {
        std::fprintf(to, "%s,%d,%lld,%s,%zu,%.4f,%.4f,%.4f,%.4g,%llu,%s\n", graph.c_str(), lists.n,
                static_cast<long long>(lists.m), what.c_str(), times.size(), sum / times.size(), times[times.size() / 2],
                times.back(), entries / sum * 1000, bytes, check);
        std::fflush(to);
    }
}

/** Times and checks the searches from TIMED sources; returns the entries that all of them reach. */
template <class Pointer>
double timeSearches(const std::string &name, const Parts &parts, const std::vector<int> &slots,
        const std::vector<int> *onHost, uint64 bytesBefore) {
    const Lists &lists = parts.lists;
    const std::string bits = std::to_string(8 * sizeof(Pointer));
    OneSearch<Pointer> search(parts);
    const uint64 bytes = usedBytes() - bytesBefore;
    std::vector<double> times;
    double entries = 0;
    for (int s = 0; s < TIMED; s++) {
        std::vector<double> runs;
        for (int r = 0; r < 3; r++) {
            runs.push_back(search.run(slots[s]));
        }
        std::sort(runs.begin(), runs.end());
        times.push_back(runs[1]);
        const Tally tally = tallyOf(lists, search.state.levels.at, slots[s]);
        if (tally.wrong != 0) {
            fail(name + ", " + bits + " bits: " + std::to_string(tally.wrong) + " wrong levels from slot "
                    + std::to_string(slots[s]));
        }
        entries += static_cast<double>(tally.entries);
        if (s == 0) {
            say("one search of " + bits + " bits reaches " + std::to_string(tally.reached) + " vertices in "
                    + std::to_string(search.state.control.get(0).level) + " levels");
            if (onHost != nullptr && search.state.levels.get() != *onHost) {
                fail(name + ", " + bits + " bits: levels differ from the host's");
            }
        }
    }
    row(name, lists, "directional " + bits + " bits", times, entries, bytes, "ok");
    return entries;
}

template <class Pointer>
void expectRows(const std::string &name, const Parts &parts, const ManySearches &many, const std::vector<int> &slots) {
    OneSearch<Pointer> search(parts);
    for (int s = 0; s < static_cast<int>(slots.size()); s++) {
        search.run(slots[s]);
        if (!many.hasRow(s, search.state.levels.at)) {
            fail(name + ": row " + std::to_string(s) + " of many searches differs from one search");
        }
    }
}

void timeMany(const std::string &name, const Parts &parts, uint64 bytesBefore, double entriesOfTimed) {
    // of random sources nearly all reach the same
    const double entriesOfOne = entriesOfTimed / TIMED;
    const auto timed = [&](ManySearches &searches, const std::vector<int> &slots, bool levels, bool sums,
                               const char *check) {
        std::vector<double> times;
        for (int r = 0; r < 3; r++) {
            times.push_back(searches.run(slots, levels, sums));
        }
        row(name, parts.lists, std::string("words ") + std::to_string(slots.size()) + (levels ? " levels" : " sums"), times,
                times.size() * entriesOfOne * static_cast<double>(slots.size()), usedBytes() - bytesBefore, check);
    };
    {
        const std::vector<int> slots = drawSources(parts, ROWS);
        ManySearches searches(parts, ROWS, true);
        searches.run(slots, true, true);
        say("256 searches with levels and sums");
        if (parts.narrow.length != 0) {
            expectRows<uint32_t>(name, parts, searches, slots);
        } else {
            expectRows<uint64_t>(name, parts, searches, slots);
        }
        if (!searches.hasSumsOfRows(ROWS)) {
            fail(name + ": sums of many searches");
        }
        say("all rows and all sums are right");
        timed(searches, slots, true, false, "ok");
        timed(searches, slots, false, true, "ok");
    }
    ManySearches searches(parts, 1024, false);
    timed(searches, drawSources(parts, 1024), false, true, "not compared");
}

void benchmark(const std::string &name) {
    const uint64 bytesBefore = usedBytes();
    const OrderedLists ordered(draw(name));
    const Lists &lists = ordered.lists;
    say("in the order of degrees");
    expectGraph(lists);
    const Parts parts(lists);
    say("parts made, active " + std::to_string(parts.active) + ", components " + std::to_string(parts.components)
            + ", edge degree " + std::to_string(parts.edgeDegree) + ", longest list " + std::to_string(lists.ptrs.get(1)));
    const std::vector<int> slots = drawSources(parts, TIMED);
    std::vector<int> onHost;
    {
        const HostLists host(lists);
        say("lists on the host");
        onHost = host.bfs(slots[0]);
        say("searched on the host");
    }
    double entries = timeSearches<uint64_t>(name, parts, slots, &onHost, bytesBefore);
    if (parts.narrow.length != 0) {
        entries = timeSearches<uint32_t>(name, parts, slots, &onHost, bytesBefore);
    }
    say("single searches done");
    timeMany(name, parts, bytesBefore, entries);
    say("done");
}

// ---- small graphs ----

template <class Pointer>
void expectSearches(const std::string &name, const Parts &parts, const std::vector<int> &slots, const Csr &host) {
    OneSearch<Pointer> search(parts);
    for (int slot : slots) {
        search.run(slot);
        if (search.state.levels.get() != hostBfs(host, {slot})) {
            fail(name + ": levels from slot " + std::to_string(slot));
        }
        if (tallyOf(parts.lists, search.state.levels.at, slot).wrong != 0) {
            fail(name + ": right levels are called wrong");
        }
        // the check must see a wrong one
        const int wrong = 1;
        const int at = slot;
        CUDA(cudaMemcpy(search.state.levels.at + at, &wrong, sizeof wrong, cudaMemcpyHostToDevice));
        if (tallyOf(parts.lists, search.state.levels.at, slot).wrong == 0) {
            fail(name + ": wrong levels are called right");
        }
    }
}

void checkSmall(const std::string &name, uint64 keysAtOnce) {
    const Named named(name);
    const int n = 1 << named.scale;
    const Graph graph = makeGraph(
            name, n, named.kron ? rmatEdges(named.scale, named.edges, SEED) : uniformEdges(n, named.edges, SEED), false);
    Lists drawn = randomLists(named.kron, named.scale, named.edges, SEED, keysAtOnce);
    if (drawn.ptrs.get() != graph.out.ptr || drawn.idx.get(0, drawn.m) != graph.out.idx) {
        fail(name + ": lists differ from those of the host");
    }
    const OrderedLists ordered(std::move(drawn));
    std::vector<int> vertexOf(n), slotOf(n);
    std::iota(vertexOf.begin(), vertexOf.end(), 0);
    std::stable_sort(vertexOf.begin(), vertexOf.end(),
            [&](int a, int b) { return graph.out.ptr[a + 1] - graph.out.ptr[a] > graph.out.ptr[b + 1] - graph.out.ptr[b]; });
    for (int s = 0; s < n; s++) {
        slotOf[vertexOf[s]] = s;
    }
    Edges edges;
    for (int v = 0; v < n; v++) {
        for (int64_t e = graph.out.ptr[v]; e < graph.out.ptr[v + 1]; e++) {
            edges.push_back({slotOf[v], slotOf[graph.out.idx[e]]});
        }
    }
    const Csr host = adjacency(n, edges, true, false);
    if (ordered.vertexOf.get() != vertexOf || ordered.lists.ptrs.get() != host.ptr || ordered.lists.idx.get() != host.idx) {
        fail(name + ": lists in the order of degrees differ from those of the host");
    }
    expectGraph(ordered.lists);
    const Parts parts(ordered.lists);
    const std::vector<int> slots = drawSources(parts, std::min(parts.active, ROWS));
    const std::vector<int> some(slots.begin(), slots.begin() + std::min<size_t>(slots.size(), 8));
    expectSearches<uint32_t>(name, parts, some, host);
    expectSearches<uint64_t>(name, parts, some, host);
    const HostLists hostLists(ordered.lists);
    if (hostLists.bfs(slots[0]) != hostBfs(host, {slots[0]})) {
        fail(name + ": two searches on the host differ");
    }
    ManySearches searches(parts, ROWS, true);
    searches.run(slots, true, true);
    expectRows<uint32_t>(name, parts, searches, slots);
    if (!searches.hasSumsOfRows(static_cast<int>(slots.size()))) {
        fail(name + ": sums of many searches");
    }
    std::printf("%s is right: %lld entries, %d components\n", name.c_str(), static_cast<long long>(ordered.lists.m),
            parts.components);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::printf("usage: bench_large check | write FILE GRAPH | CSV GRAPH...\n");
        return 2;
    }
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    if (std::strcmp(argv[1], "check") == 0) {
        for (const uint64 keysAtOnce : {uint64{1}, uint64{50000}, KEYS_AT_ONCE}) {
            checkSmall("kron10", keysAtOnce);
            checkSmall("urand9x3", keysAtOnce);
        }
        checkSmall("kron17", 1000000);
        checkSmall("urand17x1", 100000);
        checkSmall("kron18x40", KEYS_AT_ONCE);
    } else if (std::strcmp(argv[1], "write") == 0 && argc == 4) {
        write(argv[2], draw(argv[3]));
    } else {
        csv = std::fopen(argv[1], "a");
        if (csv == nullptr) {
            fail(std::string("cannot write ") + argv[1]);
        }
        std::fprintf(
                csv, "graph,vertices,entries,what,runs,mean_ms,median_ms,worst_ms,entries_a_second,device_bytes,check\n");
        for (int i = 2; i < argc; i++) {
            benchmark(argv[i]);
        }
    }
    std::printf("ok\n");
    return 0;
}
