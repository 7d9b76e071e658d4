// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Procedures on projected graphs: project, filter, describe, list, drop, export, import, and their node properties. */
package io.proxima.plugin.graph;
