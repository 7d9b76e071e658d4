// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// The kernels' own test: loads the committed .cubin or .ptx through the driver API, as the JVM does, runs every kernel on
// graphs made by graphs.cuh and compares every level and every sum with a textbook search on the host.
//
//   nvcc -x c++ -std=c++17 -O3 -Xcompiler -fopenmp -o kernels_test kernels_test.cu -ldl
//   kernels_test FOLDER [--ptx] [--small] [--unpoisoned]    tests; --small for compute-sanitizer, --unpoisoned for its
//                                                           initcheck
//   kernels_test FOLDER --huge                              a graph whose indices pass 2^31: 25 GB on host and device
//   kernels_test FOLDER... [--single] --time GRAPH...       times; GRAPH = kron<scale> (R-MAT .57 .19 .19) | urand<scale>,
//                                                           both 16 edges a vertex, made undirected, natural order
//
// Ends with "ok" and 0, or names the first failure with graph, seed and kernel and ends with 1.
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graphs.cuh"

namespace {

using namespace proxima::test;

// ---- the driver, found at run time: the machine that compiles this may have none ----

void *driverFunction(const char *name) {
    static void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) {
        fail("no libcuda.so.1");
    }
    void *function = dlsym(library, name);
    if (function == nullptr) {
        fail(std::string("libcuda.so.1 has no ") + name);
    }
    return function;
}

template <class Function, class... Arguments>
void check(const char *name, Arguments... arguments) {
    static std::map<std::string, void *> found;
    void *&function = found[name];
    if (function == nullptr) {
        function = driverFunction(name);
    }
    const CUresult code = reinterpret_cast<Function>(function)(arguments...);
    if (code != CUDA_SUCCESS) {
        const char *text = nullptr;
        reinterpret_cast<decltype(&cuGetErrorName)>(driverFunction("cuGetErrorName"))(code, &text);
        fail(std::string(name) + " gave " + (text == nullptr ? "?" : text));
    }
}
#define TEXT_OF(NAME) #NAME
#define DRIVER(NAME, ...) check<decltype(&NAME)>(TEXT_OF(NAME), ##__VA_ARGS__)

/** Leaves device memory as it comes, so that initcheck of compute-sanitizer sees what a kernel reads before it is written. */
bool unpoisoned = false;

/** Device memory of the exact size, so that compute-sanitizer sees every access beside it; filled with rubbish. */
template <class T>
struct DeviceArray {
    CUdeviceptr at = 0;
    size_t length;

    explicit DeviceArray(size_t length) : length(length) {
        if (length != 0) {
            DRIVER(cuMemAlloc, &at, length * sizeof(T));
            poison();
        }
    }
    explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
        if (length != 0) {
            DRIVER(cuMemcpyHtoD, at, values.data(), length * sizeof(T));
        }
    }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    ~DeviceArray() {
        if (at != 0) {
            DRIVER(cuMemFree, at);
        }
    }
    void fill(unsigned char value) {
        if (length != 0) {
            DRIVER(cuMemsetD8, at, value, length * sizeof(T));
        }
    }
    void poison() {
        if (!unpoisoned) {
            fill(0xa5);
        }
    }
    std::vector<T> get() const {
        std::vector<T> values(length);
        if (length != 0) {
            DRIVER(cuMemcpyDtoH, values.data(), at, length * sizeof(T));
        }
        return values;
    }
};

struct RunControl {
    int queueSize[4], level, stopped, overflow, unused;
    int64_t vssPulled, visited, bottomUpLevels, more[5];
    int scratch[40];
};
static_assert(sizeof(RunControl) == 256, "twin of persistent.cuh");

constexpr int BLOCK = 256;

struct Kernel {
    std::string name;
    CUfunction function = nullptr;
    int blocksPerSm = 0;
};

struct Device {
    int sms = 0;
    CUevent begin = nullptr, end = nullptr;
    int *stopFlag = nullptr;
    CUdeviceptr stopFlagOnDevice = 0;

    Device() {
        DRIVER(cuInit, 0u);
        CUdevice device;
        DRIVER(cuDeviceGet, &device, 0);
        CUcontext context;
        DRIVER(cuDevicePrimaryCtxRetain, &context, device);
        DRIVER(cuCtxSetCurrent, context);
        DRIVER(cuDeviceGetAttribute, &sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
        char name[256];
        DRIVER(cuDeviceGetName, name, 256, device);
        int driver = 0;
        DRIVER(cuDriverGetVersion, &driver);
        std::printf("%s, %d SMs, driver API %d\n", name, sms, driver);
        DRIVER(cuEventCreate, &begin, 0u);
        DRIVER(cuEventCreate, &end, 0u);
        DRIVER(cuMemHostAlloc, reinterpret_cast<void **>(&stopFlag), sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP);
        DRIVER(cuMemHostGetDevicePointer, &stopFlagOnDevice, stopFlag, 0u);
        *stopFlag = 0;
    }
};

/** A kernel's argument: a struct of these fields in their order, each at a multiple of its size, as a compiler lays it out. */
template <class... Fields>
std::vector<unsigned char> structOf(Fields... fields) {
    std::vector<unsigned char> bytes;
    const auto append = [&bytes](const auto &field) {
        bytes.resize((bytes.size() + sizeof(field) - 1) / sizeof(field) * sizeof(field));
        const auto *const at = reinterpret_cast<const unsigned char *>(&field);
        bytes.insert(bytes.end(), at, at + sizeof(field));
    };
    (append(fields), ...);
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

struct Kernels {
    std::map<std::string, Kernel> byName;

    Kernels(const std::string &folder, bool ptx) {
        load(folder, "bfs_bvss", ptx,
                {"bfs_bvss_eager_berrybees_grid", "bfs_bvss_eager_mma_grid", "bfs_bvss_eager_and_grid",
                        "bfs_bvss_lazy_mma_grid", "bfs_bvss_lazy_and_grid"});
        load(folder, "msbfs_bvss", ptx,
                {"msbfs_bvss_a_mma_k256_grid", "msbfs_bvss_a_and_k256_grid", "msbfs_bvss_ab_mma_k256_grid",
                        "msbfs_bvss_ab_and_k256_grid", "msbfs_bvss_full_mma_k32_grid", "msbfs_bvss_full_mma_k64_grid",
                        "msbfs_bvss_full_mma_k128_grid", "msbfs_bvss_full_mma_k256_grid", "msbfs_bvss_full_and_k32_grid",
                        "msbfs_bvss_full_and_k64_grid", "msbfs_bvss_full_and_k128_grid", "msbfs_bvss_full_and_k256_grid",
                        "msbfs_bvss_a_mma_k256_measured_grid", "msbfs_bvss_a_and_k256_measured_grid",
                        "msbfs_bvss_ab_mma_k256_measured_grid", "msbfs_bvss_ab_and_k256_measured_grid",
                        "msbfs_bvss_full_mma_k32_measured_grid", "msbfs_bvss_full_mma_k64_measured_grid",
                        "msbfs_bvss_full_mma_k128_measured_grid", "msbfs_bvss_full_mma_k256_measured_grid",
                        "msbfs_bvss_full_and_k32_measured_grid", "msbfs_bvss_full_and_k64_measured_grid",
                        "msbfs_bvss_full_and_k128_measured_grid", "msbfs_bvss_full_and_k256_measured_grid"});
        load(folder, "bvss_build", ptx,
                {"bvss_build_firsts_warp", "bvss_build_sums_grid", "bvss_build_sets_grid", "bvss_build_slices_warp"});
        load(folder, "csc_order", ptx,
                {"csc_relabel_pointers_grid", "csc_relabel_entries_warp", "csc_transpose_count_thread",
                        "csc_transpose_pointers_grid", "csc_transpose_entries_warp", "csc_sort_columns_block",
                        "csc_sort_long_columns_block", "csc_mark_rows_thread", "csc_list_rows_grid"});
        load(folder, "permute", ptx,
                {"permute_rows_gather8_thread", "permute_rows_gather16_thread", "permute_rows_gather32_thread",
                        "permute_rows_gather64_thread", "permute_levels_gather8_thread", "permute_levels_gather16_thread"});
        load(folder, "farness", ptx, {"farness_counts_harmonic_thread"});
    }

    const Kernel &operator[](const std::string &name) const { return byName.at(name); }

private:
    void load(const std::string &folder, const std::string &file, bool ptx, const std::vector<std::string> &names) {
        const std::string path = folder + "/" + file + (ptx ? ".ptx" : ".sm_90.cubin");
        FILE *stream = std::fopen(path.c_str(), "rb");
        if (stream == nullptr) {
            fail("cannot read " + path);
        }
        std::vector<char> image;
        char buffer[1 << 16];
        for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, stream)) != 0;) {
            image.insert(image.end(), buffer, buffer + got);
        }
        std::fclose(stream);
        image.push_back(0);
        CUmodule module;
        DRIVER(cuModuleLoadData, &module, image.data());
        for (const std::string &name : names) {
            Kernel kernel;
            kernel.name = name;
            DRIVER(cuModuleGetFunction, &kernel.function, module, name.c_str());
            DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, &kernel.blocksPerSm, kernel.function, BLOCK, size_t{0});
            int registers = 0, local = 0;
            DRIVER(cuFuncGetAttribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel.function);
            DRIVER(cuFuncGetAttribute, &local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel.function);
            std::printf("  %-32s %3d registers %4d bytes local %d blocks an SM\n", name.c_str(), registers, local,
                    kernel.blocksPerSm);
            byName[name] = kernel;
        }
    }
};

