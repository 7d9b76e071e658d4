// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "near_far.cuh"

// Sums over the costs of the shortest paths from each of many sources, by searches side by side.
//
// The blocks of a cooperative launch form teams. Each team takes one source after the other, searches from it as near_far.cuh
// does, with arrays of its own, and adds up the costs. Only the blocks of a team synchronise.
//
// The sums do not depend on the order in which costs are added: they are integers of 128 bits. The unit is a power of two, such
// that the greatest summand has FIXED_BITS; what is smaller than the unit is cut off. FixedSum.java has the same rule.
//
// A team that is to pause ends its search first, and takes no other source until the launch resumes.
namespace proxima {

constexpr int FIXED_BITS = 96;
constexpr int MANTISSA_BITS = 53;

/** State of a team; zero when a run begins, kept while it is paused. */
struct NearFarTeam {
    BarrierState barrier;
    int stops[2];  // two values rotate, as in RunControl::stopSeen
    int taken;     // the index of the source
    int unused[3];
    NearFarState search;
};

HOST_CONSTANT(NEAR_FAR_TEAM_BYTES, sizeof(NearFarTeam))

/** An integer of 128 bits. */
struct FixedSum {
    unsigned long long low;
    unsigned long long high;

    __device__ __forceinline__ void add(const FixedSum &other) {
        low += other.low;
        high += other.high + (low < other.low ? 1 : 0);
    }

    /** Adds this to a sum in global memory. */
    __device__ __forceinline__ void addTo(FixedSum *sum) const {
        const unsigned long long before = atomicAdd(&sum->low, low);
        const unsigned long long more = high + (before + low < before ? 1 : 0);
        if (more != 0) {
            atomicAdd(&sum->high, more);
        }
    }
};

/** What the searches find, by source; zeroed by the host. */
struct CostsOfSource {
    FixedSum sum;
    FixedSum reciprocals;
    unsigned long long greatest;  // the bits of a double, as all doubles that are not negative in the order of the numbers
    unsigned long long least;     // of the vertices but the source, inverted
    unsigned long long reach;     // vertices reached, without the source
};

HOST_CONSTANT(COSTS_OF_SOURCE_BYTES, sizeof(CostsOfSource))

template <class Cost, class Weight>
struct NearFarSumsArguments : NearFarArrays<Cost, Weight> {  // the arrays of all teams, one after the other
    const int *sources;
    NearFarTeam *teams;
    int *next;  // zeroed by the host: the index of the source that is taken next
    CostsOfSource *found;
    int sourceCount;
    int teamBlocks;
    int reciprocals;  // 1 to add up reciprocal costs too
};

/** Synchronises the blocks of a team; a single block needs no counter. */
class TeamBarrier {
    GridBarrier barrier;
    const bool isOneBlock;

public:
    __device__ TeamBarrier(BarrierState *state, int blocks) : barrier(state, blocks), isOneBlock(blocks == 1) {
        barrier.resume();
    }

    __device__ __forceinline__ void sync() {
        if (isOneBlock) {
            __syncthreads();
        } else {
            barrier.sync();
        }
    }

    __device__ __forceinline__ void pause() const { barrier.pause(); }
    __device__ __forceinline__ void resume() const {}
};

/** The watch of a search, which its team does not leave to pause. Only the leader of the team has a SharedWatch. */
class TeamWatch {
    int *const stops;
    SharedWatch *const shared;

public:
    __device__ TeamWatch(NearFarTeam *team, SharedWatch *shared) : stops(team->stops), shared(shared) {}

    __device__ __forceinline__ bool seen(int step) const {
        return *const_cast<const volatile int *>(stops + (step & 1)) != 0;
    }

    __device__ __forceinline__ void look(int step) const {
        if (shared->look() == SharedWatch::STOP) {
            stops[step & 1] = 1;
        }
    }

