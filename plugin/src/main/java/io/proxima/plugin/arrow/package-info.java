// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Tables in Arrow's stream format: as the rows of a call, and as an argument. */
package io.proxima.plugin.arrow;
