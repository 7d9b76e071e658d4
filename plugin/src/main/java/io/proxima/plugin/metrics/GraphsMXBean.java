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
package io.proxima.plugin.metrics;

/** The projected graphs of all users and databases of this JVM. */
public interface GraphsMXBean {
    /** The number of graphs in the catalog. */
    int getGraphCount();

    /** Their heap memory, in bytes. */
    long getHeapBytes();

    /** Their device memory, in bytes. */
    long getDeviceBytes();

    /** The page-locked host memory that devices read for them, in bytes. */
    long getMappedBytes();

    /** The number of graphs that are resident on a device. */
    int getResidentGraphCount();
}
