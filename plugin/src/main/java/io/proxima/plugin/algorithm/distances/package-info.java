// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Hop distances from several nodes. */
package io.proxima.plugin.algorithm.distances;
