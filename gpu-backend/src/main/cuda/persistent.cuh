// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cooperative_groups.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warps.cuh"

// The base of all kernels: how their heads are to be read, the control block, the arguments that searches share, the place of a
// thread in the grid, counters and queues, and how a run stops, pauses and resumes.
//
// Names. The suffix of an entry point says which threads work on one item, and so how the kernel is launched:
//
//   _grid     the whole grid works on one run, in one cooperative launch whose blocks are all resident at once
//   _block    each block works on items of its own; blocks need not be resident at once
//   _warp     the same for each warp
//   _thread   the same for each thread
//
// A device function with such a suffix must be called by all threads of that unit together. All grids and blocks have one
// dimension. A head says how many threads a block has; BLOCK_THREADS is the usual number.
//
// Words of the heads. a[n] is an array of n elements in device memory.
//
//   reads     arrays that the launch reads and does not change
//   takes     scalar arguments whose meaning is not plain from their names
//   writes    arrays that the launch writes: results, and state that only the kernel itself uses. It initialises them unless
//             the head says "added to" (the host sets the initial value) or "zeroed by the host". SearchHead and BatchHead
//             explain the arrays that many kernels share
//   needs     what the host must ensure before the launch
//   gives     which results are independent of the grid and of the order in which threads are scheduled
//   ends      what ends a run besides level maxDepth (inclusive), the first level that contains a stop target (inclusive), an
//             empty frontier, and the stop flag. After the flag, the results hold what was found so far, and control.stopped
//             is 1
//   limits    the largest input
//   atomics   the atomics that determine the cost. "without return": the old value is not read, so no thread waits for it
//   scratch   memory without meaning before or after the launch
//   cooperative    blocks synchronise with each other, so all of them must be resident at once
//
// Words of the comments. The field's terms are used as in the papers; docs/modules/ROOT/pages/glossary.adoc has them.
//
//   vertex, slot     a slot is the index of a vertex in the order in which the graph lies on the device
//   entry            one element of the adjacency lists, which is one edge
//   push, pull       top-down step: frontier vertices visit their out-neighbours. Bottom-up step: unvisited vertices look for a
//                    parent among their in-neighbours
//   narrow, wide     the smaller and the larger case of a size that is chosen at run time; 32-bit and 64-bit if it is a type
//   part, portion    a piece of a list or queue that one warp or block processes before it takes the next
//   share            an equal piece for each warp or block, assigned without communication
//   window           consecutive levels that are searched or counted together
//   rotate           two or three buffers or sets of counters change roles after each step, so that one can be cleared or
//                    written while another is still read
//   in flight        loads that a thread has issued before it uses the first of them
//   void             a run whose results the host must discard
namespace proxima {

constexpr int BLOCK_THREADS = 256;  // threads of a block, of all kernels whose heads name no other number
constexpr int NO_MAX_DEPTH = -1;
constexpr int UNREACHED = -1;
constexpr int LEVELS_TOO_NARROW = 1;   // bit of RunControl::overflow: a level does not fit levelBytes; the run is void
constexpr int COUNTS_TOO_SHALLOW = 2;  // bit of RunControl::overflow: some levels lie beyond the counted window
constexpr int BIT_ALIGNMENT = 128;     // bits; the length of a bit array is a multiple of this

/**
 * Control block shared by host and kernel, 256 bytes of device memory; all zero before a new run. Before resuming a paused run,
 * the host clears stopSeen through paused and sets resumes = 1.
 */
struct RunControl {
    int unused[3];
    unsigned left;           // scratch: blocks that have ended
    int level;               // out: the deepest level that found a vertex; bfs_directional.cu may report one more
    int stopped;             // out: 1 if the stop flag ended the run
    int overflow;            // out: LEVELS_TOO_NARROW | COUNTS_TOO_SHALLOW
    int resumes;             // in: 1 if this launch resumes a paused run
    int64_t work;            // out: what the kernel counts as its work; see its head
    int64_t visited;         // out: vertices reached, sources included (single source, lazy)
    int64_t bottomUpLevels;  // out: levels searched bottom-up
    int64_t saved[5];        // state of a paused run; see Paused
    int stopSeen[2];         // scratch: the last two values read from the stop flags, which rotate
    int targetReached;       // scratch: not 0 if a stop target has been reached
    int paused;              // out: 1 if another launch has to resume the run
    // scratch: counters of steps; from BARRIER_COUNTERS on those of a barrier, if the kernel has one
    unsigned long long counters[18];
};

/** The index in RunControl::counters from which on the counters are in other memory sectors than those before. */
constexpr int BARRIER_COUNTERS = 10;
static_assert(sizeof(RunControl) == 256 && offsetof(RunControl, counters[BARRIER_COUNTERS]) % 32 == 0,
        "a barrier polls a memory sector of its own");

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
HOST_CONSTANT(CONTROL_WORK_OFFSET, offsetof(RunControl, work))
HOST_CONSTANT(CONTROL_STOP_SEEN_OFFSET, offsetof(RunControl, stopSeen))
HOST_CONSTANT(CONTROL_PAUSED_OFFSET, offsetof(RunControl, paused))

/** The arguments common to all single-search kernels; they precede a kernel's own arguments, and one host class sets them. */
struct SearchHead {
    const int *sources;      // int[sourceCount], distinct, at least one
    const int *stopTargets;  // int[stopTargetCount]: the run ends with the first level that contains one of them
    const int *stopFlag;     // host-mapped, may be null; see StopWatch
    int *levels;             // int[n]: hops from the nearest source, UNREACHED if not reached or beyond the end of the run
    RunControl *control;
    RunControl *report;
    int n;
    int sourceCount;
    int onlySource;  // the source of a one-source run; avoids a read of host memory
    int stopTargetCount;
    int maxDepth;  // the last level to visit, or NO_MAX_DEPTH
};

/**
 * The arguments common to all kernels of many searches; they precede a kernel's own arguments. The sums are by slot, over the
 * sources that reach it, or by source, over the slots that it reaches, as the head of the kernel says. A source does not count
 * for itself. An array that is not wanted is null. The others are added to, so they accumulate over launches.
 */
struct BatchHead {
    const int *stopFlag;  // host-mapped, may be null; see StopWatch
    RunControl *control;
    RunControl *report;
    unsigned long long *far;    // the sum of levels
    unsigned long long *reach;  // the number of sources or slots
    double *harmonic;           // by source, else not used: number of slots / level, level by level in ascending order
    unsigned *levelCounts;      // by slot, else not used: [levelCapacity][n], the number of sources by level
    int *depths;                // raised to the greatest level
    unsigned long long *pairs;  // [n]: the pairs (source, slot) by level, from level 1 on
    int n;
    int levelCapacity;
    // at least 1. Levels beyond the window of levelCounts do not end a run that has other results to compute. They set
    // COUNTS_TOO_SHALLOW, and further runs with a later firstLevel can count them
    int firstLevel;
    int weight;  // how many vertices each source counts for in far and reach by slot; else 1

