// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host.cuh"

// Padded rows and ball records. bfs_balls.cu builds both; bfs_balls.cu and bfs_windows.cu read them.
//
//   rows[n << rowBits]    The first out-neighbours of each vertex, padded with NO_NEIGHBOUR. If a vertex has more than fit, its
//                         last place holds MORE_NEIGHBOURS, and the list continues at ptrs[v] + (1 << rowBits) - 1.
//   recordAt[n + 1]       The start of each record, in units of RECORD_UNIT.
//   records               HEADER ints: the number of entries, the radius, and for each of the hops 1 to 12 the number of
//                         entries within that hop, in 16 bits. From the radius on that is the number of all entries, at most
//                         0xffff. Then the entries, by hop, and in ascending order within a hop. RECORDS_ROOM unused ints
//                         follow the last record, because a warp reads ahead.
namespace proxima {

constexpr int NO_NEIGHBOUR = -1;
constexpr int MORE_NEIGHBOURS = -2;
constexpr int HUB = 1024;  // out-neighbours; a vertex with more is relaxed by the whole grid
constexpr int HUB_COUNT_BITS = 31;
constexpr int RECORD_UNIT = 8;     // ints; each record begins at a multiple of this
constexpr int HEADER = 8;          // ints before a record's entries
constexpr int RECORDS_ROOM = 256;  // ints that may be read past the last record
constexpr int MOST_RADIUS = 13;
constexpr int LEAST_ROW_BITS = 2;  // log2 of the shortest row: bfs_windows.cu reads 4 neighbours per lane
constexpr int MOST_ROW_BITS = 5;   // log2 of the longest row: bfs_balls.cu reads one neighbour per lane

HOST_CONSTANT(NO_NEIGHBOUR, NO_NEIGHBOUR)
HOST_CONSTANT(MORE_NEIGHBOURS, MORE_NEIGHBOURS)
HOST_CONSTANT(HUB, HUB)
HOST_CONSTANT(HUB_EDGE_BITS, 64 - HUB_COUNT_BITS)
HOST_CONSTANT(RECORD_UNIT, RECORD_UNIT)
HOST_CONSTANT(RECORD_HEADER, HEADER)
HOST_CONSTANT(RECORDS_ROOM_BYTES, RECORDS_ROOM * sizeof(int))
HOST_CONSTANT(MOST_RADIUS, MOST_RADIUS)
HOST_CONSTANT(LEAST_ROW_BITS, LEAST_ROW_BITS)
HOST_CONSTANT(MOST_ROW_BITS, MOST_ROW_BITS)

}  // namespace proxima
