// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract with lists in mapped host memory, on a real device under the checking wrapper. */
@Tag("gpu")
@net.jqwik.api.Tag("gpu")
@AddLifecycleHook(Gpu.SkipProperties.class)
class CudaMappedContractTest extends TraversalBackendContract {

    private static final long HOST_BYTES = 1L << 32;

    private static DeviceBackend backend;

    @Override
    protected TraversalBackend backend() {
        return device();
    }

    /** Deep graphs take long over the bus. */
    @Override
    protected boolean onlySmall() {
        return true;
    }

    private static synchronized DeviceBackend device() {
        if (backend == null) {
            backend = Gpu.mapping(
                    Gpu.policy(LaunchPolicy.shipped().batchSources(), new RunOptions(VertexOrder.DEGREE, Kernel.AUTO)),
                    MappedBudget.first(1, () -> HOST_BYTES));
        }
        return backend;
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        device();
    }

    @AfterAll
    static synchronized void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
        backend = null;
    }

    @AfterContainer
    static synchronized void shouldLeaveNothingAfterTheProperties() {
        Gpu.release();
        backend = null;
    }
}
