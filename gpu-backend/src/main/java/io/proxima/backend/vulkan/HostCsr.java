// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.device.graph.CopiedLists;
import io.proxima.backend.device.graph.DeviceStructure;

/** The graph in compressed sparse rows, which the host brings into the order of the device and copies. */
final class HostCsr extends CopiedLists {

    /** Out-neighbours of each slot, ascending. */
    static final HostCsr OUT = new HostCsr(false);

    /** In-neighbours of each slot, ascending; those of a symmetric graph are its out-neighbours. */
    static final HostCsr IN = new HostCsr(true);

    private HostCsr(boolean incoming) {
        super(incoming);
    }

    @Override
    public DeviceStructure<Lists> sharedBy(boolean symmetric) {
        return symmetric ? OUT : this;
    }
}
