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

/**
 * Device memory for the state of a search. There is one for a device, since one search at a time runs on it; it is kept
 * from one search to the next, grows where needed, and is evicted like an idle graph.
 */
public final class Workspace implements DeviceMemory.Tenant, AutoCloseable {

    private final DeviceMemory memory;

    // guarded by memory
    private DeviceArray array;
    private boolean inUse;

    Workspace(DeviceMemory memory) {
        this.memory = memory;
    }

    /**
     * Makes it at least so large; its content is lost. For whoever has the lease.
     *
     * @return the device address
     */
    long require(long bytes) {
        synchronized (memory) {
            inUse = false;
            if (array != null && array.bytes() < bytes) {
                evict();
            }
            if (array == null) {
                array = memory.allocate("a search", bytes);
            }
            inUse = true;
            memory.use(this);
            return array.address();
        }
    }

    /**
     * Takes the memory out with its content, for a run that others interrupt: they get memory of their own. For whoever has the
     * lease.
     *
     * @return what {@link #resume} is to be given; null if the run has none
     */
    DeviceArray suspend() {
        synchronized (memory) {
            if (!inUse) {
                return null;
            }
            DeviceArray suspended = array;
            array = null;
            inUse = false;
            memory.remove(this);
            return suspended;
        }
    }

    /** Puts the memory of an interrupted run back in place of what others have used. For whoever has the lease. */
    void resume(DeviceArray suspended) {
        synchronized (memory) {
            if (suspended == null) {
                return;
            }
            if (array != null) {
                evict();
            }
            array = suspended;
            inUse = true;
            memory.use(this);
        }
    }

    /** Lets it be evicted. */
    void release() {
        synchronized (memory) {
            inUse = false;
        }
    }

    @Override
    public long idleBytes() {
        return inUse || array == null ? 0 : array.bytes();
    }

    @Override
    public void evict() {
        array.close();
        array = null;
    }

    /** Frees it unless a search uses it. */
    @Override
    public void close() {
        synchronized (memory) {
            if (idleBytes() > 0) {
                memory.remove(this);
                evict();
            }
        }
    }
}
