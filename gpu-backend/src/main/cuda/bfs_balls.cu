// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <new>

#include "balls.cuh"
#include "columns.cuh"
#include "edges.cuh"

// Breadth-first search for graphs of high diameter, from one source or several together, with one synchronisation of the grid
// for a window of several levels. The frontiers of such a graph are too small to fill the device, and a level costs as much as
// its chain of dependent steps. So each warp searches on its own beyond the first level of a window.
//
//   bfs_balls_rows_grid        one hop at a time over padded rows; needs no memory besides the graph and the rows
//   bfs_balls_records_grid     several hops at a time over ball records
//   balls_rows_thread          builds the rows
//   balls_measure_warp, balls_places_grid, balls_write_warp    build the records
//
// Windows. Levels up to base are exact. A warp relaxes the neighbours of its vertices by atomicMin, collects the vertices whose
// levels it lowered in a list of its own, and relaxes those in turn, up to level base + hops. Once all warps are done, every
// level up to base + hops is exact: only a path lowers a level, and the warp that lowers a level relaxes from there, so all
// ancestors on a shortest path have been relaxed at their final levels. The vertices at level base + hops are the frontier of
// the next window. The thread that lowered such a vertex from unreached queued it, so it is queued once a run.
//
// Records. The record of v holds every x of the ball of radius(v) around v, with its distance h. The level of x is lowered to
// the level of v plus h. Only vertices at h = radius(v) are relaxed further, because a path that leaves the ball passes through
// one of them. A ball of more than MOST_BALL vertices gets a smaller radius; at radius 1 it is the list itself.
//
// One cooperative launch a run, blocks of BALLS_THREADS.
//   reads   ptrs[n + 1] idx[m]    out-neighbours
//           rows[n << rowBits] recordAt[n + 1] records    balls.cuh
//           sources[sourceCount] stopTargets[stopTargetCount] stopFlag[1]
//   writes  levels[n]             those beyond the first stop target are reset to unreached
//           queue[n] queueAt[n] spillA spillB [n] hubs hubEdges [m / HUB + 1]    state
//           control               zeroed by the host; level and stopped are results
//   spill   A warp whose list is full leaves vertices to the grid, which needs one more round for the window. If the spill
//           queue is full too, the next round finds the window's vertices by their levels (rescan).
//   atomics minimum; with return only where the result decides whether to continue
//   gives   levels equal for every grid and every order of work
namespace proxima {

constexpr int BALLS_THREADS = 768;  // with 1024 threads registers spill, and every step waits for them
constexpr int BALLS_WARPS = BALLS_THREADS / WARP_SIZE;
constexpr int OWN_LIST = 64;    // capacity of a warp's list, in vertices
constexpr int RECORD_STEP = 2;  // entries of a record that a lane has in flight
constexpr int MOST_BALL = 320;  // vertices of a ball of radius 2 or more, at most
static_assert(RECORD_STEP * 4 * WARP_SIZE <= RECORDS_ROOM, "a warp may read past the last record");
constexpr int BALL_TABLE = 512;   // capacity of the hash set in which a warp collects a ball
constexpr int SHARES_A_LOOK = 8;  // check the stop flag after this many portions of a long frontier
constexpr int BUILD_WARPS = BLOCK_THREADS / WARP_SIZE;

HOST_CONSTANT(MOST_BALL, MOST_BALL)

template <class Pointer>
struct BallsArguments : SearchHead {
    const Pointer *ptrs;
    const int *idx;
    const int *rows;
    const unsigned *recordAt;
    const int *records;
    int *queue;
    unsigned *queueAt;
    int *spillA;
    int *spillB;
    int *hubs;
    Pointer *hubEdges;
    int rowBits;
    int hops;    // levels of a window while the frontier is small
    int narrow;  // a window has `hops` levels while the frontier has at most this many vertices per warp
};

/** The counts of a step; aligned to be read by two loads. */
struct alignas(16) BallsCounts {
    unsigned long long boundary;
    unsigned long long spilled;
    unsigned long long rescan;
    unsigned long long hubs;  // number of hubs in the low HUB_COUNT_BITS bits, of their edges above
};

struct BallsShared {
    int own[BALLS_WARPS][2][OWN_LIST];
    int boundary[BALLS_WARPS][2 * WARP_SIZE];
    unsigned boundaryAt[BALLS_WARPS][2 * WARP_SIZE];
    int deepest;
    alignas(StopWatch) unsigned char watch[sizeof(
            StopWatch)];  // used by the grid's first thread; kept here because it would take registers of all threads
};

/** @tparam RECORDS relaxes by ball records; otherwise by padded rows */
template <class Pointer, bool RECORDS>
class Balls {
    using Arguments = BallsArguments<Pointer>;
    // BY_WORD and countsIn: without them, nvcc 13.0 generates code that is 6 to 8 % slower on road grids
    using Counters = PhasedCounters<BallsCounts, true>;

