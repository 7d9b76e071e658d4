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
 * The sums of exact closeness: every vertex is once a source, and at each level a vertex adds the level for each source
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
    private final ResidentGraph.View graph;
    private final RunControl control;
    private final int vertexCount;

    FarnessSums(CudaDevice device, ResidentGraph.View graph, RunControl control) {
        this.device = device;
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
                accumulate(
                        new MultiSourceSearch.Sums(at + plan.farness(), at + plan.reach(), NOT_WANTED, 0, FIRST_LEVEL));
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
                deeper = accumulate(new MultiSourceSearch.Sums(
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
    private boolean accumulate(MultiSourceSearch.Sums sums) {
        boolean firstPass = sums.firstLevel() == FIRST_LEVEL;
        boolean deeper = false;
        MultiSourceSearch search = new MultiSourceSearch(device, graph);
        int[] sources = new int[device.policy().batchSources()];
        int first = 0;
        while (first < vertexCount) {
            int count = Math.min(search.mostSources(), vertexCount - first);
            for (int s = 0; s < count; s++) {
                sources[s] = first + s;
            }
            try (DeviceTurn turn = device.turn(control.stop())) {
                MemoryPlan.MultiSource plan = search.plan(count, 0);
                long at = turn.workspace(plan.bytes());
                deeper |= search.launch(turn, plan, at, sources, 0, count, -1, 0, sums)
                        .countsTooShallow();
            } catch (DeviceMemoryException e) {
                search.shrink(e);
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
            turn.download(sums + plan.farness(), farness, control.concurrency());
            turn.download(sums + plan.reach(), reach, control.concurrency());
            if (harmonic) {
                turn.download(sums + plan.harmonic(), harmonicSums, control.concurrency());
            }
        }
        return new Farness(farness, reach, harmonicSums);
    }
}
