// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cooperative_groups.h>
#include <cstddef>
#include <cstdint>

#include "warps.cuh"

// What the persistent kernels share: the control block, the place of a thread in the grid, queues, and the end of a run.
// Every persistent kernel is one cooperative launch in one dimension, whose blocks are all resident at once. Its head says how
// many threads a block has: BLOCK_THREADS unless the family has a number of its own.
namespace proxima {

constexpr int BLOCK_THREADS = 256;  // of the kernels that do not name another number
constexpr int NO_MAX_DEPTH = -1;
constexpr int UNREACHED = -1;
constexpr int LEVELS_TOO_NARROW = 1;   // bit of RunControl::overflow: a level did not fit levelBytes; the run is void
constexpr int COUNTS_TOO_SHALLOW = 2;  // bit of RunControl::overflow: there are levels beyond the counted window
constexpr int BIT_ALIGNMENT = 128;     // bits; an array of a bit a vertex has a multiple of so many

/**
 * Between device and host. 256 bytes in device memory; zero when a launch begins a run. Before one that resumes a run the host
 * zeroes stopSeen to paused, and sets resumes.
 */
struct RunControl {
    int queueSize[3];        // scratch: VSS in the queues, in turns
    unsigned left;           // scratch: blocks that have left; no counter of edges.cuh, which are not zero at the end
    int level;               // out: the deepest level that found a vertex
    int stopped;             // out: 1 if the stop flag ended the run
    int overflow;            // out: LEVELS_TOO_NARROW | COUNTS_TOO_SHALLOW
    int resumes;             // in: 1 if this launch goes on where the one before has paused
    int64_t vssPulled;       // out: VSS taken from the queues, for statistics
    int64_t visited;         // out: vertices reached, sources included (single source, lazy)
    int64_t bottomUpLevels;  // out: levels that Algorithm 4 ran
    int64_t saved[5];        // where a paused run goes on, beside the state of the kernel
    int stopSeen[2];         // scratch: what was read from the stop flag, in turns
    int targetReached;       // scratch
    int paused;              // out: 1 if the launch left its run to another launch
    int scratch[20];
    unsigned arrived;  // scratch, in a sector of its own: arrivals at the barrier
    int moreScratch[15];
};

HOST_CONSTANT(BLOCK_THREADS, BLOCK_THREADS)
HOST_CONSTANT(NO_MAX_DEPTH, NO_MAX_DEPTH)
HOST_CONSTANT(UNREACHED, UNREACHED)
HOST_CONSTANT(LEVELS_TOO_NARROW, LEVELS_TOO_NARROW)
HOST_CONSTANT(COUNTS_TOO_SHALLOW, COUNTS_TOO_SHALLOW)
HOST_CONSTANT(BIT_ALIGNMENT, BIT_ALIGNMENT)
HOST_CONSTANT(CONTROL_BYTES, sizeof(RunControl))
HOST_CONSTANT(CONTROL_LEVEL_OFFSET, offsetof(RunControl, level))
HOST_CONSTANT(CONTROL_STOPPED_OFFSET, offsetof(RunControl, stopped))
HOST_CONSTANT(CONTROL_OVERFLOW_OFFSET, offsetof(RunControl, overflow))
HOST_CONSTANT(CONTROL_RESUMES_OFFSET, offsetof(RunControl, resumes))
HOST_CONSTANT(CONTROL_VSS_PULLED_OFFSET, offsetof(RunControl, vssPulled))
HOST_CONSTANT(CONTROL_STOP_SEEN_OFFSET, offsetof(RunControl, stopSeen))
HOST_CONSTANT(CONTROL_PAUSED_OFFSET, offsetof(RunControl, paused))

/** The place of the calling thread. */
struct Place {
    int thread;   // in the grid
    int threads;  // of the grid
    int lane;
    int warp;   // in the grid
    int warps;  // of the grid

