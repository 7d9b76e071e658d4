// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** Receives the distances of a multi-source BFS, batch by batch. */
@FunctionalInterface
public interface DistanceSink {

    /**
     * Receives one batch. It is valid only during the call, because its memory is reused for the next.
     *
     * @param batch distances from {@code batch.sourceCount()} consecutive sources of the run
     */
    void accept(DistanceBatch batch);
}
