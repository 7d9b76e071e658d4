// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.BackendTask;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.projection.WeightedCsc;

/**
 * Adjacency lists with weights, in vertex id space. Each property of the relationships has its own: two structures are equal
 * if they are made of the same arrays on the host.
 */
public final class WeightedLists implements DeviceStructure<WeightedLists.Lists> {

    /** The number of bytes of the widest weight. */
    public static final int WIDEST_WEIGHT = Double.BYTES;

    /** The greatest sum that 32 bits hold beside the cost of unreached vertices. */
    private static final double GREATEST_INTEGER_SUM = 0xfffffffeL;

    private final WeightedCsc graph;
    private final Form form;

    /** The form of weights on a device. */
    public enum Form {
        /** All weights are 1 and not stored; costs are integers of 32 bits. */
        ONES(0, Integer.BYTES),
        /** Integers of 32 bits, as are the costs. */
        INTEGERS(Integer.BYTES, Integer.BYTES),
        /** Floats, while costs are doubles. */
        FLOATS(Float.BYTES, Double.BYTES),
        /** Doubles, as are the costs. */
        DOUBLES(Double.BYTES, Double.BYTES);

        private final int weightBytes;
        private final int costBytes;

        Form(int weightBytes, int costBytes) {
            this.weightBytes = weightBytes;
            this.costBytes = costBytes;
        }

        /** The number of bytes of the cost of a vertex. */
        public int costBytes() {
            return costBytes;
        }
    }

    private WeightedLists(WeightedCsc graph, Form form) {
        this.graph = graph;
        this.form = form;
    }

    /**
     * The lists of a graph, in the narrowest form that leaves all costs as they are.
     *
     * @param lengths the weights of the graph, all of them valid
     */
    public static WeightedLists of(WeightedCsc graph, WeightedCsc.Lengths lengths) {
        return new WeightedLists(graph, form(graph, lengths));
    }

    private static Form form(WeightedCsc graph, WeightedCsc.Lengths lengths) {
        if (graph.weights() == null) {
            return Form.ONES;
        }
        // a path has less than vertexCount weights, and a relaxation adds one more, even if it improves nothing
        if (lengths.integers() && lengths.greatest() * graph.vertexCount() <= GREATEST_INTEGER_SUM) {
            return Form.INTEGERS;
        }
        return lengths.floats() ? Form.FLOATS : Form.DOUBLES;
    }

    /**
     * Lists.
     *
     * @param array the pointers, and the other arrays unless they lie in mapped memory
     * @param mapped the other arrays in mapped memory; null if they are on the device
     * @param form the form of the weights
     * @param entryCount number of entries
     * @param pointers device address of {@code long[vertexCount + 1]}
     * @param indices device address of {@code int[entryCount]}
     * @param weights device address of the weights of the entries; 0 if all are 1
     */
    public record Lists(
            DeviceArray array,
            DeviceArray mapped,
            Form form,
            long entryCount,
            long pointers,
            long indices,
            long weights)
            implements MappableArrays {}

    /** The number of entries, parallel ones included. */
    public long entryCount() {
        return graph.entryCount();
    }

    @Override
    public String label() {
        return "lists of neighbours with weights";
    }

    @Override
    public long bytes(GraphSizes sizes) {
        return sizes.mapped()
                ? pointerBytes(graph.vertexCount())
                : bytes(graph.vertexCount(), graph.entryCount(), form.weightBytes);
    }

    @Override
    public long mappedBytes(GraphSizes sizes) {
        return sizes.mapped() ? entryBytes(graph.entryCount(), form.weightBytes) : 0;
    }

    @Override
    public boolean suitsMappedLists() {
        return true;
    }

    /** The bytes of the pointers. */
    public static long pointerBytes(int vertexCount) {
        return Layout.of(vertexCount, 0, 0).bytes();
    }

    /** The bytes of the entries with weights of so many bytes. */
    public static long entryBytes(long entryCount, int weightBytes) {
        return Layout.of(0, entryCount, weightBytes).bytes()
                - Layout.of(0, 0, 0).bytes();
    }

    /** The bytes of lists with weights of so many bytes. */
    public static long bytes(int vertexCount, long entryCount, int weightBytes) {
        return Layout.of(vertexCount, entryCount, weightBytes).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes sizes, Recipe.Circumstances circumstances) {
        return Recipe.COPY;
    }

    @Override
    public Lists make(Making making) {
        Layout plan = Layout.of(graph.vertexCount(), graph.entryCount(), form.weightBytes);
        making.progress()
                .beginTask(BackendTask.COPY.with("to " + making.device().name()), plan.bytes());
        try (DeviceLease lease = making.device().lease(making.stop())) {
            Lists lists = allocate(making, lease, plan);
            lease.upload(lists.pointers(), graph.columnPointers(), making.concurrency());
            lease.upload(lists.indices(), graph.rowIndices(), making.concurrency());
            switch (form) {
                case ONES -> {
                    // nothing is stored
                }
                case INTEGERS ->
                    lease.upload(lists.weights(), graph.weights(), weight -> (int) (long) weight, making.concurrency());
                case FLOATS ->
                    lease.upload(
                            lists.weights(),
                            graph.weights(),
                            weight -> Float.floatToRawIntBits((float) weight),
                            making.concurrency());
                case DOUBLES -> lease.upload(lists.weights(), graph.weights(), making.concurrency());
            }
            making.progress().advance(plan.bytes());
            return lists;
        }
    }

    private Lists allocate(Making making, DeviceLease lease, Layout plan) {
        String what = "the graph with its weights";
        DeviceArray mapped = null;
        DeviceArray array;
        long indices;
        if (making.mapped()) {
            array = making.allocate(lease, what, plan.indices());
            mapped = making.allocateMapped(lease, what, plan.bytes() - plan.indices());
            indices = mapped.address();
        } else {
            array = making.allocate(lease, what, plan.bytes());
            indices = array.address() + plan.indices();
        }
        return new Lists(
                array,
                mapped,
                form,
                graph.entryCount(),
                array.address() + plan.pointers(),
                indices,
                form == Form.ONES ? 0 : indices + plan.weights() - plan.indices());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WeightedLists lists
                && lists.graph.columnPointers() == graph.columnPointers()
                && lists.graph.rowIndices() == graph.rowIndices()
                && lists.graph.weights() == graph.weights();
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(graph.rowIndices()) + System.identityHashCode(graph.weights());
    }

    private record Layout(long pointers, long indices, long weights, long bytes) {

        static Layout of(int vertexCount, long entryCount, int weightBytes) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(
                    plan.add(vertexCount + 1L, Long.BYTES),
                    plan.add(entryCount, Integer.BYTES),
                    plan.add(entryCount, weightBytes),
                    plan.bytes());
        }
    }
}