    static __device__ __forceinline__ Place here() {
        const int thread = blockIdx.x * blockDim.x + threadIdx.x;
        const int threads = gridDim.x * blockDim.x;
        return {thread, threads, static_cast<int>(threadIdx.x % WARP_SIZE), thread / WARP_SIZE, threads / WARP_SIZE};
    }
};

/**
 * Synchronises the grid, as cooperative_groups does, with one counter that only rises: the blocks of a level of a deep graph
 * have next to nothing to do but this. All threads of the grid call it, or of the blocks that share the counter. Needs a
 * cooperative launch.
 *
 * @tparam QUIET for kernels whose blocks differ much in when they arrive: a block that waits does not empty the first cache of
 *     its multiprocessor, which others still read through, each time it looks
 */
template <bool QUIET>
class CountingBarrier {
    unsigned *arrived;
    unsigned blocks;
    unsigned expected = 0;

public:
    explicit __device__ CountingBarrier(RunControl *control) : CountingBarrier(&control->arrived, gridDim.x) {}

    /** Of so many blocks that share a counter; zero before the run. */
    __device__ CountingBarrier(unsigned *arrived, unsigned blocks) : arrived(arrived), blocks(blocks) {}

    /** Arrivals that the threads have waited for; the same in all of them. */
    __device__ __forceinline__ unsigned count() const { return expected; }

    /** In a launch that resumes: the count of the launch before. */
    __device__ __forceinline__ void resume(unsigned count) { expected = count; }

    __device__ __forceinline__ void sync() {
        expected += blocks;
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            unsigned now;
            do {
                if constexpr (QUIET) {
                    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
                } else {
                    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
                }
                // the counter may pass 2^32
            } while (static_cast<int>(now - expected) < 0);
            if constexpr (QUIET) {
                __threadfence();
            }
        }
        __syncthreads();
    }
};

using GridBarrier = CountingBarrier<false>;
using QuietGridBarrier = CountingBarrier<true>;

/** Fills bytes at a 16-byte aligned address with a repeated byte; the whole grid takes part. */
__device__ __forceinline__ void fill_grid(void *at, int64_t bytes, unsigned char value, const Place &place) {
    const unsigned word = value * 0x01010101u;
    const int64_t quads = bytes / 16;
    for (int64_t i = place.thread; i < quads; i += place.threads) {
        static_cast<uint4 *>(at)[i] = make_uint4(word, word, word, word);
    }
    for (int64_t i = quads * 16 + place.thread; i < bytes; i += place.threads) {
        static_cast<unsigned char *>(at)[i] = value;
    }
}

/** The number of 32-bit words of an array of n bits: the length of a bit array over the vertices. */
__device__ __forceinline__ int bitWords(int n) {
    return static_cast<int>((static_cast<int64_t>(n) + BIT_ALIGNMENT - 1) / BIT_ALIGNMENT * (BIT_ALIGNMENT / 32));
}

/**
 * Ends a launch: all threads of the grid call it last. The block that comes last copies the control block to the host, and
 * leaves it zeroed for the next run unless this one was paused. So the host neither prepares a launch nor fetches its outcome.
 *
 * @param report in page-locked memory of the host, or null if the host reads the control block itself and zeroes it
 */
__device__ __forceinline__ void leave_grid(RunControl *control, RunControl *report) {
    if (report == nullptr) {
        return;
    }
    // each block's writes come before its arrival here
    __syncthreads();
    bool isLast = false;
    if (threadIdx.x == 0) {
        __threadfence();
        isLast = atomicAdd(&control->left, 1u) == gridDim.x - 1;
    }
    if (!__syncthreads_or(isLast)) {
        return;
    }
    __threadfence();
    constexpr int QUADS = sizeof(RunControl) / sizeof(uint4);
    static_assert(QUADS <= WARP_SIZE, "one warp copies it, so that all of it is read before any of it is zeroed");
    if (threadIdx.x < WARP_SIZE) {
        const int quad = static_cast<int>(threadIdx.x);
        const bool paused = __ldcg(&control->paused) != 0;
        uint4 told = make_uint4(0, 0, 0, 0);
        if (quad < QUADS) {
            told = __ldcg(reinterpret_cast<const uint4 *>(control) + quad);
            reinterpret_cast<uint4 *>(report)[quad] = told;
        }
        __syncwarp();
        if (!paused && quad < QUADS) {
            reinterpret_cast<uint4 *>(control)[quad] = make_uint4(0, 0, 0, 0);
        } else if (paused && quad == 0) {
            control->left = 0;
        }
    }
}

