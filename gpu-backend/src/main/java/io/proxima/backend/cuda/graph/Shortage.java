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
package io.proxima.backend.cuda.graph;

/** The memory that a trial lacked. Its finding holds until the device has more of this memory. */
public enum Shortage {
    /** None: all candidates were tried. */
    NONE,

    /** Memory that can be allocated without an eviction, because the trial evicts nothing. */
    OF_FREE_MEMORY,

    /** Any memory: there was too little even after idle structures were evicted. */
    OF_ALL_MEMORY
}
