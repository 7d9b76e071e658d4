// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;

import io.proxima.plugin.arrow.ArrowStream;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.Call;
import io.proxima.plugin.call.CallKeys;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Distances from several nodes as a table. */
public final class DistanceTableProcedures extends AlgorithmProcedures<ArrowStream.Row> {

    private static final String KEYS = ArrowStream.BATCH_SIZE_TEXT + DistancesProcedures.STREAM_KEYS;

    @Override
    protected Algorithm<ArrowStream.Row> read(CallKeys keys) {
        return DistanceTable.read(keys);
    }

    /** Returns the distances as the columns of a table. */
    @Procedure(name = "proxima.distances.arrow", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the rows of `proxima.distances.stream` as a table with the columns `sourceNode`, `targetNode`"
            + " and `distance`, or with weights `cost`: an Arrow stream, from which clients make a DataFrame.")
    public Stream<ArrowStream.Row> arrow(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = KEYS) Map<String, Object> config) {
        return call(Call.Mode.STREAM).stream(graphName, config);
    }
}
