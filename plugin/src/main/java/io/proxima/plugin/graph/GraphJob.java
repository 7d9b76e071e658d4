// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.memory.HeapLedger;

/**
 * A job on a graph of the catalog that loads it on no backend. Closing it ends the job and releases the graph.
 *
 * @param held heap that the job uses and that may be dropped from the graph meanwhile
 */
record GraphJob(GraphEntry entry, Job job, HeapLedger.Holding held) implements AutoCloseable {

    /** Acquires the graph and begins the job. */
    static GraphJob begin(Caller caller, String graphName, JobKeys keys, String task) {
        GraphEntry entry = GraphCatalog.acquire(caller.viewer(keys.username()), GraphName.ofExisting(graphName));
        try {
            return new GraphJob(
                    entry, keys.begin(caller, task), HeapLedger.ofThisJvm().hold());
        } catch (RuntimeException | Error e) {
            entry.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try (entry;
                held) {
            job.close();
        }
    }
}
