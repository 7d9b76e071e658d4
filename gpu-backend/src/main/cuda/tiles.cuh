/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
