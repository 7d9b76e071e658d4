// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** BFS composed of operators over two-layer bitmap frontiers, as in SYgraph: operators.cuh, bfs_two_layer.cu. */
package io.proxima.backend.papers.twolayer;
