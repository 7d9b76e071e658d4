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
package io.proxima.backend.cuda.run;

import io.proxima.backend.cuda.choice.KernelDispatch;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.projection.Csc;

/** The graphs of one device and the services that a run on them needs. Thread-safe. */
public interface DeviceGraphs {

    /** The current device; it changes after a failure. */
    CudaDevice device();

    /** Adds a handle of a graph, to be closed by the caller. */
    CudaGraph load(Csc graph);

    /** The graph on the current device. A graph without a handle is not kept. */
    ResidentGraph resident(Csc graph);

    /** The dispatch that chooses kernels on a device. */
    KernelDispatch dispatch(CudaDevice on);

    /** Releases one handle of a graph. */
    void letGo(Csc graph);

    /** Frees the workspace if no graph has a handle. */
    void sweep();
}
