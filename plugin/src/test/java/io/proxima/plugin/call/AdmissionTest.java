// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.BoundedDistances;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Calls reserve what they take of the heap, and give it back however they end. */
class AdmissionTest {

    private static final HeapLedger LEDGER = HeapLedger.ofThisJvm();
    private static final List<String> CALLS = List.of(
            "CALL proxima.graph.project('x', 'N', ['A', 'B']) YIELD graphName",
            "MATCH (n:N)-[r]->(m) WITH proxima.graph.project('x', n, m) AS g RETURN g.nodeCount",
            "CALL proxima.graph.filter('x', 'two', 'n:Odd', '*') YIELD graphName",
            "CALL proxima.graph.export('two', 'other.proxima', {overwrite: true}) YIELD bytes",
            "CALL proxima.graph.import('two.proxima', 'x') YIELD graphName",
            "MATCH (n {i: 0}) CALL proxima.bfs.stream('two', {sourceNode: n}) YIELD distance RETURN count(*)",
            "MATCH (n {i: 0}) CALL proxima.bfs.mutate('two', {sourceNode: n, mutateProperty: 'x'}) YIELD depth RETURN 1",
            "MATCH (n {i: 0}) CALL proxima.distances.stream('two', {sourceNodes: n}) YIELD distance RETURN count(*)",
            "MATCH (n {i: 0}) CALL proxima.distances.nearest.stream('two', {sourceNodes: n}) YIELD distance"
                    + " RETURN count(*)",
            "CALL proxima.closeness.stream('two') YIELD score RETURN count(*)",
            "CALL proxima.closeness.stats('two', {relationshipTypes: ['A']}) YIELD diameter",
            "CALL proxima.closeness.write('two', {writeProperty: 'x', nodeLabels: ['Odd']}) YIELD batches",
            "CALL proxima.eccentricity.stream('two') YIELD eccentricity RETURN count(*)",
            "CALL proxima.wcc.stream('two', {nodeLabels: ['Odd']}) YIELD componentId RETURN count(*)",
            "CALL proxima.wcc.write('two', {writeProperty: 'x', minComponentSize: 2}) YIELD componentDistribution");

    @BeforeEach
    void createGraph() {
        TestDbms.clear();
        TestDbms.run("UNWIND range(0, 299) AS i CREATE (n:N {i: i}) WITH n WHERE n.i % 2 = 1 SET n:Odd");
        TestDbms.run("MATCH (a:N), (b:N) WHERE b.i > a.i AND b.i <= a.i + 5 CREATE (a)-[:A]->(b), (b)-[:B]->(a)");
        TestDbms.run("CALL proxima.graph.project('two', ['N', 'Odd'], ['A', 'B'])");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
        assertThat(LEDGER.promised()).isZero();
        assertThat(LEDGER.held()).isZero();
    }

    @Test
    void shouldRefuseEveryCallWhileTheHeapIsPromisedToAnother() {
        TestDbms.run("CALL proxima.graph.export('two', 'two.proxima', {overwrite: true})");
        HeapLedger.Promise another = LEDGER.open(1);
        try {
            requireRefusals(another);
        } finally {
            another.close();
        }
        for (String call : CALLS) {
            TestDbms.run(call);
            assertThat(LEDGER.promised()).as(call).isZero();
            TestDbms.run("CALL proxima.graph.drop('x', false)");
        }
    }

    private static void requireRefusals(HeapLedger.Promise another) {
        another.override();
        another.require(Runtime.getRuntime().maxMemory());
        long promised = LEDGER.promised();
        for (String call : CALLS) {
            long held = LEDGER.held();
            assertThatThrownBy(() -> TestDbms.run(call))
                    .as(call)
                    .rootCause()
                    .hasMessageContaining("Procedure was blocked since maximum estimated memory (")
                    .hasMessageContaining("running calls have reserved 3.0 GiB");
            assertThat(LEDGER.promised()).as(call).isEqualTo(promised);
            assertThat(LEDGER.held()).as(call).isEqualTo(held);
        }
        TestDbms.run("CALL proxima.closeness.stats('two', {sudo: true})");
        assertThat(LEDGER.promised()).isEqualTo(promised);
    }