/**
 * Appends R runs of VSS a lane to a queue: first[r], first[r] + 1, ... count[r] of them, none if count[r] is 0. All lanes
 * of the warp call it. One atomic a warp; long runs are written by all lanes, or one hub would hold up the warp.
 */
template <int R>
__device__ __forceinline__ void enqueue_warp(
        int *queue, int *queueSize, const int (&first)[R], const int (&count)[R], int lane) {
    constexpr int LONG_RUN = 8;
    int mine = 0;
#pragma unroll
    for (int r = 0; r < R; r++) {
        mine += count[r];
    }
    if (!__any_sync(ALL_LANES, mine != 0)) {
        return;
    }
    const int upToMine = inclusiveSum_warp(mine, lane);
    int base = 0;
    if (lane == WARP_SIZE - 1) {
        base = atomicAdd(queueSize, upToMine);
    }
    int at = __shfl_sync(ALL_LANES, base, WARP_SIZE - 1) + upToMine - mine;
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (count[r] <= LONG_RUN) {
            for (int i = 0; i < count[r]; i++) {
                queue[at + i] = first[r] + i;
            }
        }
        unsigned longRuns = __ballot_sync(ALL_LANES, count[r] > LONG_RUN);
        while (longRuns != 0) {
            const int owner = __ffs(longRuns) - 1;
            longRuns &= longRuns - 1;
            const int runAt = __shfl_sync(ALL_LANES, at, owner);
            const int runFirst = __shfl_sync(ALL_LANES, first[r], owner);
            const int runCount = __shfl_sync(ALL_LANES, count[r], owner);
            for (int i = lane; i < runCount; i += WARP_SIZE) {
                queue[runAt + i] = runFirst + i;
            }
        }
        at += count[r];
    }
}

/**
 * The end of a run and of a launch. The host has two flags side by side: one stops the run, the other pauses it. They lie
 * across the bus, so one thread of the grid reads them: after each level, but not more often than every POLL_CYCLES, or
 * short levels would wait for the bus. What it read is passed on in turns, so that no thread can still be reading one
 * level's word while the next level's is written.
 *
 * A paused launch ends with its level. The state of the kernel stays as it is, what only registers held goes to
 * control->saved, and a launch with the same arguments resumes the run. docs/decisions/0030.
 *
 * StopSignal is what all threads read, StopWatch what one thread has beside it: a kernel may keep the watch in the shared
 * memory of that thread's block, and no other thread reads it. SharedWatch is for grids whose blocks search independently.
 */
class StopSignal {
protected:
    RunControl *control;

public:
    static constexpr int STOP = 1;  // what stopSeen holds
    static constexpr int PAUSE = 2;

    explicit __device__ StopSignal(RunControl *control) : control(control) {}

    /** Whether to leave the launch. Called after the synchronisation; the same answer in all threads. */
    __device__ bool seen(int level) const { return control->stopSeen[level & 1] != 0; }

    /** Whether the run is to be stopped; as seen. */
    __device__ bool stops(int level) const { return control->stopSeen[level & 1] == STOP; }

    /** Whether the run is to be paused; as seen. */
    __device__ bool pauses(int level) const { return control->stopSeen[level & 1] == PAUSE; }

    /** Called by one thread of the grid that has saved where the run goes on. */
    __device__ void pause() const { control->paused = 1; }
};

class StopWatch : public StopSignal {
protected:
    static constexpr long long POLL_CYCLES = 1 << 18;  // some 150 us: the way across the bus and back takes 1 to 2 us

    const volatile uint64_t *flags;  // host-mapped, may be null: to stop in the lower half, to pause in the upper
    long long lastPoll;

public:
    __device__ StopWatch(const int *flag, RunControl *control)
        : StopSignal(control), flags(reinterpret_cast<const uint64_t *>(flag)) {
        // not above: in a program of its own the host's compiler reads the initialisers too, and has no clock64
        lastPoll = clock64() - POLL_CYCLES;
    }

