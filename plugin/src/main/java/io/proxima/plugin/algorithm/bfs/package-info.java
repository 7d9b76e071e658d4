// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Breadth-first search from one node. */
package io.proxima.plugin.algorithm.bfs;
