// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

/**
 * The memory of a run besides its structures and the workspace of its kernels.
 *
 * @param deviceBytes bytes of the device that the run allocates, such as for sums
 * @param mayMapLists whether lists of neighbours may be built in mapped host memory
 */
public record RunMemory(long deviceBytes, boolean mayMapLists) {

    /** Of background work, which must not take host memory. */
    public static final RunMemory ON_DEVICE = new RunMemory(0, false);

    /** Of a run that allocates nothing else. */
    public static final RunMemory ANYWHERE = new RunMemory(0, true);
}
