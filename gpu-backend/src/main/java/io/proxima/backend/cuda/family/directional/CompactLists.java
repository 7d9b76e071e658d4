/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.family.directional;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.Recipe;
import java.util.List;

/**
 * What kernels that search over lists need beside {@link Csr}, in slot id space: pointers of 32 bits, heads, and how
 * many slots have an entry. compact.cuh says what it is good for. It goes with the lists it is made of.
 */
public final class CompactLists implements DeviceStructure<CompactLists.Compact> {

    /** The one instance. */
    public static final CompactLists COMPACT = new CompactLists();

    private static final String MODULE = "compact_build";
    private static final long NULL = 0;

    // the words of CompactTotals in compact_build.cu
    public static final int SQUARES = 0;
    public static final int ACTIVE = 1;

    private CompactLists() {}

    /**
     * A compact graph.
     *
     * @param outPointers device address of {@code int[vertexCount + 1]}, unsigned; of {@code long[vertexCount + 1]} beyond
     *     {@link Layout#MOST_NARROW} entries
     * @param inPointers the same of the in-lists; {@code outPointers} if the graph is symmetric
     * @param heads device address of {@link Layout#HEADS} columns of in-neighbours
     * @param active slots up to the last that has an entry; in an order by degree all of these have one
     * @param edgeDegree the mean out-degree of the end of an edge; 0 without edges
     */
    public record Compact(
            DeviceArray array, long outPointers, long inPointers, long heads, int active, float edgeDegree)
            implements Arrays {}

    @Override
    public String label() {
        return "heads of lists";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return Layout.of(graph.vertexCount(), graph.entryCount(), graph.symmetric())
                .bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph, Recipe.Circumstances circumstances) {
        return new Recipe(List.of(Csr.OUT, Csr.IN), 0);
    }

    @Override
    public Compact make(Making making) {
        Csr.Lists out = making.structure(Csr.OUT);
        Csr.Lists in = making.structure(Csr.IN);
        int n = making.graph().vertexCount();
        long entries = making.graph().entryCount();
        boolean symmetric = in.pointers() == out.pointers();
        Layout plan = Layout.of(n, entries, symmetric);
        try (DeviceLease lease = making.device().lease(making.stop())) {
            DeviceArray array = making.allocate(lease, "the graph", plan.bytes());
            long at = array.address();
            long[] totals = measure(lease, out, in, at + plan.totals(), n);
            double squares = Double.longBitsToDouble(totals[SQUARES]);
            int active = (int) totals[ACTIVE];
            lease.launchThreads(
                    MODULE,
                    "compact_heads_thread",
                    Layout.headColumn(active),
                    new KernelArguments()
                            .pointer("inPtrs", in.pointers())
                            .pointer("inIdx", in.indices())
                            .pointer("heads", at + plan.heads())
                            .int32("active", active));
            boolean wide = Layout.isWide(entries);
            if (!wide) {
                narrow(lease, out, at + plan.outPointers(), n);
            }
            if (!wide && !symmetric) {
                narrow(lease, in, at + plan.inPointers(), n);
            }
            lease.await();
            return new Compact(
                    array,
                    wide ? out.pointers() : at + plan.outPointers(),
                    wide ? in.pointers() : at + plan.inPointers(),
                    at + plan.heads(),
                    active,
                    entries == 0 ? 0 : (float) (squares / entries));
        }
    }

    private static long[] measure(DeviceLease lease, Csr.Lists out, Csr.Lists in, long at, int n) {
        long[] totals = new long[Layout.TOTALS];
        lease.fill(at, 0, (long) totals.length * Long.BYTES);
        lease.launchThreads(
                MODULE,
                "compact_measure_thread",
                n,
                new KernelArguments()
                        .pointer("outPtrs", out.pointers())
                        .pointer("inPtrs", in.pointers())
                        .pointer("totals", at)
                        .int32("n", n));
        lease.download(new VertexOrderedArray(at, Long.BYTES, totals.length, NULL), totals, 1);
        return totals;
    }

    private static void narrow(DeviceLease lease, Csr.Lists lists, long to, int n) {
        lease.launchThreads(
                MODULE,
                "compact_pointers_thread",
                n + 1L,
                new KernelArguments()
                        .pointer("ptrs", lists.pointers())
                        .pointer("narrow", to)
                        .int32("n", n));
    }

    /**
     * What a compact graph has beside lists, compact.cuh: offsets of pointers of 32 bits, {@code int[vertexCount + 1]} unless
     * they are {@link #isWide wide}, of the heads, {@link #HEADS} columns, and of what is measured.
     *
     * @param inPointers the same as {@code outPointers} if the graph is symmetric
     * @param bytes of all
     */
    public record Layout(long outPointers, long inPointers, long heads, long totals, long bytes) {

        /** Columns of heads: HEADS of compact.cuh. */
        public static final int HEADS = 4;

        /** The length of a column is a multiple of so many slots: HEAD_ALIGNMENT of compact.cuh. */
        public static final int HEAD_ALIGNMENT = 128;

        /** Two values of 64 bits: CompactTotals of compact_build.cu. */
        public static final int TOTALS = 2;

        public static Layout of(int vertexCount, long entryCount, boolean symmetric) {
            ArrayLayout plan = new ArrayLayout();
            long pointers = isWide(entryCount) ? 0 : vertexCount + 1L;
            long out = plan.add(pointers, Integer.BYTES);
            return new Layout(
                    out,
                    symmetric ? out : plan.add(pointers, Integer.BYTES),
                    plan.add(HEADS * headColumn(vertexCount), Integer.BYTES),
                    plan.add(TOTALS, Long.BYTES),
                    plan.bytes());
        }

        /** The most entries that are counted in 32 bits: MOST_NARROW of compact.cuh. */
        public static final long MOST_NARROW = (1L << Integer.SIZE) - (1 << 16);

        /** Whether entries are counted past 32 bits, so that the pointers of the lists are taken as they are. */
        public static boolean isWide(long entryCount) {
            return entryCount > MOST_NARROW;
        }

        /** The length of a column of heads of so many slots. */
        public static long headColumn(int slots) {
            return ((long) slots + HEAD_ALIGNMENT - 1) / HEAD_ALIGNMENT * HEAD_ALIGNMENT;
        }
    }
}
