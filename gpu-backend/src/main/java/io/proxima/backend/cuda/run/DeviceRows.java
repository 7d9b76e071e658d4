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

/** Sums by source on one device, over the ranges of sources that the device takes. See {@link FarnessRows}. */
final class DeviceRows extends DevicePart {

    private static final long IDENTITY = 0;

    private final RowKernels kernels;
    private final RunControl control;

    private int count;
    private RowsLayout layout;
    private DeviceArray rows;
    private RangeSearches searches;

    /**
     * Rows of no sources.
     *
     * @param graph has the structures of the kernels
     * @param afterwards runs when this is closed
     */
    DeviceRows(CudaDevice device, RowKernels kernels, GraphView graph, RunControl control, Runnable afterwards) {
        super(device, kernels, graph, afterwards);
        this.kernels = kernels;
        this.control = control;
    }

    int vertexCount() {
        return graph().vertexCount();
    }

    /**
     * Copies the sources and allocates their rows.
     *
     * @param slots the sources, at least one
     * @param capacity maximum number of sources, known beforehand
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit
     */
    void begin(int[] slots, int capacity, Set<DistanceMeasure> measures) {
        count = slots.length;
        layout = RowsLayout.of(capacity, vertexCount(), measures);
        try (DeviceLease lease = device().lease(control.stop())) {
            rows = lease.allocate("the sums of closeness", layout.bytes());
            lease.fill(rows.address(), 0, layout.bytes());
            lease.upload(rows.address() + layout.sources(), slots, 0, count);
        }
        searches = new RangeSearches(
                device(),
                new RowSums(kernels, rows.address() + layout.sources(), capacity, layout.at(rows.address())),
                graph());
    }

    /** Searches from ranges of sources until all sources are done, here or on other devices. */
    void accumulate(SourceRanges sources, Stop stop) {
        searches.run(sources, BatchKernels.Sums.NONE, stop);
    }

    /** Leaves all ranges to other devices, after a failure of this one. */
    void repeatElsewhere(SourceRanges sources) {
        if (searches != null) {
            searches.repeatElsewhere(sources);
        }
    }

    /** The deepest level. */
    int deepest() {
        return searches.deepest();
    }

    /** The sum of the distances by source; 0 for sources of other devices. So with the next. */
    long[] farness() {
        return longs(layout.offsets().farness(), count);
    }

    /** The number of vertices by source. */
    long[] reach() {
        return longs(layout.offsets().reach(), count);
    }

    /** The harmonic sum by source. */
    double[] harmonic() {
        double[] found = new double[count];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(array(layout.offsets().harmonic(), Double.BYTES, count), found, control.concurrency());
        }
        return found;
    }

    /** The largest distance by source. */
    int[] eccentricity() {
        int[] found = new int[count];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(array(layout.offsets().depths(), Integer.BYTES, count), found, control.concurrency());
        }
        return found;
    }

    /** The number of pairs by distance, from 1 on. */
    long[] pairs(int levels) {
        return longs(layout.offsets().pairs(), levels);
    }

    private long[] longs(long offset, int length) {
        long[] found = new long[length];
        try (DeviceLease lease = device().lease(control.stop())) {
            lease.download(array(offset, Long.BYTES, length), found, control.concurrency());
        }
        return found;
    }

    private VertexOrderedArray array(long offset, int entryBytes, int length) {
        return new VertexOrderedArray(rows.address() + offset, entryBytes, length, IDENTITY);
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
            rows = null;
        }
        super.close();
    }
}