    /** Returns whether levelCounts are the only sums. */
    __device__ __forceinline__ bool onlyCountsLevels() const {
        return levelCounts != nullptr && far == nullptr && reach == nullptr && depths == nullptr && pairs == nullptr;
    }

    /** Adds a level to the sums of a source, of which it reaches count slots; by one thread. */
    __device__ __forceinline__ void addToSource(int source, int level, unsigned count) const {
        far[source] += static_cast<unsigned long long>(level) * count;
        reach[source] += count;
        if (harmonic != nullptr) {
            harmonic[source] =
                    __dadd_rn(harmonic[source], __ddiv_rn(static_cast<double>(count), static_cast<double>(level)));
        }
        if (depths != nullptr) {
            depths[source] = level;
        }
    }
};

/**
 * The same for searches from a list of sources. They also end before the first nonempty level that does not fit levelBytes
 * (LEVELS_TOO_NARROW): the batch is void, and must be repeated with wider levels. So a batch has either levels or sums.
 */
struct SourceBatchHead : BatchHead {
    const int *sources;  // int[sourceCount], distinct, at least one
    void *levels;        // [sourceCount][stride], unsigned, of levelBytes: hops from each source; all bits set where it does
                         // not reach the slot; may be null. 16-byte aligned; filled by the kernel
    int64_t stride;      // slots of a row of levels and of levelCounts, at least n
    int sourceCount;
    int maxDepth;    // the last level to visit, or NO_MAX_DEPTH
    int levelBytes;  // 1, 2 or 4

