// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The nearest of several sources. */
package io.proxima.plugin.algorithm.nearest;