    /**
     * Called by one thread of the grid in each level, between the grid's synchronisations before and after it.
     *
     * @return whether a flag was found set in this call
     */
    __device__ bool look(int level) {
        const long long now = clock64();
        if (flags != nullptr && now - lastPoll >= POLL_CYCLES) {
            lastPoll = now;
            const uint64_t asked = *flags;
            if (asked != 0) {
                const bool stop = static_cast<unsigned>(asked) != 0;
                control->stopSeen[level & 1] = stop ? STOP : PAUSE;
                if (stop) {
                    control->stopped = 1;
                }
                return true;
            }
        }
        return false;
    }
};

/**
 * The watch of one of several threads of a grid that are not synchronised with each other. The flags are read for one thread
 * after another, some two in a microsecond: if each of 256 threads read them every POLL_CYCLES, each would wait for the bus
 * nearly all the time. So a few read the flags, in turns, and the others what these have found.
 */
class SharedWatch : private StopWatch {
    static constexpr int POLLS = 8;  // of all threads in POLL_CYCLES

    int turns;  // of this thread, of which it reads the flags in one
    int turn;
    int found = 0;

    /** Whether there are flags, and POLL_CYCLES have passed since this was last so. */
    __device__ __forceinline__ bool isDue() {
        const long long now = clock64();
        if (flags == nullptr || now - lastPoll < POLL_CYCLES) {
            return false;
        }
        lastPoll = now;
        return true;
    }

public:
    using StopSignal::pause;
    using StopSignal::PAUSE;
    using StopSignal::STOP;

    /** The watch of the rank-th of so many threads. */
    __device__ SharedWatch(const int *flag, RunControl *control, int rank, int threads)
        : StopWatch(flag, control), turns((threads + POLLS - 1) / POLLS), turn(rank % turns) {}

    /** What look found last. */
    __device__ __forceinline__ int asked() const { return found; }

    /** Called by its thread at any time. Returns 0, STOP or PAUSE; after STOP always that. */
    __device__ int look() {
        if (found == STOP || !isDue()) {
            return found;
        }
        found = *const_cast<const volatile int *>(control->stopSeen);
        if (found != STOP && turn-- == 0) {
            turn = turns - 1;
            const uint64_t asked = *flags;
            if (static_cast<unsigned>(asked) != 0) {
                atomicExch(control->stopSeen, STOP);
                control->stopped = 1;
                found = STOP;
            } else if (asked != 0 && found == 0) {
                // another thread may have found STOP since
                const int before = atomicCAS(control->stopSeen, 0, PAUSE);
                found = before == 0 ? PAUSE : before;
            }
        }
        return found;
    }
};

/** The deepest level that fits levelBytes; all bits set stand for unreached. Without levels any fits. */
template <class Arguments>
__device__ __forceinline__ unsigned deepestLevel(const Arguments &args) {
    return args.levels == nullptr || args.levelBytes == 4 ? 0x7fffffffu : (1u << (8 * args.levelBytes)) - 2;
}

/** Stores a level in an array of levelBytes (1, 2 or 4) per level; UNREACHED sets all bits. */
__device__ __forceinline__ void storeLevel(void *levels, int levelBytes, int64_t at, int level) {
    if (levelBytes == 1) {
        static_cast<unsigned char *>(levels)[at] = static_cast<unsigned char>(level);
    } else if (levelBytes == 2) {
        static_cast<unsigned short *>(levels)[at] = static_cast<unsigned short>(level);
    } else {
        static_cast<int *>(levels)[at] = level;
    }
}

/**
 * Whether one of the targets has been reached; the same answer in all threads. Called by the whole grid after a
 * synchronisation. Without targets it costs nothing, with them one more synchronisation a level.
 */
__device__ __forceinline__ bool targetReached_grid(
        const int *targets, int targetCount, const int *levels, RunControl *control, const Place &place) {
    if (targetCount == 0) {
        return false;
    }
    for (int64_t i = place.thread; i < targetCount; i += place.threads) {
        if (levels[targets[i]] != UNREACHED) {
            control->targetReached = 1;
        }
    }
    cooperative_groups::this_grid().sync();
    return control->targetReached != 0;
}

}  // namespace proxima
