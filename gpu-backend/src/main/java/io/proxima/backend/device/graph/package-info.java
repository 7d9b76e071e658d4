// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The device structures of a graph: the recipe by which each is built, the runs that pin it, and its eviction. A
 * structure that only one family uses is in the package of that family.
 */
package io.proxima.backend.device.graph;
