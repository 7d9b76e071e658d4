// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import java.util.Set;

/** Kernels of one family with the device structures that they read. */
public interface DeviceKernels {

    /** The value of the configuration key {@code kernel}, if it can be requested; otherwise a name of its own. */
    String name();

    /** The structures that must be resident, in the order in which they are built. */
    Set<DeviceStructure<?>> structures();

    /** Bytes of the smallest workspace with which a run can continue while memory is short. */
    long leastWorkspace(GraphSizes graph);
}
