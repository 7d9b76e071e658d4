// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.BackendTask;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;

/**
 * Adjacency lists with weights, in vertex id space. Each property of the relationships has its own: two structures are
 * equal if they are made of the same arrays on the host.
 */
public final class WeightedLists implements DeviceStructure<WeightedLists.Lists> {

    /** The number of bytes of the widest weight. */
    public static final int WIDEST_WEIGHT = Double.BYTES;

    /** The greatest sum that 32 bits hold beside the cost of unreached vertices. */
    private static final double GREATEST_INTEGER_SUM = 0xfffffffeL;

    private static final String LABEL = "lists of neighbours with weights";

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
     * @param array the pointers, on the device
     * @param entries the indices and weights, on the device or in mapped host memory
     * @param form the form of the weights
     * @param entryCount number of entries
     * @param pointers device address of {@code long[vertexCount + 1]}
     * @param indices device address of {@code int[entryCount]}
     * @param weights device address of the weights of the entries; 0 if all are 1
     */
    public record Lists(
            DeviceArray array,
            DeviceArray entries,
            Form form,
            long entryCount,
            long pointers,
            long indices,
            long weights)
            implements Arrays {

        @Override
        public List<DeviceArray> allocations() {
            return List.of(array, entries);
        }
    }

    /** The number of bytes of the cost of a vertex. */
    public int costBytes() {
        return form.costBytes();
    }

    /** The number of entries, parallel ones included. */
    public long entryCount() {
        return graph.entryCount();
    }

    @Override
    public boolean isKept() {
        return graph.isKept();
    }

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public long bytes(GraphSizes sizes) {
        return bytes(graph.vertexCount(), graph.entryCount(), form.weightBytes);
    }

    @Override
    public long mappableBytes(GraphSizes sizes) {
        return entryBytes(graph.entryCount(), form.weightBytes);
    }

    /** The bytes of lists with weights of so many bytes. */
    private static long bytes(int vertexCount, long entryCount, int weightBytes) {
        return CopiedLists.pointerBytes(vertexCount) + entryBytes(entryCount, weightBytes);
    }

    /** The bytes of the entries with weights of so many bytes. */
    private static long entryBytes(long entryCount, int weightBytes) {
        return CopiedLists.entryBytes(entryCount) + ArrayLayout.bytesOf(entryCount, weightBytes);
    }

    @Override
    public Lists build(BuildContext context) {
        long bytes = bytes(graph.vertexCount(), graph.entryCount(), form.weightBytes);
        context.progress()
                .beginTask(BackendTask.COPY.with("to " + context.device().name()), bytes);
        try (DeviceLease lease = context.device().lease(context.stop())) {
            Lists lists = allocate(context, lease);
            lease.upload(lists.pointers(), graph.columnPointers(), context.concurrency());
            lease.upload(lists.indices(), graph.rowIndices(), context.concurrency());
            switch (form) {
                case ONES -> {
                    // nothing is stored
                }
                case INTEGERS ->
                    lease.upload(
                            lists.weights(), graph.weights(), weight -> (int) (long) weight, context.concurrency());
                case FLOATS ->
                    lease.upload(
                            lists.weights(),
                            graph.weights(),
                            weight -> Float.floatToRawIntBits((float) weight),
                            context.concurrency());
                case DOUBLES -> lease.upload(lists.weights(), graph.weights(), context.concurrency());
            }
            context.progress().advance(bytes);
            return lists;
        }
    }

    private Lists allocate(BuildContext context, DeviceLease lease) {
        String what = "the graph with its weights";
        DeviceArray pointers = context.allocate(lease, what, CopiedLists.pointerBytes(graph.vertexCount()));
        DeviceArray entries = context.allocateLists(lease, what, entryBytes(graph.entryCount(), form.weightBytes));
        return new Lists(
                pointers,
                entries,
                form,
                graph.entryCount(),
                pointers.address(),
                entries.address(),
                form == Form.ONES ? 0 : entries.address() + CopiedLists.entryBytes(graph.entryCount()));
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

    /**
     * Lists that no run has brought yet, for estimates.
     *
     * @param entryCount number of entries, parallel ones included
     * @param weightBytes the number of bytes of a weight
     */
    public record Unknown(long entryCount, int weightBytes) implements DeviceStructure<Lists> {
        @Override
        public String label() {
            return LABEL;
        }

        @Override
        public long bytes(GraphSizes sizes) {
            return WeightedLists.bytes(sizes.vertexCount(), entryCount, weightBytes);
        }

        @Override
        public long mappableBytes(GraphSizes sizes) {
            return entryBytes(entryCount, weightBytes);
        }

        @Override
        public Lists build(BuildContext context) {
            throw new IllegalStateException("there are no lists: entryCount=" + entryCount);
        }
    }
}
