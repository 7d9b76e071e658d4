// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** BFS on deep graphs, with several levels between two synchronizations of the grid: bfs_balls.cu, bfs_windows.cu. */
package io.proxima.backend.cuda.family.balls;
