// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Metrics for monitoring tools: MXBeans under {@code io.proxima}. */
package io.proxima.plugin.metrics;