    /** Returns whether no later level can add to a result. */
    __device__ __forceinline__ bool allCounted(int level) const {
        return levels == nullptr && onlyCountsLevels() && level - firstLevel >= levelCapacity;
    }

    /** Adds count sources, which reach a slot at a level other than 0, to the sums of the slot. */
    __device__ __forceinline__ void addToSlot(int slot, int level, int count) const {
        // only one thread adds to a slot in a level; atomics, because they do not wait for the old value
        const unsigned long long vertices = static_cast<unsigned long long>(weight) * count;
        if (far != nullptr) {
            atomicAdd(far + slot, level * vertices);
        }
        if (reach != nullptr) {
            atomicAdd(reach + slot, vertices);
        }
        if (depths != nullptr) {
            atomicMax(depths + slot, level);
        }
        if (levelCounts != nullptr && level >= firstLevel) {
            if (level - firstLevel < levelCapacity) {
                atomicAdd(levelCounts + (level - firstLevel) * stride + slot, count);
            } else {
                control->overflow = COUNTS_TOO_SHALLOW;
            }
        }
    }
};

/** The position of the calling thread in the grid. */
struct Place {
    int thread;   // index in the grid
    int threads;  // number in the grid
    int lane;
    int warp;   // index in the grid
    int warps;  // number in the grid

    static __device__ __forceinline__ Place here() {
        const int thread = blockIdx.x * blockDim.x + threadIdx.x;
        const int threads = gridDim.x * blockDim.x;
        return {thread, threads, static_cast<int>(threadIdx.x % WARP_SIZE), thread / WARP_SIZE, threads / WARP_SIZE};
    }
};

/** State of a CountingBarrier. */
struct BarrierState {
    unsigned arrived;
    unsigned expected;  // of a paused launch: the arrivals for which its threads have waited
};

/**
 * Synchronises the grid as cooperative_groups does, with a single counter that only increases: in a deep graph the blocks do
 * little else in a level. Called by all threads of the grid, or of the blocks that share the counter. Needs a cooperative
 * launch.
 *
 * @tparam QUIET for kernels whose blocks arrive at very different times: polling does not invalidate the L1 cache of the
 *     multiprocessor, through which other blocks still read
 */
template <bool QUIET>
class CountingBarrier {
    BarrierState *const state;
    const unsigned blocks;
    unsigned expected = 0;

public:
    explicit __device__ CountingBarrier(RunControl *control)
        : CountingBarrier(reinterpret_cast<BarrierState *>(control->counters + BARRIER_COUNTERS), gridDim.x) {}

    /** Synchronises a number of blocks that share a state, which is zero before the run. */
    __device__ CountingBarrier(BarrierState *state, unsigned blocks) : state(state), blocks(blocks) {}

    /** Saves the state for the launch that resumes; called by one of the threads after the last synchronisation. */
    __device__ __forceinline__ void pause() const { state->expected = expected; }

    /** Restores the state of a paused launch. */
    __device__ __forceinline__ void resume() { expected = state->expected; }

    __device__ __forceinline__ void sync() {
        expected += blocks;
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&state->arrived) : "memory");
            unsigned now;
            do {
                if constexpr (QUIET) {
                    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(&state->arrived) : "memory");
                } else {
                    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(&state->arrived) : "memory");
                }
                // the difference is right even if the counter wraps at 2^32
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

/**
 * The counters of a step, which ends with a synchronisation of the grid. Three sets rotate: one counts, one is read, and one is
 * cleared. A slow thread may still read the counts of the last step while a fast one counts already. So clearing needs no
 * synchronisation.
 *
 * @tparam Counts the counters: a struct of whole 64-bit words. All sets are zero before the run
 * @tparam BY_WORD computes addresses from the index of a word instead of the index of a set: the same addresses, but nvcc
 *     generates different code
 */
template <class Counts, bool BY_WORD = false>
class PhasedCounters {
    static constexpr int COUNTS_WORDS = sizeof(Counts) / sizeof(unsigned long long);
    static_assert(sizeof(Counts) == COUNTS_WORDS * sizeof(unsigned long long), "sets are cleared by words");

    Counts *const sets;
    int current = 0;

    static __device__ __forceinline__ int after(int phase) { return phase == PHASES - 1 ? 0 : phase + 1; }

