// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The Cypher interface: procedures, the graph catalog, and write-back of results. */
package io.proxima.plugin;
