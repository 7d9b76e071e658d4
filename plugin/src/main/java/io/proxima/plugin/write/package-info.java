// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Write-back of results to the store as node properties. */
package io.proxima.plugin.write;
