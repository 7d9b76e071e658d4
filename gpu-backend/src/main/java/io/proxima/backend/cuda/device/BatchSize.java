/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.device;

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
        if (!shrink()) {
            throw failure;
        }
    }

    /** Reduces the size after a batch did not fit; returns whether that was possible. */
    public boolean shrink() {
        boolean smaller = most > least;
        most = smaller ? most / 2 : most;
        return smaller;
    }
}
