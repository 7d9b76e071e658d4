// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.TestUsers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.ResourceMonitor;
import org.neo4j.kernel.api.Statement;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** A transaction with an open statement, in which the heap is full when a resource is registered. */
final class FullHeap implements AutoCloseable {

    private final InternalTransaction given = TestUsers.begin(SecurityContext.AUTH_DISABLED);
    private final Statement statement = given.kernelTransaction().acquireStatement();
    private final InternalTransaction transaction;
    private int left;

    FullHeap() {
        KernelTransaction kernel = given.kernelTransaction();
        ResourceMonitor monitor = of(
                ResourceMonitor.class, kernel.resourceMonitor(), "registerCloseableResource", kernel.resourceMonitor());
        KernelTransaction failing = of(KernelTransaction.class, kernel, "resourceMonitor", monitor);
        transaction = of(InternalTransaction.class, given, "kernelTransaction", failing);
    }

    /** The transaction, in which so many resources can be registered. */
    InternalTransaction after(int resources) {
        left = resources;
        return transaction;
    }

    @Override
    public void close() {
        statement.close();
        given.close();
    }

    /** An object whose method returns another result, or that is the full heap if its result is nothing. */
    private <T> T of(Class<T> type, T same, String changed, Object result) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("equals")) {
                return proxy == args[0];
            }
            if (method.getName().equals(changed)) {
                if (result != same) {
                    return result;
                }
                if (left-- == 0) {
                    throw new OutOfMemoryError("staged");
                }
            }
            try {
                return method.invoke(same, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
