// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses the kernels of each run, and the order of the graph.
 */
package io.proxima.backend.cuda.choice;
