// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "host.cuh"

// What msbfs_tiles.cu reads and tiles_build.cu makes.
namespace proxima {

/** A tile near another, and the positions of the other that lead there. */
struct NearTile {
    int tile;
    unsigned positions;
};

/** The most columns of a tile; longer lists go on in the lists of the graph. */
constexpr int TILE_COLUMNS = 32;

HOST_CONSTANT(NEAR_TILE_BYTES, sizeof(NearTile))
HOST_CONSTANT(TILE_COLUMNS, TILE_COLUMNS)

}  // namespace proxima
