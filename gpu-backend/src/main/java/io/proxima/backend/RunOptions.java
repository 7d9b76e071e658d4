// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * The caller's choices for a run. They do not affect results. A backend ignores choices that it does not support.
 *
 * @param order the order of the graph
 * @param kernel the kernels
 */
public record RunOptions(VertexOrder order, Kernel kernel) {

    /** The backend chooses everything. */
    public static final RunOptions AUTO = new RunOptions(VertexOrder.AUTO, Kernel.AUTO);

    /** The choices for one of several runs of a call: kernels of other runs are left to the backend. */
    public RunOptions forRun(Operation run) {
        return kernel.suits(run) ? this : new RunOptions(order, Kernel.AUTO);
    }
}
