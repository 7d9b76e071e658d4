// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.graph.GraphSizes;

/** Kernels that 'auto' may try before it chooses. */
public interface TrialKernels extends DeviceKernels {

    /** The exact bytes of the workspace of a trial. */
    long trialBytes(GraphSizes graph);
}
