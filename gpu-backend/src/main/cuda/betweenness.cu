// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <new>

#include "persistent.cuh"

// Betweenness by Brandes' algorithm from 32 sources at once: U. Brandes, A faster algorithm for betweenness centrality, Journal
// of Mathematical Sociology 25(2), 2001. Each lane of a warp has a source; a warp sums the rows of a slot's neighbours. See
// DeviceBetweenness.java.
//
//   betweenness_plain_grid    counts paths by doubles; voids a batch with too many paths
//   betweenness_scaled_grid   counts with 32 bits of mantissa and 31 of exponent, for those batches
//   betweenness_sum_thread    adds up the scores of the teams
//
// The blocks of the cooperative launch form teams. Batch b belongs to team b modulo the number of teams. A team searches one
// batch at a time, and only its own blocks synchronise. A deep graph has many teams of few blocks. A launch may pause while
// teams are in the middle of a batch: each saves its position, and the launch that resumes continues there.
//
// State of a team, relative to the first slot of the batch's range, which no edge leaves:
//   rows[v][lane]      first phase: the number of shortest paths from the lane's source; second phase: (weight + dependency) /
//                      number of paths. Valid for the lanes that have reached v
//   seen[v]            the lanes that have reached v
//   marks[3][v]        the lanes that reach v in a level, for three levels that rotate; 0 elsewhere
//   queue              slots level by level, each with the lanes that reach it in that level. Slots of short lists are appended
//                      at the front, slots of long lists at the back
//
// A level is found by a pull over all slots that some lane has not reached. If the frontier has few entries, it is found by a
// push of lane masks and a pull over the slots that they reach. Rows are only pulled, and a single thread adds to a slot's
// score. So there are no floating-point atomics, and the scores are the same in every run with as many teams.
namespace proxima {

constexpr int BETWEENNESS_THREADS = 512;
constexpr int BETWEENNESS_BLOCKS = 2;        // resident on a multiprocessor: one runs while the other waits for its team
constexpr int TOO_MANY_PATHS = 4;            // bit of RunControl::overflow: a batch is void
constexpr double MOST_PATHS = 0x1p1000;      // paths; the next level has at most 2^31 times as many
constexpr unsigned long long PUSH_COST = 3;  // cost of pushing an entry, in pulled entries

/** The sources of one search, at most 32. */
struct Batch {
    int low;  // first slot of its range; high is the end
    int high;
    int firstSource;
    int sources;
    int firstLong;  // index in longSlots of the range's slots with long lists
    int longs;
};

/** The size of a level. */
struct Level {
    int shorts;  // number of queued slots with short lists
    int longs;
    unsigned long long outEntries;   // out-entries of the queued slots
    unsigned long long fullEntries;  // in-entries of the slots that all lanes have reached as of this level
};

/** The position of a team in a batch, at the begin of a level. */
struct Progress {
    int64_t shortsAt;  // places of the level in the queue, from the front and from the back
    int64_t longsAt;
    int64_t shortsBeside;  // places of the level whose marks are cleared: the one before, in the second phase two deeper
    int64_t longsBeside;
    unsigned long long unseenEntries;  // in-entries of the slots that some lane had not reached before this level
    int level;
    int deepest;  // deepest level of the batch, -1 in the first phase
};

/** State that the blocks of a team share; zero when a launch begins, kept while it is paused. */
struct Team {
    BarrierState barrier;
    int leaves[2];  // whether the team leaves the launch; two values rotate, as in RunControl::stopSeen
    int tooMany[2];
    // of a paused launch
    int batch;     // the batch to continue with
    int isInside;  // 1 if that batch has begun
    Progress progress;
    int unused[44];
};

HOST_CONSTANT(BETWEENNESS_THREADS, BETWEENNESS_THREADS)
HOST_CONSTANT(BETWEENNESS_BLOCKS, BETWEENNESS_BLOCKS)
HOST_CONSTANT(BETWEENNESS_BATCH_INTS, sizeof(Batch) / sizeof(int))
HOST_CONSTANT(BETWEENNESS_LEVEL_BYTES, sizeof(Level))
HOST_CONSTANT(BETWEENNESS_TEAM_BYTES, sizeof(Team))
HOST_CONSTANT(TOO_MANY_PATHS, TOO_MANY_PATHS)

struct BetweennessArguments {
    const int64_t *outPtrs;
    const int *outIdx;
    const int64_t *inPtrs;
    const int *inIdx;
    const int *weights;         // number of targets that each slot represents; null for 1 each
    const int *sources;         // slots
    const int *multiplicities;  // number of sources that each source represents
    const Batch *batches;
    const int *longSlots;  // slots with a list of at least longList entries, ascending
    int *voided;           // for each batch: 1 if it has too many paths
    double *rows;          // for each team: [range][32]
    uint2 *queues;         // for each team: [range * 32]
    unsigned *seen;        // for each team: [range]
    unsigned *marks;       // for each team: [3][range]
    Level *levels;         // for each team: [range + 2]
    Team *teams;
    double *scores;  // for each team: [n]
    const int *stopFlag;
    RunControl *control;
    RunControl *report;
    int n;
    int range;  // slots of the largest range
    int firstBatch;
    int lastBatch;  // exclusive
    int teamBlocks;
    int longList;
};

struct SumArguments {
    double *scores;
    int n;
    int teams;
};

/** A number of paths, or its reciprocal. */
struct PlainCount {
    double value;

