// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** What the transactions of a database have changed since graphs were read from it. */
package io.proxima.plugin.current;
