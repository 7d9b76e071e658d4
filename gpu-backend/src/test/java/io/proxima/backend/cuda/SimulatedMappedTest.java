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
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.cuda.device.MappedBudget;
import io.proxima.backend.order.VertexOrder;

/** The host side keeps the contract with lists in mapped host memory, with kernels simulated on host memory. */
class SimulatedMappedTest extends TraversalBackendContract {

    private static final CudaBackends BACKENDS = FakeDevices.mapping(
            FakeDriver.hopper(FakeDevices.PLENTY),
            FakeDevices.withoutTrials(new RunOptions(VertexOrder.DEGREE, Kernel.AUTO)),
            new MappedBudget(1, () -> FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return new MappingBackend((CudaBackend) BACKENDS.choose().backend());
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }
}
