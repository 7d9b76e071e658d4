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
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.BatchSize;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.LeaseQueue;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.Progress;
import java.util.Set;

/**
 * Accumulates the sums of exact closeness. Every slot is a source once. At each level, a vertex adds the level for each
 * source that reaches it there (equation 7 of BLEST). The sums stay on the device until all batches are done.
 *
 * <p>For harmonic sums, the device counts the sources that reach each vertex at each level. After all batches, the
 * levels are added in ascending order, so that the double equals that of every other backend. The counts have room for
 * a window of levels. A deeper graph is searched again for each further window, and windows grow.
 */
public final class FarnessSums {

    private static final int FIRST_LEVEL = 1;
    private static final long NOT_WANTED = 0;

    private final CudaDevice device;
    private final SumKernels kernels;
    private final GraphView graph;
    private final RunControl control;
    private final int vertexCount;
    private int deepest;

    /** A run with these kernels, whose structures the caller has required. */
    public FarnessSums(CudaDevice device, SumKernels kernels, GraphView graph, RunControl control) {
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
    public Farness run(Set<DistanceMeasure> measures) {
        control.progress().beginTask(BackendTask.FARNESS, vertexCount);
        SumsLayout plan = SumsLayout.of(vertexCount, measures);
        try (DeviceArray sums = zeros("the sums of closeness", plan.bytes())) {
            long at = sums.address();
            BatchKernels.Sums wanted = new BatchKernels.Sums(
                    at + plan.farness(),
                    at + plan.reach(),
                    NOT_WANTED,
                    0,
                    FIRST_LEVEL,
                    measures.contains(DistanceMeasure.ECCENTRICITY) ? at + plan.depths() : NOT_WANTED,
                    measures.contains(DistanceMeasure.HOPS) ? at + plan.pairs() : NOT_WANTED);
            if (measures.contains(DistanceMeasure.HARMONIC)) {
                harmonicWindows(wanted, at + plan.harmonic());
            } else {
                accumulate(wanted);
            }
            return collect(at, plan, measures);
        }
    }

    /** Accumulates harmonic sums window by window. The first window accumulates all other sums too. */
    private void harmonicWindows(BatchKernels.Sums others, long harmonic) {
        int capacity = Math.min(kernels.levelCapacity(device.policy().levelCapacity()), vertexCount);
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
            BatchKernels.Sums beside = firstLevel == FIRST_LEVEL ? others : BatchKernels.Sums.NONE;
            try (counts) {
                deeper = accumulate(beside.withLevelCounts(counts.address(), capacity, firstLevel));
                addUp(counts.address(), harmonic, capacity, firstLevel);
            }
            firstLevel += capacity;
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private long levelBytes(int capacity) {
        return SumsLayout.levelCountBytes(vertexCount, capacity);
    }

    private DeviceArray zeros(String what, long bytes) {
        try (DeviceLease lease = device.lease(control.stop())) {
            DeviceArray array = lease.allocate(what, bytes);
            try {
                lease.fill(array.address(), 0, bytes);
                return array;
            } catch (RuntimeException | Error e) {
                array.close();
                throw e;
            }
        }
    }

    /** Runs all batches. Returns whether there are levels beyond the counted ones. */
    private boolean accumulate(BatchKernels.Sums sums) {
        boolean firstPass = sums.firstLevel() == FIRST_LEVEL;
        int sources = kernels.sourceCount(graph);
        boolean deeper = false;
        BatchSize size = new BatchSize(kernels.mostSources(), kernels.leastSources());
        Batches batches = new Batches(sums, sources, firstPass ? control.progress() : Progress.NONE);
        batches.progress.advance(vertexCount - sources);
        while (batches.next < sources) {
            try (DeviceLease lease = device.lease(control.stop(), LeaseQueue.RunLength.LONG)) {
                long at;
                try {
                    // later batches take no more
                    at = lease.workspace(kernels.bytes(graph, size.most(), Math.min(size.most(), vertexCount)));
                } catch (DeviceMemoryException e) {
                    size.shrink(e);
                    continue;
                }
                deeper |= batches.runUntilOthersWait(lease, at, size.most());
            }
        }
        return deeper;
    }

    /** The batches of a pass. While the host waits for one batch, the device already has the next. */
    private final class Batches {

        private final BatchKernels.Sums sums;
        private final int sources;
        private final Progress progress;
        private int next;
        // duration of the previous batch; that of the first is unknown
        private float millis = Float.POSITIVE_INFINITY;

        Batches(BatchKernels.Sums sums, int sources, Progress progress) {
            this.sums = sums;
            this.sources = sources;
            this.progress = progress;
        }

        /** A batch in flight. */
        private record Batch(SumKernels.Adding searches, int count) {}

        private Batch begin(DeviceLease lease, long at, int most) {
            int count = Math.min(most, sources - next);
            Batch batch = new Batch(kernels.begin(lease, graph, most, at, next, count, sums), count);
            next += count;
            return batch;
        }

        /** Runs at least one batch. Returns whether there are levels beyond the counted ones. */
        boolean runUntilOthersWait(DeviceLease lease, long at, int most) {
            boolean deeper = false;
            Batch batch = begin(lease, at, most);
            while (batch != null) {
                boolean overlaps = !kernels.mayEndEarly() && millis <= LaunchPolicy.MILLIS_OF_A_BATCH_IN_FLIGHT;
                Batch following = overlaps ? beginUnlessOthersWait(lease, at, most) : null;
                SumKernels.Added added = batch.searches().end();
                // if it has processed fewer sources, no other batch has begun after it
                next -= batch.count() - added.sources();
                deeper |= added.outcome().countsTooShallow();
                deepest = Math.max(deepest, added.outcome().level());
                progress.advance(added.sources());
                millis = added.outcome().millis();
                batch = following == null && !overlaps ? beginUnlessOthersWait(lease, at, most) : following;
            }
            return deeper;
        }

        private Batch beginUnlessOthersWait(DeviceLease lease, long at, int most) {
            return next < sources && !device.leases().isWanted() ? begin(lease, at, most) : null;
        }
    }

    private void addUp(long levelCounts, long harmonic, int levelCount, int firstLevel) {
        try (DeviceLease lease = device.lease(control.stop())) {
            lease.launchThreads(
                    "farness",
                    "farness_counts_harmonic_thread",
                    vertexCount,
                    new KernelArguments()
                            .pointer("levelCounts", levelCounts)
                            .pointer("harmonic", harmonic)
                            .int32("n", vertexCount)
                            .int32("levelCount", levelCount)
                            .int32("firstLevel", firstLevel));
        }
    }

    /** The number of pairs by distance, up to the largest; each vertex has distance 0 to itself. */
    private long[] hops(DeviceLease lease, long pairs) {
        long[] hops = new long[deepest + 1];
        lease.download(new VertexOrderedArray(pairs, Long.BYTES, hops.length, 0), hops, control.concurrency());
        hops[0] = vertexCount;
        return hops;
    }

    private Farness collect(long sums, SumsLayout plan, Set<DistanceMeasure> measures) {
        long[] farness = new long[vertexCount];
        long[] reach = new long[vertexCount];
        double[] harmonic = measures.contains(DistanceMeasure.HARMONIC) ? new double[vertexCount] : null;
        int[] eccentricity = measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[vertexCount] : null;
        long[] hops = null;
        try (DeviceLease lease = device.lease(control.stop())) {
            lease.download(graph.inVertexOrder(sums + plan.farness(), Long.BYTES), farness, control.concurrency());
            lease.download(graph.inVertexOrder(sums + plan.reach(), Long.BYTES), reach, control.concurrency());
            if (harmonic != null) {
                lease.download(
                        graph.inVertexOrder(sums + plan.harmonic(), Double.BYTES), harmonic, control.concurrency());
            }
            if (eccentricity != null) {
                lease.download(
                        graph.inVertexOrder(sums + plan.depths(), Integer.BYTES), eccentricity, control.concurrency());
            }
            if (measures.contains(DistanceMeasure.HOPS)) {
                hops = hops(lease, sums + plan.pairs());
            }
        }
        return new Farness(farness, reach, harmonic, eccentricity, hops);
    }
}
