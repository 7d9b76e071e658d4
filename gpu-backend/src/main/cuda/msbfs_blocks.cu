// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "persistent.cuh"

// Breadth-first searches from given sources on a graph of large diameter. A block searches from one source after another, so as
// many searches run at once as there are blocks. A level costs two barriers of a block and no synchronisation of the grid.
//
//   msbfs_blocks_block         blocks of SEARCH_THREADS
//   msbfs_blocks_wide_block    blocks of WIDE_SEARCH_THREADS
//
// Any grid. sharedBytes of dynamic shared memory hold the bits of the visited slots if they fit, else 0. n >= 1.
//   reads   outPtrs[n + 1] outIdx[outPtrs[n]]    int64, slots
//           sources[sourceCount]             slots; those from n on reach only themselves
//           stopFlag[1]
//   writes  levels and sums by source; far and reach are null together. pairs only with sums
//           queues[grid * 2 n] visited[grid * (n + 31) / 32] (unused if shared memory holds it)    state
//           nextSource[(grid + 1) * PAUSED_WORDS]    i32; the first element zeroed by the host; from PAUSED_WORDS on, the
//                                            Position of each block's paused search
//           control                          persistent.cuh; level: the deepest of all; stopped, paused, overflow
//   gives   sums and levels equal for every grid
//
// A pause ends all searches after their current portions, and a launch of the same grid and arguments resumes them. It restores
// bits in shared memory from the levels; without levels such a launch does not pause.
//
// A block processes a level in portions of PORTION slots, because a large level takes seconds. After each portion, and within
// long lists, one of its threads checks whether to stop or pause. It reads the clock each time, but the flags only every
// POLL_CYCLES.
namespace proxima {

constexpr int SEARCH_THREADS = 512;               // threads of a block if several blocks share a multiprocessor
constexpr int WIDE_SEARCH_THREADS = 1024;         // threads of a block if it has a multiprocessor to itself
constexpr int LONG_LIST = 2048;                   // entries; a list of at least this many is read by the whole block
constexpr int ENTRIES_AHEAD = 4;                  // entries that a thread has in flight
constexpr int PORTION = 8192;                     // slots; the shorter lists of a portion have at most 2^24 entries in all
constexpr int64_t ENTRIES_A_LOOK = 1 << 19;       // entries of long lists between two checks of the stop flag
constexpr int MOST_DECLARED_SHARED_BYTES = 1024;  // bytes of static shared memory, besides the dynamic
constexpr int PAUSED_WORDS = 8;                   // ints per block: a Position

struct BlockArguments : SourceBatchHead {
    const int64_t *outPtrs;
    const int *outIdx;
    int *queues;
    unsigned *visited;
    int *nextSource;
    int lanes;
    int inShared;
};

struct BlockState {
    int source;
    int size[2];  // of the two queues, which rotate
    int stopped;  // result of the watch of the block's first thread
    int paused;   // whether another launch continues the search
    int longLists;
};
static_assert(sizeof(BlockState) <= MOST_DECLARED_SHARED_BYTES, "the host reserves no more");

/** The position of a search between two portions. */
struct Position {
    int source = -1;  // index in sources; -1 for none
    int level = 0;    // the last complete level; its slots are queued
    int size = 0;     // slots in that queue
    int from = 0;     // index in the queue of the first slot that is not expanded
    int grown = 0;    // slots of the next level found so far
};
static_assert(sizeof(Position) <= PAUSED_WORDS * sizeof(int), "the state must fit");

HOST_CONSTANT(SEARCH_THREADS, SEARCH_THREADS)
HOST_CONSTANT(WIDE_SEARCH_THREADS, WIDE_SEARCH_THREADS)
HOST_CONSTANT(PAUSED_WORDS, PAUSED_WORDS)
HOST_CONSTANT(MOST_DECLARED_SHARED_BYTES, MOST_DECLARED_SHARED_BYTES)

/**
 * @tparam IN_SHARED whether shared memory holds the bits of the visited slots. A template parameter because the compiler has
 *     faster instructions for shared memory than for an address of either memory.
 */
template <bool IN_SHARED>
class BlockBfs {
    static constexpr int NO_SLOT = -1;

