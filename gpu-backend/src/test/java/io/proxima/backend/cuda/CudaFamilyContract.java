// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract with one family of kernels in one order, on a real device under the checking wrapper. */
@Tag("gpu")
@net.jqwik.api.Tag("gpu")
@AddLifecycleHook(Gpu.SkipProperties.class)
public abstract class CudaFamilyContract extends TraversalBackendContract {

    private final RunOptions options;

    protected CudaFamilyContract(VertexOrder order, Kernel kernel) {
        options = new RunOptions(order, kernel);
    }

    @Override
    protected final TraversalBackend backend() {
        return Gpu.backend(options);
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    @AfterContainer
    static void shouldLeaveNothingAfterTheProperties() {
        Gpu.release();
    }
}
