// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "operators_example.cuh"

#include <cstdio>
#include <queue>

#include "device.cuh"

// Checks the algorithms of operators_example.cuh against textbook ones on the host, on graphs that take each way through the
// operators: lists that a block reads, lists that the whole grid reads, full and nearly empty words.
//
// usage: operators_example    ends with ok, or names the failure and ends with 1
namespace proxima {
namespace test {

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
    launch(kernel, residentBlocks(reinterpret_cast<const void *>(kernel), OPERATOR_THREADS), OPERATOR_THREADS, 0, arguments);
    CUDA(cudaDeviceSynchronize());
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
    const std::vector<int> levels = hostBfs(out, {source});
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
