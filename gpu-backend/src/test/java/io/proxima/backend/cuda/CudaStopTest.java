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

import io.proxima.backend.RunOptions;
import io.proxima.backend.StopContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.order.VertexOrder;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Killed runs on a real device under the checking wrapper: every kernel, on graphs where each takes long. */
@Tag("gpu")
class CudaStopTest extends StopContract {

    @BeforeAll
    static void requireADevice() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingOnTheDevice() {
        Gpu.release();
    }

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }

    @Override
    protected int vertices() {
        return 300_000;
    }

    @Override
    protected int killsOfARun() {
        return 4;
    }

    @Override
    protected List<RunOptions> options(Run run) {
        return everyKernel(run, VertexOrder.NATURAL, VertexOrder.AUTO);
    }
}