    static __device__ __forceinline__ PlainCount zero() { return {0}; }
    static __device__ __forceinline__ PlainCount one() { return {1}; }
    static __device__ __forceinline__ PlainCount read(double cell) { return {cell}; }
    __device__ __forceinline__ double cell() const { return value; }
    __device__ __forceinline__ void add(const PlainCount &other) { value += other.value; }
    __device__ __forceinline__ bool isTooLarge() const { return value > MOST_PATHS; }
    __device__ __forceinline__ double times(const PlainCount &other) const { return value * other.value; }
    static __device__ __forceinline__ PlainCount ratio(double weight, const PlainCount &count) {
        return {weight / count.value};
    }
};

/** The same as mantissa * 2^exponent. A cell holds the exponent in the upper half, and 32 bits of the mantissa in the lower. */
struct ScaledCount {
    double mantissa;
    int exponent;

    static constexpr int BIAS = 1 << 30;      // of the exponent in a cell, such that a cell of 0 represents 0
    static constexpr int NEGLIGIBLE = -1000;  // exponent difference from which a summand does not change a sum
    static constexpr int LOST_BITS = 20;      // bits of a double's mantissa that a cell does not hold
    static constexpr long long ONE = 1023LL << 52;

    static __device__ __forceinline__ double power(int exponent) {
        return exponent < NEGLIGIBLE ? 0 : __longlong_as_double((1023LL + exponent) << 52);
    }

    static __device__ __forceinline__ ScaledCount zero() { return {0, -BIAS}; }
    static __device__ __forceinline__ ScaledCount one() { return {1, 0}; }

    static __device__ __forceinline__ ScaledCount read(double cell) {
        const long long bits = __double_as_longlong(cell);
        if (bits == 0) {
            return zero();
        }
        return {__longlong_as_double(ONE | (bits & 0xffffffffLL) << LOST_BITS), static_cast<int>(bits >> 32) - BIAS};
    }

    __device__ __forceinline__ double cell() const {
        // a carry of the rounding increments the exponent
        const long long rounded = (__double_as_longlong(mantissa) + (1LL << (LOST_BITS - 1))) >> LOST_BITS;
        return __longlong_as_double(rounded + ((static_cast<long long>(exponent) + BIAS - 1023) << 32));
    }

    __device__ __forceinline__ void add(const ScaledCount &other) {
        const int difference = other.exponent - exponent;
        if (difference > 0) {
            mantissa = mantissa * power(-difference) + other.mantissa;
            exponent = other.exponent;
        } else {
            mantissa += other.mantissa * power(difference);
        }
    }

    __device__ __forceinline__ bool isTooLarge() const { return false; }

    __device__ __forceinline__ double times(const ScaledCount &other) const {
        return other.mantissa == 0 ? 0 : mantissa * other.mantissa * power(exponent + other.exponent);
    }

    static __device__ __forceinline__ ScaledCount ratio(double weight, const ScaledCount &count) {
        return {weight / count.mantissa, -count.exponent};
    }
};

/** Shared memory of a block. The arrays are those of its team. */
template <class Count>
struct BlockState {
    Count sums[BETWEENNESS_THREADS / WARP_SIZE][WARP_SIZE];
    unsigned found[BETWEENNESS_THREADS / WARP_SIZE];
    double *rows;
    uint2 *queue;
    unsigned *seen;
    unsigned *marks;
    Level *levels;
    double *scores;
    Team *team;
    // written by one thread; aligned so that no load covers both this and the pointer that all threads read meanwhile
    alignas(16) Progress at;
    alignas(SharedWatch) unsigned char watch[sizeof(
            SharedWatch)];  // used by the team's leader; kept here because it would take registers of all threads
};

/** One lane's part of 32 entries of a list. */
struct Chunk {
    int slot;       // relative to the range; -1 if there is no entry
    unsigned word;  // the word of the slot
};

/** The searches of a team, as seen by one of its threads. */
template <class Count>
class Brandes {
    static constexpr int AT_ONCE = 8;  // rows that a warp has in flight
    static constexpr int WARPS = BETWEENNESS_THREADS / WARP_SIZE;

    const BetweennessArguments &args;
    BlockState<Count> &shared;
    const int blocks;  // blocks of the team
    const int block;   // index in the team
    const int lane;
    const int warpOfBlock;
    const int warp;  // index in the team
    const int warps;
    const bool isLeader;
    GridBarrier barrier;
    int turn = 0;

