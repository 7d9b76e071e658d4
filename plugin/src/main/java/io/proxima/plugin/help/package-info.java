// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** proxima.help: keys, examples and pages of all procedures. */
package io.proxima.plugin.help;