    const Arguments &args;
    const Place place;
    RunControl *const control;
    BallsShared &shared;
    int *const boundary;
    int step = 0;
    Counters counters;
    int queueEnd = 0;
    unsigned base = 0;
    unsigned end = 0;
    int ownCount = 0;
    int boundaryCount = 0;
    int *spill;
    int *nextSpill;

    struct Saved {
        int64_t begin;
        int64_t end;
        int64_t base;
        int64_t step;
        int64_t phase;
    };

    /** Saves the run for a launch that resumes it. */
    __device__ __forceinline__ void pause_grid(int begin) {
        if (place.thread == 0) {
            *Paused<Saved>(control) = {begin, queueEnd, base, step, counters.phase()};
            signal().pause();
        }
    }

public:
    __device__ Balls(const Arguments &args, BallsShared &shared)
        : args(args), place(Place::here()), control(args.control), shared(shared),
          boundary(shared.boundary[threadIdx.x / WARP_SIZE]), counters(countsIn(args.control)), spill(args.spillA),
          nextSpill(args.spillB) {
        if (place.thread == 0) {
            new (shared.watch) StopWatch(args.stopFlag, args.control);
        }
    }

    __device__ void run() {
        const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
        int begin = 0;
        if (control->resumes == 0) {
            begin_grid(grid);
        } else {
            begin = resume();
        }
        Ahead ahead = lookAhead(begin);
        while (queueEnd != begin && static_cast<int>(base) != args.maxDepth && !targetReached_grid()) {
            if (signal().seen(step)) {
                if (signal().pauses(step)) {
                    pause_grid(begin);
                    return;
                }
                break;
            }
            const int size = queueEnd - begin;
            end = base + hopsOf(size);
            end = args.maxDepth >= 0 ? min(end, static_cast<unsigned>(args.maxDepth)) : end;
            beginStep();
            if (size <= place.warps) {
                relaxFew_grid(ahead, size);
            } else if (RECORDS) {
                relaxRecords_grid(begin, size);
            } else {
                relaxAll_grid(args.queue + begin, size);
            }
            begin = queueEnd;
            grid.sync();
            ahead = lookAhead(begin);
            BallsCounts counts = finishStep(grid);
            const bool again = (counts.spilled | counts.rescan | counts.hubs) != 0;
            while ((counts.spilled | counts.rescan) != 0 && !signal().stops(step)) {
                const int spilled = static_cast<int>(min(counts.spilled, static_cast<unsigned long long>(args.n)));
                const bool rescan = counts.rescan != 0;
                swap(spill, nextSpill);
                beginStep();
                if (rescan) {
                    rescan_grid();
                } else {
                    relaxAll_grid(spill, spilled);
                }
                grid.sync();
                counts = finishStep(grid);
            }
            if (again) {
                ahead = lookAhead(begin);
            }
            base = end;
        }
        end_grid(grid);
    }

private:
    /** Queues the sources. */
    __device__ __forceinline__ void begin_grid(const cooperative_groups::grid_group &grid) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        // lookAhead reads places to which nothing has been written
        fill_grid(args.queue, static_cast<int64_t>(args.n) * sizeof(int), 0, place);
        if (RECORDS) {
            fill_grid(args.queueAt, static_cast<int64_t>(args.n) * sizeof(unsigned), 0, place);
        }
        grid.sync();
        for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
            levels()[args.sources[i]] = 0;
            args.queue[i] = args.sources[i];
            if (RECORDS) {
                args.queueAt[i] = args.recordAt[args.sources[i]];
            }
        }
        if (place.thread == 0) {
            watch().look(0);
        }
        grid.sync();
        queueEnd = args.sourceCount;
    }

    /** Restores a paused run; returns where the frontier begins in the queue. */
    __device__ __forceinline__ int resume() {
        const Saved &from = *Paused<Saved>(control);
        const int begin = static_cast<int>(from.begin);
        queueEnd = static_cast<int>(from.end);
        base = static_cast<unsigned>(from.base);
        step = static_cast<int>(from.step);
        counters.resume(static_cast<int>(from.phase));
        return begin;
    }

    /** The grid's first thread owns it. */
    __device__ __forceinline__ StopWatch &watch() const { return *reinterpret_cast<StopWatch *>(shared.watch); }

    __device__ __forceinline__ StopSignal signal() const { return StopSignal(control); }

    __device__ __forceinline__ void beginStep() {
        step++;
        if (place.thread == 0) {
            watch().look(step);
        }
        counters.next(place.thread);
    }

    /** Returns whether the run has been stopped; asked by a warp after a few portions of a long frontier. */
    __device__ __forceinline__ bool stopping_warp(int share) {
        if (share % SHARES_A_LOOK != SHARES_A_LOOK - 1) {
            return false;
        }
        if (place.thread == 0) {
            watch().look(step);
        }
        __syncwarp();
        return __any_sync(ALL_LANES, __ldcg(&control->stopped) != 0);
    }

    /**
     * Called after the synchronisation of a step. Relaxes the hubs that the step met, then determines the new end of the queue.
     */
    __device__ __forceinline__ BallsCounts finishStep(const cooperative_groups::grid_group &grid) {
        BallsCounts counts = counters.read();
        if (counts.hubs != 0) {
            relaxHubs_grid(counts.hubs);
            grid.sync();
            counts = counters.read();
        }
        queueEnd += static_cast<int>(counts.boundary);
        return counts;
    }

    /**
     * Long windows pay while warps have little work. With larger frontiers, duplicate work of warps costs more than a level.
     */
    __device__ __forceinline__ int hopsOf(int size) const {
        const int64_t room = static_cast<int64_t>(args.narrow) * place.warps;
        return size <= room         ? args.hops
                : size <= 4 * room  ? max(1, args.hops / 2)
                : size <= 16 * room ? max(1, args.hops / 4)
                                    : 1;
    }

    /** Levels as unsigned numbers: UNREACHED is the greatest, so levels only decrease. */
    __device__ __forceinline__ unsigned *levels() const { return reinterpret_cast<unsigned *>(args.levels); }

    __device__ __forceinline__ unsigned levelOf(int vertex) const { return __ldcg(levels() + vertex); }

    /** What this warp would take from the queue if the frontier begins there and 1, 2 or 4 warps share a vertex. */
    struct Ahead {
        int vertex[3];
        unsigned at[3];
    };

    /**
     * Reads the queue before the size of the frontier is known, which saves one memory latency in each step. Places behind the
     * frontier's end are read too, and not used.
     */
    __device__ __forceinline__ Ahead lookAhead(int begin) const {
        Ahead ahead;
#pragma unroll
        for (int s = 0; s < (RECORDS ? 3 : 1); s++) {
            const int64_t i = static_cast<int64_t>(begin) + (place.warp >> s);
            const bool in = i < args.n;
            ahead.vertex[s] = in ? __ldcg(args.queue + i) : 0;
            ahead.at[s] = in && RECORDS ? __ldcg(args.queueAt + i) : 0;
        }
        return ahead;
    }

    /** Relaxes a frontier of at most one vertex per warp. If there are more warps, several share a record. */
    __device__ __forceinline__ void relaxFew_grid(const Ahead &ahead, int count) {
        if (RECORDS) {
            const int s = count * 4 <= place.warps ? 2 : count * 2 <= place.warps ? 1 : 0;
            if (place.warp >> s < count) {
                ownCount = 0;
                const int vertex = s == 2 ? ahead.vertex[2] : s == 1 ? ahead.vertex[1] : ahead.vertex[0];
                const unsigned at = s == 2 ? ahead.at[2] : s == 1 ? ahead.at[1] : ahead.at[0];
                relaxRecord_warp(vertex, at, place.warp & ((1 << s) - 1), 1 << s, 0);
                relaxOwn_warp(ownCount);
            }
        } else if (place.warp < count) {
            if (place.lane == 0) {
                own(0)[0] = ahead.vertex[0];
            }
            relaxOwn_warp(1);
        }
        flushBoundary_warp();
    }

    /** Relaxes a frontier of more vertices than there are warps, by their records. */
    __device__ __forceinline__ void relaxRecords_grid(int begin, int count) {
        int share = 0;
        for (int64_t item = place.warp; item < count && !stopping_warp(share); item += place.warps) {
            ownCount = 0;
            relaxRecord_warp(__ldcg(args.queue + begin + item), __ldcg(args.queueAt + begin + item), 0, 1, 0);
            relaxOwn_warp(ownCount);
            share++;
        }
        flushBoundary_warp();
    }

    /** Relaxes count vertices and what they lower. Warps take equal shares, a few vertices at a time. */
    __device__ void relaxAll_grid(const int *vertices, int count) {
        const int each = min((count - 1) / place.warps + 1, WARP_SIZE);
        int share = 0;
        for (int64_t first = static_cast<int64_t>(place.warp) * each; first < count && !stopping_warp(share);
                first += static_cast<int64_t>(place.warps) * each) {
            const int mine = min(each, count - static_cast<int>(first));
            if (place.lane < mine) {
                own(0)[place.lane] = __ldcg(vertices + first + place.lane);
            }
            relaxOwn_warp(mine);
            share++;
        }
        flushBoundary_warp();
    }

    __device__ void rescan_grid() {
        int share = 0;
        for (int64_t first = static_cast<int64_t>(place.warp) * WARP_SIZE; first < args.n && !stopping_warp(share);
                first += place.threads) {
            const bool in = place.lane < args.n - first;
            const int vertex = static_cast<int>(first) + place.lane;
            const unsigned level = in ? levelOf(vertex) : 0;
            const bool is = in && level >= base && level < end;
            const unsigned which = __ballot_sync(ALL_LANES, is);
            if (is) {
                own(0)[__popc(which & ((1u << place.lane) - 1))] = vertex;
            }
            relaxOwn_warp(__popc(which));
            share++;
        }
        flushBoundary_warp();
    }

    __device__ __forceinline__ unsigned *boundaryAt() { return shared.boundaryAt[threadIdx.x / WARP_SIZE]; }
    __device__ __forceinline__ int *own(int which) { return shared.own[threadIdx.x / WARP_SIZE][which]; }

    /** Relaxes count vertices of the warp's list, then those that they lower, until the window has none left. */
    __device__ void relaxOwn_warp(int count) {
        int which = 0;
        while (count != 0) {
            __syncwarp();
            ownCount = 0;
            if (RECORDS) {
                for (int i = 0; i < count; i++) {
                    const int vertex = own(which)[i];
                    relaxRecord_warp(vertex, __ldg(args.recordAt + vertex), 0, 1, which ^ 1);
                }
            } else {
                const int width = 1 << args.rowBits;
                for (int i = 0; i < count; i += WARP_SIZE >> args.rowBits) {
                    const int item = i + (place.lane >> args.rowBits);
                    relaxRow_warp(item < count ? own(which)[item] : -1, place.lane & (width - 1), which ^ 1);
                }
            }
            which ^= 1;
            count = ownCount;
        }
        __syncwarp();
    }

    /** Moves the vertices that lanes lowered to the next window's queue, to the warp's list, or to the spill queue. */
    __device__ __forceinline__ void goOn_warp(bool lowered, int vertex, unsigned at, unsigned level, int which) {
        const unsigned inside = __ballot_sync(ALL_LANES, lowered && level < end);
        const unsigned atEnd = __ballot_sync(ALL_LANES, lowered && level == end);
        const unsigned below = (1u << place.lane) - 1;
        if (inside != 0) {
            const bool mine = (inside >> place.lane & 1) != 0;
            const int place = ownCount + __popc(inside & below);
            if (mine && place < OWN_LIST) {
                own(which)[place] = vertex;
            } else if (mine) {
                const unsigned long long to = atomicAdd(&counters->spilled, 1ull);
                if (to < static_cast<unsigned long long>(args.n)) {
                    nextSpill[to] = vertex;
                } else {
                    counters->rescan = 1;
                }
            }
            ownCount = min(OWN_LIST, ownCount + __popc(inside));
        }
        if (atEnd != 0) {
            if ((atEnd >> place.lane & 1) != 0) {
                boundary[boundaryCount + __popc(atEnd & below)] = vertex;
                if (RECORDS) {
                    boundaryAt()[boundaryCount + __popc(atEnd & below)] = at;
                }
            }
            boundaryCount += __popc(atEnd);
            if (boundaryCount >= WARP_SIZE) {
                flushBoundary_warp();
            }
        }
    }

    __device__ __forceinline__ void flushBoundary_warp() {
        if (boundaryCount == 0) {
            return;
        }
        __syncwarp();
        int at = 0;
        if (place.lane == 0) {
            at = static_cast<int>(atomicAdd(&counters->boundary, static_cast<unsigned long long>(boundaryCount)));
        }
        at = queueEnd + __shfl_sync(ALL_LANES, at, 0);
        for (int i = place.lane; i < boundaryCount; i += WARP_SIZE) {
            args.queue[at + i] = boundary[i];
            if (RECORDS) {
                args.queueAt[at + i] = boundaryAt()[i];
            }
        }
        boundaryCount = 0;
        __syncwarp();
    }

    __device__ __forceinline__ bool lower(int vertex, unsigned level) const {
        return levelOf(vertex) > level && atomicMin(levels() + vertex, level) > level;
    }

    __device__ __forceinline__ unsigned recordOf(bool is, int vertex) const {
        return RECORDS && is ? __ldg(args.recordAt + vertex) : 0;
    }

    /** Leaves a vertex to the whole grid, which relaxes it after this step. */
    __device__ __forceinline__ void leaveHub(int vertex) {
        const Pointer first = args.ptrs[vertex];
        const unsigned long long edges = args.ptrs[vertex + 1] - first;
        const unsigned long long most = args.ptrs[args.n] / HUB + 1;
        const unsigned long long packed = atomicAdd(&counters->hubs, edges << HUB_COUNT_BITS | 1);
        const unsigned long long at = packed & ((1ull << HUB_COUNT_BITS) - 1);
        if (at < most) {
            args.hubs[at] = vertex;
            args.hubEdges[at] = static_cast<Pointer>(packed >> HUB_COUNT_BITS);
        } else {
            counters->rescan = 1;
        }
    }

    /** Relaxes one row by 1 << rowBits lanes; vertex -1 stands for none. */
    __device__ __forceinline__ void relaxRow_warp(int vertex, int sub, int which) {
        const int neighbour =
                vertex >= 0 ? __ldg(args.rows + (static_cast<int64_t>(vertex) << args.rowBits) + sub) : NO_NEIGHBOUR;
        const unsigned level = vertex >= 0 ? levelOf(vertex) : 0;
        const bool live = vertex >= 0 && level >= base && level < end;
        const bool lowered = live && neighbour >= 0 && lower(neighbour, level + 1);
        goOn_warp(lowered, neighbour, 0, level + 1, which);
        if (__any_sync(ALL_LANES, live && neighbour == MORE_NEIGHBOURS)) {
            relaxMore_warp(live && neighbour == MORE_NEIGHBOURS, vertex, level, which);
        }
    }

    /** Relaxes lists that continue beyond their rows, one after the other, by the whole warp. */
    __device__ void relaxMore_warp(bool has, int vertex, unsigned level, int which) {
        unsigned lanes = __ballot_sync(ALL_LANES, has);
        while (lanes != 0) {
            const int owner = __ffs(lanes) - 1;
            lanes &= lanes - 1;
            const int of = __shfl_sync(ALL_LANES, vertex, owner);
            const unsigned next = __shfl_sync(ALL_LANES, level, owner) + 1;
            const Pointer last = args.ptrs[of + 1];
            Pointer at = args.ptrs[of] + static_cast<Pointer>((1 << args.rowBits) - 1);
            if (last - at >= HUB) {
                if (place.lane == 0) {
                    leaveHub(of);
                }
                continue;
            }
            for (; at < last; at += WARP_SIZE) {
                const bool in = place.lane < last - at;
                const int neighbour = in ? __ldg(args.idx + at + place.lane) : 0;
                goOn_warp(in && lower(neighbour, next), neighbour, 0, next, which);
            }
        }
    }

    /** The hop of a record's entry. ends: the end of each hop, from the first on, two 16-bit numbers per word. */
    static __device__ __forceinline__ int hopOf(const int &at, const unsigned (&ends)[6], const int &radius) {
        int hop = 1;
#pragma unroll
        for (int e = 0; e < 6; e++) {
            if (2 * e + 1 < radius) {
                hop += (at >= static_cast<int>(ends[e] & 0xffffu)) + (at >= static_cast<int>(ends[e] >> 16));
            }
        }
        return hop;
    }

    /** Relaxes one of `shares` shares of a record: every shares-th group of 32 entries. */
    __device__ __forceinline__ void relaxRecord_warp(int vertex, unsigned unit, int share, int shares, int which) {
        const int *record = args.records + static_cast<int64_t>(unit) * RECORD_UNIT;
        const int4 low = __ldg(reinterpret_cast<const int4 *>(record));
        const int4 high = __ldg(reinterpret_cast<const int4 *>(record) + 1);
        const unsigned level = levelOf(vertex);
        // load the first entries before their number is known; RECORDS_ROOM makes that safe
        int x[RECORD_STEP];
        int i = share * WARP_SIZE + place.lane;
#pragma unroll
        for (int u = 0; u < RECORD_STEP; u++) {
            x[u] = __ldg(record + HEADER + i + u * shares * WARP_SIZE);
        }
        if (level < base || level >= end) {
            return;
        }
        const int radius = low.y;
        const int count = low.x;
        const unsigned ends[] = {static_cast<unsigned>(low.z), static_cast<unsigned>(low.w), static_cast<unsigned>(high.x),
                static_cast<unsigned>(high.y), static_cast<unsigned>(high.z), static_cast<unsigned>(high.w)};
        if (count >= HUB) {
            if (share == 0 && place.lane == 0) {
                leaveHub(vertex);
            }
            return;
        }
        for (int first = share * WARP_SIZE; first < count; first += RECORD_STEP * shares * WARP_SIZE) {
            unsigned next[RECORD_STEP];
            bool in[RECORD_STEP];
            bool last[RECORD_STEP];
            unsigned seen[RECORD_STEP];
#pragma unroll
            for (int u = 0; u < RECORD_STEP; u++) {
                const int at = i + u * shares * WARP_SIZE;
                const int hop = hopOf(at, ends, radius);
                next[u] = level + hop;
                in[u] = at < count && next[u] <= end;
                last[u] = next[u] == end || hop == radius;
                seen[u] = in[u] ? levelOf(x[u]) : 0;
            }
            unsigned at[RECORD_STEP];
            bool lowered[RECORD_STEP];
#pragma unroll
            for (int u = 0; u < RECORD_STEP; u++) {
                const bool lowers = in[u] && seen[u] > next[u];
                at[u] = recordOf(lowers && next[u] == end, x[u]);
                lowered[u] = false;
                if (lowers && last[u]) {
                    lowered[u] = atomicMin(levels() + x[u], next[u]) > next[u];
                } else if (lowers) {
                    atomicMin(levels() + x[u], next[u]);
                }
            }
            i += RECORD_STEP * shares * WARP_SIZE;
            int y[RECORD_STEP];
#pragma unroll
            for (int u = 0; u < RECORD_STEP; u++) {
                y[u] = x[u];
                x[u] = i + u * shares * WARP_SIZE < count ? __ldg(record + HEADER + i + u * shares * WARP_SIZE) : 0;
            }
#pragma unroll
            for (int u = 0; u < RECORD_STEP; u++) {
                if (__any_sync(ALL_LANES, lowered[u])) {
                    goOn_warp(lowered[u], y[u], at[u], next[u], which);
                }
            }
        }
    }

    __device__ void relaxHubs_grid(unsigned long long packed) {
        const unsigned long long most = args.ptrs[args.n] / HUB + 1;
        const unsigned long long count = packed & ((1ull << HUB_COUNT_BITS) - 1);
        if (count > most) {
            return;  // the same hubs repeat; the rescan meets each once
        }
        forEdges_grid<1>(args.ptrs, args.idx, args.hubs, args.hubEdges, 0, static_cast<int>(count), Pointer(0),
                static_cast<Pointer>(packed >> HUB_COUNT_BITS), place, [&](const int(&hub)[1], const int(&neighbour)[1]) {
                    const unsigned next = levelOf(hub[0]) + 1;
                    const bool lowered = neighbour[0] >= 0 && next > base && next <= end && lower(neighbour[0], next);
                    ownCount = OWN_LIST;  // no list here: lowered vertices spill
                    goOn_warp(lowered, neighbour[0], recordOf(lowered, neighbour[0]), next, 0);
                });
        flushBoundary_warp();
    }

    /** The sets of counters in the control block. */
    static __device__ __forceinline__ BallsCounts *countsIn(RunControl *control) {
        return reinterpret_cast<BallsCounts *>(
                reinterpret_cast<int *>(control) + offsetof(RunControl, counters) / sizeof(int));
    }

    /** ~level of the first stop target, or 0; behind the counters. */
    __device__ __forceinline__ unsigned long long *targetLevel() const {
        static_assert((Counters::WORDS + 1) * sizeof(unsigned long long) <= sizeof(RunControl::counters),
                "the counters and the level must fit");
        return control->counters + Counters::WORDS;
    }

    /** Returns whether a stop target has been reached, and records the least level of those. */
    __device__ bool targetReached_grid() {
        if (args.stopTargetCount == 0) {
            return false;
        }
        for (int64_t i = place.thread; i < args.stopTargetCount; i += place.threads) {
            const unsigned level = levelOf(args.stopTargets[i]);
            if (level != static_cast<unsigned>(UNREACHED)) {
                atomicMax(targetLevel(), static_cast<unsigned long long>(~level));
            }
        }
        cooperative_groups::this_grid().sync();
        return *targetLevel() != 0;
    }

    /** Resets levels beyond that of the first stop target, and finds the deepest level. */
    __device__ void end_grid(const cooperative_groups::grid_group &grid) {
        targetReached_grid();
        const unsigned long long last = *targetLevel();
        const unsigned kept = last == 0 ? 0x7fffffffu : ~static_cast<unsigned>(last);
        if (threadIdx.x == 0) {
            shared.deepest = 0;
        }
        __syncthreads();
        int deepest = 0;
        for (int64_t v = place.thread; v < args.n; v += place.threads) {
            const unsigned level = levels()[v];
            if (level != static_cast<unsigned>(UNREACHED)) {
                if (level > kept) {
                    levels()[v] = static_cast<unsigned>(UNREACHED);
                } else {
                    deepest = max(deepest, static_cast<int>(level));
                }
            }
        }
        deepest = __reduce_max_sync(ALL_LANES, deepest);
        if (place.lane == 0) {
            atomicMax(&shared.deepest, deepest);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicMax(&control->level, shared.deepest);
        }
    }
};