    // the batch
    int low = 0;
    int size = 0;
    unsigned all = 0;

    __device__ __forceinline__ unsigned *marksOf(int level) const {
        return shared.marks + static_cast<int64_t>(level % 3) * args.range;
    }

    __device__ __forceinline__ uint2 *longPlace(int64_t place) const {
        return shared.queue + (static_cast<int64_t>(args.range) * WARP_SIZE - 1 - place);
    }

    __device__ __forceinline__ SharedWatch &watch() const { return *reinterpret_cast<SharedWatch *>(shared.watch); }

    __device__ __forceinline__ void sync() {
        if (blocks == 1) {
            __syncthreads();
        } else {
            barrier.sync();
        }
    }

    /** Ends a level; returns whether the team stays in the launch, the same in all of its threads. */
    __device__ __forceinline__ bool syncAndStay() {
        turn ^= 1;
        if (isLeader && watch().look() != 0) {
            shared.team->leaves[turn] = 1;
        }
        sync();
        return *static_cast<const volatile int *>(shared.team->leaves + turn) == 0;
    }

    /** Saves the position of a team that leaves the launch to pause. After a stop nothing is saved. */
    __device__ __forceinline__ void save(int batch) {
        if (isLeader && watch().asked() == SharedWatch::PAUSE) {
            barrier.pause();
            shared.team->batch = batch;
            shared.team->isInside = 1;
            shared.team->progress = shared.at;
            watch().pause();
        }
    }

    __device__ __forceinline__ int degree(const int64_t *ptrs, int v) const {
        return static_cast<int>(__ldg(ptrs + low + v + 1) - __ldg(ptrs + low + v));
    }

    __device__ __forceinline__ bool isLong(int v) const {
        return degree(args.inPtrs, v) >= args.longList
                || (args.inPtrs != args.outPtrs && degree(args.outPtrs, v) >= args.longList);
    }

    /** The slot of an entry; -1 past the end of the list. */
    __device__ __forceinline__ int slotAt(const int *idx, int64_t entry, int64_t end) const {
        return entry < end ? __ldg(idx + entry) - low : -1;
    }

    static __device__ __forceinline__ unsigned wordAt(const unsigned *words, int slot) { return slot < 0 ? 0 : words[slot]; }

    /**
     * Visits the lists of items, one warp per list. All lanes call visit(slot, lanes, begin, end, owner, chunk) for one item
     * after the other, then done(item) for an item of their own. Meanwhile the first chunks of the next two items are in
     * flight.
     *
     * @param words what a visit reads for each slot of a list; constant during the phase
     */
    template <class At, class Visit, class Done>
    __device__ __forceinline__ void forEachShort(
            const int64_t *ptrs, const int *idx, const unsigned *words, int count, At at, Visit visit, Done done) const {
        for (int64_t base = warp; base < count; base += static_cast<int64_t>(warps) * WARP_SIZE) {
            const int64_t i = base + static_cast<int64_t>(lane) * warps;
            const uint2 item = i < count ? at(static_cast<int>(i)) : make_uint2(0, 0);
            int64_t begin = 0;
            int length = 0;
            if (item.y != 0) {
                begin = __ldg(ptrs + low + item.x);
                length = static_cast<int>(__ldg(ptrs + low + item.x + 1) - begin);
            }
            const auto firstSlot = [&](unsigned items) {
                const int owner = items == 0 ? 0 : __ffs(static_cast<int>(items)) - 1;
                const int64_t from = __shfl_sync(ALL_LANES, begin, owner);
                const int entries = __shfl_sync(ALL_LANES, length, owner);
                return items != 0 && lane < entries ? __ldg(idx + from + lane) - low : -1;
            };
            unsigned left = __ballot_sync(ALL_LANES, item.y != 0);
            Chunk chunk{firstSlot(left), 0};
            chunk.word = wordAt(words, chunk.slot);
            int nextSlot = firstSlot(left & (left - 1));
            while (left != 0) {
                const int owner = __ffs(static_cast<int>(left)) - 1;
                left &= left - 1;
                const Chunk next{nextSlot, wordAt(words, nextSlot)};
                nextSlot = firstSlot(left & (left - 1));
                const int64_t from = __shfl_sync(ALL_LANES, begin, owner);
                visit(static_cast<int>(__shfl_sync(ALL_LANES, item.x, owner)), __shfl_sync(ALL_LANES, item.y, owner), from,
                        from + __shfl_sync(ALL_LANES, length, owner), owner, chunk);
                chunk = next;
            }
            done(static_cast<int>(i), item);
        }
    }

