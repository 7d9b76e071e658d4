// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Weakly connected components. */
package io.proxima.plugin.algorithm.components;
