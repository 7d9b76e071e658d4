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
 * How a device is used by this process. Counts begin when the device is opened.
 *
 * @param name of the device's backend, as in {@link BackendInfo#name}
 * @param totalBytes the device's memory
 * @param budgetBytes what of it may be held here
 * @param usedBytes what of it is held here now
 * @param hits how often a graph that was made ready for runs was on the device
 * @param misses how often such a graph had to be brought there
 * @param evictions how often something idle was moved out to make room
 * @param uploadedBytes bytes copied to the device
 */
public record DeviceUse(
        String name,
        long totalBytes,
        long budgetBytes,
        long usedBytes,
        long hits,
        long misses,
        long evictions,
        long uploadedBytes) {}
