// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static io.proxima.backend.cuda.driver.KernelConstants.MORE_NEIGHBOURS;
import static io.proxima.backend.cuda.driver.KernelConstants.NO_NEIGHBOUR;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.family.balls.BallRecords;
import io.proxima.backend.cuda.family.balls.HostBalls;
import io.proxima.backend.cuda.family.balls.PaddedNeighbours;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.bvss.TextbookBvss;
import io.proxima.backend.cuda.family.directional.CompactLists;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.IntPages;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is made on a device is, bit by bit, what the host makes; a subclass does it on a real device. */
abstract class DevicePreparationContract {

    abstract DeviceBackend backend();

    /** Name and graph. */
    Map<String, EdgeList> graphs() {
        Map<String, EdgeList> graphs = new LinkedHashMap<>();
        graphs.put("empty", TestGraphs.empty());
        graphs.put("single vertex", TestGraphs.singleVertex());
        graphs.put("no edges", new EdgeList(77));
        graphs.put("path", TestGraphs.path(700));
        // a column that is sorted by itself, and a slice set of many virtual ones
        graphs.put("star", TestGraphs.star(5000));
        graphs.put("clique", TestGraphs.clique(130));
        graphs.put("sparse uniform", TestGraphs.uniform(12_000, 900, 2, true));
        graphs.put("R-MAT", TestGraphs.rmat(12, 8, 3));
        for (int n : new int[] {7, 8, 9, 31, 32, 33, 1023, 1024, 1025}) {
            graphs.put("uniform of " + n, TestGraphs.uniform(n, 3L * n, n, true));
        }
        return graphs;
    }