/** The ball of a vertex, collected by a warp: the members ordered by hop, and a hash set of them. */
struct Ball {
    int members[MOST_BALL];
    int table[BALL_TABLE];
    int ends[MOST_RADIUS + 1];  // number of members within hop 0, 1, ...; hop 0 is the vertex itself
};

/**
 * Collects the ball of at most radius hops and MOST_BALL members; the same result in all lanes.
 *
 * @return its radius; 1 and no members if the list of out-neighbours alone is too long
 */
template <class Pointer>
__device__ int collectBall_warp(const Pointer *ptrs, const int *idx, int vertex, int radius, Ball &ball, int lane) {
    for (int i = lane; i < BALL_TABLE; i += WARP_SIZE) {
        ball.table[i] = NO_NEIGHBOUR;
    }
    __syncwarp();
    if (lane == 0) {
        ball.members[0] = vertex;
        ball.table[vertex & (BALL_TABLE - 1)] = vertex;
        ball.ends[0] = 1;
    }
    __syncwarp();
    int begin = 0;
    int end = 1;
    for (int hop = 1; hop <= radius; hop++) {
        int size = end;
        for (int m = begin; m < end; m++) {
            const int of = ball.members[m];
            const Pointer last = ptrs[of + 1];
            for (Pointer at = ptrs[of]; at < last; at += WARP_SIZE) {
                bool fresh = false;
                const bool in = lane < last - at;
                const int x = in ? __ldg(idx + at + lane) : 0;
                if (in) {
                    unsigned place = (static_cast<unsigned>(x) * 2654435761u) >> 16;
                    for (;;) {
                        place &= BALL_TABLE - 1;
                        const int there = atomicCAS(ball.table + place, NO_NEIGHBOUR, x);
                        if (there == NO_NEIGHBOUR || there == x) {
                            fresh = there == NO_NEIGHBOUR && x != vertex;
                            break;
                        }
                        place++;
                    }
                }
                const unsigned which = __ballot_sync(ALL_LANES, fresh);
                if (size + __popc(which) > MOST_BALL) {
                    return hop == 1 ? 1 : hop - 1;
                }
                if (fresh) {
                    ball.members[size + __popc(which & ((1u << lane) - 1))] = x;
                }
                size += __popc(which);
                __syncwarp();
            }
        }
        if (lane == 0) {
            ball.ends[hop] = size;
        }
        __syncwarp();
        begin = end;
        end = size;
    }
    return radius;
}

