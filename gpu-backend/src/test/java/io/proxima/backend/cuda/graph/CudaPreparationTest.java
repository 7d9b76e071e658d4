// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.cuda.OnGpu;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.backend.papers.bvss.TextbookBvss;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Orientation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is made on a real device, under the checking wrapper, is bit by bit what the host makes. */
@OnGpu
class CudaPreparationTest {

    private static DeviceBackend backend() {
        return Gpu.backend();
    }

    private static Stream<Map.Entry<String, EdgeList>> graphs() {
        return Stream.concat(
                TraversalBackendContract.graphs(),
                // many blocks, columns of every length, rows of more than two radix digits; columns sorted by
                // themselves
                Stream.of(
                        Map.entry("larger R-MAT", TestGraphs.rmat(16, 8, 5)),
                        Map.entry("larger star", TestGraphs.star(100_000)),
                        Map.entry("few edges", TestGraphs.uniform(12_000, 900, 2, true))));
    }

    @ParameterizedTest
    @EnumSource(value = VertexOrder.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldMakeWhatTheHostMakes(VertexOrder order) {
        graphs().forEach(graph -> {
            for (Orientation orientation : Orientation.values()) {
                checkStructures(
                        graph.getKey() + " " + orientation, graph.getValue().toCsc(orientation, 1, Stop.NEVER), order);
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
        check(csc, order, Set.of(BvssStructure.BVSS, Csr.OUT, Csr.IN), view -> {
            Csc inSlots =
                    view.order().isNatural() ? csc : view.order().permutation().apply(csc, 1, Stop.NEVER);
            checkLists(name + ", out", view, view.structure(Csr.OUT), inSlots);
            checkLists(name + ", in", view, view.structure(Csr.IN), inSlots.transposed(1, Stop.NEVER));
            checkSliceSets(name, view, TextbookBvss.of(inSlots));
        });
        assertThat(backend().device().memory().usedBytes()).as(name).isZero();
    }

    private void check(Csc csc, VertexOrder order, Set<DeviceStructure<?>> structures, Consumer<HeldGraph> check) {
        RunContext control = RunContext.of(1).with(new RunOptions(order, Kernel.AUTO));
        FakeDevices.with(backend(), csc, control, 1, view -> check.accept(view.require(structures)));
    }

    private void checkLists(String name, GraphView view, Lists lists, Csc expected) {
        long[] pointers = new long[expected.vertexCount() + 1];
        download(lists.pointers(), (long) pointers.length * Long.BYTES)
                .asLongBuffer()
                .get(pointers);
        assertThat(pointers).as("pointers of " + name).isEqualTo(expected.columnPointers());
        assertThat(ints(lists.indices(), view.entryCount()))
                .as("indices of " + name)
                .isEqualTo(array(expected.rowIndices()));
    }

    private void checkSliceSets(String name, GraphView view, TextbookBvss expected) {
        BvssStructure.SliceSets sets = view.structure(BvssStructure.BVSS);
        assertThat(sets.virtualSliceSets()).as(name).isEqualTo(expected.virtualToReal().length);
        assertThat(ints(sets.at("realPtrs"), expected.realPtrs().length))
                .as(name)
                .isEqualTo(expected.realPtrs());
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