    /**
     * Sums the rows of a list's slots over the lanes that are marked and wanted. Several warps share the list, in chunks of 32.
     *
     * @param entry this lane's entry in the first chunk, which has been loaded
     * @param found receives the lanes found: those of this lane's entries
     */
    __device__ __forceinline__ Count gather_warp(const int *idx, int64_t entry, int64_t end, int step, Chunk chunk,
            const unsigned *marks, unsigned wanted, unsigned &found) const {
        const double *const rows = shared.rows + lane;
        Count sum = Count::zero();
        while (entry - lane < end) {
            // the next chunk arrives while the rows of this one are summed
            entry += static_cast<int64_t>(step) * WARP_SIZE;
            Chunk next{slotAt(idx, entry, end), 0};
            next.word = wordAt(marks, next.slot);
            const unsigned hit = chunk.word & wanted;
            found |= hit;
            unsigned left = __ballot_sync(ALL_LANES, hit != 0);
            while (left != 0) {
                double cells[AT_ONCE];
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) {
                    const int owner = left == 0 ? 0 : __ffs(static_cast<int>(left)) - 1;
                    const int64_t row = __shfl_sync(ALL_LANES, chunk.slot, owner);
                    const unsigned lanes = left == 0 ? 0 : __shfl_sync(ALL_LANES, hit, owner);
                    left &= left - 1;
                    cells[k] = (lanes >> lane & 1) != 0 ? rows[row * WARP_SIZE] : 0.0;
                }
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) {
                    sum.add(Count::read(cells[k]));
                }
            }
            chunk = next;
        }
        return sum;
    }

    /** The same by a block: the sum of its warps in their order, valid in warp 0. */
    __device__ __forceinline__ Count gather_block(
            const int *idx, int v, const int64_t *ptrs, const unsigned *marks, unsigned wanted, unsigned &found) const {
        unsigned own = 0;
        const int64_t entry = __ldg(ptrs + low + v) + static_cast<int64_t>(threadIdx.x);
        const int64_t end = __ldg(ptrs + low + v + 1);
        Chunk chunk{slotAt(idx, entry, end), 0};
        chunk.word = wordAt(marks, chunk.slot);
        const Count part = gather_warp(idx, entry, end, WARPS, chunk, marks, wanted, own);
        own = __reduce_or_sync(ALL_LANES, own);
        __syncthreads();
        shared.sums[warpOfBlock][lane] = part;
        if (lane == 0) {
            shared.found[warpOfBlock] = own;
        }
        __syncthreads();
        Count sum = Count::zero();
        if (warpOfBlock == 0) {
            for (int w = 0; w < WARPS; w++) {
                sum.add(shared.sums[w][lane]);
                found |= shared.found[w];
            }
        }
        return sum;
    }

    // first phase

    /** Stores the path counts of a slot in a new level; by a warp. */
    __device__ __forceinline__ void takeCounts_warp(int v, unsigned found, const Count &sum, int level) const {
        if ((found >> lane & 1) != 0) {
            shared.rows[static_cast<int64_t>(v) * WARP_SIZE + lane] = sum.cell();
            if (sum.isTooLarge()) {
                shared.team->tooMany[level & 1] = 1;
            }
        }
    }

    /** Marks a slot as seen by the lanes found, and counts its entries. */
    __device__ __forceinline__ void reach(int v, unsigned found, unsigned &outEntries, unsigned &fullEntries) const {
        const unsigned now = shared.seen[v] | found;
        shared.seen[v] = now;
        outEntries = degree(args.outPtrs, v);
        fullEntries = now == all ? degree(args.inPtrs, v) : 0;
    }

    __device__ __forceinline__ void count(
            Level &level, unsigned long long outEntries, unsigned long long fullEntries) const {
        if (outEntries != 0) {
            atomicAdd(&level.outEntries, outEntries);
        }
        if (fullEntries != 0) {
            atomicAdd(&level.fullEntries, fullEntries);
        }
    }

    /** Reserves places in the next level's part of the queue; only lanes with a slot get one. */
    __device__ __forceinline__ int place_warp(bool has, int &counter) const {
        const unsigned those = __ballot_sync(ALL_LANES, has);
        int at = 0;
        if (lane == 0 && those != 0) {
            at = atomicAdd(&counter, __popc(those));
        }
        return __shfl_sync(ALL_LANES, at, 0) + __popc(those & ((1u << lane) - 1));
    }

    /** Marks the slots that lanes of the frontier reach. */
    __device__ __forceinline__ void pushMasks(
            int level, const Level &frontier, int64_t nextShorts, int64_t nextLongs) const {
        unsigned *const next = marksOf(level + 1);
        Level &found = shared.levels[level + 1];
        const unsigned *const seen = shared.seen;
        const auto reachList = [&](unsigned lanes, int64_t entry, int64_t end, int step, Chunk chunk) {
            while (entry - lane < end) {
                entry += step;
                Chunk following{slotAt(args.outIdx, entry, end), 0};
                following.word = wordAt(seen, following.slot);
                const int u = chunk.slot;
                const unsigned unseen = u < 0 ? 0 : lanes & ~chunk.word;
                // a stale value costs one needless atomic
                const bool fresh = unseen != 0 && (unseen & ~next[u]) != 0 && atomicOr(next + u, unseen) == 0;
                const bool goesBehind = fresh && isLong(u);
                const int at = place_warp(fresh && !goesBehind, found.shorts);
                if (goesBehind) {
                    *longPlace(nextLongs + atomicAdd(&found.longs, 1)) = make_uint2(u, 0);
                } else if (fresh) {
                    shared.queue[nextShorts + at] = make_uint2(u, 0);
                }
                chunk = following;
            }
        };
        forEachShort(
                args.outPtrs, args.outIdx, seen, frontier.shorts,
                [&](int i) { return shared.queue[shared.at.shortsAt + i]; },
                [&](int, unsigned lanes, int64_t begin, int64_t end, int, const Chunk &chunk) {
                    reachList(lanes, begin + lane, end, WARP_SIZE, chunk);
                },
                [](int, const uint2 &) {});
        for (int i = block; i < frontier.longs; i += blocks) {
            const uint2 item = *longPlace(shared.at.longsAt + i);
            const int64_t entry = __ldg(args.outPtrs + low + item.x) + static_cast<int64_t>(threadIdx.x);
            const int64_t end = __ldg(args.outPtrs + low + item.x + 1);
            Chunk chunk{slotAt(args.outIdx, entry, end), 0};
            chunk.word = wordAt(seen, chunk.slot);
            reachList(item.y, entry, end, BETWEENNESS_THREADS, chunk);
        }
    }

    /** Counts the paths to the slots that a push has marked. */
    __device__ __forceinline__ void pullMarked(int level, int64_t nextShorts, int64_t nextLongs) const {
        const unsigned *const marks = marksOf(level);
        const unsigned *const next = marksOf(level + 1);
        Level &found = shared.levels[level + 1];
        for (int i = block; i < found.longs; i += blocks) {
            const int v = static_cast<int>(longPlace(nextLongs + i)->x);
            const unsigned wanted = next[v];
            unsigned lanes = 0;
            const Count sum = gather_block(args.inIdx, v, args.inPtrs, marks, wanted, lanes);
            if (warpOfBlock == 0) {
                takeCounts_warp(v, wanted, sum, level);
                if (lane == 0) {
                    *longPlace(nextLongs + i) = make_uint2(v, wanted);
                    unsigned outEntries;
                    unsigned fullEntries;
                    reach(v, wanted, outEntries, fullEntries);
                    count(found, outEntries, fullEntries);
                }
            }
        }
        forEachShort(
                args.inPtrs, args.inIdx, marks, found.shorts,
                [&](int i) {
                    const unsigned v = shared.queue[nextShorts + i].x;
                    return make_uint2(v, next[v]);
                },
                [&](int v, unsigned wanted, int64_t begin, int64_t end, int, const Chunk &chunk) {
                    unsigned lanes = 0;
                    const Count sum = gather_warp(args.inIdx, begin + lane, end, 1, chunk, marks, wanted, lanes);
                    takeCounts_warp(v, wanted, sum, level);
                },
                [&](int i, const uint2 &item) {
                    unsigned outEntries = 0;
                    unsigned fullEntries = 0;
                    if (item.y != 0) {
                        shared.queue[nextShorts + i] = item;
                        reach(static_cast<int>(item.x), item.y, outEntries, fullEntries);
                    }
                    countOfWarp(found, outEntries, fullEntries);
                });
    }

    /** Adds up counts of a warp whose lists are short, so that their sum fits 32 bits. */
    __device__ __forceinline__ void countOfWarp(Level &level, unsigned outEntries, unsigned fullEntries) const {
        const unsigned outSum = __reduce_add_sync(ALL_LANES, outEntries);
        const unsigned fullSum = __reduce_add_sync(ALL_LANES, fullEntries);
        if (lane == 0) {
            count(level, outSum, fullSum);
        }
    }

    /** Finds the next level and counts its paths, among all slots that some lane has not reached. */
    __device__ __forceinline__ void pullUnseen(int level, const Batch &batch, int64_t nextShorts, int64_t nextLongs) const {
        const unsigned *const marks = marksOf(level);
        unsigned *const next = marksOf(level + 1);
        Level &found = shared.levels[level + 1];
        for (int i = block; i < batch.longs; i += blocks) {
            const int v = __ldg(args.longSlots + batch.firstLong + i) - low;
            const unsigned wanted = all & ~shared.seen[v];
            if (wanted == 0) {
                continue;
            }
            unsigned lanes = 0;
            const Count sum = gather_block(args.inIdx, v, args.inPtrs, marks, wanted, lanes);
            if (warpOfBlock == 0 && lanes != 0) {
                takeCounts_warp(v, lanes, sum, level);
                if (lane == 0) {
                    *longPlace(nextLongs + atomicAdd(&found.longs, 1)) = make_uint2(v, lanes);
                    next[v] = lanes;
                    unsigned outEntries;
                    unsigned fullEntries;
                    reach(v, lanes, outEntries, fullEntries);
                    count(found, outEntries, fullEntries);
                }
            }
        }
        unsigned foundHere = 0;  // for this lane's item
        forEachShort(
                args.inPtrs, args.inIdx, marks, size,
                [&](int v) {
                    const unsigned wanted = all & ~shared.seen[v];
                    return make_uint2(v, wanted != 0 && !isLong(v) ? wanted : 0);
                },
                [&](int v, unsigned wanted, int64_t begin, int64_t end, int owner, const Chunk &chunk) {
                    unsigned lanes = 0;
                    const Count sum = gather_warp(args.inIdx, begin + lane, end, 1, chunk, marks, wanted, lanes);
                    lanes = __reduce_or_sync(ALL_LANES, lanes);
                    takeCounts_warp(v, lanes, sum, level);
                    foundHere = lane == owner ? lanes : foundHere;
                },
                [&](int v, const uint2 &) {
                    unsigned outEntries = 0;
                    unsigned fullEntries = 0;
                    const int at = place_warp(foundHere != 0, found.shorts);
                    if (foundHere != 0) {
                        shared.queue[nextShorts + at] = make_uint2(v, foundHere);
                        next[v] = foundHere;
                        reach(v, foundHere, outEntries, fullEntries);
                    }
                    countOfWarp(found, outEntries, fullEntries);
                    foundHere = 0;
                });
    }

    /** Clears the marks of a level whose part of the queue begins here. */
    __device__ __forceinline__ void clearMarks(int level, int64_t shorts, int64_t longs) const {
        unsigned *const marks = marksOf(level);
        const int stride = blocks * BETWEENNESS_THREADS;
        const int thread = block * BETWEENNESS_THREADS + static_cast<int>(threadIdx.x);
        for (int64_t i = thread; i < shared.levels[level].shorts; i += stride) {
            marks[shared.queue[shorts + i].x] = 0;
        }
        for (int64_t i = thread; i < shared.levels[level].longs; i += stride) {
            marks[longPlace(longs + i)->x] = 0;
        }
    }

    __device__ __forceinline__ void begin(const Batch &batch) {
        const int64_t stride = static_cast<int64_t>(blocks) * BETWEENNESS_THREADS;
        const int64_t thread = static_cast<int64_t>(block) * BETWEENNESS_THREADS + threadIdx.x;
        for (int64_t v = thread; v < size; v += stride) {
            shared.seen[v] = 0;
            marksOf(0)[v] = 0;
            marksOf(1)[v] = 0;
            marksOf(2)[v] = 0;
        }
        if (isLeader) {
            shared.levels[0] = Level{0, 0, 0, 0};
            shared.levels[1] = Level{0, 0, 0, 0};
            shared.team->tooMany[0] = 0;
            shared.team->tooMany[1] = 0;
        }
        sync();
        if (block == 0 && static_cast<int>(threadIdx.x) < batch.sources) {
            const int v = __ldg(args.sources + batch.firstSource + threadIdx.x) - low;
            const unsigned own = 1u << threadIdx.x;
            shared.rows[static_cast<int64_t>(v) * WARP_SIZE + threadIdx.x] = Count::one().cell();
            marksOf(0)[v] = own;
            unsigned outEntries;
            unsigned fullEntries;
            reach(v, own, outEntries, fullEntries);
            count(shared.levels[0], outEntries, fullEntries);
            if (isLong(v)) {
                *longPlace(atomicAdd(&shared.levels[0].longs, 1)) = make_uint2(v, own);
            } else {
                shared.queue[atomicAdd(&shared.levels[0].shorts, 1)] = make_uint2(v, own);
            }
        }
        if (threadIdx.x == 0) {
            shared.at = Progress{};
            shared.at.unseenEntries = __ldg(args.inPtrs + batch.high) - __ldg(args.inPtrs + batch.low);
            shared.at.deepest = -1;
        }
    }

    // second phase

    /** The lane's path count of a slot. */
    __device__ __forceinline__ double cellOf(int v, unsigned lanes) const {
        return (lanes >> lane & 1) != 0 ? shared.rows[static_cast<int64_t>(v) * WARP_SIZE + lane] : 0.0;
    }

    /**
     * Turns a slot's path counts into shares.
     *
     * @param own the result of cellOf, loaded early
     * @return what is added to the slot's score, in all lanes
     */
    __device__ __forceinline__ double takeDependencies_warp(
            int v, unsigned lanes, double own, double weight, const Count &sum, int times) const {
        double score = 0;
        if ((lanes >> lane & 1) != 0) {
            const Count paths = Count::read(own);
            const double dependency = paths.times(sum);
            shared.rows[static_cast<int64_t>(v) * WARP_SIZE + lane] = Count::ratio(weight + dependency, paths).cell();
            score = dependency * times;
        }
        return sum_warp(score);
    }

    __device__ __forceinline__ double weightOf(int v) const {
        return args.weights == nullptr ? 1 : __ldg(args.weights + low + v);
    }

    __device__ __forceinline__ void sumDependencies(int level, bool isDeepest, int times) const {
        const unsigned *const children = marksOf(level + 1);
        unsigned *const own = marksOf(level);
        for (int i = block; i < shared.levels[level].longs; i += blocks) {
            const uint2 item = *longPlace(shared.at.longsAt + i);
            const int v = static_cast<int>(item.x);
            unsigned lanes = 0;
            const Count sum =
                    isDeepest ? Count::zero() : gather_block(args.outIdx, v, args.outPtrs, children, item.y, lanes);
            if (warpOfBlock == 0) {
                const double score = takeDependencies_warp(v, item.y, cellOf(v, item.y), weightOf(v), sum, times);
                if (lane == 0) {
                    shared.scores[low + v] += score;
                    own[v] = item.y;
                }
            }
        }
        double scoreHere = 0;  // for this lane's item
        forEachShort(
                args.outPtrs, args.outIdx, children, shared.levels[level].shorts,
                [&](int i) { return shared.queue[shared.at.shortsAt + i]; },
                [&](int v, unsigned mask, int64_t begin, int64_t end, int owner, const Chunk &chunk) {
                    const double cell = cellOf(v, mask);
                    const double weight = weightOf(v);
                    unsigned lanes = 0;
                    const Count sum =
                            gather_warp(args.outIdx, begin + lane, isDeepest ? begin : end, 1, chunk, children, mask, lanes);
                    const double score = takeDependencies_warp(v, mask, cell, weight, sum, times);
                    scoreHere = lane == owner ? score : scoreHere;
                },
                [&](int, const uint2 &item) {
                    if (item.y != 0) {
                        shared.scores[low + item.x] += scoreHere;
                        own[item.x] = item.y;
                    }
                });
    }

    // transitions between levels, made by all threads of a block after all have read the position

    __device__ __forceinline__ void descend(int level) const {
        if (threadIdx.x == 0) {
            Progress &at = shared.at;
            at.shortsBeside = at.shortsAt;
            at.longsBeside = at.longsAt;
            at.shortsAt += shared.levels[level].shorts;
            at.longsAt += shared.levels[level].longs;
            at.unseenEntries -= shared.levels[level].fullEntries;
            at.level = level + 1;
        }
        __syncthreads();
    }

    /** Begins the second phase, from a level without slots. */
    __device__ __forceinline__ void turnRound(int level) const {
        __syncthreads();
        if (threadIdx.x == 0) {
            shared.at.deepest = level - 1;
        }
        ascend(level);
    }

    __device__ __forceinline__ void ascend(int level) const {
        if (threadIdx.x == 0) {
            Progress &at = shared.at;
            at.shortsBeside = at.shortsAt + shared.levels[level].shorts;
            at.longsBeside = at.longsAt + shared.levels[level].longs;
            at.shortsAt -= shared.levels[level - 1].shorts;
            at.longsAt -= shared.levels[level - 1].longs;
            at.level = level - 1;
        }
        __syncthreads();
    }

