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
package io.proxima.backend.cuda;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Farness;
import io.proxima.backend.RunControl;

/**
 * The sums of exact closeness: every slot is once a source, in ascending order so that a batch has near ones, and at each level a vertex adds the level for each source
 * that reaches it there, equation (7). The sums stay on the device until all batches are done.
 *
 * <p>For harmonic sums the device counts, for each vertex and level, the sources that reach it there, and adds the levels
 * up in ascending order when all batches are done, so that the double is that of every other backend. The counts have room
 * for a window of levels; a graph that goes deeper is searched again for each further window, and windows grow.
 */
final class FarnessSums {

    private static final int FIRST_LEVEL = 1;
    private static final long NOT_WANTED = 0;

    private final CudaDevice device;
    private final BatchKernels kernels;
    private final GraphView graph;
    private final RunControl control;
    private final int vertexCount;

    /** Sums with these kernels, whose parts the caller has required. */
    FarnessSums(CudaDevice device, BatchKernels kernels, GraphView graph, RunControl control) {
        this.device = device;
        this.kernels = kernels;
        this.graph = graph;
        this.control = control;
        this.vertexCount = graph.vertexCount();
    }

    /**
     * Runs.
     *
     * @throws DeviceMemoryException if the sums, or the smallest batch, do not fit
     */
    Farness run(boolean harmonic) {
        control.progress().beginTask("Farness", vertexCount);
        MemoryPlan.Sums plan = MemoryPlan.Sums.of(vertexCount, harmonic);
        try (DeviceArray sums = zeros("the sums of closeness", plan.bytes())) {
            long at = sums.address();
            if (harmonic) {
                harmonicWindows(at + plan.farness(), at + plan.reach(), at + plan.harmonic());
            } else {
                accumulate(new BatchKernels.Sums(at + plan.farness(), at + plan.reach(), NOT_WANTED, 0, FIRST_LEVEL));
            }
            return collect(at, plan, harmonic);
        }
    }

    /** The first window sums farness and reach too, which go on beyond it. */
    private void harmonicWindows(long farness, long reach, long harmonic) {
        int capacity = Math.min(device.policy().levelCapacity(), vertexCount);
        int firstLevel = FIRST_LEVEL;
        boolean deeper = true;
        while (deeper) {
            DeviceArray counts;
            try {
                counts = zeros("the counts of " + capacity + " levels", levelBytes(capacity));
            } catch (DeviceMemoryException e) {
                if (capacity == 1) {
                    throw e;
                }
                capacity = Math.max(1, capacity / LaunchPolicy.LEVEL_CAPACITY_GROWTH);
                continue;
            }
            boolean first = firstLevel == FIRST_LEVEL;
            try (counts) {
                deeper = accumulate(new BatchKernels.Sums(
                        first ? farness : NOT_WANTED,
                        first ? reach : NOT_WANTED,
                        counts.address(),
                        capacity,
                        firstLevel));
                addUp(counts.address(), harmonic, capacity, firstLevel);
            }
            firstLevel += capacity;
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private long levelBytes(int capacity) {
        return MemoryPlan.levelCountBytes(vertexCount, capacity);
    }

    private DeviceArray zeros(String what, long bytes) {
        try (DeviceTurn turn = device.turn(control.stop())) {
            DeviceArray array = device.memory().allocate(what, bytes);
            try {
                turn.fill(array.address(), 0, bytes);
                return array;
            } catch (RuntimeException | Error e) {
                array.close();
                throw e;
            }
        }
    }

    /** Runs all batches; whether there are levels beyond the counted ones. */
    private boolean accumulate(BatchKernels.Sums sums) {
        boolean firstPass = sums.firstLevel() == FIRST_LEVEL;
        boolean deeper = false;
        BatchSize size = new BatchSize(kernels);
        int[] sources = new int[kernels.mostSources()];
        int first = 0;
        while (first < vertexCount) {
            int count = Math.min(size.most(), vertexCount - first);
            for (int s = 0; s < count; s++) {
                sources[s] = first + s;
            }
            try (DeviceTurn turn = device.turn(control.stop())) {
                long at = turn.workspace(
                        kernels.plan(graph, size.most(), count, 0).bytes());
                deeper |= kernels.launch(turn, graph, size.most(), at, sources, 0, count, -1, 0, sums)
                        .countsTooShallow();
            } catch (DeviceMemoryException e) {
                size.shrink(e);
                continue;
            }
            first += count;
            if (firstPass) {
                control.progress().advance(count);
            }
        }
        return deeper;
    }

    private void addUp(long levelCounts, long harmonic, int levelCount, int firstLevel) {
        try (DeviceTurn turn = device.turn(control.stop())) {
            turn.launchThreads(
                    "farness",
                    "farness_counts_harmonic_thread",
                    vertexCount,
                    levelCounts,
                    harmonic,
                    vertexCount,
                    levelCount,
                    firstLevel);
        }
    }

    private Farness collect(long sums, MemoryPlan.Sums plan, boolean harmonic) {
        long[] farness = new long[vertexCount];
        long[] reach = new long[vertexCount];
        double[] harmonicSums = harmonic ? new double[vertexCount] : null;
        try (DeviceTurn turn = device.turn(control.stop())) {
            turn.download(VertexOrdered.of(graph, sums + plan.farness(), Long.BYTES), farness, control.concurrency());
            turn.download(VertexOrdered.of(graph, sums + plan.reach(), Long.BYTES), reach, control.concurrency());
            if (harmonic) {
                turn.download(
                        VertexOrdered.of(graph, sums + plan.harmonic(), Double.BYTES),
                        harmonicSums,
                        control.concurrency());
            }
        }
        return new Farness(farness, reach, harmonicSums);
    }
}
