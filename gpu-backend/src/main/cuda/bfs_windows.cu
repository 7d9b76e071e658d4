// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "balls.cuh"
#include "edges.cuh"

// Breadth-first search for graphs of high diameter, from one source or several together, with bit sets as frontiers: one
// synchronisation of the grid for a window of levels, and few dependent steps between two synchronisations.
//
//   bfs_windows_rows_grid      windows of one level over padded rows; needs no memory besides the graph and the rows
//   bfs_windows_records_grid   windows of several levels over ball records
//
// Compared with bfs_balls.cu, which lowers levels by atomicMin and queues the lowered vertices, this kernel only sets one bit
// for each vertex and hop that it meets. It reads no level, reserves no place in a queue and waits for no count. Each word of
// 32 vertices belongs to one block, and only that block reads it. After the synchronisation the block removes visited vertices
// from its words, hop by hop, writes the levels, and continues from the vertices of the last hop. The kernel reads all words,
// so it is faster where levels have many edges (random geometric graphs) and slower where they have few (road networks).
//
// Exactness. A vertex at hop h of a window has an ancestor in the frontier at distance h, and that ancestor's ball contains it.
// A vertex that a ball holds at a smaller distance than its level was visited before. A record whose radius is smaller than the
// window, or a hub, shortens the window of the whole grid; bits beyond it are discarded. Bit sets cannot overflow: a block
// whose list is full relaxes the remaining vertices from the words.
//
// One cooperative launch a run, blocks of WINDOW_ROWS_THREADS or WINDOW_RECORDS_THREADS.
//   reads   ptrs[n + 1] idx[m]    out-neighbours
//           rows[n << rowBits]    padded rows, balls.cuh (not used by records)
//           recordAt[n + 1] records    ball records, balls.cuh (not used by rows)
//           sources[sourceCount] stopTargets[stopTargetCount] stopFlag[1]
//   takes   hops                  levels of a window: 1 for rows; 1 to MOST_RADIUS for records, best equal to their radius
//   writes  levels[n]             those beyond the first stop target are reset to unreached
//           bits[2 * hops * words] visited[words]    state; words is n / 32, rounded up to a multiple of 32 * OWNERS
//           hubs hubEdges [m / HUB + 1]              state
//           control               zeroed by the host; level and stopped are results
//   atomics OR for frontier bits; one add per block and barrier. No results are read.
namespace proxima {

constexpr int WINDOW_ROWS_THREADS = 512;      // more warps only make a block wait longer for itself
constexpr int WINDOW_RECORDS_THREADS = 1024;  // one warp per record, so that loads of one overlap with the waits of others
constexpr int OWNER_BITS = 10;
constexpr int OWNERS = 1 << OWNER_BITS;  // parts into which the words are divided; block b owns parts b, b + blocks, ...
constexpr int POPPED = 1024;             // capacity of a block's list of frontier vertices
constexpr int CHUNKS_AHEAD = 4;          // words that a lane has in flight
constexpr int PREFETCHED = 640;          // bytes of a record that are prefetched before its warp processes it
constexpr int PREFETCH_STEP = 64;        // bytes between two prefetches

HOST_CONSTANT(OWNER_WORDS, WARP_SIZE *OWNERS)

struct WindowsArguments : SearchHead {
    const uint64_t *ptrs;
    const int *idx;
    const int *rows;
    const unsigned *recordAt;
    const int *records;
    unsigned *bits;
    unsigned *visited;
    int *hubs;
    uint64_t *hubEdges;
    int rowBits;
    int hops;
};

/** The counts of a step. */
struct WindowCounts {
    unsigned long long clipped;  // MOST_RADIUS + 1 - the number of complete hops; 0 if the whole window is complete
    unsigned long long hubs;     // number of hubs in the low HUB_COUNT_BITS bits, of their edges above
};
static_assert(PhasedCounters<WindowCounts>::LEAVES_BARRIER, "counters must not overlap the barrier");

struct WindowsShared {
    int popped[POPPED];
    int count;    // frontier vertices of the block, including those that do not fit into popped
    int special;  // not 0 if a counter of this step is not zero, or the run has to stop or pause
    unsigned long long news;
    int deepest;
    unsigned kept;
};

/** The sum of the blocks' votes at a synchronisation. */
struct Votes {
    int frontier;  // frontier vertices of all blocks
    int special;   // blocks that voted special
};

/**
 * Synchronises the grid and adds up votes of its blocks, in one 64-bit word. A block arrives by an add without return, and a
 * block that sees the last arrival has read the votes too. Two words rotate: no block can arrive at a word's next
 * synchronisation before all blocks have read this one. All threads of the grid call it. Needs a cooperative launch of fewer
 * than 2^20 blocks.
 */
class VotingBarrier {
    static constexpr int VOTE_BIT = 20;
    static constexpr int SPECIAL_BIT = 51;

