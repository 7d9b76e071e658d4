// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The call of a procedure. A {@link io.proxima.plugin.call.Caller} reads a configuration, such as
 * {@link io.proxima.plugin.call.RunConfig}, with which a {@link io.proxima.plugin.call.GraphRun} is opened; the job of
 * the call lasts as long as the run. {@link io.proxima.plugin.call.Algorithm} is what the calls of all algorithms have
 * in common.
 */
package io.proxima.plugin.call;
