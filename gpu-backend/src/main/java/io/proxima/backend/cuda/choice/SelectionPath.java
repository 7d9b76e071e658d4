// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.TrialKernels;
import java.util.List;

/**
 * A sequence of decisions by which 'auto' may choose the kernels of a run, for its estimate.
 *
 * @param tried kernels that a trial runs, in this order
 * @param taken the kernels chosen in the end; the structures that only others need are freed
 */
public record SelectionPath(List<? extends TrialKernels> tried, DeviceKernels taken) {

    /** A path without a trial. */
    public static SelectionPath straight(DeviceKernels kernels) {
        return new SelectionPath(List.of(), kernels);
    }
}
