// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Binarized virtual slice sets and the kernels of BLEST (arXiv:2606.05081): bvss_build.cu, bfs_bvss.cu, msbfs_bvss.cu.
 */
package io.proxima.backend.papers.bvss;
