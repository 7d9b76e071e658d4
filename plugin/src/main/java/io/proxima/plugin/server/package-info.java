// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Integration into the server: settings, metrics and the release of devices. */
package io.proxima.plugin.server;
