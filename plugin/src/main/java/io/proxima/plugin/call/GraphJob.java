// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.memory.HeapLedger;
import java.util.Collection;

/**
 * A job on a graph of the catalog. Closing it releases the graph and ends the job.
 *
 * @param held heap that the job uses besides that of the graph
 */
public record GraphJob(GraphEntry entry, Job job, HeapLedger.Holding held) implements AutoCloseable {

    /** Acquires the graph and begins the job. */
    public static GraphJob begin(Caller caller, String graphName, JobKeys keys, String task) {
        GraphEntry entry = keys.acquire(caller, graphName);
        try {
            // before the job, which must be listed only if it ends
            HeapLedger.Holding held = HeapLedger.ofThisJvm().hold();
            return new GraphJob(entry, caller.beginJob(task, keys), held);
        } catch (RuntimeException | Error e) {
            entry.close();
            throw e;
        }
    }

    /** Counts properties until the job ends, because they may be dropped from the graph while it reads them. */
    public void hold(Collection<NodeProperty> properties) {
        held.set(properties.stream()
                .flatMap(property -> property.heapParts().stream())
                .toList());
    }

    @Override
    public void close() {
        // the job ends last: devices are in use while a job is listed
        try (job;
                held) {
            entry.close();
        }
    }
}
