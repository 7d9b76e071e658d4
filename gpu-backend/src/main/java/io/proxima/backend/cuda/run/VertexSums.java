// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import java.util.Set;

/**
 * Sums by vertex: at each level, a vertex adds the level for each source that reaches it there (equation 7 of BLEST). Every
 * slot is a source once.
 *
 * <p>For harmonic sums, the device counts the sources that reach each vertex at each level. After all batches, the
 * levels are added in ascending order, so that the double equals that of every other backend. The counts have room for
 * a window of levels. A deeper graph is searched again for each further window, and windows grow. The first pass finds the
 * depth. There are at most {@link LaunchPolicy#MOST_HARMONIC_PASSES}, so memory must not shrink windows below a minimum.
 */
public final class VertexSums extends DeviceSums {

    private static final int FIRST_LEVEL = 1;
    private static final long NOT_WANTED = 0;

    private final SumKernels kernels;
    private final RangeSearches searches;
    private final int vertexCount;

    private boolean harmonic;
    private BatchKernels.Sums wanted;
    private DeviceArray counts;

    /** Parameters as of {@link DeviceSums}. */
    VertexSums(CudaDevice device, SumKernels kernels, GraphView graph, RunControl control, Runnable afterwards) {
        super(device, kernels, graph, control, afterwards);
        this.kernels = kernels;
        this.searches = new RangeSearches(device, kernels, graph);
        this.vertexCount = graph.vertexCount();
    }

    /** The least device memory of a run besides structures and workspace. A deep graph may need more for harmonic sums. */
    public static long leastBytes(LaunchPolicy policy, int vertexCount, Set<DistanceMeasure> measures) {
        long sums = SumsLayout.of(vertexCount, vertexCount, measures).bytes();
        if (!measures.contains(DistanceMeasure.HARMONIC)) {
            return sums;
        }
        int capacity = Math.min(policy.levelCapacity(), vertexCount);
        return sums + SumsLayout.levelCountBytes(vertexCount, leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES));
    }

    int vertexCount() {
        return vertexCount;
    }

    /** The number of sources of the run. */
    int sourceCount() {
        return kernels.sourceCount(graph());
    }

    /**
     * Allocates the sums.
     *
     * @throws DeviceMemoryException if they do not fit
     */
    void begin(Set<DistanceMeasure> measures) {
        SumsLayout layout = SumsLayout.of(vertexCount, vertexCount, measures);
        adopt(zeros("the sums of closeness", layout.bytes(), 0), layout);
        harmonic = measures.contains(DistanceMeasure.HARMONIC);
        wanted = new BatchKernels.Sums(
                address(layout.farness()),
                address(layout.reach()),
                NOT_WANTED,
                0,
                FIRST_LEVEL,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? address(layout.depths()) : NOT_WANTED,
                measures.contains(DistanceMeasure.HOPS) ? address(layout.pairs()) : NOT_WANTED);
    }

    @Override
    void accumulate(SourceRanges sources, Stop stop) {
        if (harmonic) {
            accumulateByWindow(sources, stop);
        } else {
            searches.run(sources, wanted, stop);
        }
    }

    /** Accumulates all sums of a run on one device. The first window accumulates all other sums too. */
    private void accumulateByWindow(SourceRanges ofFirstPass, Stop stop) {
        SourceRanges sources = ofFirstPass;
        BatchKernels.Sums beside = wanted;
        int first = FIRST_LEVEL;
        int capacity = Math.min(kernels.levelCapacity(device().policy().levelCapacity()), vertexCount);
        int least = leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES);
        int passesLeft = LaunchPolicy.MOST_HARMONIC_PASSES;
        boolean deeper = true;
        while (deeper) {
            capacity = openWindow(passesLeft == 1 ? Math.max(capacity, least) : capacity, least);
            passesLeft--;
            searches.run(sources, beside.withLevelCounts(counts.address(), capacity, first), stop);
            addUp(first, capacity);
            deeper = searches.isDeeper();
            closeWindow();
            first += capacity;
            least = leastWindow(deepest() - first + 1, passesLeft);
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            sources = new SourceRanges(sourceCount(), 1, Progress.NONE);
            beside = BatchKernels.Sums.NONE;
        }
    }

    /** Levels of each window so that so many levels take no more than these passes. */
    public static int leastWindow(int levels, int passes) {
        return Math.max(1, (levels - 1) / Math.max(1, passes) + 1);
    }

    /**
     * Allocates the counts of a window. Returns its levels: fewer than wanted if memory is short.
     *
     * @throws DeviceMemoryException if the counts of the least levels do not fit beside the smallest batch
     */
    private int openWindow(int most, int least) {
        int sources = kernels.leastSources();
        long batch = kernels.bytes(graph(), sources, Math.min(sources, vertexCount));
        int levels = most;
        while (true) {
            try {
                counts = zeros(
                        "the counts of " + levels + " levels", SumsLayout.levelCountBytes(vertexCount, levels), batch);
                return levels;
            } catch (DeviceMemoryException e) {
                if (levels <= least) {
                    throw tooManyPasses(e, least);
                }
                levels = Math.max(least, levels / LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            }
        }
    }

    private static DeviceMemoryException tooManyPasses(DeviceMemoryException shortage, int least) {
        return new DeviceMemoryException(
                shortage.getMessage() + " Harmonic sums of this graph need room for the counts of " + least
                        + " levels at a time, because they may take " + LaunchPolicy.MOST_HARMONIC_PASSES
                        + " passes over all sources.");
    }

    private void closeWindow() {
        if (counts != null) {
            counts.close();
            counts = null;
        }
        searches.endPass();
    }

    /** An array of zeros beside which a workspace of some bytes fits. */
    private DeviceArray zeros(String what, long bytes, long workspace) {
        try (DeviceLease lease = lease()) {
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

    /** Adds the counts of the window to the harmonic sums on the device, the lowest level first. */
    private void addUp(int firstLevel, int levels) {
        try (DeviceLease lease = lease()) {
            lease.launchThreads(
                    vertexCount,
                    KernelArguments.of("farness_counts_harmonic_thread")
                            .set("levelCounts", counts.address())
                            .set("harmonic", address(layout().harmonic()))
                            .set("n", vertexCount)
                            .set("levelCount", levels)
                            .set("firstLevel", firstLevel));
        }
    }

    @Override
    void repeatElsewhere(SourceRanges sources) {
        searches.repeatElsewhere(sources);
    }

    @Override
    int deepest() {
        return searches.deepest();
    }

    @Override
    long[] longs(long offset) {
        long[] found = new long[vertexCount];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Long.BYTES), found, control().concurrency());
        }
        return found;
    }

    @Override
    double[] doubles(long offset) {
        double[] found = new double[vertexCount];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Double.BYTES), found, control().concurrency());
        }
        return found;
    }

    @Override
    int[] ints(long offset) {
        int[] found = new int[vertexCount];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Integer.BYTES), found, control().concurrency());
        }
        return found;
    }

    private VertexOrderedArray array(long offset, int entryBytes) {
        return graph().inVertexOrder(address(offset), entryBytes);
    }

    @Override
    public void close() {
        closeWindow();
        super.close();
    }
}
