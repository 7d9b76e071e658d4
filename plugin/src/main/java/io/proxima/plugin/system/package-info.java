// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Procedures and functions about the server, and utilities. */
package io.proxima.plugin.system;
