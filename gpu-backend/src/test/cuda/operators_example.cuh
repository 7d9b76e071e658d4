// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "../../main/cuda/operators.cuh"

// Algorithms out of the operators, as SYgraph has them (section 3.4): for those who write their own. operators_test.cu checks
// them. They do not stop and do not pause, which bfs_two_layer.cu does.
namespace proxima {

/** Shortest paths with weights by Bellman and Ford's algorithm. */
struct ShortestPathsArguments {
    EdgeLists lists;
    FrontierArrays frontiers;
    RunControl *control;      // zero
    const unsigned *weights;  // unsigned[edges]
    unsigned *distances;      // unsigned[n]; FARTHEST where no path leads
    int n;
    int source;
};

constexpr unsigned FARTHEST = ~0u;

__global__ void __launch_bounds__(OPERATOR_THREADS, 2) shortestPaths(const __grid_constant__ ShortestPathsArguments args) {
    __shared__ AdvanceShared shared;
    Supersteps search(args.lists, args.frontiers, args.control, shared, args.n);
    for_grid(args.n, Place::here(), [&](int vertex) { args.distances[vertex] = vertex == args.source ? 0 : FARTHEST; });
    search.begin_grid();
    search.insert_grid(1, [&](int) { return args.source; });
    search.collect_grid(nullptr, [](int) {});
    while (search.collected().count != 0) {
        search.advance_grid([&](int vertex, int neighbour, int64_t edge) {
            // whoever makes the vertex nearer in the meantime puts it into the next frontier
            const unsigned through = args.distances[vertex] + args.weights[edge];
            return atomicMin(args.distances + neighbour, through) > through;
        });
        search.collect_grid(nullptr, [](int) {});
    }
}

/** Weak components of a symmetric graph by label propagation: each vertex gets the lowest vertex of its component. */
struct ComponentsArguments {
    EdgeLists lists;
    FrontierArrays frontiers;
    RunControl *control;  // zero
    int *labels;          // int[n]
    int n;
};

__global__ void __launch_bounds__(OPERATOR_THREADS, 2)
        connectedComponents(const __grid_constant__ ComponentsArguments args) {
    __shared__ AdvanceShared shared;
    Supersteps search(args.lists, args.frontiers, args.control, shared, args.n);
    search.begin_grid();
    search.insert_grid(args.n, [](int vertex) { return vertex; });
    search.collect_grid(nullptr, [&](int vertex) { args.labels[vertex] = vertex; });
    search.filter_grid([&](int vertex) { return args.lists.ptrs[vertex] != args.lists.ptrs[vertex + 1]; });
    while (search.collected().count != 0) {
        search.advance_grid([&](int vertex, int neighbour, int64_t) {
            const int label = args.labels[vertex];
            return atomicMin(args.labels + neighbour, label) > label;
        });
        search.collect_grid(nullptr, [](int) {});
    }
}

/** Dependencies of a source by Brandes' algorithm: numbers of paths forward, level by level backward (section 3.4). */
struct DependenciesArguments {
    EdgeLists lists;
    FrontierArrays frontiers;
    RunControl *control;   // zero
    int *levels;           // int[n]; UNREACHED where no path leads
    double *paths;         // double[n]
    double *dependencies;  // double[n]
    int n;
    int source;
};

__global__ void __launch_bounds__(OPERATOR_THREADS, 2) dependencies(const __grid_constant__ DependenciesArguments args) {
    __shared__ AdvanceShared shared;
    const Place place = Place::here();
    Supersteps search(args.lists, args.frontiers, args.control, shared, args.n);
    const auto settle = [&] { search.collect_grid(nullptr, [&](int vertex) { args.levels[vertex] = search.steps(); }); };
    for_grid(args.n, place, [&](int vertex) {
        args.levels[vertex] = UNREACHED;
        args.paths[vertex] = vertex == args.source ? 1 : 0;
        args.dependencies[vertex] = 0;
    });
    search.begin_grid();
    search.insert_grid(1, [&](int) { return args.source; });
    settle();
    while (search.collected().count != 0) {
        search.advance_grid([&](int vertex, int neighbour, int64_t) {
            if (args.levels[neighbour] != UNREACHED) {
                return false;
            }
            atomicAdd(args.paths + neighbour, args.paths[vertex]);
            return true;
        });
        settle();
    }
    for (int level = search.steps() - 1; level >= 0; level--) {
        for_grid(args.n, place, [&](int vertex) {
            if (args.levels[vertex] != level) {
                return;
            }
            double sum = 0;
            for (int64_t edge = args.lists.ptrs[vertex]; edge < args.lists.ptrs[vertex + 1]; edge++) {
                const int neighbour = args.lists.idx[edge];
                if (args.levels[neighbour] == level + 1) {
                    sum += args.paths[vertex] / args.paths[neighbour] * (1 + args.dependencies[neighbour]);
                }
            }
            args.dependencies[vertex] = sum;
        });
        search.synchronise_grid();
    }
}

}  // namespace proxima
