// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import org.neo4j.kernel.api.exceptions.Status;

/** A failure of a transaction as Neo4j reports it. */
public final class StagedFailure extends RuntimeException implements Status.HasStatus {

    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** A failure with a status. */
    public StagedFailure(Status status, String message) {
        super(message);
        this.status = status;
    }

    @Override
    public Status status() {
        return status;
    }
}