    @ParameterizedTest
    @EnumSource(value = VertexOrder.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldMakeWhatTheHostMakes(VertexOrder order) {
        graphs().forEach((name, edges) -> {
            for (Orientation orientation : Orientation.values()) {
                checkStructures(name + " " + orientation, edges.toCsc(orientation, 1, Stop.NEVER), order);
            }
        });
    }

    /** Columns that the whole device sorts, when it transposes a graph and when it relabels one. */
    @Test
    void shouldSortTheColumnsOfHubs() {
        int leaves = CsrMaker.LEAST_HUB + 1;
        EdgeList edges = new EdgeList(leaves + 2);
        for (int leaf = 0; leaf < leaves; leaf++) {
            edges.add(leaf, leaves);
            edges.add(leaf, leaves + 1);
        }
        edges.add(leaves, leaves + 1);
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.REVERSE)) {
            Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);
            VertexOrder order = orientation == Orientation.NATURAL ? VertexOrder.NATURAL : VertexOrder.DEGREE;
            check(csc, order, Set.of(Csr.OUT, Csr.IN), view -> {
                Csc inSlots = view.order().isNatural()
                        ? csc
                        : view.order().permutation().apply(csc, 1, Stop.NEVER);
                checkLists("hubs, out", view, view.structure(Csr.OUT), inSlots);
                checkLists("hubs, in", view, view.structure(Csr.IN), inSlots.transposed(1, Stop.NEVER));
            });
        }
    }

    private void checkStructures(String name, Csc csc, VertexOrder order) {
        Set<DeviceStructure<?>> structures =
                Set.of(BvssStructure.BVSS, Csr.OUT, Csr.IN, CompactLists.COMPACT, PaddedNeighbours.ROWS);
        check(csc, order, structures, view -> {
            Csc inSlots =
                    view.order().isNatural() ? csc : view.order().permutation().apply(csc, 1, Stop.NEVER);
            checkLists(name + ", out", view, view.structure(Csr.OUT), inSlots);
            checkLists(name + ", in", view, view.structure(Csr.IN), inSlots.transposed(1, Stop.NEVER));
            checkCompact(name, view, inSlots);
            checkRows(name, view.structure(PaddedNeighbours.ROWS), inSlots);
            checkSliceSets(name, view, TextbookBvss.of(inSlots));
        });
        assertThat(backend().device().memory().usedBytes()).as(name).isZero();
    }

    @Test
    void shouldMakeTheRecordsOfTheHost() {
        Map<String, EdgeList> deep = new LinkedHashMap<>();
        deep.put("path", TestGraphs.path(700));
        deep.put("grid", TestGraphs.grid(60, 45));
        deep.put("binary tree", TestGraphs.binaryTree(1023));
        deep.put("lollipop", TestGraphs.lollipop(400, 500));
        deep.put("sparse uniform", TestGraphs.uniform(4000, 6000, 2, true));
        deep.put("star", TestGraphs.star(5000));
        deep.put("components", TestGraphs.disconnected(500));
        deep.forEach((name, edges) -> {
            for (Orientation orientation : Orientation.values()) {
                Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
                for (VertexOrder order : new VertexOrder[] {VertexOrder.NATURAL, VertexOrder.DEGREE}) {
                    checkRecords(name + " " + orientation, csc, order);
                }
            }
        });
    }

    private void checkRecords(String name, Csc csc, VertexOrder order) {
        int n = csc.vertexCount();
        try {
            check(csc, order, Set.of(BallRecords.RECORDS), view -> {
                Csc inSlots = view.order().isNatural()
                        ? csc
                        : view.order().permutation().apply(csc, 1, Stop.NEVER);
                BallRecords.Records records = view.structure(BallRecords.RECORDS);
                int[] places = ints(records.recordAt(), n + 1L);
                int[] found = ints(records.records(), records.units() * RECORD_UNIT);
                int unit = 0;
                for (int v = 0; v < n; v++) {
                    HostBalls ball = HostBalls.of(slot -> list(inSlots, slot), v, records.radius());
                    int[] expected = Arrays.copyOf(ball.record(), ball.units(records.radius()) * RECORD_UNIT);
                    int from = unit * RECORD_UNIT;
                    assertThat(places[v])
                            .as("place of record %d of %s", v, name)
                            .isEqualTo(unit);
                    assertThat(Arrays.copyOfRange(found, from, from + expected.length))
                            .as("record %d of %s", v, name)
                            .isEqualTo(expected);
                    unit += ball.units(records.radius());
                }
                assertThat(records.units()).as(name).isEqualTo(unit).isEqualTo(places[n]);
                assertThat(records.bytes()).isEqualTo(BallRecords.RECORDS.bytes(view));
            });
        } catch (DeviceMemoryException e) {
            // balls of one hop are all that there is
            assertThat(e).hasMessageContaining("ball records");
            int hops = 2;
            for (int v = 0; v < n; v++) {
                HostBalls ball = HostBalls.of(vertex -> list(csc, vertex), v, hops);
                assertThat(ball.units(hops)).as(name).isEqualTo(ball.units(1));
            }
        }
    }

    private static int[] list(Csc csc, int vertex) {
        int[] list = new int[csc.degree(vertex)];
        for (int i = 0; i < list.length; i++) {
            list[i] = csc.rowIndices().get(csc.columnStart(vertex) + i);
        }
        return list;
    }

    private void checkRows(String name, PaddedNeighbours.Rows rows, Csc inSlots) {
        int width = 1 << rows.rowBits();
        int[] found = ints(rows.rows(), (long) inSlots.vertexCount() * width);
        for (int v = 0; v < inSlots.vertexCount(); v++) {
            int[] list = list(inSlots, v);
            int[] expected = Arrays.copyOf(list, width);
            Arrays.fill(expected, Math.min(list.length, width), width, NO_NEIGHBOUR);
            if (list.length > width) {
                expected[width - 1] = MORE_NEIGHBOURS;
            }
            assertThat(Arrays.copyOfRange(found, v * width, (v + 1) * width))
                    .as("row %d of %s", v, name)
                    .isEqualTo(expected);
        }
    }

    private interface Check {
        void accept(HeldGraph view);
    }

    private void check(Csc csc, VertexOrder order, Set<DeviceStructure<?>> structures, Check check) {
        RunControl control = RunControl.of(1).with(new RunOptions(order, Kernel.AUTO));
        ResidentGraph graph = new ResidentGraph(csc, backend().device(), FakeDevices.preparer(backend()));
        graph.hold();
        try (HeldGraph view = graph.acquire(control, 1)) {
            check.accept(view.require(structures));
        } finally {
            graph.letGo();
        }
    }

    private void checkLists(String name, GraphView view, Csr.Lists lists, Csc expected) {
        long[] pointers = new long[expected.vertexCount() + 1];
        download(lists.pointers(), (long) pointers.length * Long.BYTES)
                .asLongBuffer()
                .get(pointers);
        assertThat(pointers).as("pointers of " + name).isEqualTo(expected.columnPointers());
        assertThat(ints(lists.indices(), view.entryCount()))
                .as("indices of " + name)
                .isEqualTo(array(expected.rowIndices()));
    }

    private void checkCompact(String name, GraphView view, Csc out) {
        Csc in = out.transposed(1, Stop.NEVER);
        CompactLists.Compact compact = view.structure(CompactLists.COMPACT);
        int active = 0;
        double squares = 0;
        for (int slot = 0; slot < out.vertexCount(); slot++) {
            squares += (double) out.degree(slot) * out.degree(slot);
            active = out.degree(slot) + in.degree(slot) > 0 ? slot + 1 : active;
        }
        assertThat(compact.active()).as("active slots of " + name).isEqualTo(active);
        assertThat(compact.edgeDegree())
                .as("degree of an edge's end of " + name)
                .isEqualTo(out.entryCount() == 0 ? 0 : (float) (squares / out.entryCount()));
        assertThat(ints(compact.outPointers(), out.vertexCount() + 1L))
                .as("narrow pointers of " + name)
                .isEqualTo(narrow(out));
        assertThat(ints(compact.inPointers(), in.vertexCount() + 1L))
                .as("narrow pointers of " + name + ", reversed")
                .isEqualTo(narrow(in));
        int column = (active + 127) / 128 * 128;
        int[] heads = new int[4 * column];
        for (int h = 0; h < 4; h++) {
            for (int slot = 0; slot < column; slot++) {
                boolean has = slot < active && h < in.degree(slot);
                heads[h * column + slot] = has ? in.rowIndices().get(in.columnStart(slot) + h) : -1;
            }
        }
        assertThat(ints(compact.heads(), heads.length)).as("heads of " + name).isEqualTo(heads);
    }

    private static int[] narrow(Csc csc) {
        return Arrays.stream(csc.columnPointers())
                .mapToInt(pointer -> (int) pointer)
                .toArray();
    }

    private void checkSliceSets(String name, GraphView view, TextbookBvss expected) {
        BvssStructure.SliceSets sets = view.structure(BvssStructure.BVSS);
        assertThat(sets.virtualSliceSets()).as(name).isEqualTo(expected.virtualToReal().length);
        assertThat(sets.slices()).as(name).isEqualTo(expected.slices());
        assertThat(ints(sets.at("realPtrs"), expected.realPtrs().length)).as(name).isEqualTo(expected.realPtrs());
        assertThat(ints(sets.at("virtualToReal"), expected.virtualToReal().length))
                .as(name)
                .isEqualTo(expected.virtualToReal());
        assertThat(ints(sets.at("rowIds"), expected.rowIds().length)).as(name).isEqualTo(expected.rowIds());
        assertThat(ints(sets.at("masks"), expected.masks().length)).as(name).isEqualTo(expected.masks());
    }

    private static int[] array(IntPages pages) {
        int[] values = new int[(int) pages.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = pages.get(i);
        }
        return values;
    }

    private int[] ints(long from, long count) {
        int[] values = new int[(int) count];
        download(from, count * Integer.BYTES).asIntBuffer().get(values);
        return values;
    }

    private ByteBuffer download(long from, long bytes) {
        ByteBuffer all = ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder());
        if (bytes > 0) {
            try (DeviceLease lease = backend().device().lease(Stop.NEVER)) {
                lease.download(
                        new VertexOrderedArray(from, Byte.BYTES, (int) bytes, 0),
                        1,
                        (chunk, offset, length) -> all.put((int) offset, chunk, 0, length));
            }
        }
        return all;
    }
}
