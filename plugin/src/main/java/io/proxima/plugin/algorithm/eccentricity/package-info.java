// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Eccentricity, and the diameter and radius of a graph. */
package io.proxima.plugin.algorithm.eccentricity;
