// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.neo4j.kernel.api.ExecutionContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.Statement;

class ContextWorkersTest {

    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldReleaseEveryContextIfOneCannotBeCompleted() {
        KernelTransaction transaction = transaction(1);

        assertThatThrownBy(() -> ContextWorkers.run(transaction, 3, Stop.NEVER, (context, worker, stop) -> {}))
                .hasMessage("context 1 cannot be completed");

        assertThat(closed).containsExactlyInAnyOrder("context 0", "context 1", "context 2", "statement");
    }

    @Test
    void shouldThrowTheFailureOfTheTaskRatherThanThatOfAContext() {
        KernelTransaction transaction = transaction(0);

        assertThatThrownBy(() -> ContextWorkers.run(transaction, 1, Stop.NEVER, (context, worker, stop) -> {
                    throw new IllegalStateException("task");
                }))
                .hasMessage("task");

        assertThat(closed).containsExactly("context 0", "statement");
    }

    /** A transaction one of whose contexts cannot be completed; what is closed is listed. */
    private KernelTransaction transaction(int failing) {
        int[] made = {0};
        return fake(KernelTransaction.class, (method) -> switch (method) {
            case "acquireStatement" -> fake(Statement.class, call -> close(call, "statement"));
            case "createExecutionContext" -> context(made[0]++, failing);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private ExecutionContext context(int number, int failing) {
        return fake(ExecutionContext.class, method -> {
            if (method.equals("complete")) {
                if (number == failing) {
                    throw new IllegalStateException("context " + number + " cannot be completed");
                }
                return null;
            }
            return close(method, "context " + number);
        });
    }

    private synchronized Object close(String method, String what) {
        assertThat(method).isEqualTo("close");
        closed.add(what);
        return null;
    }

    @FunctionalInterface
    private interface Behaviour {
        Object call(String method);
    }

    private static <T> T fake(Class<T> type, Behaviour behaviour) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> behaviour.call(method.getName())));
    }
}
