// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** TileBFS: BFS over a matrix of bitmask tiles: tile_matrix_build.cu, bfs_tile.cu. Not the tiles of family/tiles. */
package io.proxima.backend.papers.tilebfs;
