// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.projection.Csc;

/** The graphs of one device and the services that a run on them needs. Thread-safe. */
public interface DeviceGraphs {

    /** The current device; it changes after a failure. */
    Device device();

    /** Adds a handle of a graph, to be closed by the caller. */
    DeviceGraph load(Csc graph);

    /** The graph on the current device. A graph without a handle is not kept. */
    ResidentGraph resident(Csc graph);

    /** Chooses the kernels of runs on a device. */
    KernelChoice choice(Device on);

    /** Releases one handle of a graph. */
    void letGo(Csc graph);

    /** Frees the workspace if no graph has a handle. */
    void sweep();
}
