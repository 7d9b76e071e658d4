// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "../../main/cuda/bfs_directional.cu"
#include "device.cuh"

// The state and the launch of bfs_directional.cu.
namespace proxima {
namespace test {

/** What a search writes beside levels; for slots of which the first active have entries. */
template <class Pointer>
struct DirectionalState {
    OnDevice<int> levels, queue, listA, listB;
    OnDevice<unsigned> visitedA, visitedB;
    OnDevice<Pointer> queueEdges;
    OnDevice<RunControl> control;

    DirectionalState(int slots, int active, uint64_t entries)
        : levels(slots), queue(active + entries / LONG_LIST), listA(active), listB(active), visitedA(bitWordsOf(active)),
          visitedB(bitWordsOf(active)), queueEdges(active + entries / LONG_LIST), control(1) {
        const auto with = [](auto kernel) {
            CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
        };
        withKernel(with);
    }

    static int bitWordsOf(int active) { return static_cast<int>((static_cast<int64_t>(active) + 127) / 128 * 4); }

    /** One search, a block a multiprocessor; what is not state is given. The control block is zeroed before. */
    void launchWith(DirectionalArguments<Pointer> a, int blocks) {
        const size_t sharedBytes = sizeof(DirectionalShared<Pointer>) + a.sharedWords * sizeof(unsigned);
        a.levels = levels.at;
        a.visitedA = visitedA.at;
        a.visitedB = visitedB.at;
        a.queue = queue.at;
        a.queueEdges = queueEdges.at;
        a.listA = listA.at;
        a.listB = listB.at;
        a.control = control.at;
        withKernel([&](auto kernel) { launch(kernel, blocks, DIRECTIONAL_THREADS, sharedBytes, a); });
    }

private:
    template <class Use>
    static void withKernel(Use use) {
        if constexpr (std::is_same<Pointer, uint32_t>::value) {
            use(bfs_directional_p32_grid);
        } else {
            use(bfs_directional_p64_grid);
        }
    }
};

}  // namespace test
}  // namespace proxima
