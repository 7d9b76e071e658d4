// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host.cuh"

// Padded rows and ball records, which bfs_balls.cu makes, and bfs_balls.cu and bfs_windows.cu read.
//
//   rows[n << rowBits]    the first out-neighbours of each vertex, padded with NO_NEIGHBOUR; if there are more than fit, the
//                         last place holds MORE_NEIGHBOURS and the list goes on at ptrs[v] + (1 << rowBits) - 1
//   recordAt[n + 1]       first RECORD_UNIT of each record
//   records               HEADER ints: number of entries, radius, then 16 bits each how many lie within hop 1, 2, ... 12
//                         (hops from the radius on: all, at most 0xffff); entries by hop, within a hop ascending.
//                         A warp reads ahead: behind the last record lie RECORDS_ROOM ints more
namespace proxima {

constexpr int NO_NEIGHBOUR = -1;
constexpr int MORE_NEIGHBOURS = -2;
constexpr int HUB = 1024;  // out-neighbours from which the whole grid relaxes a vertex
constexpr int HUB_COUNT_BITS = 31;
constexpr int RECORD_UNIT = 8;     // ints; a record begins at a multiple
constexpr int HEADER = 8;          // ints of a record's head
constexpr int RECORDS_ROOM = 256;  // ints
constexpr int MOST_RADIUS = 13;
constexpr int LEAST_ROW_BITS = 2;  // a row has 4 neighbours at least: bfs_windows.cu reads 4 a lane
constexpr int MOST_ROW_BITS = 5;   // and 32 at most: bfs_balls.cu reads one a lane

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
