// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceMemoryException;

/** The number of sources of a batch; reduced when memory is short. */
public final class BatchSize {

    private final int least;
    private int most;

    /**
     * Starts with the maximum.
     *
     * @param most maximum number of sources of a batch
     * @param least number of sources below which a smaller batch saves no memory
     */
    public BatchSize(int most, int least) {
        this.most = most;
        this.least = least;
    }

    /** The current maximum number of sources of a batch. */
    public int most() {
        return most;
    }

    /** Reduces the size after a batch did not fit. Rethrows the failure if the size is minimal. */
    public void shrink(DeviceMemoryException failure) {
        if (most <= least) {
            throw failure;
        }
        most /= 2;
    }
}
