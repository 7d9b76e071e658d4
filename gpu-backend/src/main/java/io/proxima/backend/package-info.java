// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Traversal over {@link io.proxima.projection.csc.Csc}: one interface, several backends with equal results. */
package io.proxima.backend;
