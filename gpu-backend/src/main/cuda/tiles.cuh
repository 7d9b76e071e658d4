// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "host.cuh"

// The format that tiles_build.cu writes and msbfs_tiles.cu reads; see the head of msbfs_tiles.cu.
namespace proxima {

/** A tile near another one, and the positions of the other tile whose edges lead to it. */
struct NearTile {
    int tile;
    unsigned positions;
};

/** The most columns of a tile; the rest of a longer list is read from the graph's lists. */
constexpr int TILE_COLUMNS = 32;

HOST_CONSTANT(NEAR_TILE_BYTES, sizeof(NearTile))
HOST_CONSTANT(TILE_COLUMNS, TILE_COLUMNS)

}  // namespace proxima
