// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses the kernels and the order of the graph for each run: from the configuration, by trials, and from earlier
 * findings.
 */
package io.proxima.backend.cuda.choice;