// ---- graphs ----

std::vector<Graph> smallGraphs(bool small) {
    std::vector<Graph> graphs;
    graphs.push_back(makeGraph("one vertex", 1, {}, true));
    graphs.push_back(makeGraph("no edges", 33, {}, true));
    const std::vector<int> sizes = small ? std::vector<int>{2, 8, 33, 129, 1025}
                                         : std::vector<int>{2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025};
    for (int n : sizes) {
        graphs.push_back(makeGraph("directed n=" + std::to_string(n), n, uniformEdges(n, 3LL * n, n), true));
        graphs.push_back(makeGraph("undirected n=" + std::to_string(n), n, uniformEdges(n, n, 77 + n), false));
    }
    graphs.push_back(makeGraph("star, both ways", 5000, starEdges(5000), false));
    graphs.push_back(makeGraph("star, outwards", 5000, starEdges(5000), true));
    graphs.push_back(makeGraph("clique", 300, cliqueEdges(300), false));
    graphs.push_back(makeGraph("R-MAT 10", 1 << 10, rmatEdges(10, 16 << 10, 5), false));
    graphs.push_back(makeGraph("grid", 9 * 25, gridEdges(9, 25), false));
    // a vertex with many in-neighbours that no source reaches: what bottom-up must read to the end in vain
    Edges late = uniformEdges(3000, 20000, 9);
    for (int v = 3000; v < 6000; v++) {
        late.push_back({v, 6000});
        late.push_back({v, v % 3000});
    }
    late.push_back({17, 6001});
    graphs.push_back(makeGraph("late hub, directed", 6002, late, true));
    Edges two = uniformEdges(400, 800, 3);
    for (auto &edge : uniformEdges(300, 500, 4)) {
        two.push_back({edge.first + 500, edge.second + 500});
    }
    graphs.push_back(makeGraph("disconnected", 900, two, false));
    graphs.push_back(makeGraph("path of 60", 60, pathEdges(60), false));
    if (!small) {
        graphs.push_back(makeGraph("path of 70000", 70000, pathEdges(70000), false));
        graphs.push_back(makeGraph("directed path of 3001", 3001, pathEdges(3001), true));
        graphs.push_back(makeGraph("large grid", 200 * 151, gridEdges(200, 151), false));
        graphs.push_back(makeGraph("R-MAT 16", 1 << 16, rmatEdges(16, 16 << 16, 6), false));
        graphs.push_back(makeGraph("R-MAT 16, directed", 1 << 16, rmatEdges(16, 8 << 16, 8), true));
        graphs.push_back(makeGraph("uniform 100003", 100003, uniformEdges(100003, 16LL * 100003, 7), false));
        graphs.push_back(makeGraph("uniform 100003, directed", 100003, uniformEdges(100003, 3LL * 100003, 8), true));
    }
    return graphs;
}

struct GraphOnDevice {
    const Graph &graph;
    int sets, virtualSets;
    DeviceArray<int> realPtrs, virtualToReal, rowIds;
    DeviceArray<unsigned> masks;
    DeviceArray<int64_t> inPtrs;
    DeviceArray<int> in;

    explicit GraphOnDevice(const Graph &graph) : GraphOnDevice(graph, BvssOnHost(graph.out)) {}
    GraphOnDevice(const Graph &graph, const BvssOnHost &bvss)
        : graph(graph), sets((graph.n() + 7) / 8), virtualSets(bvss.virtualToReal.size()), realPtrs(bvss.realPtrs),
          virtualToReal(bvss.virtualToReal), rowIds(bvss.rowIds), masks(bvss.masks), inPtrs(graph.into().ptr),
          in(graph.into().idx) {}
};

// ---- runs ----

/** Buffers of single-source runs on one graph. */
struct Single {
    Device &device;
    const GraphOnDevice &graph;
    size_t words;
    DeviceArray<int> levels, queueA, queueB;
    DeviceArray<unsigned> bitsA, bitsB, bitsC;
    DeviceArray<RunControl> control;
    RunControl result = {};

    Single(Device &device, const GraphOnDevice &graph)
        : device(device), graph(graph), words((graph.graph.n() + 127LL) / 128 * 4), levels(graph.graph.n()),
          queueA(graph.virtualSets), queueB(graph.virtualSets), bitsA(words), bitsB(words), bitsC(words), control(1) {}

