// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.concurrent.Stop;
import java.util.Set;

/**
 * The sums of exact closeness on one device, over the ranges of sources that the device takes. See {@link FarnessSums}.
 * For one thread at a time.
 */
final class DeviceSums extends DevicePart {

    private static final int FIRST_LEVEL = 1;
    private static final long NOT_WANTED = 0;

    private final SumKernels kernels;
    private final RangeSearches searches;
    private final RunControl control;
    private final int vertexCount;

    private SumsLayout layout;
    private DeviceArray sums;
    private BatchKernels.Sums wanted;
    private DeviceArray counts;
    private int capacity;
    private int firstLevel;

    /**
     * Sums over no sources.
     *
     * @param graph has the structures of the kernels
     * @param afterwards runs when this is closed
     */
    DeviceSums(CudaDevice device, SumKernels kernels, GraphView graph, RunControl control, Runnable afterwards) {
        super(device, kernels, graph, afterwards);
        this.kernels = kernels;
        this.searches = new RangeSearches(device, kernels, graph);
        this.control = control;
        this.vertexCount = graph.vertexCount();
    }

    int vertexCount() {
        return vertexCount;
    }

    /** The number of sources of the run. */
    int sourceCount() {
        return kernels.sourceCount(graph());
    }

    /** The number of levels that the counts of harmonic sums should have room for at first. */
    int levelCapacity() {
        return Math.min(kernels.levelCapacity(device().policy().levelCapacity()), vertexCount);
    }

    /** Whether the kernels are those of graphs with many levels. */
    boolean hasManyLevels() {
        int usual = device().policy().levelCapacity();
        return kernels.levelCapacity(usual) > usual;
    }

    /**
     * Allocates the sums.
     *
     * @throws DeviceMemoryException if they do not fit
     */
    void begin(Set<DistanceMeasure> measures) {
        layout = SumsLayout.of(vertexCount, measures);
        sums = zeros("the sums of closeness", layout.bytes(), 0);
        long at = sums.address();
        firstLevel = FIRST_LEVEL;
        wanted = new BatchKernels.Sums(
                at + layout.farness(),
                at + layout.reach(),
                NOT_WANTED,
                0,
                FIRST_LEVEL,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? at + layout.depths() : NOT_WANTED,
                measures.contains(DistanceMeasure.HOPS) ? at + layout.pairs() : NOT_WANTED);
    }

    /**
     * Begins with the counts of a window of levels. The first window accumulates all other sums too.
     *
     * @throws DeviceMemoryException if the counts do not fit beside the smallest batch
     */
    void openWindow(int levels, int first) {
        int least = kernels.leastSources();
        long batch = graph().entryCount() == 0 ? 0 : kernels.bytes(graph(), least, Math.min(least, vertexCount));
        counts = zeros("the counts of " + levels + " levels", SumsLayout.levelCountBytes(vertexCount, levels), batch);
        capacity = levels;
        firstLevel = first;
        BatchKernels.Sums beside = first == FIRST_LEVEL ? wanted : BatchKernels.Sums.NONE;
        wanted = beside.withLevelCounts(counts.address(), levels, first);
    }

    /** Frees the counts of a window. */
    void closeWindow() {
        if (counts != null) {
            counts.close();
            counts = null;
        }
        searches.forget();
    }

    /** An array of zeros beside which a workspace of some bytes fits. */
    private DeviceArray zeros(String what, long bytes, long workspace) {
        try (DeviceLease lease = device().lease(control.stop())) {
            DeviceArray array = lease.allocate(what, bytes);
            try {
                lease.fill(array.address(), 0, bytes);
                if (workspace > 0) {
                    // the array may have evicted it, and only a smaller array would leave room again
                    lease.workspace(workspace);
                }
                return array;
            } catch (RuntimeException | Error e) {
                array.close();
                throw e;
            }
        }
    }

    /** Searches from ranges of sources until all sources are done, here or on other devices. */
    void accumulate(SourceRanges sources, Stop stop) {
        searches.run(sources, wanted, stop);
    }

    /** Leaves all ranges of this window to other devices, after a failure of this one. */
    void repeatElsewhere(SourceRanges sources) {
        searches.repeatElsewhere(sources);
    }

    /** Whether there are levels beyond the window. */
    boolean isDeeper() {
        return searches.isDeeper();
    }

    /** The deepest level. */
    int deepest() {
        return searches.deepest();
    }

    /** Adds the counts of the window to the harmonic sums on the device, the lowest level first. */
    void addUp() {
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.launchThreads(
                    "farness",
                    "farness_counts_harmonic_thread",
                    vertexCount,
                    new KernelArguments()
                            .pointer("levelCounts", counts.address())
                            .pointer("harmonic", sums.address() + layout.harmonic())
                            .int32("n", vertexCount)
                            .int32("levelCount", capacity)
                            .int32("firstLevel", firstLevel));
        }
    }

    /** The sum of the distances by vertex. */
    long[] farness() {
        return longs(layout.farness());
    }

    /** The number of sources by vertex. */
    long[] reach() {
        return longs(layout.reach());
    }

    private long[] longs(long offset) {
        long[] found = new long[vertexCount];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(graph().inVertexOrder(sums.address() + offset, Long.BYTES), found, control.concurrency());
        }
        return found;
    }

    /** The harmonic sum by vertex, after {@link #addUp}. */
    double[] harmonic() {
        double[] found = new double[vertexCount];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(
                    graph().inVertexOrder(sums.address() + layout.harmonic(), Double.BYTES),
                    found,
                    control.concurrency());
        }
        return found;
    }

    /** The largest distance by vertex. */
    int[] eccentricity() {
        int[] found = new int[vertexCount];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(
                    graph().inVertexOrder(sums.address() + layout.depths(), Integer.BYTES),
                    found,
                    control.concurrency());
        }
        return found;
    }

    /** The number of pairs by distance, from 1 on. */
    long[] pairs(int levels) {
        long[] found = new long[levels];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(
                    new VertexOrderedArray(sums.address() + layout.pairs(), Long.BYTES, levels, 0),
                    found,
                    control.concurrency());
        }
        return found;
    }

    /** Copies the number of sources by vertex at a level of the window. */
    void counts(int level, int[] found) {
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(
                    graph().inVertexOrder(
                                    counts.address() + (long) (level - firstLevel) * vertexCount * Integer.BYTES,
                                    Integer.BYTES),
                    found,
                    control.concurrency());
        }
    }

    @Override
    public void close() {
        closeWindow();
        if (sums != null) {
            sums.close();
            sums = null;
        }
        super.close();
    }
}
