// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host.cuh"

// The matrix that tile_matrix_build.cu builds and bfs_tile.cu reads: Ji et al. (TileSpMSpV, ICPP 2022), sections 3.2.1 and
// 3.2.3. docs/modules/ROOT/pages/tile-matrix-format.adoc is the specification.
//
//   tile    NT rows by NT columns with at least NT / 2 entries; NT is 32 or 64. Each column is a word of NT bits, in which bit
//           r is the entry of row r. The tiles of NT columns are contiguous, by ascending rows.
//   rest    The entries outside tiles, as lists: the COO part of the paper.
//
// In the matrix of out-edges, an entry in column j and row i is an edge from j to i. The matrix of in-edges is the transpose,
// in which that entry is an edge from i to j; its words are thus rows of the first matrix. A symmetric graph has one matrix.
namespace proxima {

constexpr int64_t WIDE_TILES_FROM = 10'001;  // vertices; from this number on, NT is 64 (section 3.4)

HOST_CONSTANT(WIDE_TILES_FROM, WIDE_TILES_FROM)

/** Bits of a word, which is also the number of rows and columns of a tile. */
template <class Word>
constexpr int TILE_SIDE = static_cast<int>(8 * sizeof(Word));

/** The least number of entries of a tile; fewer entries belong to the rest. */
template <class Word>
constexpr int LEAST_TILE_ENTRIES = TILE_SIDE<Word> / 2;

HOST_CONSTANT(LEAST_TILE_ENTRIES_32, LEAST_TILE_ENTRIES<uint32_t>)
HOST_CONSTANT(LEAST_TILE_ENTRIES_64, LEAST_TILE_ENTRIES<unsigned long long>)

/** Arrays in device memory, constant while a search runs. Word: unsigned for NT = 32, unsigned long long for NT = 64. */
template <class Word>
struct TileMatrix {
    const int64_t *tilePtrs;  // int64[tile columns + 1]: first tile of each tile column
    const int *tileRows;      // int[tiles]: tile row of each tile
    const Word *words;        // Word[NT * tiles]
    const int64_t *restPtrs;  // int64[n + 1]: first entry of each column in restRows
    const int *restRows;      // int[rest]: rows, ascending within a column
};

/** The number of tile columns, which is the number of words of an n-bit vector. */
template <class Word>
__host__ __device__ constexpr int tileColumns(int n) {
    return static_cast<int>((static_cast<int64_t>(n) + TILE_SIDE<Word> - 1) / TILE_SIDE<Word>);
}

}  // namespace proxima
