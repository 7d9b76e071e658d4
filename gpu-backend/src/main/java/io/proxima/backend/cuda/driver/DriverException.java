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
package io.proxima.backend.cuda.driver;

import io.proxima.backend.DeviceFailureException;

/** The CUDA driver reported an error. */
public final class DriverException extends DeviceFailureException {

    public static final int OUT_OF_MEMORY = 2;
    public static final int NO_DEVICE = 100;

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String name;

    /**
     * Creates the exception.
     *
     * @param call the driver's function
     * @param code the driver's code
     * @param name the code's name, as in CUDA_ERROR_OUT_OF_MEMORY
     */
    public DriverException(String call, int code, String name) {
        super("The CUDA driver reported " + name + " (" + code + ") in " + call + ".");
        this.code = code;
        this.name = name;
    }

    public int code() {
        return code;
    }

    String codeName() {
        return name;
    }

    public boolean isOutOfMemory() {
        return code == OUT_OF_MEMORY;
    }
}
