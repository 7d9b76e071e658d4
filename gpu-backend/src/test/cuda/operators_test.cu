// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Checks the algorithms of operators_example.cuh against textbook ones on the host, on graphs that take each way through the
// operators: lists that a block reads, lists that the whole grid reads, full and nearly empty words.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o operators_test operators_test.cu
//   operators_test     needs a GPU; ends with ok, or names the failure and ends with 1
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "operators_example.cuh"

namespace proxima {
namespace test {

[[noreturn]] inline void fail(const std::string &what) {
    std::printf("FAILED: %s\n", what.c_str());
    std::exit(1);
}

inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/** At least 0, less than 1. */
inline double unit(uint64_t x) { return static_cast<double>(mix(x) >> 11) / 9007199254740992.0; }

/** Adjacency lists; those of makeGraph ascend, without loops and repeats. */
struct Csr {
    int n = 0;
    std::vector<int64_t> ptr;  // n + 1
    std::vector<int> idx;
};

struct Graph {
    std::string name;
    bool directed = false;
    Csr out;
};

using Edges = std::vector<std::pair<int, int>>;

inline Graph makeGraph(const std::string &name, int n, Edges edges, bool directed) {
    if (!directed) {
        const size_t count = edges.size();
        for (size_t i = 0; i < count; i++) {
            edges.push_back({edges[i].second, edges[i].first});
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    Graph graph;
    graph.name = name;
    graph.directed = directed;
    graph.out.n = n;
    graph.out.ptr.assign(n + 1, 0);
    for (const auto &edge : edges) {
        if (edge.first != edge.second) {
            graph.out.ptr[edge.first + 1]++;
            graph.out.idx.push_back(edge.second);
        }
    }
    std::partial_sum(graph.out.ptr.begin(), graph.out.ptr.end(), graph.out.ptr.begin());
    return graph;
}

/** R-MAT with a, b, c = .57, .19, .19. */
inline Edges rmatEdges(int scale, int64_t m, uint64_t seed) {
    Edges edges(m);
    for (int64_t i = 0; i < m; i++) {
        int u = 0, v = 0;
        for (int bit = 0; bit < scale; bit++) {
            const double r = unit(seed + i * 64 + bit);
            u = u << 1 | (r >= 0.76);
            v = v << 1 | (r >= 0.76 ? r >= 0.95 : r >= 0.57);
        }
        edges[i] = {u, v};
    }
    return edges;
}

inline Edges pathEdges(int n) {
    Edges edges;
    for (int v = 0; v + 1 < n; v++) {
        edges.push_back({v, v + 1});
    }
    return edges;
}

/** From a vertex in the middle to all others. */
inline Edges starEdges(int n) {
    Edges edges;
    for (int v = 1; v < n; v++) {
        edges.push_back({n / 2, v == n / 2 ? 0 : v});
    }
    return edges;
}

inline Edges gridEdges(int width, int height) {
    Edges edges;
    for (int v = 0; v < width * height; v++) {
        if (v % width + 1 < width) {
            edges.push_back({v, v + 1});
        }
        if (v + width < width * height) {
            edges.push_back({v, v + width});
        }
    }
    return edges;
}

/** Hops from the source, -1 where there is no path. */
inline std::vector<int> hostBfs(const Csr &out, int source) {
    std::vector<int> levels(out.n, -1), queue = {source};
    levels[source] = 0;
    for (size_t i = 0; i < queue.size(); i++) {
        const int v = queue[i];
        for (int64_t e = out.ptr[v]; e < out.ptr[v + 1]; e++) {
            if (levels[out.idx[e]] == -1) {
                levels[out.idx[e]] = levels[v] + 1;
                queue.push_back(out.idx[e]);
            }
        }
    }
    return levels;
}

inline void check(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        fail(std::string(what) + " gave " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code));
    }
}
#define CUDA(CALL) proxima::test::check(CALL, #CALL)

/** Device memory of the exact size, so that compute-sanitizer sees every access beside it; filled with rubbish. */
template <class T>
struct OnDevice {
    T *at = nullptr;
    size_t length = 0;

