// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Multi-source BFS on deep graphs, with one thread block per source: msbfs_blocks.cu. */
package io.proxima.backend.cuda.family.blocks;