    /** In the control block. */
    struct State {
        unsigned long long words[2];
        // of a paused launch
        unsigned long long before;
        unsigned long long beforeOther;
        int swapped;
    };

    State &state;
    unsigned long long *word;
    unsigned long long *other;
    unsigned long long before = 0;  // the value of word after the last synchronisation through it
    unsigned long long beforeOther = 0;

public:
    explicit __device__ VotingBarrier(RunControl *control)
        : state(*reinterpret_cast<State *>(control->counters + BARRIER_COUNTERS)), word(state.words),
          other(state.words + 1) {}

    /** Saves the state for the launch that resumes; called by one thread after the last synchronisation. */
    __device__ __forceinline__ void pause() const {
        state.before = before;
        state.beforeOther = beforeOther;
        state.swapped = word != state.words ? 1 : 0;
    }

    /** Restores the state of a paused launch. */
    __device__ __forceinline__ void resume() {
        before = state.before;
        beforeOther = state.beforeOther;
        if (state.swapped != 0) {
            swap(word, other);
        }
    }

    /** Votes shared.count and shared.special, then clears them. */
    __device__ __forceinline__ Votes sync(WindowsShared &shared) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned long long vote = static_cast<unsigned long long>(shared.count) << VOTE_BIT
                    | static_cast<unsigned long long>(shared.special != 0) << SPECIAL_BIT | 1;
            asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(word), "l"(vote) : "memory");
            shared.count = 0;
            shared.special = 0;
            const unsigned long long expected = before + gridDim.x;
            unsigned long long now;
            do {
                asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(now) : "l"(word) : "memory");
                now -= expected;
            } while ((now & ((1u << VOTE_BIT) - 1)) != 0);
            shared.news = now;
        }
        __syncthreads();
        const unsigned long long news = shared.news;
        const unsigned long long after = before + gridDim.x + news;
        before = beforeOther;
        beforeOther = after;
        swap(word, other);
        return {static_cast<int>(news >> VOTE_BIT & 0x7fffffffu), static_cast<int>(news >> SPECIAL_BIT)};
    }
};

/** @tparam RECORDS relaxes by ball records; otherwise by padded rows */
template <bool RECORDS>
class Windows {
    static constexpr int BLOCK_WARPS = (RECORDS ? WINDOW_RECORDS_THREADS : WINDOW_ROWS_THREADS) / WARP_SIZE;

    const WindowsArguments &args;
    WindowsShared &shared;
    const Place place;
    RunControl *const control;
    PhasedCounters<WindowCounts> counters;
    const int warp;        // index in the block
    const unsigned share;  // words of one part
    const unsigned plane;  // words of one hop
    const int ownedBits;   // bits of the index of a part among those of a block
    const int chunks;      // chunks of WARP_SIZE words in a block
    unsigned *from;        // bits set by the last window; plane h - 1 holds the vertices met at hop h
    unsigned *to;          // bits set by this window
    int base = -1;         // levels up to this one have been written
    int deepest = 0;

public:
    __device__ Windows(const WindowsArguments &args, WindowsShared &shared)
        : args(args), shared(shared), place(Place::here()), control(args.control), counters(args.control),
          warp(threadIdx.x / WARP_SIZE), share(shareOf(args.n)), plane(share * OWNERS), ownedBits(ownedBitsOf(gridDim.x)),
          chunks(static_cast<int>(share / WARP_SIZE) << ownedBits), from(args.bits),
          to(args.bits + static_cast<int64_t>(args.hops) * plane) {}

