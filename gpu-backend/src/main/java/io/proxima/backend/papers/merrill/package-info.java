// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Top-down BFS over CSR with queues that are compacted by prefix sums: bfs_merrill.cu. */
package io.proxima.backend.papers.merrill;
