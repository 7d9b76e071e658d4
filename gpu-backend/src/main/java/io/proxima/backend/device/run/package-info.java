// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Runs on a device, from the call to arrays on the heap: the levels of one search, the distances of many, and sums over
 * all vertices; the memory that they will take; and the preparation of graphs for repeated use.
 *
 * <p>{@link io.proxima.backend.device.run.DeviceGraph} is a graph on one device,
 * {@link io.proxima.backend.device.run.GroupGraph} a graph on several. The group chooses a device for each run, or
 * shares the sources of closeness among all: {@code SourceRanges} distributes them, {@code DeviceSums} has the sums of
 * one device, and {@code FarnessSums} adds these.
 */
package io.proxima.backend.device.run;