    /** Milliseconds by events; result is set. */
    float run(const Kernel &kernel, const std::vector<int> &roots, int eta, int maxDepth = -1,
            const std::vector<int> &targets = {}, int blocks = 0) {
        DeviceArray<int> rootsOnDevice(roots);
        DeviceArray<int> targetsOnDevice(targets);
        auto argument = structOf(graph.realPtrs.at, graph.virtualToReal.at, graph.rowIds.at, graph.masks.at, graph.inPtrs.at,
                graph.in.at, rootsOnDevice.at, targetsOnDevice.at, device.stopFlagOnDevice, levels.at, bitsA.at, bitsB.at,
                bitsC.at, queueA.at, queueB.at, control.at, nullptr, graph.graph.n(), graph.sets,
                static_cast<int>(roots.size()), static_cast<int>(targets.size()), maxDepth, eta);
        void *arguments[] = {argument.data()};
        control.fill(0);
        DRIVER(cuEventRecord, device.begin, CUstream{nullptr});
        DRIVER(cuLaunchCooperativeKernel, kernel.function,
                static_cast<unsigned>(blocks != 0 ? blocks : kernel.blocksPerSm * device.sms), 1u, 1u,
                static_cast<unsigned>(BLOCK), 1u, 1u, 0u, CUstream{nullptr}, static_cast<void **>(arguments));
        DRIVER(cuEventRecord, device.end, CUstream{nullptr});
        DRIVER(cuEventSynchronize, device.end);
        float ms = 0;
        DRIVER(cuEventElapsedTime, &ms, device.begin, device.end);
        result = control.get()[0];
        return ms;
    }
};

struct MultiOptions {
    int maxDepth = -1;
    int levelBytes = 0;     // 0: no levels
    bool sums = false;      // far and reach
    int levelCapacity = 0;  // 0: no counts
    int firstLevel = 1;
    int blocks = 0;
};

/** Buffers of multi-source runs of one width on one graph. */
struct Multi {
    Device &device;
    const GraphOnDevice &graph;
    int kappa;
    size_t words;
    DeviceArray<unsigned> frontier, visited, next, activeSets;
    DeviceArray<unsigned char> dirtySets;
    DeviceArray<int> queueA, queueB;
    DeviceArray<RunControl> control;
    RunControl result = {};

    Multi(Device &device, const GraphOnDevice &graph, int kappa)
        : device(device), graph(graph), kappa(kappa), words(8LL * graph.sets * kappa / 32), frontier(words), visited(words),
          next(words), activeSets(static_cast<size_t>(graph.sets) * kappa / 32), dirtySets(graph.sets),
          queueA(graph.virtualSets), queueB(graph.virtualSets), control(1) {}

    float run(const Kernel &kernel, const std::vector<int> &sources, const MultiOptions &options, CUdeviceptr levels,
            CUdeviceptr far, CUdeviceptr reach, CUdeviceptr counts, CUdeviceptr depths = 0, CUdeviceptr pairs = 0) {
        DeviceArray<int> sourcesOnDevice(sources);
        auto argument = structOf(graph.realPtrs.at, graph.virtualToReal.at, graph.rowIds.at, graph.masks.at,
                sourcesOnDevice.at, device.stopFlagOnDevice, levels, far, reach, counts, frontier.at, visited.at, next.at,
                activeSets.at, dirtySets.at, queueA.at, queueB.at, control.at, nullptr, graph.graph.n(), graph.sets,
                static_cast<int>(sources.size()), options.maxDepth, options.levelBytes, options.levelCapacity,
                options.firstLevel, depths, pairs);  // the last two only the measured entries read
        void *arguments[] = {argument.data()};
        control.fill(0);
        DRIVER(cuEventRecord, device.begin, CUstream{nullptr});
        DRIVER(cuLaunchCooperativeKernel, kernel.function,
                static_cast<unsigned>(options.blocks != 0 ? options.blocks : kernel.blocksPerSm * device.sms), 1u, 1u,
                static_cast<unsigned>(BLOCK), 1u, 1u, 0u, CUstream{nullptr}, static_cast<void **>(arguments));
        DRIVER(cuEventRecord, device.end, CUstream{nullptr});
        DRIVER(cuEventSynchronize, device.end);
        float ms = 0;
        DRIVER(cuEventElapsedTime, &ms, device.begin, device.end);
        result = control.get()[0];
        return ms;
    }
};

struct SingleVariant {
    const char *label;
    const char *kernel;
    int eta;
};

constexpr int ALWAYS_BOTTOM_UP = 0x7fffffff;

const std::vector<SingleVariant> SINGLE_VARIANTS = {
        {"A (berrybees)", "bfs_bvss_eager_berrybees_grid", 0},
        {"AB (mma)", "bfs_bvss_eager_mma_grid", 0},
        {"AB (and)", "bfs_bvss_eager_and_grid", 0},
        {"ABCD (mma)", "bfs_bvss_lazy_mma_grid", 0},
        {"ABCD (and)", "bfs_bvss_lazy_and_grid", 0},
        {"Full (mma)", "bfs_bvss_lazy_mma_grid", 10},
        {"Full (and)", "bfs_bvss_lazy_and_grid", 10},
        {"always bottom-up", "bfs_bvss_lazy_and_grid", ALWAYS_BOTTOM_UP},
};
constexpr size_t TIMED_SINGLE_VARIANTS = 7;

const std::vector<std::pair<const char *, int>> MULTI_KERNELS = {
        {"msbfs_bvss_a_mma_k256_grid", 256},
        {"msbfs_bvss_a_and_k256_grid", 256},
        {"msbfs_bvss_ab_mma_k256_grid", 256},
        {"msbfs_bvss_ab_and_k256_grid", 256},
        {"msbfs_bvss_full_mma_k32_grid", 32},
        {"msbfs_bvss_full_mma_k64_grid", 64},
        {"msbfs_bvss_full_mma_k128_grid", 128},
        {"msbfs_bvss_full_mma_k256_grid", 256},
        {"msbfs_bvss_full_and_k32_grid", 32},
        {"msbfs_bvss_full_and_k64_grid", 64},
        {"msbfs_bvss_full_and_k128_grid", 128},
        {"msbfs_bvss_full_and_k256_grid", 256},
};

int64_t checks = 0;

void expect(bool holds, const std::string &what) {
    checks++;
    if (!holds) {
        fail(what);
    }
}

void expectLevels(const std::vector<int> &levels, const std::vector<int> &expected, const std::string &what) {
    checks++;
    for (size_t v = 0; v < expected.size(); v++) {
        if (levels[v] != expected[v]) {
            fail(what + ": vertex " + std::to_string(v) + " has level " + std::to_string(levels[v]) + ", expected "
                    + std::to_string(expected[v]));
        }
    }
}

std::vector<int> chosen(int n, int count, uint64_t seed) {
    std::vector<int> vertices;
    for (uint64_t i = 0; static_cast<int>(vertices.size()) < std::min(n, count); i++) {
        const int v = i == 0 ? 0 : i == 1 ? n - 1 : static_cast<int>(mix(seed * 1000003 + i) % n);
        if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) {
            vertices.push_back(v);
        }
    }
    return vertices;
}

