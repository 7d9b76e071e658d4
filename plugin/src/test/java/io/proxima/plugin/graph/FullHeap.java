// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.Altered;
import io.proxima.plugin.TestUsers;
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
        ResourceMonitor monitor =
                Altered.of(ResourceMonitor.class, kernel.resourceMonitor(), "registerCloseableResource", () -> {
                    if (left-- == 0) {
                        throw new OutOfMemoryError("staged");
                    }
                    return null;
                });
        KernelTransaction failing = Altered.of(KernelTransaction.class, kernel, "resourceMonitor", () -> monitor);
        transaction = Altered.of(InternalTransaction.class, given, "kernelTransaction", () -> failing);
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
}
