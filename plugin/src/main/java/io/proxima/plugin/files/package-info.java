// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The files that calls leave on the server. */
package io.proxima.plugin.files;
