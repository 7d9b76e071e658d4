// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Way;
import java.util.List;
import java.util.Set;

/** Kernels of one family with the device structures that they read. */
public interface DeviceKernels {

    /** The value of the configuration key {@code kernel}, if it can be requested; otherwise a name of its own. */
    String name();

    /** The structures that must be resident, in the order in which they are built. */
    Set<DeviceStructure<?>> structures();

    /**
     * The ways to do the work of this very call, the preferred first. The last one takes least.
     *
     * @param work not {@link Workload#isNothing nothing}
     */
    List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy);
}
