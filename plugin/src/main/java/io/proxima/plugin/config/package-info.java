// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Parsing and validation of arguments: configuration maps, projections and nodes. */
package io.proxima.plugin.config;