    __device__ __forceinline__ bool pauses(int) const { return false; }
    __device__ __forceinline__ void pause() const {}
};

/** Shared memory of a block. */
template <class Cost, class Weight>
struct NearFarSumsShared {
    NearFarShared<Cost> rings;
    NearFarArrays<Cost, Weight> arrays;  // of the team
    alignas(SharedWatch) unsigned char watch[sizeof(SharedWatch)];
};

HOST_CONSTANT(NEAR_FAR_SUMS_SHARED_BYTES, sizeof(NearFarSumsShared<uint32_t, uint32_t>))
HOST_CONSTANT(NEAR_FAR_SUMS_WIDE_SHARED_BYTES, sizeof(NearFarSumsShared<unsigned long long, double>))

__device__ __forceinline__ bool isReached(uint32_t cost) { return cost != CostWords<uint32_t>::UNREACHED_COST; }
__device__ __forceinline__ bool isReached(unsigned long long cost) {
    return cost != CostWords<unsigned long long>::UNREACHED_COST;
}
__device__ __forceinline__ double numberOf(uint32_t cost) { return static_cast<double>(cost); }
__device__ __forceinline__ double numberOf(unsigned long long cost) { return CostWords<unsigned long long>::number(cost); }

/** The exponent of a double that is not negative, as its bits have it; that of the least normal number if it is less. */
__device__ __forceinline__ int exponentOf(unsigned long long bits) { return max(1, static_cast<int>(bits >> 52)); }

/** The integer of a summand that is not greater than any number of this exponent. */
__device__ __forceinline__ FixedSum fixed(double value, int greatestExponent) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
    const unsigned long long mantissa = (bits & ((1ull << 52) - 1)) | (bits >> 52 == 0 ? 0 : 1ull << 52);
    const int shift = FIXED_BITS - MANTISSA_BITS - (greatestExponent - exponentOf(bits));
    if (shift <= 0) {
        return {shift > -64 ? mantissa >> -shift : 0, 0};
    }
    return {mantissa << shift, mantissa >> (64 - shift)};
}

/** Adds up what a search has found. Its last step has been synchronised. */
template <class Cost, class Weight>
__device__ __forceinline__ void addUp_team(const NearFarSumsArguments<Cost, Weight> &args, const Cost *costs, int index,
        const Place &place, TeamBarrier &barrier) {
    CostsOfSource *const found = args.found + index;
    const int source = args.sources[index];
    unsigned long long greatest = 0;
    unsigned long long least = 0;
    unsigned long long reach = 0;
    for (int64_t v = place.thread; v < args.n; v += place.threads) {
        // past the L1 cache: other blocks have written them
        const Cost cost = __ldcg(costs + v);
        if (isReached(cost) && v != source) {
            const auto bits = static_cast<unsigned long long>(__double_as_longlong(numberOf(cost)));
            greatest = max(greatest, bits);
            least = max(least, ~bits);
            reach++;
        }
    }
#pragma unroll
    for (int stride = WARP_SIZE / 2; stride > 0; stride /= 2) {
        greatest = max(greatest, __shfl_xor_sync(ALL_LANES, greatest, stride));
        least = max(least, __shfl_xor_sync(ALL_LANES, least, stride));
        reach += __shfl_xor_sync(ALL_LANES, reach, stride);
    }
    if (place.lane == 0 && reach != 0) {
        atomicMax(&found->greatest, greatest);
        atomicMax(&found->least, least);
        atomicAdd(&found->reach, reach);
    }
    barrier.sync();
    const int ofCosts = exponentOf(__ldcg(&found->greatest));
    const double nearest = __longlong_as_double(static_cast<long long>(~__ldcg(&found->least)));
    const int ofReciprocals = exponentOf(static_cast<unsigned long long>(__double_as_longlong(__ddiv_rn(1, nearest))));
    FixedSum sum{0, 0};
    FixedSum reciprocals{0, 0};
    for (int64_t v = place.thread; v < args.n; v += place.threads) {
        const Cost cost = __ldcg(costs + v);
        if (isReached(cost) && v != source) {
            sum.add(fixed(numberOf(cost), ofCosts));
            if (args.reciprocals != 0) {
                reciprocals.add(fixed(__ddiv_rn(1, numberOf(cost)), ofReciprocals));
            }
        }
    }
#pragma unroll
    for (int stride = WARP_SIZE / 2; stride > 0; stride /= 2) {
        sum.add({__shfl_xor_sync(ALL_LANES, sum.low, stride), __shfl_xor_sync(ALL_LANES, sum.high, stride)});
        reciprocals.add(
                {__shfl_xor_sync(ALL_LANES, reciprocals.low, stride), __shfl_xor_sync(ALL_LANES, reciprocals.high, stride)});
    }
    if (place.lane == 0) {
        sum.addTo(&found->sum);
        reciprocals.addTo(&found->reciprocals);
    }
}

