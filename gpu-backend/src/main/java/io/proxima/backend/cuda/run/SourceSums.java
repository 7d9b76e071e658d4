// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.RowKernels.RowsLayout;
import io.proxima.concurrent.Stop;
import java.util.Set;

/**
 * Sums by source, of chosen vertices. Each search runs from its vertex against the edges, and its sums are counted at the
 * source: a batch ends with final rows, without sums over all vertices. They are 0 for sources of other devices.
 */
final class SourceSums extends DeviceSums {

    private final RowKernels kernels;

    private ChosenSources chosen;
    private RangeSearches searches;

    /** Parameters as of {@link DeviceSums}. */
    SourceSums(CudaDevice device, RowKernels kernels, GraphView graph, RunControl control, Runnable afterwards) {
        super(device, kernels, graph, control, afterwards);
        this.kernels = kernels;
    }

    /** The device memory of a run besides structures and workspace. */
    static long bytes(int sources, int vertexCount, Set<DistanceMeasure> measures) {
        return RowsLayout.of(sources, vertexCount, measures).bytes();
    }

    /**
     * Copies the sources and allocates their rows.
     *
     * @param sources at least one to search from
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit
     */
    void begin(ChosenSources sources, Set<DistanceMeasure> measures) {
        chosen = sources;
        int capacity = sources.count();
        RowsLayout layout = RowsLayout.of(capacity, graph().vertexCount(), measures);
        try (DeviceLease lease = lease()) {
            DeviceArray rows = lease.allocate("the sums of closeness", layout.bytes());
            adopt(rows, layout.sums());
            lease.fill(rows.address(), 0, layout.bytes());
            lease.upload(rows.address() + layout.sources(), sources.slots(), 0, sources.slots().length);
        }
        RowSums rows = new RowSums(kernels, address(layout.sources()), capacity, layout.at(address(0)));
        searches = new RangeSearches(device(), rows, graph());
    }

    @Override
    void accumulate(SourceRanges sources, Stop stop) {
        searches.run(sources, BatchKernels.Sums.NONE, stop);
    }

    @Override
    void repeatElsewhere(SourceRanges sources) {
        if (searches != null) {
            searches.repeatElsewhere(sources);
        }
    }

    @Override
    int deepest() {
        return searches.deepest();
    }

    @Override
    long[] longs(long offset) {
        long[] found = new long[chosen.slots().length];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Long.BYTES), found, control().concurrency());
        }
        long[] rows = new long[chosen.count()];
        for (int i = 0; i < found.length; i++) {
            rows[chosen.rows()[i]] = found[i];
        }
        return rows;
    }

    @Override
    double[] doubles(long offset) {
        double[] found = new double[chosen.slots().length];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Double.BYTES), found, control().concurrency());
        }
        double[] rows = new double[chosen.count()];
        for (int i = 0; i < found.length; i++) {
            rows[chosen.rows()[i]] = found[i];
        }
        return rows;
    }

    @Override
    int[] ints(long offset) {
        int[] found = new int[chosen.slots().length];
        try (DeviceLease lease = lease()) {
            lease.download(array(offset, Integer.BYTES), found, control().concurrency());
        }
        int[] rows = new int[chosen.count()];
        for (int i = 0; i < found.length; i++) {
            rows[chosen.rows()[i]] = found[i];
        }
        return rows;
    }

    private VertexOrderedArray array(long offset, int entryBytes) {
        return new VertexOrderedArray(address(offset), entryBytes, chosen.slots().length, IDENTITY);
    }
}
