// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The call of a procedure. A {@link io.proxima.plugin.call.Caller} reads a configuration, such as
 * {@link io.proxima.plugin.call.RunConfig}, with which a {@link io.proxima.plugin.call.GraphRun} is opened; the job of
 * the call lasts as long as the run. A {@link io.proxima.plugin.call.Call} does so for every
 * {@link io.proxima.plugin.call.Algorithm}, whose {@link io.proxima.plugin.call.CallPlan} is estimated and reserved.
 */
package io.proxima.plugin.call;