/** The radius of a vertex's record, and the number of its members without the vertex itself. */
template <class Pointer>
__device__ __forceinline__ int2 ballShape_warp(
        const Pointer *ptrs, const int *idx, int vertex, int radius, Ball &ball, int lane) {
    const Pointer degree = ptrs[vertex + 1] - ptrs[vertex];
    if (radius == 1 || degree >= MOST_BALL) {
        return {1, static_cast<int>(degree)};
    }
    const int reached = collectBall_warp(ptrs, idx, vertex, radius, ball, lane);
    return {reached, ball.ends[reached] - 1};
}

/** The length of a record with this many entries, in units of RECORD_UNIT. */
__device__ __forceinline__ unsigned recordUnits(int entries) {
    return (static_cast<unsigned>(entries) + (HEADER + RECORD_UNIT - 1)) / RECORD_UNIT;
}

struct BallRowsArguments {
    const uint64_t *ptrs;
    const int *idx;
    int *rows;
    int n;
    int rowBits;
};

struct MeasureBallsArguments {
    const uint64_t *ptrs;
    const int *idx;
    unsigned *units;
    unsigned long long *totals;
    int first;
    int last;
    int radius;
};

struct BallPlacesArguments {
    unsigned *recordAt;
    unsigned long long *blockSums;
    int n;
};