    __device__ __forceinline__ Counts *set(int phase) const {
        if constexpr (BY_WORD) {
            return reinterpret_cast<Counts *>(word(phase, 0));
        } else {
            return sets + phase;
        }
    }

    /** Word number index of the set of a phase. */
    __device__ __forceinline__ unsigned long long *word(int phase, int index) const {
        if constexpr (BY_WORD) {
            return reinterpret_cast<unsigned long long *>(sets) + (phase * COUNTS_WORDS + index);
        } else {
            return reinterpret_cast<unsigned long long *>(set(phase)) + index;
        }
    }

public:
    static constexpr int PHASES = 3;
    static constexpr int WORDS = PHASES * COUNTS_WORDS;                // 64-bit words of all sets
    static constexpr bool LEAVES_BARRIER = WORDS <= BARRIER_COUNTERS;  // whether RunControl has room for a barrier too

    /** In the control block. */
    explicit __device__ PhasedCounters(RunControl *control) : sets(reinterpret_cast<Counts *>(control->counters)) {
        static_assert(WORDS * sizeof(unsigned long long) <= sizeof(RunControl::counters), "the counters must fit");
    }

    /** In memory of their own: Counts[PHASES]. */
    explicit __device__ PhasedCounters(Counts *sets) : sets(sets) {}

    /** Clears all sets, followed by a synchronisation. thread: the index among all that count. */
    __device__ __forceinline__ void clear(int thread) const {
        if (thread < WORDS) {
            reinterpret_cast<unsigned long long *>(sets)[thread] = 0;
        }
    }

    /** Begins a step: selects the next set, and clears the one after it. Called by all threads that count. */
    __device__ __forceinline__ void next(int thread) {
        current = after(current);
        if (thread < COUNTS_WORDS) {
            *word(after(current), thread) = 0;
        }
    }

    /** The set of this step, 0 to 2. */
    __device__ __forceinline__ int phase() const { return current; }

    /** Continues a step of a paused launch. */
    __device__ __forceinline__ void resume(int phase) { current = phase; }

    __device__ __forceinline__ Counts *operator->() const { return set(current); }
    __device__ __forceinline__ Counts &operator*() const { return *set(current); }

    /** The counts of this step, read past the L1 cache. */
    __device__ __forceinline__ Counts read() const {
        using Word = std::conditional_t<alignof(Counts) == sizeof(ulonglong2), ulonglong2, unsigned long long>;
        Counts counts;
        const Word *const from = reinterpret_cast<const Word *>(set(current));
#pragma unroll
        for (int i = 0; i < static_cast<int>(sizeof(Counts) / sizeof(Word)); i++) {
            reinterpret_cast<Word *>(&counts)[i] = __ldcg(from + i);
        }
        return counts;
    }
};

/** Fills memory with a repeated byte; the address is 16-byte aligned. */
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

/** The length of an array of n bits, in 32-bit words. */
__device__ __forceinline__ int bitWords(int n) {
    return static_cast<int>((static_cast<int64_t>(n) + BIT_ALIGNMENT - 1) / BIT_ALIGNMENT * (BIT_ALIGNMENT / 32));
}

/**
 * Ends a launch; called last. The last block to arrive copies the control block to the host and, unless the run paused, clears
 * it for the next run. So the host needs no copy before or after the launch.
 *
 * @param report in page-locked host memory, or null if the host itself reads and clears the control block
 */
