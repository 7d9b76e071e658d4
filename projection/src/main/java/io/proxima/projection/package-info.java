// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Projections of a property graph to an id map and CSC. The entry points are {@link io.proxima.projection.Projector}
 * and, for rows, {@link io.proxima.projection.CypherGraphCollector}. Only the package {@code store} depends on Neo4j.
 */
package io.proxima.projection;
