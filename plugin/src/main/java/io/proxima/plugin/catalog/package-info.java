// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The catalog of projected graphs. */
package io.proxima.plugin.catalog;
