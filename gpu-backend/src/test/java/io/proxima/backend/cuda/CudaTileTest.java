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
import io.proxima.backend.order.VertexOrder;
import java.util.List;

/** Searches over bitmask tiles keep the contract on a real device, under the checking wrapper. */
class CudaTileTest extends CudaSearchContract {

    CudaTileTest() {
        super(VertexOrder.RCM, Kernel.of("tile"));
    }

    @Override
    List<Kernel> kernels() {
        return List.of(Kernel.of("tile"));
    }
}
