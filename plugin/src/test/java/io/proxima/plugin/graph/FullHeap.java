// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.ResourceMonitor;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** A transaction in which the heap is full when a resource is registered. */
final class FullHeap {

    private final InternalTransaction transaction;
    private int left;

    FullHeap(InternalTransaction given) {
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

    /** An object whose method returns another result, or that is the full heap if its result is nothing. */
    private <T> T of(Class<T> type, T given, String changed, Object result) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("equals")) {
                return proxy == args[0];
            }
            if (method.getName().equals(changed)) {
                if (result != given) {
                    return result;
                }
                if (left-- == 0) {
                    throw new OutOfMemoryError("staged");
                }
            }
            try {
                return method.invoke(given, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