void testSingle(Device &device, const Kernels &kernels, const GraphOnDevice &onDevice, bool small) {
    const Graph &graph = onDevice.graph;
    const bool deep = graph.name.rfind("path of 70000", 0) == 0;
    Single single(device, onDevice);
    struct Case {
        std::vector<int> roots;
        int maxDepth;
        std::vector<int> targets;
        int blocks;
    };
    std::vector<Case> cases;
    for (int source : chosen(graph.n(), deep ? 2 : small ? 2 : 12, 1)) {
        cases.push_back({{source}, -1, {}, 0});
    }
    if (!deep) {
        cases.push_back({chosen(graph.n(), 5, 2), -1, {}, 0});
        cases.push_back({chosen(graph.n(), 300, 3), -1, {}, 3});
        cases.push_back({{graph.n() - 1}, -1, {}, 1});
    }
    for (int maxDepth : {0, 1, 2, 5}) {
        cases.push_back({chosen(graph.n(), 2, 4), maxDepth, {}, 0});
    }
    cases.push_back({{graph.n() / 2}, -1, {graph.n() / 2}, 0});
    cases.push_back({{graph.n() / 2}, -1, {std::min(graph.n() - 1, graph.n() / 2 + 9)}, 0});
    if (!deep) {
        cases.push_back({{graph.n() / 3}, -1, chosen(graph.n(), 3, 5), 0});
        cases.push_back({{graph.n() / 3}, 2, chosen(graph.n(), 3, 5), 0});
    }
    for (const Case &one : cases) {
        std::vector<int> expected = hostBfs(graph.out, one.roots, one.maxDepth);
        int last = -1;
        for (int target : one.targets) {
            if (expected[target] != -1) {
                last = last == -1 ? expected[target] : std::min(last, expected[target]);
            }
        }
        int deepest = 0;
        for (int &level : expected) {
            level = last != -1 && level > last ? -1 : level;
            deepest = std::max(deepest, level);
        }
        for (const SingleVariant &variant : SINGLE_VARIANTS) {
            const std::string what = graph.name + ", " + variant.label + ", " + std::to_string(one.roots.size())
                    + " roots from " + std::to_string(one.roots[0]) + ", maxDepth " + std::to_string(one.maxDepth) + ", "
                    + std::to_string(one.targets.size()) + " targets";
            single.levels.poison();
            single.bitsA.poison();
            single.bitsB.poison();
            single.bitsC.poison();
            single.run(kernels[variant.kernel], one.roots, variant.eta, one.maxDepth, one.targets, one.blocks);
            expectLevels(single.levels.get(), expected, what);
            expect(single.result.level == deepest, what + ": deepest level");
            expect(single.result.stopped == 0, what + ": stopped");
            if (std::string(variant.kernel).find("lazy") != std::string::npos) {
                expect(single.result.visited
                                == static_cast<int64_t>(expected.size() - std::count(expected.begin(), expected.end(), -1)),
                        what + ": visited");
            }
        }
    }
}

/** Level of source i at v from a level array of some width. */
int64_t levelAt(const std::vector<unsigned char> &bytes, int width, int64_t index) {
    int64_t value = 0;
    std::memcpy(&value, bytes.data() + index * width, width);
    return value == (1LL << (8 * width)) - 1 ? -1 : value;
}

/** The entry that takes depths and pairs too. */
std::string measured(const std::string &entry) {
    return entry.substr(0, entry.size() - std::strlen("grid")) + "measured_grid";
}

/**
 * Depths and pairs of all sources and then, once more, of the first alone: depths must stay raised and pairs add up. The
 * second batch counts a window of one level beside, which the run must go beyond.
 */
void testMeasured(const Kernel &kernel, Multi &multi, const std::vector<int> &sources,
        const std::vector<std::vector<int>> &rows, const std::vector<uint64_t> &twiceFar, const std::string &what) {
    const int64_t n = rows[0].size();
    std::vector<int> expectedDepths(n, 0);
    std::vector<uint64_t> expectedPairs(n, 0);
    const auto expectRow = [&](const std::vector<int> &row) {
        for (int64_t v = 0; v < n; v++) {
            if (row[v] > 0) {
                expectedDepths[v] = std::max(expectedDepths[v], row[v]);
                expectedPairs[row[v]]++;
            }
        }
    };
    DeviceArray<int> depths(n);
    DeviceArray<uint64_t> pairs(n), far(n);
    DeviceArray<unsigned> counts(n);
    depths.fill(0);
    pairs.fill(0);
    far.fill(0);
    multi.run(kernel, sources, {}, 0, far.at, 0, 0, depths.at, pairs.at);
    for (const auto &row : rows) {
        expectRow(row);
    }
    expect(depths.get() == expectedDepths, what + ": depths");
    expect(pairs.get() == expectedPairs, what + ": pairs");
    MultiOptions options;
    options.levelCapacity = 1;
    counts.fill(0);
    multi.run(kernel, {sources[0]}, options, 0, 0, 0, counts.at, depths.at, pairs.at);
    expectRow(rows[0]);
    expect(depths.get() == expectedDepths, what + ": depths of two batches");
    expect(pairs.get() == expectedPairs, what + ": pairs of two batches, counts beside");
    std::vector<uint64_t> sums = far.get();
    for (uint64_t &sum : sums) {
        sum *= 2;
    }
    expect(sums == twiceFar, what + ": far beside depths");
}