__device__ __forceinline__ void leave_grid(RunControl *control, RunControl *report) {
    if (report == nullptr) {
        return;
    }
    // order the block's writes before its arrival
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
    static_assert(QUADS <= WARP_SIZE, "a single warp copies the block, so that it is read completely before it is cleared");
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

/** Counts the queue of a level. */
struct QueueCount {
    int size;  // VSS
    int unused;
};

/**
 * Appends R ranges of VSS per lane to a queue: first[r] to first[r] + count[r] - 1. One atomic per warp. Long ranges are
 * written by all lanes, because a single hub would delay the warp.
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
 * Ends a run (stop) or a launch (pause). The host sets either of two flags, which lie side by side in host memory. Reading them
 * crosses the bus, so one thread of the grid reads them once a level, and not more often than every POLL_CYCLES. It publishes
 * the value in one of two rotating words: another thread may still read the word of the level before.
 *
 * A paused launch ends after the current level. The kernel's arrays stay in place, Paused has what its threads held in
 * registers, and a launch with the same arguments resumes the run. docs/decisions/0030.
 *
 * All threads use StopSignal. One thread has a StopWatch, which a kernel may keep in shared memory. Grids whose blocks search
 * independently use SharedWatch.
 */
class StopSignal {
protected:
    RunControl *control;

public:
    static constexpr int STOP = 1;  // values of stopSeen
    static constexpr int PAUSE = 2;

    explicit __device__ StopSignal(RunControl *control) : control(control) {}

    /** Returns whether to leave the launch; the same in all threads. Called after the synchronisation of the level. */
    __device__ bool seen(int level) const { return control->stopSeen[level & 1] != 0; }

    /** Returns whether the run must stop; called as seen(). */
    __device__ bool stops(int level) const { return control->stopSeen[level & 1] == STOP; }

    /** Returns whether the run must pause; called as seen(). */
    __device__ bool pauses(int level) const { return control->stopSeen[level & 1] == PAUSE; }

    /** Called by the one thread that has saved where the run resumes. */
    __device__ void pause() const { control->paused = 1; }
};

class StopWatch : public StopSignal {
protected:
    static constexpr long long POLL_CYCLES = 1 << 18;  // about 150 us; a read across the bus takes 1 to 2 us

    const volatile uint64_t *flags;  // host-mapped, may be null: the lower half stops the run, the upper half pauses it
    long long lastPoll;

public:
    __device__ StopWatch(const int *flag, RunControl *control)
        : StopSignal(control), flags(reinterpret_cast<const uint64_t *>(flag)) {
        // not an initialiser: the host compiler reads those too, and has no clock64
        lastPoll = clock64() - POLL_CYCLES;
    }

    /**
     * Called by one thread of the grid once a level, between two synchronisations of the grid.
     *
     * @return whether this call has found a flag set
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
 * The watch for threads of a grid that are not synchronised with each other. The bus serves about two reads of the flags per
 * microsecond: if each of 256 threads read them every POLL_CYCLES, each would wait nearly all the time. So a few threads read
 * the flags, by rotation, and the others read what those have found.
 */
class SharedWatch : private StopWatch {
    static constexpr int POLLS = 8;  // reads of the flags by all threads together, per POLL_CYCLES

    int turns;  // this thread reads the flags in one of so many turns
    int turn;
    int found = 0;

    /** Returns whether POLL_CYCLES have passed since this last returned true; false without flags. */
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

    /** The watch of thread number rank among those that watch. */
    __device__ SharedWatch(const int *flag, RunControl *control, int rank, int threads)
        : StopWatch(flag, control), turns((threads + POLLS - 1) / POLLS), turn(rank % turns) {}

    /** The result of the last look(). */
    __device__ __forceinline__ int asked() const { return found; }

    /** Returns 0, STOP or PAUSE; once STOP, always STOP. Called by its own thread at any time. */
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
                // another thread may have found STOP in the meantime
                const int before = atomicCAS(control->stopSeen, 0, PAUSE);
                found = before == 0 ? PAUSE : before;
            }
        }
        return found;
    }
};

/**
 * Where a paused run resumes, besides the arrays of its kernel: what the threads of the grid hold in registers. One thread
 * saves it at the end of the launch that pauses, and all threads of the launch that resumes read it.
 */
template <class State>
class Paused {
    State *const at;

public:
    /** In the control block. */
    explicit __device__ Paused(RunControl *control) : at(reinterpret_cast<State *>(control->saved)) {
        static_assert(sizeof(State) <= sizeof(RunControl::saved), "the state must fit");
    }

    /** In memory of its own. */
    explicit __device__ Paused(void *at) : at(static_cast<State *>(at)) {}

    __device__ __forceinline__ State *operator->() const { return at; }
    __device__ __forceinline__ State &operator*() const { return *at; }
};

/** The greatest level that fits levelBytes, in which all bits set means unreached. Unlimited if no levels are stored. */
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
 * Returns whether a stop target has been reached; the same in all threads. Called after a synchronisation of the grid. Costs
 * one more synchronisation per level if there are targets, and nothing otherwise.
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
