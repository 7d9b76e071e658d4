// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Direction-optimizing BFS over CSR, for shallow graphs: compact_build.cu, bfs_directional.cu. */
package io.proxima.backend.cuda.family.directional;
