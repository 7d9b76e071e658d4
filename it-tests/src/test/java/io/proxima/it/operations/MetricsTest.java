// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.ServerJmx;
import io.proxima.it.SharedServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** What a monitoring agent reads of a real server. */
class MetricsTest {

    private final Cypher cypher = SharedServer.cypher();

    @Test
    void shouldTellWhatTheServerHoldsAndHasDone() throws Exception {
        cypher.clear();
        cypher.rows("UNWIND range(1, 5) AS i CREATE (:N {i: i})");
        cypher.rows("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 CREATE (a)-[:R]->(b)");
        try (ServerJmx jmx = new ServerJmx(SharedServer.server())) {
            assertThat(jmx.beans().queryNames(new ObjectName("io.proxima:*"), null))
                    .hasSize(4);
            long finished = finishedBfs(jmx);
            long written = (Long) jmx.attribute("Writes", "PropertiesWritten");
            int graphs = (Integer) jmx.attribute("Graphs", "GraphCount");

            cypher.row("CALL proxima.graph.project('metrics', 'N', 'R')");
            cypher.row("MATCH (n:N {i: 1}) CALL proxima.bfs.write('metrics', {sourceNode: n, writeProperty: 'hops'})"
                    + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten");

            assertThat(jmx.attribute("Graphs", "GraphCount")).isEqualTo(graphs + 1);
            assertThat((Long) jmx.attribute("Graphs", "HeapBytes")).isPositive();
            assertThat(jmx.attribute("Writes", "PropertiesWritten")).isEqualTo(written + 5);
            assertThat(jmx.attribute("Jobs", "RunningCount")).isEqualTo(0);
            assertThat(finishedBfs(jmx)).isEqualTo(finished + 1);
            assertThat(((TabularData) jmx.attribute("Devices", "ByName")).keySet())
                    .hasSizeLessThanOrEqualTo(8);
        }
        cypher.row("CALL proxima.graph.drop('metrics')");
    }

    private static long finishedBfs(ServerJmx jmx) throws Exception {
        CompositeData row = ((TabularData) jmx.attribute("Jobs", "ByName")).get(new Object[] {"BFS"});
        return row == null ? 0 : (Long) ((CompositeData) row.get("value")).get("finishedCount");
    }
}