void testMulti(Device &device, const Kernels &kernels, const GraphOnDevice &onDevice, bool small) {
    const Graph &graph = onDevice.graph;
    const int64_t n = graph.n();
    const bool deep = graph.name.rfind("path of 70000", 0) == 0;
    const auto expectRows = [&](const std::vector<unsigned char> &bytes, int width,
                                    const std::vector<std::vector<int>> &rows, int maxDepth, const std::string &what) {
        checks++;
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t i = 0; i < rows.size(); i++) {
            for (int64_t v = 0; v < n; v++) {
                const int expected = maxDepth != -1 && rows[i][v] > maxDepth ? -1 : rows[i][v];
                const int64_t level = levelAt(bytes, width, static_cast<int64_t>(i) * n + v);
                if (level != expected) {
                    fail(what + ": source " + std::to_string(i) + ", vertex " + std::to_string(v) + " has level "
                            + std::to_string(level) + ", expected " + std::to_string(expected));
                }
            }
        }
    };
    // repeated sources are allowed: where there are too few vertices, some come twice
    std::vector<int> allSources = chosen(graph.n(), deep ? 3 : 256, 6);
    while (!deep && allSources.size() < 256) {
        allSources.push_back(allSources[allSources.size() % graph.n()]);
    }
    std::vector<std::vector<int>> allRows(allSources.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < allSources.size(); i++) {
        allRows[i] = hostBfs(graph.out, {allSources[i]});
    }
    for (const auto &entry : MULTI_KERNELS) {
        const Kernel &kernel = kernels[entry.first];
        const int kappa = entry.second;
        if (deep && kernel.name.find("full") == std::string::npos) {
            continue;
        }
        Multi multi(device, onDevice, kappa);
        std::vector<int> counts = {1, kappa};
        if (!small) {
            counts.push_back(kappa - 3);
        }
        for (int count : deep ? std::vector<int>{3} : counts) {
            const std::vector<int> sources(allSources.begin(), allSources.begin() + count);
            const std::vector<std::vector<int>> rows(allRows.begin(), allRows.begin() + count);
            int deepest = 0;
            for (const auto &row : rows) {
                deepest = std::max(deepest, *std::max_element(row.begin(), row.end()));
            }
            const std::string what = graph.name + ", " + kernel.name + ", " + std::to_string(count) + " sources";
            const auto poison = [&] {
                multi.frontier.poison();
                multi.visited.poison();
                multi.next.poison();
                multi.activeSets.poison();
                multi.dirtySets.poison();
            };
            for (int width : {1, 2, 4}) {
                if (deep && width == 4 && kappa != 32) {
                    continue;
                }
                DeviceArray<unsigned char> levels(count * n * width);
                poison();
                MultiOptions options;
                options.levelBytes = width;
                options.blocks = width == 2 && !deep ? 3 : 0;
                multi.run(kernel, sources, options, levels.at, 0, 0, 0);
                const int64_t limit = width == 4 ? 0x7fffffff : (1LL << (8 * width)) - 2;
                expect(multi.result.overflow == (deepest > limit ? 1 : 0), what + ": overflow");
                expect(multi.result.level == std::min<int64_t>(deepest, limit), what + ": deepest level");
                if (deepest <= limit) {
                    expectRows(levels.get(), width, rows, -1, what + ", width " + std::to_string(width));
                }
                options.maxDepth = 2;
                poison();
                multi.run(kernel, sources, options, levels.at, 0, 0, 0);
                expectRows(levels.get(), width, rows, 2, what + ", maxDepth 2, width " + std::to_string(width));
            }
            if (deep && kappa != 256) {
                continue;
            }
            // twice over, so that the sums are seen to add up over batches
            const int capacity = deepest / 3 + 1;
            DeviceArray<uint64_t> far(n), reach(n);
            DeviceArray<unsigned> levelCounts(capacity * n);
            DeviceArray<double> harmonic(n);
            far.fill(0);
            reach.fill(0);
            harmonic.fill(0);
            std::vector<uint64_t> expectedFar(n), expectedReach(n);
            std::vector<std::vector<unsigned>> histogram(deep ? 0 : n, std::vector<unsigned>(deepest + 1, 0));
            for (const auto &row : rows) {
                for (int64_t v = 0; v < n; v++) {
                    if (row[v] > 0) {
                        expectedFar[v] += 2 * row[v];
                        expectedReach[v] += 2;
                        if (!deep) {
                            histogram[v][row[v]] += 2;
                        }
                    }
                }
            }
            bool deeper = true;
            for (int firstLevel = 1; deeper && (firstLevel == 1 || !deep); firstLevel += capacity) {
                deeper = false;
                levelCounts.fill(0);
                for (int batch = 0; batch < 2; batch++) {
                    poison();
                    MultiOptions options;
                    options.levelCapacity = capacity;
                    options.firstLevel = firstLevel;
                    const bool sums = firstLevel == 1;
                    multi.run(kernel, sources, options, 0, sums ? far.at : 0, sums ? reach.at : 0, levelCounts.at);
                    deeper = deeper || multi.result.overflow != 0;
                }
                expect(deeper == (deepest >= firstLevel + capacity), what + ": counts beyond the window");
                auto argument = structOf(levelCounts.at, harmonic.at, graph.n(), capacity, firstLevel);
                void *arguments[] = {argument.data()};
                DRIVER(cuLaunchKernel, kernels["farness_counts_harmonic_thread"].function, 7u, 1u, 1u, 64u, 1u, 1u, 0u,
                        CUstream{nullptr}, static_cast<void **>(arguments), static_cast<void **>(nullptr));
                DRIVER(cuCtxSynchronize);
            }
            expect(far.get() == expectedFar, what + ": far");
            expect(reach.get() == expectedReach, what + ": reach");
            testMeasured(kernels[measured(kernel.name)], multi, sources, rows, expectedFar, what);
            if (!deep) {
                const std::vector<double> sums = harmonic.get();
                for (int64_t v = 0; v < n; v++) {
                    double expected = 0;
                    for (int level = 1; level <= deepest; level++) {
                        expected += static_cast<double>(histogram[v][level]) / level;
                    }
                    if (sums[v] != expected) {
                        fail(what + ": harmonic sum of " + std::to_string(v));
                    }
                }
                checks++;
            }
        }
    }
}

/** The widths at their borders, and the stop flag before and within a run. */
void testBorders(Device &device, const Kernels &kernels) {
    for (int n : {255, 256}) {
        const Graph graph = makeGraph("path of " + std::to_string(n), n, pathEdges(n), false);
        const GraphOnDevice onDevice(graph);
        Multi multi(device, onDevice, 32);
        DeviceArray<unsigned char> levels(n);
        MultiOptions options;
        options.levelBytes = 1;
        multi.run(kernels["msbfs_bvss_full_and_k32_grid"], {0}, options, levels.at, 0, 0, 0);
        expect(multi.result.level == 254, "path: level 254");
        expect(multi.result.overflow == (n == 256 ? 1 : 0), graph.name + ": level 255 does not fit one byte");
    }
    const Graph graph = makeGraph("path of 1000000", 1000000, pathEdges(1000000), false);
    const GraphOnDevice onDevice(graph);
    Single single(device, onDevice);
    Multi multi(device, onDevice, 256);
    DeviceArray<uint64_t> far(graph.n());
    far.fill(0);
    for (const bool during : {false, true}) {
        const auto stopped = [&](const std::string &what, const std::function<void()> &run, const RunControl &result) {
            *device.stopFlag = during ? 0 : 1;
            double late = 0;
            std::thread killer([&] {
                if (during) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(60));
                    __atomic_store_n(device.stopFlag, 1, __ATOMIC_SEQ_CST);
                }
            });
            const auto begin = std::chrono::steady_clock::now();
            run();
            late = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
            killer.join();
            *device.stopFlag = 0;
            expect(result.stopped == 1, what + ": stopped");
            expect(during ? result.level > 100 && late < 160 : result.level == 0, what + ": when it stopped");
            std::printf("  stop %s %s: level %d, call took %.1f ms\n", during ? "60 ms into" : "before", what.c_str(),
                    result.level, late);
        };
        for (const SingleVariant &variant : SINGLE_VARIANTS) {
            if (variant.eta == ALWAYS_BOTTOM_UP && !during) {
                continue;
            }
            stopped(
                    variant.label, [&] { single.run(kernels[variant.kernel], {0}, variant.eta); }, single.result);
            const std::vector<int> levels = single.levels.get();
            for (int v = 0; v < graph.n(); v++) {
                if (levels[v] != (v <= single.result.level ? v : -1)) {
                    fail(std::string(variant.label) + ": levels of a stopped run");
                }
            }
            checks++;
        }
        for (const char *name : {"msbfs_bvss_full_mma_k256_grid", "msbfs_bvss_a_and_k256_grid"}) {
            stopped(
                    name,
                    [&] {
                        multi.run(kernels[name], {0, 5}, {}, 0, far.at, 0, 0);
                    },
                    multi.result);
        }
    }
}

/** Launches with so many blocks; the fields of the argument are copied. */
template <class... Fields>
void launch(const Kernel &kernel, int blocks, Fields... fields) {
    auto argument = structOf(fields...);
    void *pointers[] = {argument.data()};
    DRIVER(cuLaunchCooperativeKernel, kernel.function, static_cast<unsigned>(blocks), 1u, 1u, static_cast<unsigned>(BLOCK),
            1u, 1u, 0u, CUstream{nullptr}, static_cast<void **>(pointers));
    DRIVER(cuCtxSynchronize);
}