public:
    __device__ __forceinline__ Brandes(const BetweennessArguments &args, BlockState<Count> &shared)
        : args(args), shared(shared), blocks(args.teamBlocks), block(static_cast<int>(blockIdx.x) % args.teamBlocks),
          lane(static_cast<int>(threadIdx.x) % WARP_SIZE), warpOfBlock(static_cast<int>(threadIdx.x) / WARP_SIZE),
          warp(warpOfBlock * blocks + block), warps(blocks * WARPS), isLeader(block == 0 && threadIdx.x == 0),
          barrier(&args.teams[blockIdx.x / args.teamBlocks].barrier, static_cast<unsigned>(blocks)) {
        if (threadIdx.x == 0) {
            const int64_t team = blockIdx.x / args.teamBlocks;
            shared.rows = args.rows + team * args.range * WARP_SIZE;
            shared.queue = args.queues + team * args.range * WARP_SIZE;
            shared.seen = args.seen + team * args.range;
            shared.marks = args.marks + team * 3 * args.range;
            shared.levels = args.levels + team * (args.range + 2LL);
            shared.scores = args.scores + team * args.n;
            shared.team = args.teams + team;
            new (shared.watch) SharedWatch(
                    args.stopFlag, args.control, static_cast<int>(team), static_cast<int>(gridDim.x) / args.teamBlocks);
        }
        __syncthreads();
    }

    /** The batch with which a team begins, or which it continues if the launch resumes. */
    __device__ __forceinline__ int firstBatch(int team) {
        if (args.control->resumes == 0) {
            return args.firstBatch + team;
        }
        barrier.resume();
        if (threadIdx.x == 0) {
            shared.at = shared.team->progress;
        }
        if (isLeader) {
            shared.team->leaves[0] = 0;
            shared.team->leaves[1] = 0;
        }
        __syncthreads();
        return shared.team->batch;
    }

    /** Returns whether the paused launch has begun that batch. */
    __device__ __forceinline__ bool resumesBatch() const { return args.control->resumes != 0 && shared.team->isInside != 0; }

    /** Records that the team has no batch left, for a launch that resumes because other teams have. */
    __device__ __forceinline__ void end() {
        if (isLeader) {
            shared.team->batch = args.lastBatch;
            shared.team->isInside = 0;
        }
    }

    /** Searches a batch; returns false if the team leaves the launch. */
    __device__ __forceinline__ bool run(int number, bool resumes) {
        const Batch batch = args.batches[number];
        low = batch.low;
        size = batch.high - batch.low;
        all = lowBits(batch.sources);
        if (!resumes) {
            begin(batch);
            if (!syncAndStay()) {
                save(number);
                return false;
            }
        }
        while (shared.at.deepest < 0) {
            const int level = shared.at.level;
            const Level frontier = shared.levels[level];
            if (frontier.shorts + frontier.longs == 0) {
                turnRound(level);
                break;
            }
            const int64_t nextShorts = shared.at.shortsAt + frontier.shorts;
            const int64_t nextLongs = shared.at.longsAt + frontier.longs;
            if (isLeader) {
                shared.levels[level + 2] = Level{0, 0, 0, 0};
            }
            if (level > 0) {
                clearMarks(level - 1, shared.at.shortsBeside, shared.at.longsBeside);
            }
            if (PUSH_COST * frontier.outEntries < shared.at.unseenEntries - frontier.fullEntries) {
                pushMasks(level, frontier, nextShorts, nextLongs);
                sync();
                pullMarked(level, nextShorts, nextLongs);
            } else {
                pullUnseen(level, batch, nextShorts, nextLongs);
            }
            const bool stays = syncAndStay();
            if (*static_cast<const volatile int *>(shared.team->tooMany + (level & 1)) != 0) {
                if (isLeader) {
                    args.voided[number] = 1;
                    args.control->overflow = TOO_MANY_PATHS;
                }
                // a team that must leave does so in the next batch
                sync();
                return true;
            }
            descend(level);
            if (!stays) {
                save(number);
                return false;
            }
        }
        const int times = lane < batch.sources ? __ldg(args.multiplicities + batch.firstSource + lane) : 0;
        while (shared.at.level > 0 && shared.at.deepest > 1) {
            const int level = shared.at.level;
            const bool isDeepest = level == shared.at.deepest;
            if (level + 2 <= shared.at.deepest) {
                clearMarks(level + 2, shared.at.shortsBeside, shared.at.longsBeside);
            }
            sumDependencies(level, isDeepest, times);
            const bool stays = syncAndStay();
            ascend(level);
            if (!stays) {
                save(number);
                return false;
            }
        }
        // the next batch overwrites what the slowest thread still reads
        sync();
        return true;
    }
};