    const BlockArguments &args;
    BlockState &shared;
    unsigned *const visited;

    struct List {
        int slot;
        int64_t begin;
        int64_t end;
    };

    /** The position of a slot's list; an empty list for NO_SLOT. */
    __device__ __forceinline__ List listOf(int slot) const {
        return slot == NO_SLOT ? List{NO_SLOT, 0, 0}
                               : List{slot, __ldg(args.outPtrs + slot), __ldg(args.outPtrs + slot + 1)};
    }

    /** Appends a slot whose bit this thread has set to the next level. */
    __device__ __forceinline__ void append(int slot, int level, void *levels, int *next, int *size) const {
        next[atomicAdd(size, 1)] = slot;
        if (levels != nullptr) {
            storeLevel(levels, args.levelBytes, slot, level);
        }
    }

    /** Visits every step-th entry from first (inclusive) to end (exclusive), ENTRIES_AHEAD at a time. */
    __device__ __forceinline__ void expand(
            int64_t first, int64_t end, int step, int level, void *levels, int *next, int *size) const {
        for (int64_t e = first; e < end; e += static_cast<int64_t>(ENTRIES_AHEAD) * step) {
            // separate loops, so that the accesses of one loop do not wait for each other
            int slots[ENTRIES_AHEAD];
            unsigned bits[ENTRIES_AHEAD];  // 0 if there is no entry or its slot is visited
#pragma unroll
            for (int i = 0; i < ENTRIES_AHEAD; i++) {
                const int64_t at = e + static_cast<int64_t>(i) * step;
                slots[i] = at < end ? __ldg(args.outIdx + at) : 0;
                bits[i] = at < end ? 1u << (slots[i] % 32) : 0;
            }
#pragma unroll
            for (int i = 0; i < ENTRIES_AHEAD; i++) {
                if (bits[i] != 0) {
                    bits[i] &= ~*static_cast<volatile unsigned *>(visited + slots[i] / 32);
                }
            }
#pragma unroll
            for (int i = 0; i < ENTRIES_AHEAD; i++) {
                if (bits[i] != 0) {
                    bits[i] &= ~atomicOr(visited + slots[i] / 32, bits[i]);
                }
            }
#pragma unroll
            for (int i = 0; i < ENTRIES_AHEAD; i++) {
                if (bits[i] != 0) {
                    append(slots[i], level, levels, next, size);
                }
            }
        }
    }

    __device__ __forceinline__ bool canPause() const { return !IN_SHARED || args.levels != nullptr; }

    /** The position of the block's paused search. */
    __device__ __forceinline__ Paused<Position> paused() const {
        return Paused<Position>(args.nextSource + (blockIdx.x + 1) * PAUSED_WORDS);
    }

    /** Called by the watching thread; the others see the result after the next synchronisation of the block. */
    __device__ __forceinline__ void look(SharedWatch &watch) const {
        const int asked = watch.look();
        if (asked == SharedWatch::STOP || (asked == SharedWatch::PAUSE && canPause())) {
            shared.stopped = asked;
        }
    }

    __device__ __forceinline__ bool isReached(const void *levels, int64_t slot) const {
        return args.levelBytes == 1    ? static_cast<const unsigned char *>(levels)[slot] != 0xff
                : args.levelBytes == 2 ? static_cast<const unsigned short *>(levels)[slot] != 0xffff
                                       : static_cast<const int *>(levels)[slot] != UNREACHED;
    }

    /** Restores the bits of a paused search from its levels. */
    __device__ __forceinline__ void restoreVisited(const void *levels) const {
        for (int i = threadIdx.x; i < (args.n + 31) / 32; i += blockDim.x) {
            unsigned bits = 0;
            for (int bit = 0; bit < 32 && static_cast<int64_t>(i) * 32 + bit < args.n; bit++) {
                bits |= isReached(levels, static_cast<int64_t>(i) * 32 + bit) ? 1u << bit : 0;
            }
            visited[i] = bits;
        }
    }