/** Slice sets built on the device, and what was counted on the way. */
void testBuild(const Kernels &kernels, const GraphOnDevice &onDevice, int blocks) {
    const Graph &graph = onDevice.graph;
    const std::string what = graph.name + ", built by " + std::to_string(blocks) + " blocks";
    const BvssOnHost expected(graph.out);
    const int64_t entries = graph.out.idx.size(), words = entries / 32 + 1;
    DeviceArray<int64_t> ptrs(graph.out.ptr);
    DeviceArray<int> idx(graph.out.idx);
    DeviceArray<unsigned> marks(words), sums(words);
    DeviceArray<unsigned long long> blockSums(blocks), totals(2);
    marks.fill(0);
    totals.fill(0);
    // in two parts, as while a graph arrives
    const int64_t border = graph.out.ptr[graph.n() / 16 * 8];
    launch(kernels["bvss_build_firsts_warp"], blocks, ptrs.at, idx.at, marks.at, graph.n(), int64_t{0}, border);
    launch(kernels["bvss_build_firsts_warp"], blocks, ptrs.at, idx.at, marks.at, graph.n(), border, entries);
    launch(kernels["bvss_build_sums_grid"], blocks, marks.at, sums.at, blockSums.at, totals.at, words);
    DeviceArray<int> realPtrs(expected.realPtrs.size()), virtualToReal(expected.virtualToReal.size());
    DeviceArray<int> rowIds(expected.rowIds.size());
    DeviceArray<unsigned> masks(expected.masks.size());
    rowIds.fill(0);
    masks.fill(0);
    launch(kernels["bvss_build_sets_grid"], blocks, ptrs.at, marks.at, sums.at, realPtrs.at, blockSums.at, totals.at + 8,
            graph.n());
    const int64_t middle = entries / 2;
    for (int half = 0; half < 2; half++) {
        launch(kernels["bvss_build_slices_warp"], blocks, ptrs.at, idx.at, marks.at, sums.at, realPtrs.at, virtualToReal.at,
                rowIds.at, masks.at, graph.n(), half == 0 ? int64_t{0} : middle, half == 0 ? middle : entries);
    }
    expect(realPtrs.get() == expected.realPtrs, what + ": realPtrs");
    expect(virtualToReal.get() == expected.virtualToReal, what + ": virtualToReal");
    expect(rowIds.get() == expected.rowIds, what + ": rowIds");
    expect(masks.get() == expected.masks, what + ": masks");
    expect(totals.get()[1] == expected.virtualToReal.size(), what + ": virtual slice sets");
}

/** Columns sorted in place, as a device leaves them; those of more than 4096 entries as those of hubs. */
void sortOnDevice(const Kernels &kernels, int blocks, DeviceArray<int64_t> &ptrs, DeviceArray<int> &idx, int n) {
    DeviceArray<int> other(idx.length), longColumns(idx.length / 2049 + 1), counters(4);
    counters.fill(0);
    const int words = (n + 31) / 32;
    do {
        launch(kernels["csc_sort_columns_block"], blocks, ptrs.at, idx.at, longColumns.at, counters.at,
                longColumns.at + (longColumns.length - 1) * sizeof(int), counters.at + 12, counters.at + 4, n,
                std::max(4096, words));
    } while (counters.get()[1] <= (n - 1) / 64);
    int bits = 1;
    while (bits < 31 && n - 1 >> bits != 0) {
        bits++;
    }
    while (counters.get()[2] < counters.get()[0]) {
        launch(kernels["csc_sort_long_columns_block"], blocks, ptrs.at, idx.at, other.at, longColumns.at, counters.at,
                counters.at + 8, bits);
    }
    DeviceArray<unsigned long long> blockSums(blocks);
    for (int hub = 0; hub < counters.get()[3]; hub++) {
        const int column = longColumns.get()[longColumns.length - 1 - hub];
        const int64_t begin = ptrs.get()[column], end = ptrs.get()[column + 1];
        other.fill(0);
        launch(kernels["csc_mark_rows_thread"], blocks, idx.at, other.at, begin, (begin + end) / 2);
        launch(kernels["csc_mark_rows_thread"], blocks, idx.at, other.at, (begin + end) / 2, end);
        launch(kernels["csc_list_rows_grid"], blocks, other.at, idx.at + begin * sizeof(int), blockSums.at, words);
    }
}

/** A graph relabelled and transposed on the device, and rows brought back into the order of the vertices. */
void testReorder(const Kernels &kernels, const Graph &graph, int blocks) {
    const std::string what = graph.name + ", reordered by " + std::to_string(blocks) + " blocks";
    const int n = graph.n();
    const int64_t entries = graph.out.idx.size();
    std::vector<int> slotOfVertex(n), vertexOfSlot(n);
    std::iota(slotOfVertex.begin(), slotOfVertex.end(), 0);
    for (int i = n - 1; i > 0; i--) {
        std::swap(slotOfVertex[i], slotOfVertex[mix(i) % (i + 1)]);
    }
    std::vector<int64_t> expectedPtrs(n + 1, 0);
    std::vector<int> expectedIdx;
    for (int v = 0; v < n; v++) {
        vertexOfSlot[slotOfVertex[v]] = v;
    }
    for (int slot = 0; slot < n; slot++) {
        for (int64_t e = graph.out.ptr[vertexOfSlot[slot]]; e < graph.out.ptr[vertexOfSlot[slot] + 1]; e++) {
            expectedIdx.push_back(slotOfVertex[graph.out.idx[e]]);
        }
        std::sort(expectedIdx.begin() + expectedPtrs[slot], expectedIdx.end());
        expectedPtrs[slot + 1] = expectedIdx.size();
    }
    DeviceArray<int64_t> ptrs(graph.out.ptr), newPtrs(n + 1);
    DeviceArray<int> idx(graph.out.idx), slots(slotOfVertex), vertices(vertexOfSlot), newIdx(entries);
    DeviceArray<unsigned long long> blockSums(blocks);
    launch(kernels["csc_relabel_pointers_grid"], blocks, ptrs.at, vertices.at, newPtrs.at, blockSums.at, n);
    const int64_t border = entries / 3;
    launch(kernels["csc_relabel_entries_warp"], blocks, ptrs.at, idx.at, slots.at, newPtrs.at, newIdx.at, n, int64_t{0},
            border);
    launch(kernels["csc_relabel_entries_warp"], blocks, ptrs.at, idx.at, slots.at, newPtrs.at, newIdx.at, n, border,
            entries);
    sortOnDevice(kernels, blocks, newPtrs, newIdx, n);
    expect(newPtrs.get() == expectedPtrs, what + ": pointers");
    expect(newIdx.get() == expectedIdx, what + ": indices");

    DeviceArray<int> counts(n);
    counts.fill(0);
    launch(kernels["csc_transpose_count_thread"], blocks, idx.at, counts.at, entries);
    launch(kernels["csc_transpose_pointers_grid"], blocks, counts.at, newPtrs.at, blockSums.at, n);
    launch(kernels["csc_transpose_entries_warp"], blocks, ptrs.at, idx.at, counts.at, newPtrs.at, newIdx.at, n, int64_t{0},
            entries);
    sortOnDevice(kernels, blocks, newPtrs, newIdx, n);
    expect(newPtrs.get() == graph.into().ptr, what + ": pointers of the transposed form");
    expect(newIdx.get() == graph.into().idx, what + ": indices of the transposed form");

    std::vector<unsigned char> rows(3LL * n);
    for (size_t i = 0; i < rows.size(); i++) {
        rows[i] = static_cast<unsigned char>(mix(i));
    }
    const int64_t first = n / 2, count = 2LL * n;
    DeviceArray<unsigned char> rowsOnDevice(rows), gathered(count);
    launch(kernels["permute_rows_gather8_thread"], blocks, rowsOnDevice.at, slots.at, gathered.at, n, first, count);
    const std::vector<unsigned char> found = gathered.get();
    bool equal = true;
    for (int64_t i = 0; i < count; i++) {
        equal = equal && found[i] == rows[(first + i) / n * n + slotOfVertex[(first + i) % n]];
    }
    expect(equal, what + ": rows in the order of the vertices");

    std::vector<int> levels(n);
    for (int i = 0; i < n; i++) {
        levels[i] = static_cast<int>(mix(i) % 129) - 1;
    }
    DeviceArray<int> levelsOnDevice(levels);
    DeviceArray<signed char> narrow(n);
    launch(kernels["permute_levels_gather8_thread"], blocks, levelsOnDevice.at, slots.at, narrow.at, n, int64_t{0},
            static_cast<int64_t>(n));
    const std::vector<signed char> narrowLevels = narrow.get();
    DeviceArray<short> inSlots(n);
    launch(kernels["permute_levels_gather16_thread"], blocks, levelsOnDevice.at, static_cast<const int *>(nullptr),
            inSlots.at, n, int64_t{0}, static_cast<int64_t>(n));
    const std::vector<short> levelsInSlots = inSlots.get();
    for (int v = 0; v < n; v++) {
        equal = equal && narrowLevels[v] == levels[slotOfVertex[v]] && levelsInSlots[v] == levels[v];
    }
    expect(equal, what + ": levels of fewer bytes");
}

