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
package io.proxima.backend.cuda.choice;

import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.TrialKernels;
import java.util.List;

/**
 * A sequence of decisions by which 'auto' may choose the kernels of a run, for its estimate.
 *
 * @param tried kernels that a trial runs, in this order
 * @param taken the kernels chosen in the end; the structures that only others need are freed
 */
public record SelectionPath(List<? extends TrialKernels> tried, DeviceKernels taken) {

    /** A path without a trial. */
    public static SelectionPath straight(DeviceKernels kernels) {
        return new SelectionPath(List.of(), kernels);
    }
}
