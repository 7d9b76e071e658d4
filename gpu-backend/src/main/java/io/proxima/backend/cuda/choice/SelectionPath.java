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
 * How a run may come to its kernels, for its estimate.
 *
 * @param tried one after the other, each with the searches of a trial
 * @param taken in the end; structures that only the others need are freed
 */
public record SelectionPath(List<? extends TrialKernels> tried, DeviceKernels taken) {

    /** Without a trial. */
    static SelectionPath straight(DeviceKernels kernels) {
        return new SelectionPath(List.of(), kernels);
    }
}
