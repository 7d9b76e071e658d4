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

/** The graphs of one device, and what runs on them: what the handle of a graph asks for at each call. Thread-safe. */
public interface DeviceGraphs {

    /** The device of now; another one after a failure. */
    CudaDevice device();

    /** A graph on the device of now. One that is not loaded is of no holder, so nothing of it is kept. */
    ResidentGraph resident(Csc graph);

    /** What chooses the kernels of runs on a device. */
    KernelDispatch dispatch(CudaDevice on);

    /** Lets one handle of a graph go. */
    void letGo(Csc graph);

    /** Leaves the device empty if nobody holds a graph any more. */
    void sweep();
}