/**
 * A graph whose row ids and levels need 64-bit indices: n = 2^24, 1025 slices a slice set. Slice j of set s is row
 * (8 s + shift(j)) mod n, with the column j mod 8 alone, so that edges need not be kept. Levels are proved by their two
 * properties: no edge skips a level, and every level but 0 has an edge from the level before.
 */
void testHuge(Device &device, const Kernels &kernels) {
    constexpr int N = 1 << 24, SLICES = 1025, VSS_OF_SET = 9;
    Graph graph;
    graph.name = "huge";
    graph.out.n = N;
    std::vector<int> shift(SLICES);
    for (int j = 0; j < SLICES; j++) {
        shift[j] = static_cast<int>(mix(j) % N);
    }
    BvssOnHost bvss;
    bvss.realPtrs.resize(N / 8 + 1);
    for (int set = 0; set <= N / 8; set++) {
        bvss.realPtrs[set] = set * VSS_OF_SET;
    }
    const int64_t virtualSets = bvss.realPtrs.back();
    bvss.virtualToReal.resize(virtualSets);
    bvss.rowIds.resize(virtualSets * 128);
    bvss.masks.resize(virtualSets * 32);
#pragma omp parallel for
    for (int set = 0; set < N / 8; set++) {
        for (int i = 0; i < VSS_OF_SET; i++) {
            bvss.virtualToReal[static_cast<int64_t>(set) * VSS_OF_SET + i] = set;
        }
        for (int j = 0; j < SLICES; j++) {
            const int64_t slice = static_cast<int64_t>(set) * VSS_OF_SET * 128 + j;
            bvss.rowIds[slice] = (8 * set + shift[j]) % N;
            bvss.masks[slice / 4] |= 1u << (8 * (slice % 4) + j % 8);
        }
    }
    const GraphOnDevice onDevice(graph, bvss);
    std::printf("  huge: %lld row ids\n", static_cast<long long>(bvss.rowIds.size()));
    const auto expectBfs = [&](const std::function<int(int64_t)> &levelOf, int source, const std::string &what) {
        std::vector<char> supported(N, 0);
        std::vector<int> levels(N);
        bool holds = levelOf(source) == 0;
        int64_t reached = 0;
#pragma omp parallel for reduction(+ : reached)
        for (int v = 0; v < N; v++) {
            levels[v] = levelOf(v);
            reached += levels[v] != -1;
        }
#pragma omp parallel for reduction(&& : holds)
        for (int u = 0; u < N; u++) {
            for (int j = u % 8; levels[u] != -1 && j < SLICES; j += 8) {
                const int v = (u - u % 8 + shift[j]) % N;
                holds = holds && levels[v] != -1 && levels[v] <= levels[u] + 1;
                if (levels[v] == levels[u] + 1) {
                    supported[v] = 1;
                }
            }
        }
#pragma omp parallel for reduction(&& : holds)
        for (int v = 0; v < N; v++) {
            holds = holds && (levels[v] <= 0 ? levels[v] == -1 || v == source : supported[v] != 0);
        }
        expect(holds, "huge, " + what);
        std::printf("  huge, %s: source %d reaches %lld\n", what.c_str(), source, static_cast<long long>(reached));
    };
    {
        Single single(device, onDevice);
        for (const char *name : {"bfs_bvss_eager_berrybees_grid", "bfs_bvss_eager_mma_grid", "bfs_bvss_lazy_mma_grid"}) {
            single.levels.poison();
            single.run(kernels[name], {N - 3}, 0);
            const std::vector<int> levels = single.levels.get();
            expectBfs([&](int64_t v) { return levels[v]; }, N - 3, name);
        }
    }
    const std::vector<int> sources = chosen(N, 256, 11);
    Multi multi(device, onDevice, 256);
    DeviceArray<unsigned char> levels(256LL * N);
    MultiOptions options;
    options.levelBytes = 1;
    multi.run(kernels["msbfs_bvss_full_and_k256_grid"], sources, options, levels.at, 0, 0, 0);
    const std::vector<unsigned char> rows = levels.get();
    for (int64_t i : {1, 127, 255}) {
        expectBfs([&](int64_t v) { return rows[i * N + v] == 255 ? -1 : static_cast<int>(rows[i * N + v]); }, sources[i],
                "msbfs_bvss_full_and_k256_grid");
    }
}

// ---- times ----