template <class Cost, class Weight>
__device__ __forceinline__ void nearFarSums(const NearFarSumsArguments<Cost, Weight> &args) {
    extern __shared__ __align__(16) unsigned char sharedMemory[];
    auto &shared = *reinterpret_cast<NearFarSumsShared<Cost, Weight> *>(sharedMemory);
    const int number = static_cast<int>(blockIdx.x) / args.teamBlocks;
    const int teams = static_cast<int>(gridDim.x) / args.teamBlocks;
    if (number >= teams) {
        return;
    }
    const int threads = args.teamBlocks * NEAR_FAR_THREADS;
    const int thread = static_cast<int>(blockIdx.x) % args.teamBlocks * NEAR_FAR_THREADS + static_cast<int>(threadIdx.x);
    const Place place{thread, threads, static_cast<int>(threadIdx.x % WARP_SIZE), thread / WARP_SIZE, threads / WARP_SIZE};
    const bool isLeader = thread == 0;
    NearFarTeam *const team = args.teams + number;
    auto *const watch = reinterpret_cast<SharedWatch *>(shared.watch);
    if (threadIdx.x == 0) {
        const int64_t vertices = static_cast<int64_t>(number) * args.n;
        const int64_t words = static_cast<int64_t>(number) * bitWords(args.n);
        shared.arrays = args;
        shared.arrays.costs += vertices;
        shared.arrays.nearA += vertices;
        shared.arrays.nearB += vertices;
        shared.arrays.edgesA += vertices;
        shared.arrays.edgesB += vertices;
        shared.arrays.farA += vertices;
        shared.arrays.farB += vertices;
        shared.arrays.nearBitsA += words;
        shared.arrays.nearBitsB += words;
        shared.arrays.farBits += words;
        shared.arrays.state = &team->search;
        if (isLeader) {
            new (watch) SharedWatch(args.stopFlag, args.control, number, teams);
        }
    }
    TeamBarrier barrier(&team->barrier, args.teamBlocks);
    const PhasedCounters<NearCount> queued(team->search.near);
    const PhasedCounters<FarCounts> piles(team->search.far);
    while (true) {
        if (isLeader) {
            team->taken = watch->look() != 0 ? args.sourceCount : atomicAdd(args.next, 1);
        }
        queued.clear(thread);
        piles.clear(thread);
        barrier.sync();
        const int index = __ldcg(&team->taken);
        if (index >= args.sourceCount) {
            break;
        }
        NearFar<Cost, Weight, TeamBarrier, TeamWatch, false> search(
                shared.arrays, args.sources[index], shared.rings, place, barrier);
        if (!search.run(TeamWatch(team, watch))) {
            break;
        }
        // no thread reads the counters of the last step any more when they are cleared
        barrier.sync();
        addUp_team(args, shared.arrays.costs, index, place, barrier);
    }
    if (isLeader) {
        barrier.pause();
        if (watch->asked() == SharedWatch::PAUSE) {
            watch->pause();
        }
    }
}

}  // namespace proxima