struct WriteBallsArguments {
    const uint64_t *ptrs;
    const int *idx;
    const unsigned *recordAt;
    int *records;
    int first;
    int last;
    int radius;
};

__device__ __forceinline__ void measureBalls(const MeasureBallsArguments &args) {
    __shared__ Ball balls[BUILD_WARPS];
    const Place place = Place::here();
    Ball &ball = balls[threadIdx.x / WARP_SIZE];
    const int hops = place.lane + 1;
    unsigned long long sum = 0;  // units of all records if none had more than this many hops
    for (int64_t v = static_cast<int64_t>(args.first) + place.warp; v < args.last; v += place.warps) {
        const int2 shape = ballShape_warp(args.ptrs, args.idx, static_cast<int>(v), args.radius, ball, place.lane);
        sum += recordUnits(hops < shape.x ? ball.ends[hops] - 1 : shape.y);
        if (place.lane == 0 && args.units != nullptr) {
            args.units[v] = recordUnits(shape.y);
        }
        __syncwarp();
    }
    if (args.totals != nullptr && hops <= args.radius) {
        atomicAdd(args.totals + place.lane, sum);
    }
}

__device__ __forceinline__ void writeBalls(const WriteBallsArguments &args) {
    __shared__ Ball balls[BUILD_WARPS];
    const Place place = Place::here();
    Ball &ball = balls[threadIdx.x / WARP_SIZE];
    for (int64_t v = static_cast<int64_t>(args.first) + place.warp; v < args.last; v += place.warps) {
        const int2 shape = ballShape_warp(args.ptrs, args.idx, static_cast<int>(v), args.radius, ball, place.lane);
        int *record = args.records + static_cast<int64_t>(args.recordAt[v]) * RECORD_UNIT;
        if (place.lane < HEADER) {
            auto within = [&](int hop) { return hop < shape.x ? ball.ends[hop] - 1 : min(shape.y, 0xffff); };
            const int hop = 2 * place.lane - 3;
            record[place.lane] = place.lane == 0 ? shape.y : place.lane == 1 ? shape.x : within(hop) | within(hop + 1) << 16;
        }
        if (shape.x == 1) {
            for (int i = place.lane; i < shape.y; i += WARP_SIZE) {
                record[HEADER + i] = args.idx[args.ptrs[v] + i];
            }
        } else {
            for (int i = place.lane + 1; i <= shape.y; i += WARP_SIZE) {
                int hop = 1;
                while (i >= ball.ends[hop]) {
                    hop++;
                }
                const int x = ball.members[i];
                int at = ball.ends[hop - 1];
                for (int j = at; j < ball.ends[hop]; j++) {
                    at += ball.members[j] < x;
                }
                record[HEADER + at - 1] = x;
            }
        }
        __syncwarp();
    }
}

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::BALLS_THREADS, 1)
        bfs_balls_rows_grid(const __grid_constant__ proxima::BallsArguments<uint64_t> args) {
    __shared__ proxima::BallsShared shared;
    proxima::Balls<uint64_t, false>(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

extern "C" __global__ void __launch_bounds__(proxima::BALLS_THREADS, 1)
        bfs_balls_records_grid(const __grid_constant__ proxima::BallsArguments<uint64_t> args) {
    __shared__ proxima::BallsShared shared;
    proxima::Balls<uint64_t, true>(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

// Kernels that build rows and records, in blocks of BLOCK_THREADS, with any grid and the same result for every grid. They
// process the vertices first (inclusive) to last (exclusive), so that the host can stop a long build between two launches.

// writes rows[n << rowBits]
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        balls_rows_thread(const __grid_constant__ proxima::BallRowsArguments args) {
    const proxima::Place place = proxima::Place::here();
    const int width = 1 << args.rowBits;
    for (int64_t i = place.thread; i < static_cast<int64_t>(args.n) << args.rowBits; i += place.threads) {
        const int64_t v = i >> args.rowBits;
        const uint64_t first = __ldg(args.ptrs + v);
        const uint64_t degree = __ldg(args.ptrs + v + 1) - first;
        const uint64_t column = static_cast<uint64_t>(i & (width - 1));
        args.rows[i] = degree > static_cast<uint64_t>(width) && column == static_cast<uint64_t>(width - 1)
                ? proxima::MORE_NEIGHBOURS
                : column < degree ? __ldg(args.idx + first + column)
                                  : proxima::NO_NEIGHBOUR;
    }
}

// Measures the records. Adds to totals[r], for r = 0 to radius - 1, the units of all records if none had more than r + 1 hops.
// Writes to units[n] the units of each record of at most radius hops, unless units is null. atomics: one add without return per
// radius and warp
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        balls_measure_warp(const __grid_constant__ proxima::MeasureBallsArguments args) {
    proxima::measureBalls(args);
}

// Turns recordAt[n + 1] from the units of each record into its start, in place. blockSums[grid]: scratch. cooperative
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        balls_places_grid(const __grid_constant__ proxima::BallPlacesArguments args) {
    proxima::sumUp_grid(
            args.n, args.blockSums, [&](int64_t v) { return static_cast<unsigned long long>(args.recordAt[v]); },
            [&](int64_t v, unsigned long long sum) { args.recordAt[v] = static_cast<unsigned>(sum); });
}

// Writes the records of at most radius hops at the places in recordAt[n + 1].
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        balls_write_warp(const __grid_constant__ proxima::WriteBallsArguments args) {
    proxima::writeBalls(args);
}
