// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "operators.cuh"

// Breadth-first search composed of the operators of operators.cuh: listing 1 of De Caro, Cordasco and Cosenza (SYgraph, ICPP
// 2025), with its compute operator in the pass that builds the offsets. Top-down only, as in the paper.
//
//   bfs_two_layer_grid
//
// One cooperative launch a run, blocks of OPERATOR_THREADS. Arrays over vertices, sources and stopTargets are in slots.
//   reads   outPtrs[n + 1], outIdx[outPtrs[n]], sources[sourceCount] without repeats, stopTargets[stopTargetCount],
//           stopFlag[1] or null
//   writes  levels[n]                                  hops from the nearest source, -1 if not reached
//           visited wordsA wordsB [bitWords(n)], nonzeroA nonzeroB [layerWords(n)], offsets[bitWords(n)],
//           longLists longEdges [outPtrs[n] / GRID_LIST]
//           control                                    persistent.cuh; level, stopped, paused are results
//   gives   levels equal for every grid and every order of work
//
// A level collects the frontier and then advances it, with a synchronisation of the grid after each, and one more if there are
// lists longer than GRID_LIST. Invariant: visited contains all collected levels and is constant during an advance, so an
// advance tests only visited.
namespace proxima {

struct TwoLayerArguments : SearchHead {
    const int64_t *outPtrs;
    const int *outIdx;
    unsigned *visited;
    FrontierArrays frontiers;
};

__device__ __forceinline__ void bfsTwoLayer(const TwoLayerArguments &args, AdvanceShared &shared) {
    const Place place = Place::here();
    RunControl *const control = args.control;
    Supersteps search({args.outPtrs, args.outIdx}, args.frontiers, control, shared, args.n);
    StopWatch watch(args.stopFlag, control);
    const auto settle = [&] {
        const int level = search.steps();
        search.collect_grid(args.visited, [&](int vertex) { args.levels[vertex] = level; });
    };
    if (control->resumes != 0) {
        search.resume();
    } else {
        for_grid(args.n, place, [&](int vertex) { args.levels[vertex] = UNREACHED; });
        fill_grid(args.visited, static_cast<int64_t>(bitWords(args.n)) * sizeof(unsigned), 0, place);
        search.begin_grid();
        search.insert_grid(args.sourceCount, [&](int i) { return args.sources[i]; });
        if (place.thread == 0) {
            watch.look(0);
        }
        settle();
    }
    for (;;) {
        const int level = search.steps();
        const bool isEmpty = search.collected().count == 0;
        if (!isEmpty && place.thread == 0) {
            control->level = level;
        }
        if (isEmpty || level == args.maxDepth || watch.seen(level)
                || targetReached_grid(args.stopTargets, args.stopTargetCount, args.levels, control, place)) {
            if (!isEmpty && level != args.maxDepth && watch.pauses(level) && place.thread == 0) {
                search.pause();
                watch.pause();
            }
            return;
        }
        if (place.thread == 0) {
            watch.look(level + 1);
        }
        search.advance_grid([&](int, int neighbour, int64_t) { return !isSet(args.visited, neighbour); });
        settle();
    }
}

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::OPERATOR_THREADS, 2)
        bfs_two_layer_grid(const __grid_constant__ proxima::TwoLayerArguments args) {
    __shared__ proxima::AdvanceShared shared;
    proxima::bfsTwoLayer(args, shared);
    proxima::leave_grid(args.control, args.report);
}
