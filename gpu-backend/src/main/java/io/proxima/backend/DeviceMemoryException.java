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
package io.proxima.backend;

/**
 * A device has too little memory for a run, even after everything idle was evicted. The message states the figures and
 * the remedy.
 */
public final class DeviceMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long missingBytes;

    /** Creates the exception for work that no amount of free memory would help. */
    public DeviceMemoryException(String message) {
        this(message, 0);
    }

    /**
     * Creates the exception.
     *
     * @param missingBytes as {@link #missingBytes}
     */
    public DeviceMemoryException(String message, long missingBytes) {
        super(message);
        this.missingBytes = missingBytes;
    }

    /** The device memory that the failed allocation lacked, in bytes; 0 if that is unknown. */
    public long missingBytes() {
        return missingBytes;
    }
}
