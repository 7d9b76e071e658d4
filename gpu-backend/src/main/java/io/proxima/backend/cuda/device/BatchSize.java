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

/** How many sources a batch takes: fewer as soon as memory has been short. */
public final class BatchSize {

    private final int least;
    private int most;

    /**
     * As many as possible.
     *
     * @param most sources of a batch
     * @param least sources below which a smaller batch saves no memory
     */
    public BatchSize(int most, int least) {
        this.most = most;
        this.least = least;
    }

    /** The most sources of a batch now. */
    public int most() {
        return most;
    }

    /** A batch did not fit: the next is smaller. Throws the failure on if none is smaller. */
    public void shrink(DeviceMemoryException failure) {
        if (!shrink()) {
            throw failure;
        }
    }

    /** A batch did not fit; whether there is a smaller one. */
    public boolean shrink() {
        boolean smaller = most > least;
        most = smaller ? most / 2 : most;
        return smaller;
    }
}