    OnDevice() = default;
    explicit OnDevice(size_t length) : length(length) {
        if (length != 0) {
            CUDA(cudaMalloc(&at, length * sizeof(T)));
            CUDA(cudaMemset(at, 0xa5, length * sizeof(T)));
        }
    }
    explicit OnDevice(const std::vector<T> &values) : OnDevice(values.size()) {
        if (length != 0) {
            CUDA(cudaMemcpy(at, values.data(), length * sizeof(T), cudaMemcpyHostToDevice));
        }
    }
    OnDevice(OnDevice &&other) noexcept { *this = std::move(other); }
    OnDevice &operator=(OnDevice &&other) noexcept {
        std::swap(at, other.at);
        std::swap(length, other.length);
        return *this;
    }
    ~OnDevice() { cudaFree(at); }
    void zero() { CUDA(cudaMemset(at, 0, length * sizeof(T))); }
    std::vector<T> get(size_t from, size_t count) const {
        std::vector<T> values(count);
        CUDA(cudaMemcpy(values.data(), at + from, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    std::vector<T> get() const { return get(0, length); }
    T get(size_t i) const { return get(i, 1)[0]; }
};

/** A cooperative launch that fills the device. */
template <class Arguments>
void launch(void (*kernel)(Arguments), int threads, std::common_type_t<Arguments> arguments) {
    const void *entry = reinterpret_cast<const void *>(kernel);
    int multiprocessors = 0, blocks = 0;
    CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry, threads, 0));
    void *pointers[] = {&arguments};
    CUDA(cudaLaunchCooperativeKernel(entry, blocks * multiprocessors, threads, pointers, 0, nullptr));
    CUDA(cudaDeviceSynchronize());
}

/** What the operators need of a graph with n vertices. */
struct Frontiers {
    OnDevice<unsigned> words[2];
    OnDevice<unsigned> nonzero[2];
    OnDevice<int> offsets;
    OnDevice<int> longLists;
    OnDevice<int64_t> longEdges;
    OnDevice<RunControl> control{1};

    Frontiers(int n, int64_t edges) : offsets(n / 32 + 4), longLists(edges / GRID_LIST), longEdges(edges / GRID_LIST) {
        for (int i = 0; i < 2; i++) {
            words[i] = OnDevice<unsigned>((n + 127) / 128 * 4);
            nonzero[i] = OnDevice<unsigned>(layerWords(n));
        }
    }

