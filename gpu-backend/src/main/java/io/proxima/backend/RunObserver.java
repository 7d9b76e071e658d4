// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** Receives the backend, order and kernels of a run. Called on the run's thread; called again if the run falls back. */
@FunctionalInterface
public interface RunObserver {

    /** Ignores all calls. */
    RunObserver NONE = (backend, reason) -> {};

    /**
     * Called when a run begins on a backend.
     *
     * @param backend the backend's name, such as "cuda:0"
     * @param reason why it was chosen; one sentence for the log
     */
    void runsOn(String backend, String reason);

    /**
     * Called with the order and kernels before the run begins.
     *
     * @param order the value of the configuration key {@code order}
     * @param kernel the value of the configuration key {@code kernel}, or the name of the kernels of a run without a
     *     choice; "cpu" on the CPU
     * @param reason why these were chosen; sentences for the log, empty if there was no choice
     */
    default void runsWith(String order, String kernel, String reason) {}
}
