// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** CPU backend: direction-optimizing BFS and bit-parallel multi-source BFS over CSC. */
package io.proxima.backend.cpu;
