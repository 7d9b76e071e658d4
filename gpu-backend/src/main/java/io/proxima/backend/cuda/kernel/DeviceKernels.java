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
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.graph.DeviceStructure;
import java.util.Set;

/** Kernels of one family with the device structures that they read. */
public interface DeviceKernels {

    /** The value of the configuration key {@code kernel}, if it can be requested; otherwise a name of its own. */
    String name();

    /** The structures that must be resident, in the order in which they are built. */
    Set<DeviceStructure<?>> structures();
}
