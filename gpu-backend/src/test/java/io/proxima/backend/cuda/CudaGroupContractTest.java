// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.CheckedDriver;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on all devices of a host together; skipped where there are fewer than two. */
@Tag("gpu")
@net.jqwik.api.Tag("gpu")
@AddLifecycleHook(CudaGroupContractTest.SkipProperties.class)
class CudaGroupContractTest extends TraversalBackendContract {

    private static CudaBackends backends;

    @Override
    protected TraversalBackend backend() {
        return open().chooseAll().backend();
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }

    private static synchronized CudaBackends open() {
        if (backends == null) {
            backends =
                    Gpu.sharing(new RunOptions(VertexOrder.DEGREE, Kernel.of("blest-full")), CheckedDriver.Faults.NONE);
        }
        return backends;
    }

    @BeforeAll
    static void requireDevices() {
        open();
    }

    @AfterAll
    @AfterContainer
    static synchronized void shouldLeaveNothing() {
        if (backends != null) {
            backends.close();
            backends = null;
        }
    }

    /** Does for jqwik's properties what an assumption does for JUnit's tests. */
    static final class SkipProperties implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            try (CudaBackends found = CudaBackends.ofThisHost()) {
                return found.openAll().size() > 1
                        ? SkipResult.doNotSkip()
                        : SkipResult.skip("The host has fewer than two devices.");
            }
        }
    }
}
