// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.KernelLimitException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.exceptions.Status;

class CallerTest {

    static Stream<RuntimeException> failures() {
        return Stream.of(
                new BackendUnavailableException("The CUDA backend cannot run. No driver."),
                new DeviceMemoryException("Device cuda:0 has too little memory: 2 bytes are required."),
                new DeviceFailureException("cuMemAlloc: CUDA_ERROR_UNKNOWN (999)"),
                new KernelLimitException("Too many relationships."));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldTellFailuresOfABackendInItsWordsAndWithAStatus(RuntimeException failure) {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Caller caller = TestDbms.caller(transaction, () -> {});
            assertThatThrownBy(() -> caller.answer(() -> {
                        throw failure;
                    }))
                    .isInstanceOf(ProximaException.class)
                    .hasMessage(failure.getMessage())
                    .hasCause(failure)
                    .extracting(e -> ((ProximaException) e).status())
                    .isEqualTo(Status.Procedure.ProcedureCallFailed);
        }
    }
}