    /** Sets up a search at its source. Ends with a synchronisation of the block. */
    __device__ __forceinline__ void begin(int start, void *levels, int *queue) const {
        for (int64_t i = threadIdx.x; levels != nullptr && i < args.stride; i += blockDim.x) {
            storeLevel(levels, args.levelBytes, i, UNREACHED);
        }
        for (int i = threadIdx.x; i < (args.n + 31) / 32; i += blockDim.x) {
            visited[i] = 0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            if (levels != nullptr) {
                storeLevel(levels, args.levelBytes, start, 0);
            }
            shared.size[0] = start < args.n ? 1 : 0;
            shared.size[1] = 0;
            shared.longLists = 0;
            if (start < args.n) {
                queue[0] = start;
                visited[start / 32] |= 1u << (start % 32);
            }
        }
        __syncthreads();
    }

    /** Sets up a paused search. Ends with a synchronisation of the block. */
    __device__ __forceinline__ void resume(const Position &at, const void *levels) const {
        if constexpr (IN_SHARED) {
            restoreVisited(levels);
        }
        if (threadIdx.x == 0) {
            shared.size[at.level % 2] = at.size;
            shared.size[(at.level + 1) % 2] = at.grown;
            shared.longLists = 0;
        }
        __syncthreads();
    }

    /** Visits the out-lists of the slots first (inclusive) to last (exclusive) of a queue; all threads share the longest. */
    __device__ __forceinline__ void expandPortion(const int *queue, int first, int last, int level, void *levels, int *next,
            int *grown, SharedWatch &watch) const {
        // kept at the end of the next queue; its last places are free, because it contains no slot of this queue
        int *const longLists = next + args.n - 1;
        const int lane = static_cast<int>(threadIdx.x) % args.lanes;
        const int step = static_cast<int>(blockDim.x) / args.lanes;
        int i = first + static_cast<int>(threadIdx.x) / args.lanes;
        // loads a slot two lists ahead, and the position of its list one list ahead
        List upcoming = listOf(i < last ? queue[i] : NO_SLOT);
        int ahead = i + step < last ? queue[i + step] : NO_SLOT;
        for (; i < last; i += step) {
            const List list = upcoming;
            upcoming = listOf(ahead);
            ahead = i + 2 * step < last ? queue[i + 2 * step] : NO_SLOT;
            if (list.end - list.begin < LONG_LIST) {
                expand(list.begin + lane, list.end, args.lanes, level, levels, next, grown);
            } else if (lane == 0) {
                longLists[-atomicAdd(&shared.longLists, 1)] = list.slot;
            }
        }
        __syncthreads();
        const int count = shared.longLists;
        int64_t unwatched = 0;
        for (int i = 0; i < count; i++) {
            const int slot = longLists[-i];
            int64_t at = __ldg(args.outPtrs + slot);
            const int64_t end = __ldg(args.outPtrs + slot + 1);
            while (at < end) {
                const int64_t upTo = min(end, at + ENTRIES_A_LOOK - unwatched);
                expand(at + threadIdx.x, upTo, static_cast<int>(blockDim.x), level, levels, next, grown);
                unwatched += upTo - at;
                at = upTo;
                if (unwatched == ENTRIES_A_LOOK) {
                    if (threadIdx.x == 0) {
                        look(watch);
                    }
                    if (__syncthreads_or(threadIdx.x == 0 && shared.stopped == SharedWatch::STOP)) {
                        return;
                    }
                    unwatched = 0;
                }
            }
        }
    }

