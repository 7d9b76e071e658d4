// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What several algorithms share: their sources, and scores. Each algorithm is a package below this one: a record with
 * its keys, its plan and its run, and a class with its procedures.
 */
package io.proxima.plugin.algorithm;