void timeGraph(Device &device, const std::vector<std::pair<std::string, Kernels *>> &builds, const std::string &name,
        bool singleOnly) {
    const auto begin = std::chrono::steady_clock::now();
    const bool uniform = name.rfind("urand", 0) == 0;
    const int scale = std::atoi(name.c_str() + (uniform ? 5 : 4));
    const int64_t m = 16LL << scale;
    const Graph graph = makeGraph(
            name, 1 << scale, uniform ? uniformEdges(1 << scale, m, 27491095) : rmatEdges(scale, m, 27491095), false);
    const GraphOnDevice onDevice(graph);
    std::vector<int> sources;
    for (uint64_t i = 0; sources.size() < 256; i++) {
        const int v = static_cast<int>(mix(5000 + i) % graph.n());
        if (graph.out.ptr[v + 1] > graph.out.ptr[v]) {
            sources.push_back(v);
        }
    }
    const int references = scale > 20 ? 16 : 64;
    std::vector<std::vector<int>> expected(references);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < references; i++) {
        expected[i] = hostBfs(graph.out, {sources[i]});
    }
    std::printf("\n%s: n=%d m=%lld VSS=%d (%.2f GB) made in %.1f s; %d sources checked against the host\n", name.c_str(),
            graph.n(), static_cast<long long>(graph.out.idx.size()), onDevice.virtualSets, onDevice.virtualSets * 644e-9,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), references);
    for (const auto &build : builds) {
        Single single(device, onDevice);
        double naive = 0;
        for (size_t i = 0; i < TIMED_SINGLE_VARIANTS; i++) {
            const SingleVariant &variant = SINGLE_VARIANTS[i];
            const Kernel &kernel = (*build.second)[variant.kernel];
            single.run(kernel, {sources[0]}, variant.eta);
            single.run(kernel, {sources[1]}, variant.eta);
            std::vector<float> times;
            int64_t bottomUp = 0, levels = 0;
            for (int s = 0; s < 64; s++) {
                times.push_back(single.run(kernel, {sources[s]}, variant.eta));
                bottomUp += single.result.bottomUpLevels;
                levels += single.result.level;
                if (s < references) {
                    expectLevels(single.levels.get(), expected[s], name + ", " + variant.label);
                }
            }
            const double mean = std::accumulate(times.begin(), times.end(), 0.0) / times.size();
            std::sort(times.begin(), times.end());
            std::printf("%-7s %-10s single %-14s mean %7.4f median %7.4f max %7.4f ms   levels %.1f, bottom-up %.1f\n",
                    name.c_str(), build.first.c_str(), variant.label, mean, (times[31] + times[32]) / 2.0, times[63],
                    levels / 64.0, bottomUp / 64.0);
            if (variant.eta != 0) {
                naive = naive == 0 ? mean * 256 : std::min(naive, mean * 256);
            }
        }
        std::printf(
                "%-7s %-10s naive 256 (256 x the better Full)        %9.3f ms\n", name.c_str(), build.first.c_str(), naive);
        std::fflush(stdout);
        if (singleOnly) {
            continue;
        }
        for (const auto &entry : MULTI_KERNELS) {
            const Kernel &kernel = (*build.second)[entry.first];
            Multi multi(device, onDevice, entry.second);
            const std::vector<int> batch(sources.begin(), sources.begin() + entry.second);
            DeviceArray<uint64_t> far(graph.n()), reach(graph.n());
            MultiOptions options;
            multi.run(kernel, batch, options, 0, far.at, reach.at, 0);
            const bool slow = kernel.name.find("full") == std::string::npos;
            std::vector<float> times;
            for (int i = 0; i < (slow ? 1 : 5); i++) {
                times.push_back(multi.run(kernel, batch, options, 0, far.at, reach.at, 0));
            }
            std::sort(times.begin(), times.end());
            DeviceArray<unsigned char> levels(static_cast<size_t>(entry.second) * graph.n());
            options.levelBytes = 1;
            const float withLevels = multi.run(kernel, batch, options, levels.at, 0, 0, 0);
            const std::vector<unsigned char> rows = levels.get();
            const int checked = std::min(references, entry.second);
            bool equal = true;
#pragma omp parallel for reduction(&& : equal)
            for (int i = 0; i < checked; i++) {
                for (int64_t v = 0; v < graph.n(); v++) {
                    const int level = rows[static_cast<int64_t>(i) * graph.n() + v];
                    equal = equal && (level == 255 ? -1 : level) == expected[i][v];
                }
            }
            expect(equal, name + ", " + kernel.name + ": levels");
            far.fill(0);
            reach.fill(0);
            options.levelBytes = 0;
            multi.run(kernel, batch, options, 0, far.at, reach.at, 0);
            const std::vector<uint64_t> sums = far.get(), reached = reach.get();
#pragma omp parallel for reduction(&& : equal)
            for (int64_t v = 0; v < graph.n(); v++) {
                uint64_t sum = 0, count = 0;
                for (int i = 0; i < entry.second; i++) {
                    const int level = rows[static_cast<int64_t>(i) * graph.n() + v];
                    sum += level == 255 ? 0 : level;
                    count += level != 255 && level != 0;
                }
                equal = equal && sum == sums[v] && count == reached[v];
            }
            expect(equal, name + ", " + kernel.name + ": sums");
            std::printf("%-7s %-10s %-30s sums %9.3f ms (%7.2f us a source), levels in bytes %9.3f ms\n", name.c_str(),
                    build.first.c_str(), kernel.name.c_str(), times[times.size() / 2],
                    1000 * times[times.size() / 2] / entry.second, withLevels);
            std::fflush(stdout);
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    std::vector<std::string> folders, timed;
    bool ptx = false, small = false, timing = false, singleOnly = false, huge = false;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument == "--ptx") {
            ptx = true;
        } else if (argument == "--small") {
            small = true;
        } else if (argument == "--huge") {
            huge = true;
        } else if (argument == "--unpoisoned") {
            unpoisoned = true;
        } else if (argument == "--single") {
            singleOnly = true;
        } else if (argument == "--time") {
            timing = true;
        } else {
            (timing ? timed : folders).push_back(argument);
        }
    }
    if (folders.empty()) {
        std::printf(
                "usage: kernels_test FOLDER... [--ptx] [--small] [--unpoisoned] [--huge] [--single] [--time GRAPH...]\n");
        return 2;
    }
    Device device;
    std::vector<std::pair<std::string, Kernels *>> builds;
    for (const std::string &folder : folders) {
        std::printf("%s%s\n", folder.c_str(), ptx ? ", ptx" : "");
        builds.push_back({folder.substr(folder.rfind('/') + 1), new Kernels(folder, ptx)});
    }
    if (timing) {
        for (const std::string &name : timed) {
            timeGraph(device, builds, name, singleOnly);
        }
    } else if (huge) {
        testHuge(device, *builds[0].second);
    } else {
        const Kernels &kernels = *builds[0].second;
        for (const Graph &graph : smallGraphs(small)) {
            const auto begin = std::chrono::steady_clock::now();
            const GraphOnDevice onDevice(graph);
            for (int blocks : {1, device.sms}) {
                testBuild(kernels, onDevice, blocks);
                testReorder(kernels, graph, blocks);
            }
            testSingle(device, kernels, onDevice, small);
            testMulti(device, kernels, onDevice, small);
            const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            if (s > 1) {
                std::printf("  %s: %.1f s\n", graph.name.c_str(), s);
                std::fflush(stdout);
            }
        }
        if (!small) {
            testBorders(device, kernels);
        }
    }
    std::printf("ok, %lld checks\n", static_cast<long long>(checks));
    return 0;
}
