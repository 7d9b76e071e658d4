// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import static io.proxima.backend.cuda.driver.KernelConstants.COMPACT_ACTIVE;
import static io.proxima.backend.cuda.driver.KernelConstants.COMPACT_SQUARES;
import static io.proxima.backend.cuda.driver.KernelConstants.COMPACT_TOTALS;
import static io.proxima.backend.cuda.driver.KernelConstants.HEADS;
import static io.proxima.backend.cuda.driver.KernelConstants.HEAD_ALIGNMENT;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_NARROW;

import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.List;

/**
 * Additions to {@link Csr} for direction-optimizing BFS, in slot id space: 32-bit pointers, the first in-neighbours of
 * each slot (heads), and the number of slots with entries. compact.cuh explains their use. They are freed with the
 * lists that they are built from.
 */
final class CompactLists implements DeviceStructure<CompactLists.Compact> {

    /** The one instance. */
    static final CompactLists COMPACT = new CompactLists();

    private CompactLists() {}

    /**
     * A compact graph.
     *
     * @param outPointers device address of {@code int[vertexCount + 1]}, unsigned; of {@code long[vertexCount + 1]}
     *     beyond {@link KernelConstants#MOST_NARROW} entries
     * @param inPointers as {@code outPointers}, for the in-lists; equal to it if the graph is symmetric
     * @param heads device address of {@link KernelConstants#HEADS} columns of in-neighbours
     * @param active number of slots up to the last one with an entry; in an order by degree, all of these have one
     * @param edgeDegree mean out-degree of the target of an edge; 0 without edges
     */
    record Compact(DeviceArray array, long outPointers, long inPointers, long heads, int active, float edgeDegree)
            implements Arrays {}

    @Override
    public String label() {
        return "heads of lists";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return layout(graph.vertexCount(), graph.entryCount(), graph.symmetric())
                .bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(Csr.OUT, Csr.IN), 0);
    }

    @Override
    public Compact build(BuildContext context) {
        Lists out = context.structure(Csr.OUT);
        Lists in = context.structure(Csr.IN);
        int n = context.graph().vertexCount();
        long entries = context.graph().entryCount();
        boolean symmetric = in.pointers() == out.pointers();
        ArrayLayout plan = layout(n, entries, symmetric);
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the graph", plan.bytes());
            long at = array.address();
            long[] totals = measure(lease, out, in, at + plan.at("totals"), n);
            double squares = Double.longBitsToDouble(totals[COMPACT_SQUARES]);
            int active = (int) totals[COMPACT_ACTIVE];
            lease.launchThreads(
                    headColumn(active),
                    ShippedKernels.arguments("compact_heads_thread")
                            .set("inPtrs", in.pointers())
                            .set("inIdx", in.indices())
                            .set("heads", at + plan.at("heads"))
                            .set("active", active));
            boolean wide = isWide(entries);
            long outPointers = wide ? out.pointers() : at + plan.at("outPtrs");
            long inPointers = wide ? in.pointers() : at + plan.at(symmetric ? "outPtrs" : "inPtrs");
            if (!wide) {
                narrow(lease, out, outPointers, n);
            }
            if (!wide && !symmetric) {
                narrow(lease, in, inPointers, n);
            }
            lease.await();
            return new Compact(
                    array,
                    outPointers,
                    inPointers,
                    at + plan.at("heads"),
                    active,
                    entries == 0 ? 0 : (float) (squares / entries));
        }
    }

    private static long[] measure(DeviceLease lease, Lists out, Lists in, long at, int n) {
        long[] totals = new long[COMPACT_TOTALS];
        lease.fill(at, 0, (long) totals.length * Long.BYTES);
        lease.launchThreads(
                n,
                ShippedKernels.arguments("compact_measure_thread")
                        .set("outPtrs", out.pointers())
                        .set("inPtrs", in.pointers())
                        .set("totals", at)
                        .set("n", n));
        lease.download(at, totals);
        return totals;
    }

    private static void narrow(DeviceLease lease, Lists lists, long to, int n) {
        lease.launchThreads(
                n + 1L,
                ShippedKernels.arguments("compact_pointers_thread")
                        .set("ptrs", lists.pointers())
                        .set("narrow", to)
                        .set("n", n));
    }

    /**
     * The layout of compact lists (compact.cuh): 32-bit pointers unless they are {@link #isWide wide}, the heads,
     * {@link KernelConstants#HEADS} columns, and the measured totals.
     */
    static ArrayLayout layout(int vertexCount, long entryCount, boolean symmetric) {
        long pointers = isWide(entryCount) ? 0 : vertexCount + 1L;
        return new ArrayLayout()
                .add("outPtrs", pointers, Integer.BYTES)
                .add("inPtrs", symmetric ? 0 : pointers, Integer.BYTES)
                .add("heads", HEADS * headColumn(vertexCount), Integer.BYTES)
                .add("totals", COMPACT_TOTALS, Long.BYTES);
    }

    /** Whether entries exceed 32-bit pointers, so that the 64-bit pointers of the lists are used. */
    static boolean isWide(long entryCount) {
        return entryCount > MOST_NARROW;
    }

    /** The length of a column of heads for this number of slots. */
    static long headColumn(int slots) {
        return ((long) slots + HEAD_ALIGNMENT - 1) / HEAD_ALIGNMENT * HEAD_ALIGNMENT;
    }
}
