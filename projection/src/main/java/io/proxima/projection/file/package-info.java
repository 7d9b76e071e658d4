// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * A projected graph as a file, which programs without Neo4j can read. The entry point is
 * {@link io.proxima.projection.file.GraphFile}.
 */
package io.proxima.projection.file;