    FrontierArrays arrays() const {
        return {words[0].at, nonzero[0].at, words[1].at, nonzero[1].at, offsets.at, longLists.at, longEdges.at};
    }
};

template <class Arguments>
void run(void (*kernel)(Arguments), Frontiers &frontiers, const std::common_type_t<Arguments> &arguments) {
    frontiers.control.zero();
    launch(kernel, OPERATOR_THREADS, arguments);
}

inline unsigned weightOf(int64_t edge) { return 1 + mix(edge) % 255; }

inline std::vector<unsigned> dijkstra(const Csr &out, int source) {
    std::vector<unsigned> distances(out.n, FARTHEST);
    using Item = std::pair<unsigned, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    distances[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const auto [distance, vertex] = queue.top();
        queue.pop();
        for (int64_t edge = out.ptr[vertex]; distance == distances[vertex] && edge < out.ptr[vertex + 1]; edge++) {
            const unsigned through = distance + weightOf(edge);
            if (through < distances[out.idx[edge]]) {
                distances[out.idx[edge]] = through;
                queue.push({through, out.idx[edge]});
            }
        }
    }
    return distances;
}

inline std::vector<double> brandes(const Csr &out, int source) {
    const std::vector<int> levels = hostBfs(out, source);
    std::vector<int> order;
    for (int v = 0; v < out.n; v++) {
        if (levels[v] >= 0) {
            order.push_back(v);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return levels[a] < levels[b]; });
    std::vector<double> paths(out.n, 0);
    std::vector<double> sums(out.n, 0);
    paths[source] = 1;
    const auto eachBelow = [&](int v, auto what) {
        for (int64_t edge = out.ptr[v]; edge < out.ptr[v + 1]; edge++) {
            if (levels[out.idx[edge]] == levels[v] + 1) {
                what(out.idx[edge]);
            }
        }
    };
    for (const int v : order) {
        eachBelow(v, [&](int below) { paths[below] += paths[v]; });
    }
    for (auto v = order.rbegin(); v != order.rend(); v++) {
        eachBelow(*v, [&](int below) { sums[*v] += paths[*v] / paths[below] * (1 + sums[below]); });
    }
    return sums;
}

inline void checkGraph(const Graph &graph) {
    const Csr &out = graph.out;
    const int n = out.n;
    const OnDevice<int64_t> ptrs(out.ptr);
    const OnDevice<int> idx(out.idx);
    const EdgeLists lists = {ptrs.at, idx.at};
    Frontiers frontiers(n, out.idx.size());
    std::vector<unsigned> weights(out.idx.size());
    for (size_t edge = 0; edge < weights.size(); edge++) {
        weights[edge] = weightOf(edge);
    }
    const OnDevice<unsigned> onDevice(weights);
    OnDevice<unsigned> distances(n);
    OnDevice<int> labels(n);
    OnDevice<double> paths(n);
    OnDevice<double> sums(n);
    for (const int source : {0, n / 2, n - 1}) {
        run(shortestPaths, frontiers,
                {lists, frontiers.arrays(), frontiers.control.at, onDevice.at, distances.at, n, source});
        if (distances.get() != dijkstra(out, source)) {
            fail(graph.name + ": wrong shortest paths from " + std::to_string(source));
        }
        run(dependencies, frontiers,
                {lists, frontiers.arrays(), frontiers.control.at, labels.at, paths.at, sums.at, n, source});
        const std::vector<double> found = sums.get();
        const std::vector<double> expected = brandes(out, source);
        for (int v = 0; v < n; v++) {
            if (std::abs(found[v] - expected[v]) > 1e-9 * (1 + expected[v])) {
                fail(graph.name + ": wrong dependencies of " + std::to_string(source));
            }
        }
    }
    if (!graph.directed) {
        run(connectedComponents, frontiers, {lists, frontiers.arrays(), frontiers.control.at, labels.at, n});
        const std::vector<int> found = labels.get();
        for (int v = 0; v < n; v++) {
            bool lowest = found[found[v]] == found[v] && found[v] <= v;
            for (int64_t edge = out.ptr[v]; edge < out.ptr[v + 1]; edge++) {
                lowest = lowest && found[out.idx[edge]] == found[v];
            }
            if (!lowest) {
                fail(graph.name + ": wrong component of " + std::to_string(v));
            }
        }
    }
    std::printf("%s: %d vertices, %zu edges\n", graph.name.c_str(), n, out.idx.size());
}

}  // namespace test
}  // namespace proxima

int main() {
    using namespace proxima::test;
    checkGraph(makeGraph("rmat16", 1 << 16, rmatEdges(16, 16 << 16, 1), false));
    checkGraph(makeGraph("directed rmat15", 1 << 15, rmatEdges(15, 8 << 15, 2), true));
    checkGraph(makeGraph("star", 200'000, starEdges(200'000), false));
    checkGraph(makeGraph("path", 5'000, pathEdges(5'000), false));
    checkGraph(makeGraph("grid", 300 * 40, gridEdges(300, 40), false));
    checkGraph(makeGraph("vertex", 1, {}, false));
    std::printf("ok\n");
    return 0;
}
