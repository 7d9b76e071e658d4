// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Bit-parallel multi-source BFS over CSR: msbfs_parts.cu, msbfs_words.cu. */
package io.proxima.backend.cuda.family.words;
