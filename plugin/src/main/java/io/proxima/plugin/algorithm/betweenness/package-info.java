// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Betweenness, exact or from a sample of sources. */
package io.proxima.plugin.algorithm.betweenness;
