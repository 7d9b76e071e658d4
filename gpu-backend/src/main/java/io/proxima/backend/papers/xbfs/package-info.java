// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Direction-optimizing BFS over CSR that generates the queue of each level in the way that suits it: bfs_xbfs.cu. */
package io.proxima.backend.papers.xbfs;
