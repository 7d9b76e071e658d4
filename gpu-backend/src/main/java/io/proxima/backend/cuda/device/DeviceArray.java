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

import java.util.concurrent.atomic.AtomicBoolean;

/** An allocation of device memory, or of mapped memory; closing it more than once has no effect. */
public final class DeviceArray implements AutoCloseable {

    private final DeviceMemory memory;
    private final long address;
    private final long bytes;
    private final boolean mapped;
    private final AtomicBoolean freed = new AtomicBoolean();

    DeviceArray(DeviceMemory memory, long address, long bytes, boolean mapped) {
        this.memory = memory;
        this.address = address;
        this.bytes = bytes;
        this.mapped = mapped;
    }

    /** The device address of the first byte. */
    public long address() {
        if (freed.get()) {
            throw new IllegalStateException("device memory used after it was freed: bytes=" + bytes);
        }
        return address;
    }

    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (freed.compareAndSet(false, true)) {
            memory.free(address, bytes, mapped);
        }
    }
}