    @Test
    void shouldCountTheRowsThatAStreamHolds() {
        long held = LEDGER.held();
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("CALL proxima.closeness.stream('two')")) {
            assertThat(rows.hasNext()).isTrue();
            // the union of the types stays with the graph
            long withUnion = heapBytes();
            assertThat(LEDGER.held()).isGreaterThanOrEqualTo(withUnion + 300 * Double.BYTES);
            assertThat(LEDGER.promised()).isZero();
        }
        assertThat(LEDGER.held()).isEqualTo(heapBytes()).isGreaterThan(held);
    }

    @Test
    void shouldCountWhatGraphsShareOnce() {
        TestDbms.run("CALL proxima.graph.filter('half', 'two', '*', 'r:A')");
        TestDbms.run("CALL proxima.graph.filter('same', 'two', '*', '*')");
        // each has names of its own, and what it was projected from
        assertThat(LEDGER.held()).isBetween(heapBytes(), heapBytes() + 20_000);
        TestDbms.run("CALL proxima.graph.drop(['two', 'half'])");
        assertThat(LEDGER.held()).isEqualTo((Long) TestDbms.value("CALL proxima.graph.list('same') YIELD sizeInBytes"));
    }

    @Test
    void shouldListGraphsWithoutMakingAnythingThatStays() {
        TestDbms.run("CALL proxima.graph.project('other', 'N', ['A', 'B'])");
        long before = heapBytes();
        Map<?, ?> degrees = (Map<?, ?>) TestDbms.value("CALL proxima.graph.list('two') YIELD degreeDistribution");
        assertThat(heapBytes()).isEqualTo(before);
        assertThat(degrees.get("max")).isEqualTo(10L);
        assertThat(degrees.get("min")).isEqualTo(5L);
        TestDbms.run("CALL proxima.closeness.stats('two')");
        assertThat(heapBytes()).isGreaterThan(before);
        assertThat(TestDbms.value("CALL proxima.graph.list('other') YIELD degreeDistribution"))
                .isEqualTo(degrees);
    }

    @Test
    void shouldEstimateEachRunOfACallWithKernelsOfItsOwn() {
        List<Workload> estimated = new ArrayList<>();
        TraversalBackend backend = new CpuBackend() {
            @Override
            public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
                estimated.addAll(work.runs());
                return super.estimate(graph, work, concurrency);
            }
        };
        Workload some = Workload.farness(9, Set.of()).beside(Workload.farness(Set.of()));
        CallPlan plan = new CallPlan(some, 9);
        RunOptions blocks = new RunOptions(VertexOrder.AUTO, Kernel.of("blocks"));
        RunConfig config = new RunConfig(1, List.of(), List.of(), Wanted.AUTO, List.of(), blocks, null);
        plan.memory(backend, new GraphShape(100, 200, true), config);
        assertThat(estimated).extracting(Workload::options).containsExactly(blocks, RunOptions.AUTO);
    }

    /** The searches may run on a device, which takes little heap. */
    @Test
    void shouldPlanTheHeapOfCountingWhatTheNodesOfADirectedGraphReach() {
        int n = 1 << 14;
        int threads = 4;
        GraphShape directed = new GraphShape(n, 100L * n, false, true, false);
        TraversalBackend device = new CpuBackend() {
            @Override
            public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
                return MemoryEstimate.onHeap(work.around(n, MemoryTree.exactly("sums", 28L * n)));
            }
        };
        RunConfig config = new RunConfig(threads, List.of(), List.of(), Wanted.AUTO, List.of(), RunOptions.AUTO, null);
        CallSize size = new CallSize(Call.Mode.STATS, n, n, threads, 0, property -> Weights.NONE);
        CallPlan plan = BoundedDistances.plan(
                size, Set.of(Eccentricities.Wanted.RADIUS, Eccentricities.Wanted.ALL), MemoryTree.NONE);
        // without a cycle, each relationship leads to another strong component, and a thread has 512 bits for each of
        // these
        long reached = Csc.bytes(n, directed.entryCount()) + (long) threads * n * 512 / Byte.SIZE;
        assertThat(plan.memory(device, directed, config).heapBytes()).isGreaterThan(reached);
    }

    @Test
    void shouldRefuseARunThatCannotFitTheDeviceWhereItMustRunThere() {
        MemoryEstimate tooMuch =
                new MemoryEstimate(MemoryTree.NONE, MemoryTree.exactly("run", 2049), 2048, MemoryTree.NONE, 0);
        assertThat(CallPlan.tooSmall("cuda:0", tooMuch))
                .hasMessageStartingWith("Procedure was blocked since minimum estimated memory (2.0 KiB) exceeds current"
                        + " device memory of cuda:0 (2.0 KiB), and 0 Bytes of host memory can be mapped for it.");
        assertThat(tooMuch.fitsDevice()).isFalse();
        MemoryTree run = MemoryTree.exactly("run", 2048);
        MemoryTree lists = MemoryTree.exactly("lists", 4096);
        assertThat(new MemoryEstimate(MemoryTree.NONE, run, 2048, lists, 4096).fitsDevice())
                .isTrue();
        assertThat(new MemoryEstimate(MemoryTree.NONE, run, 2048, lists, 4095).fitsDevice())
                .isFalse();
    }

    private static long heapBytes() {
        return (Long) TestDbms.value("CALL proxima.graph.list('two') YIELD sizeInBytes RETURN sizeInBytes");
    }
}