    /** Searches from a position: the source, or the position where the search paused. */
    __device__ __forceinline__ void search(const Position &start, bool resumes, SharedWatch &watch) const {
        const int source = start.source;
        void *const levels =
                args.levels == nullptr ? nullptr : static_cast<char *>(args.levels) + source * args.stride * args.levelBytes;
        int *queue = args.queues + static_cast<int64_t>(blockIdx.x) * 2 * args.n;
        int *next = queue + args.n;
        if (resumes) {
            resume(start, levels);
            if (start.level % 2 != 0) {
                int *const taken = queue;
                queue = next;
                next = taken;
            }
        } else {
            begin(args.sources[source], levels, queue);
        }
        int level = start.level;
        int from = start.from;
        int size = shared.size[level % 2];
        while (size != 0 && level != args.maxDepth) {
            level++;
            int *const grown = shared.size + level % 2;
            for (;;) {
                const int to = size - from < PORTION ? size : from + PORTION;
                expandPortion(queue, from, to, level, levels, next, grown, watch);
                from = to;
                if (threadIdx.x == 0) {
                    look(watch);
                }
                __syncthreads();
                if (from == size || shared.stopped != 0) {
                    break;
                }
                if (threadIdx.x == 0) {
                    shared.longLists = 0;
                }
                __syncthreads();
            }
            const int found = *grown;
            if (found != 0 && static_cast<unsigned>(level) > deepestLevel(args)) {
                if (threadIdx.x == 0) {
                    args.control->overflow = LEVELS_TOO_NARROW;
                }
                break;
            }
            if (threadIdx.x == 0 && from == size && found != 0) {
                atomicMax(&args.control->level, level);
                if (args.far != nullptr) {
                    args.addToSource(source, level, found);
                    if (args.pairs != nullptr) {
                        atomicAdd(args.pairs + level, static_cast<unsigned long long>(found));
                    }
                }
            }
            if (shared.stopped == SharedWatch::STOP) {
                break;
            }
            if (shared.stopped == SharedWatch::PAUSE && (from != size || found != 0)) {
                if (threadIdx.x == 0) {
                    *paused() = from == size ? Position{source, level, found, 0, 0}
                                             : Position{source, level - 1, size, from, found};
                    shared.paused = 1;
                }
                break;
            }
            if (threadIdx.x == 0) {
                shared.size[(level + 1) % 2] = 0;
                shared.longLists = 0;
            }
            __syncthreads();
            int *const taken = queue;
            queue = next;
            next = taken;
            size = found;
            from = 0;
        }
        __syncthreads();
    }

public:
    __device__ __forceinline__ BlockBfs(const BlockArguments &args, BlockState &shared, unsigned *visitedInShared)
        : args(args), shared(shared),
          visited(IN_SHARED ? visitedInShared : args.visited + static_cast<int64_t>(blockIdx.x) * ((args.n + 31) / 32)) {}

    __device__ __forceinline__ void run() const {
        SharedWatch watch(args.stopFlag, args.control, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x));
        Position at = args.control->resumes != 0 ? *paused() : Position{};
        if (threadIdx.x == 0) {
            shared.stopped = 0;
            shared.paused = 0;
        }
        for (;;) {
            const bool resumes = at.source >= 0;
            if (threadIdx.x == 0) {
                shared.source = resumes ? at.source : shared.stopped != 0 ? args.sourceCount : atomicAdd(args.nextSource, 1);
            }
            __syncthreads();
            at.source = shared.source;
            if (at.source >= args.sourceCount) {
                if (threadIdx.x == 0) {
                    *paused() = Position{};
                }
                break;
            }
            search(at, resumes, watch);
            if (shared.paused != 0) {
                break;
            }
            if (threadIdx.x == 0) {
                look(watch);
            }
            at = Position{};
        }
        if (threadIdx.x == 0 && shared.stopped == SharedWatch::PAUSE) {
            watch.pause();
        }
    }
};

__device__ __forceinline__ void search_block(const BlockArguments &args) {
    extern __shared__ unsigned visitedInShared[];
    __shared__ BlockState shared;
    if (args.inShared != 0) {
        BlockBfs<true>(args, shared, visitedInShared).run();
    } else {
        BlockBfs<false>(args, shared, visitedInShared).run();
    }
    leave_grid(args.control, args.report);
}

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::SEARCH_THREADS)
        msbfs_blocks_block(const __grid_constant__ proxima::BlockArguments args) {
    proxima::search_block(args);
}

extern "C" __global__ void __launch_bounds__(proxima::WIDE_SEARCH_THREADS)
        msbfs_blocks_wide_block(const __grid_constant__ proxima::BlockArguments args) {
    proxima::search_block(args);
}
