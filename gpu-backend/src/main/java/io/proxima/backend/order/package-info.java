// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Vertex orders: permutations between the vertex and the slot id space. */
package io.proxima.backend.order;
