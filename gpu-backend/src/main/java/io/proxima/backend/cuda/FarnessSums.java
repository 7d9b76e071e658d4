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
import io.proxima.concurrent.Workers;
import java.nio.ByteBuffer;

/**
 * The sums of exact closeness: every vertex is once a source, and at each level a vertex adds the level for each source
 * that reaches it there, formula (7). The sums stay on the device until all batches are done.
 *
 * <p>For harmonic sums the device counts, for each vertex and level, the sources that reach it there; the host adds the
 * levels up in ascending order, so that the double is that of every other backend. How deep the graph is comes out on the
 * way: where the table is too small it grows, and the run begins again.
 */
final class FarnessSums {

    private static final int GRAIN = 1 << 15;

    private final CudaDevice device;
    private final ResidentGraph.View graph;
    private final RunControl control;
    private final int vertexCount;
    private int depth;
    private int reported;

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
        int capacity = harmonic ? Math.min(device.policy().levelCapacity(), vertexCount) : 0;
        while (true) {
            MemoryPlan.Sums plan = MemoryPlan.Sums.of(vertexCount, capacity);
            try (DeviceArray sums = allocate(plan)) {
                if (accumulate(plan, sums.address(), capacity)) {
                    return collect(plan, sums.address(), harmonic);
                }
            }
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private DeviceArray allocate(MemoryPlan.Sums plan) {
        try (DeviceTurn turn = device.turn(control.stop())) {
            DeviceArray sums = device.memory().allocate("the sums of closeness", plan.bytes());
            try {
                turn.fill(sums.address(), 0, plan.bytes());
                return sums;
            } catch (RuntimeException | Error e) {
                sums.close();
                throw e;
            }
        }
    }

    /** Runs all batches; false if the search went deeper than there is room for. */
    private boolean accumulate(MemoryPlan.Sums sumsPlan, long sums, int capacity) {
        MultiSourceSearch search = new MultiSourceSearch(device, graph);
        int[] sources = new int[device.policy().batchSources()];
        int first = 0;
        while (first < vertexCount) {
            int count = Math.min(search.mostSources(), vertexCount - first);
            for (int s = 0; s < count; s++) {
                sources[s] = first + s;
            }
            DeviceTurn.Outcome outcome;
            try (DeviceTurn turn = device.turn(control.stop())) {
                MemoryPlan.MultiSource plan = search.plan(count, 0);
                long at = turn.workspace(plan.bytes());
                outcome = search.launch(turn, plan, at, sources, 0, count, -1, 0, sums, sumsPlan, capacity);
            } catch (DeviceMemoryException e) {
                search.shrink(e);
                continue;
            }
            if (outcome.overflow()) {
                return false;
            }
            depth = Math.max(depth, outcome.level());
            first += count;
            if (first > reported) {
                control.progress().advance(first - reported);
                reported = first;
            }
        }
        return true;
    }

    private Farness collect(MemoryPlan.Sums plan, long sums, boolean harmonic) {
        long[] farness = new long[vertexCount];
        long[] reach = new long[vertexCount];
        double[] harmonicSums = harmonic ? new double[vertexCount] : null;
        try (DeviceTurn turn = device.turn(control.stop())) {
            turn.download(sums + plan.farness(), farness, control.concurrency());
            turn.download(sums + plan.reach(), reach, control.concurrency());
            if (harmonic) {
                for (int level = 1; level <= depth; level++) {
                    addLevel(turn, sums + plan.levelCounts(), level, harmonicSums);
                }
            }
        }
        return new Farness(farness, reach, harmonicSums);
    }

    private void addLevel(DeviceTurn turn, long levelCounts, int level, double[] harmonic) {
        long row = (long) vertexCount * Integer.BYTES;
        turn.download(levelCounts + level * row, row, (counts, offset, bytes) -> {
            int firstVertex = (int) (offset / Integer.BYTES);
            Workers.forRanges(
                    control.concurrency(),
                    bytes / Integer.BYTES,
                    GRAIN,
                    control.stop(),
                    (worker, from, to) -> addRange(counts, firstVertex, (int) from, (int) to, level, harmonic));
        });
    }

    private static void addRange(ByteBuffer counts, int firstVertex, int from, int to, int level, double[] harmonic) {
        for (int i = from; i < to; i++) {
            long count = Integer.toUnsignedLong(counts.getInt(i * Integer.BYTES));
            harmonic[firstVertex + i] = Farness.addHarmonic(harmonic[firstVertex + i], count, level);
        }
    }
}
