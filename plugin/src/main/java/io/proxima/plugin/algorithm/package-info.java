// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What several algorithms share: their sources, their weights, and scores. Each algorithm is a package below this one:
 * a class with its keys and its run, and one with its procedures.
 */
package io.proxima.plugin.algorithm;
