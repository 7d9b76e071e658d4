// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// Graphs, textbook searches and BVSS on the host, for the programs that check and time kernels. The same arguments give the
// same graph on every machine. Plain C++; what kernels may call too is marked.
#ifdef __CUDACC__
#define PROXIMA_BOTH_SIDES __host__ __device__
#else
#define PROXIMA_BOTH_SIDES
#endif

namespace proxima {
namespace test {

[[noreturn]] inline void fail(const std::string &what) {
    std::printf("FAILED: %s\n", what.c_str());
    std::exit(1);
}

PROXIMA_BOTH_SIDES inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/** At least 0, less than 1. */
PROXIMA_BOTH_SIDES inline double unit(uint64_t x) { return static_cast<double>(mix(x) >> 11) / 9007199254740992.0; }

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
    Csr in;  // empty where the graph is symmetric

    int n() const { return out.n; }
    const Csr &into() const { return directed ? in : out; }
};

using Edges = std::vector<std::pair<int, int>>;

inline Csr adjacency(int n, const Edges &edges, bool forward, bool backward) {
    std::vector<int64_t> count(n + 1, 0);
    const int64_t m = edges.size();
#pragma omp parallel for
    for (int64_t i = 0; i < m; i++) {
        if (forward) {
            __atomic_fetch_add(&count[edges[i].first], 1, __ATOMIC_RELAXED);
        }
        if (backward) {
            __atomic_fetch_add(&count[edges[i].second], 1, __ATOMIC_RELAXED);
        }
    }
    std::vector<int64_t> start(n + 1, 0);
    for (int v = 0; v < n; v++) {
        start[v + 1] = start[v] + count[v];
        count[v] = start[v];
    }
    std::vector<int> all(start[n]);
#pragma omp parallel for
    for (int64_t i = 0; i < m; i++) {
        if (forward) {
            all[__atomic_fetch_add(&count[edges[i].first], 1, __ATOMIC_RELAXED)] = edges[i].second;
        }
        if (backward) {
            all[__atomic_fetch_add(&count[edges[i].second], 1, __ATOMIC_RELAXED)] = edges[i].first;
        }
    }
    Csr csr;
    csr.n = n;
    csr.ptr.assign(n + 1, 0);
#pragma omp parallel for schedule(dynamic, 1024)
    for (int v = 0; v < n; v++) {
        const auto from = all.begin() + start[v];
        std::sort(from, all.begin() + start[v + 1]);
        auto to = std::unique(from, all.begin() + start[v + 1]);
        to = std::remove(from, to, v);
        csr.ptr[v + 1] = to - from;
    }
    std::partial_sum(csr.ptr.begin(), csr.ptr.end(), csr.ptr.begin());
    csr.idx.resize(csr.ptr[n]);
#pragma omp parallel for schedule(dynamic, 1024)
    for (int v = 0; v < n; v++) {
        std::copy_n(all.begin() + start[v], csr.ptr[v + 1] - csr.ptr[v], csr.idx.begin() + csr.ptr[v]);
    }
    return csr;
}

inline Graph makeGraph(const std::string &name, int n, const Edges &edges, bool directed) {
    Graph graph;
    graph.name = name;
    graph.directed = directed;
    graph.out = adjacency(n, edges, true, !directed);
    if (directed) {
        graph.in = adjacency(n, edges, false, true);
    }
    return graph;
}

inline std::vector<int> shuffled(int n, uint64_t seed) {
    constexpr int AHEAD = 32;  // the places do not depend on what lies there: the memory is asked early
    std::vector<int> id(n);
    std::iota(id.begin(), id.end(), 0);
    const auto place = [&](int i) { return mix(seed + i) % (i + 1); };
    for (int i = n - 1; i > 0; i--) {
        if (i > AHEAD) {
            __builtin_prefetch(&id[place(i - AHEAD)], 1);
        }
        std::swap(id[i], id[place(i)]);
    }
    return id;
}

/** The ends of an edge. */
struct Ends {
    int from, to;
};

/** An edge of R-MAT with a, b, c = .57, .19, .19. */
PROXIMA_BOTH_SIDES inline Ends rmatEnds(int scale, int64_t edge, uint64_t seed) {
    int u = 0, v = 0;
    for (int bit = 0; bit < scale; bit++) {
        const double r = unit(seed + edge * 64 + bit);
        u = u << 1 | (r >= 0.76);
        v = v << 1 | (r >= 0.76 ? r >= 0.95 : r >= 0.57);
    }
    return {u, v};
}

/** The ids that the ends get. */
inline std::vector<int> rmatIds(int scale, uint64_t seed) { return shuffled(1 << scale, seed ^ 0x5555); }

/** R-MAT with shuffled ids. */
inline Edges rmatEdges(int scale, int64_t m, uint64_t seed) {
    const std::vector<int> id = rmatIds(scale, seed);
    Edges edges(m);
#pragma omp parallel for
    for (int64_t i = 0; i < m; i++) {
        const Ends ends = rmatEnds(scale, i, seed);
        edges[i] = {id[ends.from], id[ends.to]};
    }
    return edges;
}

PROXIMA_BOTH_SIDES inline Ends uniformEnds(int n, int64_t edge, uint64_t seed) {
    return {static_cast<int>(mix(seed + 2 * edge) % n), static_cast<int>(mix(seed + 2 * edge + 1) % n)};
}

inline Edges uniformEdges(int n, int64_t m, uint64_t seed) {
    Edges edges(m);
#pragma omp parallel for
    for (int64_t i = 0; i < m; i++) {
        const Ends ends = uniformEnds(n, i, seed);
        edges[i] = {ends.from, ends.to};
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

inline Edges cliqueEdges(int n) {
    Edges edges;
    for (int u = 0; u < n; u++) {
        for (int v = 0; v < u; v++) {
            edges.push_back({u, v});
        }
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

/** A square lattice with 40 % of its links removed and shuffled ids: as deep as a road network. */
inline Edges roadEdges(int side) {
    const std::vector<int> id = shuffled(side * side, 7);
    Edges edges;
    for (int v = 0; v < side * side; v++) {
        if (v % side < side - 1 && unit(2ull * v + 77) < 0.6) {
            edges.push_back({id[v], id[v + 1]});
        }
        if (v < side * (side - 1) && unit(2ull * v + 78) < 0.6) {
            edges.push_back({id[v], id[v + side]});
        }
    }
    return edges;
}

/** 2^scale points of the unit square, linked where nearer than 0.55 sqrt(ln n / n); ids ascend along rows of cells. */
inline Edges geometricEdges(int scale) {
    const int n = 1 << scale;
    const double radius = 0.55 * std::sqrt(std::log(static_cast<double>(n)) / n);
    const int cells = static_cast<int>(1 / radius);
    std::vector<std::pair<int, int>> byCell(n);
    std::vector<double> px(n), py(n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        px[i] = unit(2ull * i + 11);
        py[i] = unit(2ull * i + 12);
        const int cx = std::min(static_cast<int>(px[i] * cells), cells - 1);
        const int cy = std::min(static_cast<int>(py[i] * cells), cells - 1);
        byCell[i] = {cx * cells + cy, i};
    }
    std::vector<int> start(cells * cells + 1, 0);
    for (int i = 0; i < n; i++) {
        start[byCell[i].first + 1]++;
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> fill(start.begin(), start.end() - 1);
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) {
        const int at = fill[byCell[i].first]++;
        x[at] = px[i];
        y[at] = py[i];
    }
    std::vector<Edges> ofThread(omp_get_max_threads());
#pragma omp parallel for schedule(dynamic, 16)
    for (int cx = 0; cx < cells; cx++) {
        Edges &edges = ofThread[omp_get_thread_num()];
        for (int cy = 0; cy < cells; cy++) {
            for (int i = start[cx * cells + cy]; i < start[cx * cells + cy + 1]; i++) {
                for (int dx = std::max(cx - 1, 0); dx <= std::min(cx + 1, cells - 1); dx++) {
                    const int from = start[dx * cells + std::max(cy - 1, 0)];
                    const int to = start[dx * cells + std::min(cy + 1, cells - 1) + 1];
                    for (int j = from; j < to; j++) {
                        if (i < j && (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) < radius * radius) {
                            edges.push_back({i, j});
                        }
                    }
                }
            }
        }
    }
    Edges edges;
    for (const Edges &some : ofThread) {
        edges.insert(edges.end(), some.begin(), some.end());
    }
    return edges;
}

/** Vertex 0, stars around it, leaves around each of these: 1 + stars + stars * leaves vertices. */
inline Edges starOfStarsEdges(int stars, int leaves) {
    Edges edges;
    for (int s = 0; s < stars; s++) {
        edges.push_back({0, 1 + s});
        for (int l = 0; l < leaves; l++) {
            edges.push_back({1 + s, 1 + stars + s * leaves + l});
        }
    }
    return edges;
}

/** A clique of half of the vertices, and a path of the other half that hangs on it. */
inline Edges lollipopEdges(int half) {
    Edges edges = cliqueEdges(half);
    for (int v = half; v < 2 * half; v++) {
        edges.push_back({v - 1, v});
    }
    return edges;
}

constexpr int ISLANDS = 10000;

/** ISLANDS random graphs of size vertices each. */
inline Edges islandEdges(int size) {
    Edges edges;
    for (int c = 0; c < ISLANDS; c++) {
        for (int i = 0; i < 4 * size; i++) {
            edges.push_back({c * size + static_cast<int>(mix(8ull * i + c * 100003ull) % size),
                    c * size + static_cast<int>(mix(8ull * i + 1 + c * 100003ull) % size)});
        }
    }
    return edges;
}

/** The binary tree of n vertices, filled level by level. */
inline Edges treeEdges(int n) {
    Edges edges;
    for (int v = 1; v < n; v++) {
        edges.push_back({(v - 1) / 2, v});
    }
    return edges;
}

/** Weakly connected components, 0 to count - 1, of the vertices in turn. */
inline std::vector<int> components(const Graph &graph, int &count) {
    const int n = graph.n();
    std::vector<int> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
        while (parent[v] != v) {
            parent[v] = parent[parent[v]];
            v = parent[v];
        }
        return v;
    };
    for (int v = 0; v < n; v++) {
        for (int64_t e = graph.out.ptr[v]; e < graph.out.ptr[v + 1]; e++) {
            const int a = root(v), b = root(graph.out.idx[e]);
            if (a != b) {
                parent[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    std::vector<int> number(n, -1), of(n);
    count = 0;
    for (int v = 0; v < n; v++) {
        int &at = number[root(v)];
        if (at == -1) {
            at = count++;
        }
        of[v] = at;
    }
    return of;
}

/** The largest component of a symmetric graph; ids keep their order. */
inline Graph largestComponent(const Graph &graph) {
    int count = 0;
    const std::vector<int> of = components(graph, count);
    std::vector<int> size(count, 0), id(graph.n(), -1);
    for (int c : of) {
        size[c]++;
    }
    const int largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
    int next = 0;
    for (int v = 0; v < graph.n(); v++) {
        if (of[v] == largest) {
            id[v] = next++;
        }
    }
    Edges edges;
    for (int v = 0; v < graph.n(); v++) {
        for (int64_t e = graph.out.ptr[v]; of[v] == largest && e < graph.out.ptr[v + 1]; e++) {
            if (v < graph.out.idx[e]) {
                edges.push_back({id[v], id[graph.out.idx[e]]});
            }
        }
    }
    return makeGraph(graph.name, next, edges, false);
}

/** Hops from the nearest of the sources, -1 where there is no path of at most maxDepth hops; maxDepth -1: of any length. */
inline std::vector<int> hostBfs(const Csr &out, const std::vector<int> &sources, int maxDepth = -1) {
    std::vector<int> levels(out.n, -1), queue;
    for (int source : sources) {
        levels[source] = 0;
        queue.push_back(source);
    }
    for (size_t i = 0; i < queue.size(); i++) {
        const int v = queue[i];
        if (levels[v] == maxDepth) {
            break;
        }
        for (int64_t e = out.ptr[v]; e < out.ptr[v + 1]; e++) {
            if (levels[out.idx[e]] == -1) {
                levels[out.idx[e]] = levels[v] + 1;
                queue.push_back(out.idx[e]);
            }
        }
    }
    return levels;
}

/** BVSS, built anew, so that a fault of the Java builder and one of the kernels cannot agree. Layout: bvss.cuh. */
struct BvssOnHost {
    std::vector<int> realPtrs, virtualToReal, rowIds;
    std::vector<unsigned> masks;

    BvssOnHost() = default;

    explicit BvssOnHost(const Csr &out) {
        const int sets = (out.n + 7) / 8;
        realPtrs.assign(sets + 1, 0);
        const auto slices = [&](int set) {
            std::vector<std::pair<int, int>> entries;
            for (int c = 8 * set; c < std::min(out.n, 8 * set + 8); c++) {
                for (int64_t e = out.ptr[c]; e < out.ptr[c + 1]; e++) {
                    entries.push_back({out.idx[e], c % 8});
                }
            }
            std::sort(entries.begin(), entries.end());
            return entries;
        };
#pragma omp parallel for schedule(dynamic, 256)
        for (int set = 0; set < sets; set++) {
            int count = 0, last = -1;
            for (auto &entry : slices(set)) {
                count += entry.first != last;
                last = entry.first;
            }
            realPtrs[set + 1] = (count + 127) / 128;
        }
        std::partial_sum(realPtrs.begin(), realPtrs.end(), realPtrs.begin());
        virtualToReal.resize(realPtrs[sets]);
        rowIds.assign(128LL * realPtrs[sets], 0);
        masks.assign(32LL * realPtrs[sets], 0);
#pragma omp parallel for schedule(dynamic, 256)
        for (int set = 0; set < sets; set++) {
            std::fill(virtualToReal.begin() + realPtrs[set], virtualToReal.begin() + realPtrs[set + 1], set);
            int64_t slice = 128LL * realPtrs[set] - 1;
            int last = -1;
            for (auto &entry : slices(set)) {
                slice += entry.first != last;
                last = entry.first;
                rowIds[slice] = entry.first;
                masks[slice / 4] |= 1u << (8 * (slice % 4) + entry.second);
            }
        }
    }
};

}  // namespace test
}  // namespace proxima
