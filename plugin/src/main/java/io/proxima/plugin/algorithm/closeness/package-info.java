// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Exact, harmonic and sampled closeness. */
package io.proxima.plugin.algorithm.closeness;
