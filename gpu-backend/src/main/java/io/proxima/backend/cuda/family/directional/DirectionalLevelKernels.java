// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.LevelKernels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Direction-optimizing BFS over CSR: each level is top-down or bottom-up, whichever the cost model expects to be faster
 * (bfs_directional.cu). For shallow graphs, fastest in an order by degree; see docs/decisions/0019.
 */
public record DirectionalLevelKernels(CudaDevice device) implements LevelKernels {

    private static final String MODULE = "bfs_directional";

    /** Words of a bitmap that a block caches in shared memory. */
    private static final int SHARED_WORDS = 2048;

    /** Multiprocessors of the H200, on which the costs were measured. */
    private static final double MULTIPROCESSORS_MEASURED = 132;

    // fields of CostModel in bfs_directional.cu, in nanoseconds on an H200
    private static final double PUSH_EDGE = 0.008;
    private static final double HEAD_SLOT = 0.008;
    private static final double PROBE = 0.004;
    private static final double LIST_SLOT = 0.05;
    private static final float SWEEP = 3000;

    /** No translation from vertices to slots, because sources and targets are passed as slots. */
    private static final long SLOTS = 0;

    @Override
    public String name() {
        return DirectionalFamily.DIRECTIONAL.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN, CompactLists.COMPACT));
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private static State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(graph.vertexCount(), graph.entryCount(), sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = of(graph, sources.length, stopTargets.length);
        CompactLists.Compact compact = graph.structure(CompactLists.COMPACT);
        boolean wide = CompactLists.Layout.isWide(graph.entryCount());
        int sharedWords = Math.min(SHARED_WORDS, ArrayLayout.bitWords(compact.active()));
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                wide ? "bfs_directional_p64_grid" : "bfs_directional_p32_grid",
                Directional.grid(wide, sharedWords, Math.max(graph.vertexCount(), graph.entryCount())),
                new KernelArguments()
                        .pointer("outPtrs", compact.outPointers())
                        .pointer("outIdx", graph.structure(Csr.OUT).indices())
                        .pointer("inPtrs", compact.inPointers())
                        .pointer("inIdx", graph.structure(Csr.IN).indices())
                        .pointer("heads", compact.heads())
                        .int32("active", compact.active())
                        .pointer("slotOf", SLOTS)
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("visitedA", at + plan.visitedA())
                        .pointer("visitedB", at + plan.visitedB())
                        .pointer("queue", at + plan.queue())
                        .pointer("queueEdges", at + plan.queueEdges())
                        .pointer("listA", at + plan.listA())
                        .pointer("listB", at + plan.listB())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("slots", graph.vertexCount())
                        .int32("sourceCount", sources.length)
                        .int32("onlySource", sources[0])
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth)
                        .int32("sharedWords", sharedWords)
                        .float32("pushEdge", onThisDevice(PUSH_EDGE))
                        .float32("headSlot", onThisDevice(HEAD_SLOT))
                        .float32("probe", onThisDevice(PROBE))
                        .float32("listSlot", onThisDevice(LIST_SLOT))
                        .float32("sweep", SWEEP)
                        .float32("edgeDegree", compact.edgeDegree()));
    }

    /** The cost of work that all multiprocessors share. */
    private float onThisDevice(double cost) {
        return (float) (cost * MULTIPROCESSORS_MEASURED / device.facts().multiprocessors());
    }

    /** The layout of the workspace of bfs_directional.cu, with room for slots that are not active. */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long visitedA,
            long visitedB,
            long queue,
            long queueEdges,
            long listA,
            long listB,
            long bytes) {

        /** Longer rests of lists are processed by the whole grid: LONG_LIST of bfs_directional.cu. */
        public static final int LONG_LIST = 4096;

        public static State of(int vertexCount, long entryCount, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            long words = ArrayLayout.bitWords(vertexCount);
            long queued = vertexCount + entryCount / LONG_LIST;
            int edgeBytes = CompactLists.Layout.isWide(entryCount) ? Long.BYTES : Integer.BYTES;
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(queued, Integer.BYTES),
                    plan.add(queued, edgeBytes),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.bytes());
        }
    }

    /** Constants of bfs_directional.cu. */
    public static final class Directional {

        /** DIRECTIONAL_THREADS. */
        public static final int THREADS = 512;

        /**
         * Shared memory of a block without the bitmap: sizeof DirectionalShared, with 32-bit and with 64-bit pointers.
         */
        public static final int SHARED_BYTES = 40_976;

        public static final int WIDE_SHARED_BYTES = 51_216;

        private static final int BLOCKS_A_MULTIPROCESSOR = 1;

        private Directional() {}

        /** Shared memory of a block with this number of bitmap words. */
        static int sharedBytes(boolean wide, int words) {
            return (wide ? WIDE_SHARED_BYTES : SHARED_BYTES) + words * Integer.BYTES;
        }

        /** The grid for this number of vertices or edges. */
        static Grid grid(boolean wide, int words, long usefulThreads) {
            return Grid.cooperative(THREADS, usefulThreads)
                    .withMostBlocks(BLOCKS_A_MULTIPROCESSOR)
                    .withSharedBytes(sharedBytes(wide, words));
        }
    }
}