template <class Count>
__device__ __forceinline__ void searchBatches_grid(const BetweennessArguments &args, BlockState<Count> &shared) {
    Brandes<Count> search(args, shared);
    const int teams = static_cast<int>(gridDim.x) / args.teamBlocks;
    const int team = static_cast<int>(blockIdx.x) / args.teamBlocks;
    bool resumes = search.resumesBatch();
    bool stays = true;
    for (int batch = search.firstBatch(team); stays && batch < args.lastBatch; batch += teams) {
        stays = search.run(batch, resumes);
        resumes = false;
    }
    if (stays) {
        search.end();
    }
    leave_grid(args.control, args.report);
}

}  // namespace proxima

// Adds to scores[teams][n], and voids batches with too many paths. Cooperative, teams * teamBlocks blocks.
extern "C" __global__ void __launch_bounds__(proxima::BETWEENNESS_THREADS, proxima::BETWEENNESS_BLOCKS)
        betweenness_plain_grid(const __grid_constant__ proxima::BetweennessArguments args) {
    __shared__ proxima::BlockState<proxima::PlainCount> shared;
    proxima::searchBatches_grid(args, shared);
}

// The same with scaled counts; voids no batch.
extern "C" __global__ void __launch_bounds__(proxima::BETWEENNESS_THREADS, proxima::BETWEENNESS_BLOCKS)
        betweenness_scaled_grid(const __grid_constant__ proxima::BetweennessArguments args) {
    __shared__ proxima::BlockState<proxima::ScaledCount> shared;
    proxima::searchBatches_grid(args, shared);
}

// reads scores[teams][n]; writes scores[0][n]: the sums in the order of the teams
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        betweenness_sum_thread(const __grid_constant__ proxima::SumArguments args) {
    const proxima::Place place = proxima::Place::here();
    for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
        double sum = 0;
        for (int64_t team = 0; team < args.teams; team++) {
            sum += args.scores[team * args.n + slot];
        }
        args.scores[slot] = sum;
    }
}
