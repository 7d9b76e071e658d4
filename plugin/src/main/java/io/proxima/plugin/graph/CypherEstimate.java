// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.projection.CypherGraphCollector;
import java.util.Map;
import org.neo4j.kernel.api.ResourceMonitor;

/** The estimate of a Cypher projection, from rows that are only counted. */
final class CypherEstimate implements RowSink {

    /** Heap of labels, types and properties that needs no reservation. */
    private static final long FREE_BYTES = 1 << 20;

    private final Caller caller;
    private final CypherGraphCollector rows;
    private final CypherProjection.Keys keys;
    private final ResourceMonitor statement;
    private long guardedBytes = FREE_BYTES;

    CypherEstimate(Caller caller, CypherGraphCollector rows, ConfigReader reader) {
        this.caller = caller;
        this.rows = rows;
        keys = CypherProjection.Keys.read(caller, reader);
        reader.finish();
        statement = caller.transaction().kernelTransaction().resourceMonitor();
        statement.registerCloseableResource(caller.heap());
    }

    @Override
    public void expectRow() {
        if (rows.bytesOfKinds() > guardedBytes) {
            guardedBytes = rows.bytesOfKinds() / 4 * 5;
            caller.heap().require(guardedBytes);
        }
    }

    @Override
    public Map<String, Object> finish(boolean existenceUnknown) {
        statement.unregisterCloseableResource(caller.heap());
        return EstimateRow.of(rows.mostNodes(), keys.directed(rows), keys.peak(rows))
                .toMap();
    }
}
