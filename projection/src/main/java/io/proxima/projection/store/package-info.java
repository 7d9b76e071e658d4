// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Neo4j's store as a {@link io.proxima.projection.GraphSource}; the only package of this module that depends on Neo4j.
 */
package io.proxima.projection.store;
