// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Sums on deep graphs, by multi-source BFS from neighbouring sources over tiles: tiles_build.cu, msbfs_tiles.cu. */
package io.proxima.backend.cuda.family.tiles;
