// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.memory.HeapLedger;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger counts what graphs keep besides large arrays; the JVM's histogram of live objects is the truth. */
@Tag("full")
class HeldHeapTest {

    private static final HeapLedger LEDGER = HeapLedger.ofThisJvm();
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
    private static final int TOLERATED_PERCENT = 20;

    /** What other classes leave behind disturbs a measurement now and then, but not one after the other. */
    private static final int MOST_REPEATED = 6;

    @BeforeEach
    void createNode() {
        TestDbms.clear();
        TestDbms.run("CREATE (:N)-[:R {p: 1}]->(:N)");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // labels
                "UNWIND range(1, 20000) AS i MATCH (n:N) WITH i, n LIMIT 20000 RETURN proxima.graph.project('g' , n, null,"
                        + " {sourceNodeLabels: 'A label of some length ' + i}).nodeCount",
                // types and properties
                "UNWIND range(1, 2000) AS i MATCH (n:N)-->(m) RETURN proxima.graph.project('g' , n, m,"
                        + " {relationshipType: 'A type ' + i, relationshipProperties: {p: 1}}).nodeCount",
                // configurations
                "UNWIND range(1, 100) AS graph CALL proxima.graph.project('g' + graph, 'N', {R: {properties:"
                        + " {p: {property: 'p', defaultValue: 1}}}}, {jobId: 'j' + graph, logProgress: false})"
                        + " YIELD nodeCount RETURN count(*)",
                // node properties
                "CALL proxima.graph.project('g', 'N', 'R') YIELD nodeCount MATCH (n:N) WITH n LIMIT 1"
                        + " UNWIND range(1, 1000) AS i CALL proxima.bfs.mutate('g', {sourceNode: n,"
                        + " mutateProperty: 'A property of some length ' + i, logProgress: false})"
                        + " YIELD computeMillis RETURN count(*)",
                // small graphs
                "UNWIND range(1, 900) AS i CALL proxima.graph.project('g' + i, 'N', 'R', {logProgress: false})"
                        + " YIELD nodeCount RETURN count(*)",
            })
    void shouldCount(String query) throws JMException {
        // which also loads classes, and fills caches of Neo4j
        TestDbms.run(query);
        long held = LEDGER.held();
        TestDbms.dropGraphs();
        held -= LEDGER.held();
        long live = live(query);
        for (int repeated = 0; !isClose(held, live) && repeated < MOST_REPEATED; repeated++) {
            live = live(query);
        }
        assertThat(held).isCloseTo(live, Percentage.withPercentage(TOLERATED_PERCENT));
    }

    private static boolean isClose(long held, long live) {
        return Math.abs(held - live) * 100 <= TOLERATED_PERCENT * live;
    }

    /** The live bytes of the graphs that a query makes. */
    private static long live(String query) throws JMException {
        TestDbms.run(query);
        long with = liveBytes();
        TestDbms.dropGraphs();
        return with - liveBytes();
    }

    /** Neo4j's JVM flags make System.gc() do nothing; a class histogram collects garbage nevertheless. */
    static long liveBytes() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher total = TOTAL.matcher(histogram);
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1));
    }
}