    __device__ void run() {
        StopWatch watch(args.stopFlag, control);
        VotingBarrier barrier(control);
        const bool resumes = PAUSES && control->resumes != 0;
        begin_grid(resumes, barrier);
        int step = 0;
        if (place.thread == 0 && !resumes && watch.look(step)) {
            shared.special = 1;
        }
        Votes votes = barrier.sync(shared);
        bool stopped = votes.special != 0 && leaves(watch, step);
        int window = 1;  // complete levels beyond base in from
        int planes = 1;  // hops for which bits have been set
        int most = args.hops;
        if (resumes) {
            const Saved &saved = *Paused<Saved>(control);
            step = saved.step;
            base = saved.base;
            counters.resume(saved.phase);
            window = saved.window;
            planes = saved.planes;
            most = saved.most;
            if (saved.swapped != 0) {
                swap(from, to);
            }
        }
        bool ended = false;
        while (!stopped) {
            step++;
            counters.next(place.thread);
            const int next = args.maxDepth < 0 ? most : min(most, args.maxDepth - base - window);
            if constexpr (RECORDS) {
                resolve_block(window, planes, next);
            } else {
                resolveOne_block(next);
            }
            base += window;
            __syncthreads();
            const int listed = min(shared.count, POPPED);
            if (RECORDS) {
                relaxRecords_block(listed, next);
            } else {
                relaxRows_block(listed);
            }
            if (place.thread == 0 && watch.look(step)) {
                shared.special = 1;
            }
            votes = barrier.sync(shared);
            int complete = next;
            if (votes.special != 0) {
                const WindowCounts counts = counters.read();
                complete = counts.clipped == 0 ? next : min(next, MOST_RADIUS + 1 - static_cast<int>(counts.clipped));
                stopped = leaves(watch, step);
                if (counts.hubs != 0) {
                    relaxHubs_grid(counts.hubs);
                    barrier.sync(shared);
                }
            }
            // bits beyond a clipped window are lost work, so the next window is shorter; else it may grow by one level
            most = complete < next ? complete : min(args.hops, most + 1);
            if (votes.frontier == 0 || targetReached_block()) {
                ended = true;
                break;
            }
            swap(from, to);
            window = complete;
            planes = next;
        }
        if (PAUSES && !ended && watch.pauses(step)) {
            pause_grid(watch, barrier, step, window, planes, most);
            return;
        }
        end_grid();
    }

private:
    /**
     * Sets up the first step: the sources in the frontier, or the state of the paused launch apart from the variables of run().
     */
    __device__ __forceinline__ void begin_grid(bool resumes, VotingBarrier &barrier) {
        if (threadIdx.x == 0) {
            shared.count = 0;
            shared.special = 0;
        }
        if (resumes) {
            barrier.resume();
            return;
        }
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        fill_grid(args.bits, static_cast<int64_t>(args.hops) * plane * 2 * sizeof(unsigned), 0, place);
        fill_grid(args.visited, static_cast<int64_t>(plane) * sizeof(unsigned), 0, place);
        barrier.sync(shared);
        for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
            const unsigned source = args.sources[i];
            atomicOr(from + wordAt(source >> 5), 1u << (source & 31));
        }
    }

    /** Saves the run for a launch that resumes it. */
    __device__ __forceinline__ void pause_grid(
            StopWatch &watch, const VotingBarrier &barrier, int step, int window, int planes, int most) {
        // levels only increase
        atomicMax(&control->level, __reduce_max_sync(ALL_LANES, deepest));
        if (place.thread == 0) {
            *Paused<Saved>(control) = {step, base, counters.phase(), window, planes, most, from != args.bits};
            barrier.pause();
            watch.pause();
        }
    }

    struct Saved {
        int step;
        int base;
        int phase;
        int window;
        int planes;
        int most;
        int swapped;
    };

    /**
     * Searches by records take a few milliseconds on the graphs that suit them, so they do not pause. Supporting a pause would
     * slow each of their steps.
     */
    static constexpr bool PAUSES = !RECORDS;

    __device__ __forceinline__ static bool leaves(const StopWatch &watch, int step) {
        return PAUSES ? watch.seen(step) : watch.stops(step);
    }

    static __device__ __forceinline__ unsigned shareOf(int n) {
        constexpr int64_t VERTICES = 32ll * WARP_SIZE * OWNERS;
        return static_cast<unsigned>((n + VERTICES - 1) / VERTICES * WARP_SIZE);
    }

    static __device__ __forceinline__ int ownedBitsOf(unsigned blocks) {
        int bits = 0;
        while (static_cast<int64_t>(blocks) << bits < OWNERS) {
            bits++;
        }
        return bits;
    }

    /** The position of a word in memory: the words of a part are contiguous. */
    __device__ __forceinline__ unsigned wordAt(unsigned word) const {
        return (word & (OWNERS - 1)) * share + (word >> OWNER_BITS);
    }

    /**
     * Finds the position and the number of the lane's word in a chunk of this block. Returns false if there is none; the same
     * in all lanes.
     */
    __device__ __forceinline__ bool chunkAt(int chunk, unsigned &at, unsigned &word) const {
        const unsigned owner = blockIdx.x + (chunk & ((1 << ownedBits) - 1)) * gridDim.x;
        const unsigned in = (chunk >> ownedBits) * WARP_SIZE + place.lane;
        at = owner * share + in;
        word = (in << OWNER_BITS) + owner;
        return owner < OWNERS && in < share;
    }

    /** Extracts the window's levels from the bits of this block's words, and clears them. */
    __device__ __forceinline__ void resolve_block(int window, int planes, int next) {
        for (int chunk = warp; chunk < chunks; chunk += BLOCK_WARPS) {
            unsigned at;
            unsigned word;
            if (!chunkAt(chunk, at, word)) {
                continue;
            }
            const unsigned before = args.visited[at];
            unsigned seen = before;
            unsigned code[4] = {0, 0, 0, 0};
            unsigned last = 0;
            for (int h = 0; h < planes; h += 4) {
                unsigned got[4];
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    got[u] = h + u < planes ? __ldcg(from + (h + u) * plane + at) : 0;
                }
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    if (got[u] != 0) {
                        from[(h + u) * plane + at] = 0;
                        const unsigned fresh = h + u < window ? got[u] & ~seen : 0;
                        seen |= fresh;
                        code[0] |= (u & 1) != 0 ? fresh : 0;
                        code[1] |= (u & 2) != 0 ? fresh : 0;
                        code[2] |= (h & 4) != 0 ? fresh : 0;
                        code[3] |= (h & 8) != 0 ? fresh : 0;
                        last = h + u == window - 1 ? fresh : last;
                    }
                }
            }
            if (seen != before) {
                args.visited[at] = seen;
            }
            settle_warp(word, seen & ~before, last, code, window, next);
        }
    }

    /** The same for windows of one level, with several chunks of a warp in flight. */
    __device__ __forceinline__ void resolveOne_block(int next) {
        constexpr int U = CHUNKS_AHEAD;
        const unsigned none[4] = {0, 0, 0, 0};
        for (int chunk = warp; chunk < chunks; chunk += U * BLOCK_WARPS) {
            unsigned at[U];
            unsigned word[U];
            unsigned got[U];
            unsigned before[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int c = chunk + u * BLOCK_WARPS;
                const bool is = chunkAt(c, at[u], word[u]) && c < chunks;
                got[u] = is ? __ldcg(from + at[u]) : 0;
                before[u] = is ? args.visited[at[u]] : 0;
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                const unsigned fresh = got[u] & ~before[u];
                if (got[u] != 0) {
                    from[at[u]] = 0;
                }
                if (fresh != 0) {
                    args.visited[at[u]] = before[u] | fresh;
                }
                settle_warp(word[u], fresh, fresh, none, 1, next);
            }
        }
    }

    /** Writes the levels of a lane's vertices, and adds those of the window's last level to the block's list. */
    __device__ __forceinline__ void settle_warp(
            unsigned word, unsigned fresh, unsigned last, const unsigned (&code)[4], int window, int next) {
        unsigned words = __ballot_sync(ALL_LANES, fresh != 0);
        if (words == 0) {
            return;
        }
        int first = 0;
        if (last != 0 && next > 0) {
            first = atomicAdd(&shared.count, __popc(last));
        }
        while (words != 0) {
            const int owner = __ffs(words) - 1;
            words &= words - 1;
            const unsigned reached = __shfl_sync(ALL_LANES, fresh, owner);
            const unsigned popped = __shfl_sync(ALL_LANES, last, owner);
            const int vertex = static_cast<int>(__shfl_sync(ALL_LANES, word, owner) << 5) + place.lane;
            int level = base + 1;
            if (window > 1) {
#pragma unroll
                for (int c = 0; c < 4; c++) {
                    if (window > 1 << c) {
                        level += (__shfl_sync(ALL_LANES, code[c], owner) >> place.lane & 1) << c;
                    }
                }
            }
            const bool is = (popped >> place.lane & 1) != 0 && next > 0;
            const int to = __shfl_sync(ALL_LANES, first, owner) + __popc(popped & ((1u << place.lane) - 1));
            if (is && to < POPPED) {
                shared.popped[to] = vertex;
                prefetch(RECORDS ? static_cast<const void *>(args.recordAt + vertex) : row(vertex));
            }
            if ((reached >> place.lane & 1) != 0) {
                levels()[vertex] = level;
                deepest = level > deepest ? level : deepest;
            }
            if (__any_sync(ALL_LANES, is && to >= POPPED)) {
                relaxMore_warp(is && to >= POPPED, vertex, next);
            }
        }
    }

    static __device__ __forceinline__ void prefetch(const void *at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }

    /** Relaxes frontier vertices that do not fit into the block's list. */
    __device__ void relaxMore_warp(bool is, int vertex, int next) {
        unsigned lanes = __ballot_sync(ALL_LANES, is);
        while (lanes != 0) {
            const int of = __shfl_sync(ALL_LANES, vertex, __ffs(lanes) - 1);
            lanes &= lanes - 1;
            if (RECORDS) {
                relaxRecord_warp(of, next);
            } else {
                relaxRow_warp(place.lane < 1 << (args.rowBits - LEAST_ROW_BITS) ? of : -1);
            }
        }
    }

    __device__ __forceinline__ void set(int x, int hop) {
        atomicOr(to + (hop - 1) * plane + wordAt(static_cast<unsigned>(x) >> 5), 1u << (x & 31));
    }

    /**
     * Sets the bits of four vertices; a negative number stands for none. Adjacent ones of the same word and hop share an
     * atomic.
     */
    __device__ __forceinline__ void set4(const int (&x)[4], const int (&hop)[4]) {
        unsigned word = ~0u;
        unsigned mask = 0;
        int of = 0;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            if (x[j] < 0) {
                continue;
            }
            const unsigned w = static_cast<unsigned>(x[j]) >> 5;
            if (w != word || hop[j] != of) {
                if (mask != 0) {
                    atomicOr(to + (of - 1) * plane + wordAt(word), mask);
                }
                word = w;
                of = hop[j];
                mask = 0;
            }
            mask |= 1u << (x[j] & 31);
        }
        if (mask != 0) {
            atomicOr(to + (of - 1) * plane + wordAt(word), mask);
        }
    }

    __device__ __forceinline__ void relaxRows_block(int count) {
        const int widthBits = args.rowBits - LEAST_ROW_BITS;
        const int each = WARP_SIZE >> widthBits;
        for (int first = warp * each; first < count; first += BLOCK_WARPS * each) {
            const int item = first + (place.lane >> widthBits);
            relaxRow_warp(item < count ? shared.popped[item] : -1);
        }
    }

    __device__ __forceinline__ unsigned *levels() const { return reinterpret_cast<unsigned *>(args.levels); }

    __device__ __forceinline__ const int *row(int vertex) const {
        return args.rows + (static_cast<int64_t>(vertex) << args.rowBits);
    }

    /** Relaxes one row by 1 << (rowBits - 2) lanes; vertex -1 stands for none. */
    __device__ __forceinline__ void relaxRow_warp(int vertex) {
        int4 quad = make_int4(NO_NEIGHBOUR, NO_NEIGHBOUR, NO_NEIGHBOUR, NO_NEIGHBOUR);
        if (vertex >= 0) {
            quad = __ldg(reinterpret_cast<const int4 *>(row(vertex))
                    + (place.lane & ((1 << (args.rowBits - LEAST_ROW_BITS)) - 1)));
        }
        set4({quad.x, quad.y, quad.z, quad.w}, {1, 1, 1, 1});
        if (__any_sync(ALL_LANES, quad.w == MORE_NEIGHBOURS)) {
            relaxLists_warp(quad.w == MORE_NEIGHBOURS, vertex);
        }
    }

    /** Relaxes lists that continue beyond their rows, one after the other, by the whole warp. */
    __device__ void relaxLists_warp(bool has, int vertex) {
        unsigned lanes = __ballot_sync(ALL_LANES, has);
        while (lanes != 0) {
            const int owner = __ffs(lanes) - 1;
            lanes &= lanes - 1;
            const int of = __shfl_sync(ALL_LANES, vertex, owner);
            const uint64_t last = __ldg(args.ptrs + of + 1);
            uint64_t at = __ldg(args.ptrs + of) + ((1 << args.rowBits) - 1);
            if (last - at >= HUB) {
                if (place.lane == 0) {
                    leaveHub(of);
                }
                continue;
            }
            for (at += place.lane; at < last; at += WARP_SIZE) {
                set(__ldg(args.idx + at), 1);
            }
        }
    }

    /** Shortens the window of the whole grid to this many complete hops. Called by one lane. */
    __device__ __forceinline__ void clip(int hops) {
        atomicMax(&counters->clipped, static_cast<unsigned long long>(MOST_RADIUS + 1 - hops));
        shared.special = 1;
    }

    /** Leaves a vertex to the whole grid, which relaxes it after this step. A vertex is popped once a run, so all hubs fit. */
    __device__ __forceinline__ void leaveHub(int vertex) {
        const uint64_t edges = args.ptrs[vertex + 1] - args.ptrs[vertex];
        const unsigned long long packed = atomicAdd(&counters->hubs, edges << HUB_COUNT_BITS | 1);
        const unsigned long long at = packed & ((1ull << HUB_COUNT_BITS) - 1);
        args.hubs[at] = vertex;
        args.hubEdges[at] = packed >> HUB_COUNT_BITS;
        clip(1);
    }

    __device__ void relaxHubs_grid(unsigned long long packed) {
        forEdges_grid<1>(args.ptrs, args.idx, args.hubs, args.hubEdges, 0,
                static_cast<int>(packed & ((1ull << HUB_COUNT_BITS) - 1)), uint64_t(0),
                static_cast<uint64_t>(packed >> HUB_COUNT_BITS), place, [&](const int(&)[1], const int(&neighbour)[1]) {
                    if (neighbour[0] >= 0) {
                        set(neighbour[0], 1);
                    }
                });
    }

    /** Relaxes several records per warp; all are prefetched before the first is read. */
    __device__ __forceinline__ void relaxRecords_block(int count, int hops) {
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const char *record = reinterpret_cast<const char *>(recordOf(shared.popped[i]));
            for (int at = 0; at < PREFETCHED; at += PREFETCH_STEP) {
                prefetch(record + at);
            }
        }
        for (int i = warp; i < count; i += BLOCK_WARPS) {
            relaxRecord_warp(shared.popped[i], hops);
        }
    }

    __device__ __forceinline__ const int *recordOf(int vertex) const {
        return args.records + static_cast<int64_t>(__ldg(args.recordAt + vertex)) * RECORD_UNIT;
    }

    __device__ __forceinline__ void relaxRecord_warp(int vertex, int hops) {
        const int *record = recordOf(vertex);
        const int4 low = __ldg(reinterpret_cast<const int4 *>(record));
        const int4 high = __ldg(reinterpret_cast<const int4 *>(record) + 1);
        // load the first entries before their number is known; RECORDS_ROOM makes that safe
        const int4 *entries = reinterpret_cast<const int4 *>(record + HEADER) + place.lane;
        int4 quad[2] = {__ldg(entries), __ldg(entries + WARP_SIZE)};
        const int radius = low.y;
        int count = low.x;
        if (count >= HUB) {
            if (place.lane == 0) {
                leaveHub(vertex);
            }
            return;
        }
        if (radius < hops && place.lane == 0) {
            clip(radius);
        }
        const unsigned ends[] = {static_cast<unsigned>(low.z), static_cast<unsigned>(low.w), static_cast<unsigned>(high.x),
                static_cast<unsigned>(high.y), static_cast<unsigned>(high.z), static_cast<unsigned>(high.w)};
        for (int first = 0; first < count; first += 8 * WARP_SIZE) {
#pragma unroll
            for (int u = 0; u < 2; u++) {
                if (first + u * WARP_SIZE * 4 >= count) {
                    break;
                }
                const int at = first + (u * WARP_SIZE + place.lane) * 4;
                int x[4] = {quad[u].x, quad[u].y, quad[u].z, quad[u].w};
                int hop[4] = {1, 1, 1, 1};
#pragma unroll
                for (int e = 0; e < 6; e++) {
                    if (2 * e + 1 < radius) {
#pragma unroll
                        for (int j = 0; j < 4; j++) {
                            hop[j] += at + j >= static_cast<int>(ends[e] & 0xffffu);
                            hop[j] += at + j >= static_cast<int>(ends[e] >> 16);
                        }
                    }
                }
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    x[j] = at + j < count && hop[j] <= hops ? x[j] : -1;
                }
                set4(x, hop);
                quad[u] = first + 8 * WARP_SIZE < count ? __ldg(entries + first / 4 + (u + 2) * WARP_SIZE) : quad[u];
            }
        }
    }

    /** Returns whether a stop target lies within the levels that all blocks can see; the same in all of them. */
    __device__ bool targetReached_block() {
        bool is = false;
        for (int i = threadIdx.x; i < args.stopTargetCount; i += blockDim.x) {
            const unsigned level = __ldcg(levels() + args.stopTargets[i]);
            is |= level <= static_cast<unsigned>(base);
        }
        return args.stopTargetCount != 0 && __syncthreads_or(is) != 0;
    }

    /** Resets levels beyond that of the first stop target, and reports the deepest level. */
    __device__ void end_grid() {
        if (threadIdx.x == 0) {
            shared.deepest = 0;
            shared.kept = 0x7fffffffu;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < args.stopTargetCount; i += blockDim.x) {
            const unsigned level = __ldcg(levels() + args.stopTargets[i]);
            if (level <= static_cast<unsigned>(base)) {
                atomicMin(&shared.kept, level);
            }
        }
        atomicMax(&shared.deepest, deepest);
        __syncthreads();
        const unsigned kept = shared.kept;
        if (threadIdx.x == 0) {
            atomicMax(&control->level, static_cast<int>(min(kept, static_cast<unsigned>(shared.deepest))));
        }
        if (kept != 0x7fffffffu) {
            for (int64_t v = place.thread; v < args.n; v += place.threads) {
                const unsigned level = __ldcg(levels() + v);
                if (level != static_cast<unsigned>(UNREACHED) && level > kept) {
                    levels()[v] = static_cast<unsigned>(UNREACHED);
                }
            }
        }
    }
};

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::WINDOW_ROWS_THREADS, 1)
        bfs_windows_rows_grid(const __grid_constant__ proxima::WindowsArguments args) {
    __shared__ proxima::WindowsShared shared;
    proxima::Windows<false>(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

extern "C" __global__ void __launch_bounds__(proxima::WINDOW_RECORDS_THREADS, 1)
        bfs_windows_records_grid(const __grid_constant__ proxima::WindowsArguments args) {
    __shared__ proxima::WindowsShared shared;
    proxima::Windows<true>(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}
