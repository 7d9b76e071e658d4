// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.SharedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The workflow of GDS users on a real server: estimate, mutate, stream, write. */
class MutateTest {

    private final Cypher cypher = SharedServer.cypher();

    @BeforeEach
    void clear() {
        cypher.clear();
        cypher.rows("UNWIND range(0, 99) AS i CREATE (:V {i: i})");
        cypher.rows("MATCH (a:V), (b:V) WHERE b.i = a.i + 1 CREATE (a)-[:E]->(b)");
        cypher.rows("CALL proxima.graph.project('path', 'V', {E: {orientation: 'UNDIRECTED'}})");
    }

    @Test
    void shouldWriteWhatTheWriteModeWrites() {
        cypher.rows("CALL proxima.closeness.mutate('path', {mutateProperty: 'inMemory'}) YIELD computeMillis");
        cypher.rows("CALL proxima.closeness.write('path', {writeProperty: 'direct'}) YIELD computeMillis");
        assertThat(cypher.rows("CALL proxima.graph.nodeProperties.write('path', {inMemory: 'byWayOfMemory'})"
                        + " YIELD propertiesWritten, nodeProperties"))
                .containsExactly(Map.of("propertiesWritten", 100L, "nodeProperties", List.of("byWayOfMemory")));
        assertThat(cypher.rows("MATCH (n:V) WHERE n.direct <> n.byWayOfMemory OR n.direct IS NULL RETURN n"))
                .isEmpty();
    }

    @Test
    void shouldEstimateMoreForMore() {
        String call = "CALL proxima.closeness.stream.estimate(%s, {concurrency: 1}) YIELD bytesMax RETURN bytesMax";
        long named = bytes(call.formatted("'path'"));
        long described = bytes(call.formatted("{nodeProjection: 'V', relationshipProjection: 'E'}"));
        long imagined = bytes(call.formatted("{nodeCount: 1000000, relationshipCount: 10000000}"));
        assertThat(named).isPositive().isLessThan(described);
        assertThat(described).isLessThan(imagined);
    }

    private long bytes(String query) {
        return (long) cypher.rows(query).get(0).get("bytesMax");
    }
}
